"use strict";

/* One trajectory: the picture of a step, all steps below it, and beside it what is told of the step and the run. */
(function (review) {
  const { make, byId, say, recorded } = review.dom;
  let run = null;
  let current = 0; // place in run.steps
  let rows = []; // the selection that next and previous walk along
  let query = null;
  let closers = [];

  async function show(main, address) {
    query = address.query;
    const position = address.numbers[0] ?? 0;
    const [answer, selected] = await Promise.all([review.load(`run/${position}`), review.list.rowsOf(query)]);
    run = answer;
    rows = selected.rows;
    current = place(address.numbers[1]);
    review.frame("run", run.position);
    fill(main);
    review.keys.use(actions());
    document.title = `${review.text.visible(review.text.short(review.runPanel.instruction(run), 60))} · review`;
    closers.push(review.edits.listen(refresh));
    step(current, false);
    byId("run-title").focus({ preventScroll: true });
    return close;
  }

  function close() {
    review.blur.cancel();
    for (const one of closers) one();
    closers = [];
  }

  /* The place of a step index of the address; the first where it names none. */
  function place(index) {
    const found = run.steps.findIndex((one) => one.index === index);
    return found < 0 ? 0 : found;
  }

  function fill(main) {
    const picture = review.picture.make();
    const timeline = make("div", { id: "timeline", role: "group", "aria-label": "Steps", tabindex: "-1" });
    const panel = make("aside", { class: "panel", "aria-label": "About the step and the run", tabindex: "0" }, make("div", { id: "for-judging" }, review.edits.editable() ? review.judging.bar() : make("p", { class: "dim" }, review.about.not_editable ?? "Read only.")), make("div", { id: "for-step" }), make("div", { id: "for-verdicts" }), make("div", { id: "for-edits" }), make("div", { id: "for-run" }));
    const body = run.steps.length ? [picture.holder, timeline] : [make("section", { class: "picture" }, make("p", { class: "waiting" }, "This run has no steps."))];
    main.replaceChildren(make("div", { class: "run-page" }, make("div", { id: "run-head-bar" }), make("div", { class: "run-main" }, body), panel));
    head();
    closers.push(picture.close);
    if (run.steps.length) closers.push(review.timeline.open(timeline, run, (index) => step(index)));
    panels();
  }

  function head() {
    const at = rows.indexOf(run.position);
    const all = rows.length;
    const where = at < 0 ? `position ${run.position}` : `${review.text.count(at + 1)} of ${review.text.count(all)}`;
    const edited = review.edits.mine(run.record.id, "instruction");
    const outcome = review.runPanel.outcome(run);
    byId("run-head-bar").replaceChildren(
      make("div", { class: "walk" }, make("a", { href: review.address.written("list", [], query), class: "button", "aria-keyshortcuts": "Escape" }, "List"),
        review.dom.button("‹", "k", () => walk(-1), { "aria-label": "Previous trajectory" }), make("span", { class: "where" }, where), review.dom.button("›", "j", () => walk(1), { "aria-label": "Next trajectory" })),
      make("h2", { id: "run-title", tabindex: "-1" }, recorded(review.runPanel.instruction(run) || "(no instruction)", 400), edited ? make("span", { class: "badge look" }, "rewritten") : null),
      make("div", { class: "badges" }, review.badges.outcome(outcome), review.badges.fate(review.runPanel.fate(run))));
  }

  function panels() {
    byId("for-verdicts").replaceChildren(review.runPanel.verdicts(run));
    byId("for-edits").replaceChildren(review.runPanel.edits(run));
    byId("for-run").replaceChildren(review.runPanel.about(run));
  }

  /* Shows a step. The address follows without a new entry in the history. */
  function step(index, tell = true) {
    if (!run.steps.length) return review.judging.at(run, 0);
    const left = review.blur.cancel();
    current = Math.max(0, Math.min(run.steps.length - 1, index));
    const shown = run.steps[current];
    byId("step-title").replaceChildren(`Step ${shown.index}`, make("span", { class: "dim" }, ` ${current + 1} of ${run.steps.length}`));
    byId("caption").replaceChildren(...review.stepPanel.caption(run, current).filter(Boolean));
    review.picture.show(run, current);
    review.picture.centre();
    review.timeline.show(current);
    byId("for-step").replaceChildren(review.stepPanel.show(run, current));
    review.judging.at(run, current);
    review.judging.refresh();
    review.address.replace("run", [run.position, shown.index], query);
    if (left) say("Nothing was blurred: another step is shown.");
    else if (tell) say(`Step ${shown.index}, ${current + 1} of ${run.steps.length}: ${review.text.visible(review.text.short(review.timeline.wordsOf(run, current), 120))}`);
  }

  /* After an edit: what shows edits is made again. */
  function refresh(id) {
    if (id !== null && id !== run.record.id) return;
    head();
    panels();
    if (!run.steps.length) return;
    review.timeline.refresh();
    review.judging.refresh();
    review.picture.redraw();
  }

  function walk(by) {
    const at = rows.indexOf(run.position);
    goTo(at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by, by);
  }

  function goTo(at, by) {
    if (!rows.length || at < 0 || at >= rows.length) return say(by > 0 ? "This is the last trajectory of the selection." : "This is the first trajectory of the selection.");
    return review.address.go("run", [rows[at]], query);
  }

  function moveStep(by) {
    const to = current + by;
    if (to < 0 || to >= run.steps.length) return say(by > 0 ? "This is the last step." : "This is the first step.");
    return step(to);
  }

  function beside() {
    const found = run.verdicts.some((one) => one.witness);
    if (!found) return say("No stage names a witness for this run.");
    return review.address.go("witness", [run.position], query);
  }

  function actions() {
    const withSteps = (action) => () => (run.steps.length ? action() : say("This run has no steps."));
    return {
      next: () => walk(1), previous: () => walk(-1), forward: () => moveStep(1), back: () => moveStep(-1),
      first: withSteps(() => step(0)), last: withSteps(() => step(run.steps.length - 1)), leave: () => review.address.go("list", [], query),
      search: () => { review.address.go("list", [], query); setTimeout(() => byId("search")?.focus(), 100); },
      after: withSteps(review.picture.toggleAfter), zoom: withSteps(review.picture.cycle), marks: withSteps(review.picture.toggleMarks),
      video: withSteps(() => review.clip.show(run, current)), events: withSteps(() => review.events.show(run, current)), beside,
      ...Object.fromEntries(Object.entries(review.judging.keys).map(([name, action]) => [name, ["wrong", "redundant", "cut", "blur", "note"].includes(name) ? withSteps(action) : action])),
    };
  }

  review.trajectory = { show };
})(window.review);
