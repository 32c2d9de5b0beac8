"use strict";

/* The audit: a blind sample. What the machine decided, what anybody flagged and what became of the run is not shown and
   not even asked for, before the answer or after: an answer can be changed, and the next pictures look alike. What the
   answers say of the machine `curate audit` tells, when they are all given. */
(function (review) {
  const { make, byId, say, recorded } = review.dom;
  const ASKED = {
    verdicts: { question: "Was the task completed?", answers: [["success", "Yes, completed", "y"], ["failure", "No, not completed", "n"], ["unsure", "Cannot be told", "d"]] },
    pairs: { question: "Are these two the same run, so that one of them is too many?", answers: [["copy", "Yes, the same", "y"], ["different", "No, different", "n"], ["unsure", "Cannot be told", "d"]] },
    keyframes: { question: "Is this the screen as it was before the action, with what it acts on, neither lit up nor pointed at?", answers: [["right", "Yes, right", "y"], ["wrong", "No, wrong", "n"], ["unsure", "Cannot be told", "d"]] },
  };
  const HINTS = {
    verdicts: "← → walk through the steps, G goes to the last, o shows what came after one.",
    pairs: "→ ← scroll both runs, G shows their ends.",
    keyframes: "h hides what is drawn on the picture, z enlarges it.",
  };
  let items = null;
  let given = new Map(); // item -> answer
  let at = 0;
  let run = null;
  let step = 0;
  let closers = [];
  let told = ""; // of the item before, said when this one is there

  async function show(main, { numbers }) {
    review.blind = true;
    document.title = "Audit · review";
    if (!items) begin((await review.load("audit")).items ?? []);
    at = Math.max(0, Math.min(items.length - 1, numbers[0] ?? firstOpen()));
    if (!items.length) return main.replaceChildren(make("p", { class: "waiting" }, "The sample is empty: the data has nothing of this kind."));
    if (numbers[0] !== at) review.address.replace("audit", [at], null); // a reload comes back to it
    review.frame("audit", at);
    await item(main);
    if (told) say(told);
    told = "";
    return close;
  }

  function begin(all) {
    items = all;
    for (const one of all) if (one.answer) given.set(one.item, one.answer);
  }

  function close() {
    review.blind = false;
    shut();
  }

  function shut() {
    for (const one of closers) one();
    closers = [];
  }

  function firstOpen() {
    const found = items.findIndex((one) => !given.has(one.item));
    return found < 0 ? 0 : found;
  }

  async function item(main) {
    shut();
    const one = items[at];
    const body = make("div", { id: "audit-body" });
    main.replaceChildren(make("div", { class: "audit" }, make("div", { id: "audit-head" }), body));
    review.keys.use(keys(one), LABELS);
    head(one);
    if (one.pair) await pair(body, one.pair);
    else await single(body, one);
    byId("audit-question").focus();
  }

  /* Progress, the question, the answers, and what was answered. */
  function head(one) {
    const { question, answers } = ASKED[one.about];
    const mine = given.get(one.item);
    const buttons = answers.map(([answer, label, key]) => review.dom.button(label, key, () => guarded(() => reply(answer)), { "aria-pressed": String(mine === answer), "data-answer": answer }));
    const bar = make("progress", { max: items.length, value: given.size, "aria-label": "Answered" });
    byId("audit-head").replaceChildren(
      make("div", { class: "audit-progress" }, bar, make("span", { id: "answered" }, `${review.text.count(given.size)} of ${review.text.count(items.length)} answered`),
        make("span", { class: "walk" }, review.dom.button("‹", "k", () => walk(-1), { "aria-label": "Previous item" }), make("span", { class: "where" }, `item ${at + 1} of ${items.length}`), review.dom.button("›", "j", () => walk(1), { "aria-label": "Next item" }))),
      make("div", { class: "asked" }, make("h2", { id: "audit-question", tabindex: "-1" }, question), make("div", { class: "answers", role: "group", "aria-labelledby": "audit-question" }, buttons)),
      make("p", { id: "audit-state", class: "dim" }, state(mine)));
  }

  function state(mine) {
    if (given.size === items.length) return "All is answered. curate audit RUN --labels RUN.edits says what the answers mean; until you close this page they can be changed.";
    return mine ? "Answered; another key changes it. j goes on." : `${HINTS[items[at].about]} An answer is stored at once, and the next item is shown; k goes back to change one.`;
  }

  /* Stored first, shown then. On to the next item where this one had no answer before. */
  async function reply(answer) {
    const one = items[at];
    const before = given.get(one.item);
    const label = ASKED[one.about].answers.find(([name]) => name === answer)[1];
    await review.post("audit", { item: one.item, answer });
    given.set(one.item, answer);
    if (items[at] === one) head(one);
    const stored = `Stored: ${label}.${given.size === items.length ? " All is answered." : ""}`;
    say(stored);
    if (before !== undefined || items[at] !== one || at + 1 >= items.length) return;
    told = `${stored} Item ${at + 2} of ${items.length}.`;
    review.address.go("audit", [at + 1], null);
  }

  function guarded(action) {
    Promise.resolve().then(action).catch((error) => say(error.message, true));
  }

  function walk(by) {
    const to = at + by;
    if (to < 0 || to >= items.length) return say(by > 0 ? "This was the last item." : "This is the first item.");
    return review.address.go("audit", [to], null);
  }

  /* One run, or one step of it, with nothing said of it. */
  async function single(body, one) {
    run = await review.load(`run/${one.position}`);
    const only = one.step !== null && one.step !== undefined;
    const picture = review.picture.make();
    const timeline = make("div", { id: "timeline", role: "group", "aria-label": "Steps", tabindex: "-1" });
    const panel = make("aside", { class: "panel", "aria-label": "About the step", tabindex: "0" }, make("section", null, make("h3", null, "Task"), make("p", null, recorded(run.record.instruction, 600))), make("div", { id: "for-step" }));
    closers.push(picture.close);
    body.replaceChildren(make("div", { class: "run-main" }, picture.holder, only ? null : timeline), panel);
    if (!only) closers.push(review.timeline.open(timeline, run, go));
    const place = only ? run.steps.findIndex((each) => each.index === one.step) : 0;
    if (run.steps.length) go(Math.max(0, place), only);
  }

  function go(index, only = false) {
    step = Math.max(0, Math.min(run.steps.length - 1, index));
    byId("step-title").replaceChildren(`Step ${run.steps[step].index}`, make("span", { class: "dim" }, ` ${step + 1} of ${run.steps.length}`));
    byId("caption").replaceChildren(...review.stepPanel.caption(run, step).filter(Boolean));
    review.picture.show(run, step);
    if (!only) review.timeline.show(step);
    byId("for-step").replaceChildren(review.stepPanel.show(run, step));
  }

  async function pair(body, [one, other]) {
    const both = await Promise.all([review.load(`run/${one}`), review.load(`run/${other}`)]);
    run = null;
    body.replaceChildren(make("div", { class: "audit-pair", id: "audit-pair", tabindex: "0", role: "group", "aria-label": "Both runs" }, both.map((side, k) => column(side, k ? "B" : "A"))));
  }

  function column(side, name) {
    const steps = side.steps.map((each, k) => make("li", null, each.image ? make("img", { src: each.image.src, alt: "", loading: "lazy", decoding: "async" }) : null, make("div", null, make("span", { class: "dim" }, `${each.index} `), recorded(review.timeline.wordsOf(side, k), 200))));
    if (side.final_image) steps.push(make("li", null, make("img", { src: side.final_image.src, alt: "", loading: "lazy", decoding: "async" }), make("div", { class: "dim" }, "at the end of the run")));
    return make("section", { class: "card", "aria-label": `Run ${name}` }, make("h3", null, `Run ${name}`), make("p", { class: "quoted" }, recorded(side.record.instruction, 600)), make("p", { class: "dim" }, recorded([...side.record.apps, ...side.record.sites].join(", "), 120)), make("ol", null, steps));
  }

  const LABELS = { forward: "next step; of a pair, on", back: "previous step; of a pair, back", next: "next item", previous: "previous item", yes: "yes", note: "no", pass: "yes", fail: "no", unsure: "cannot be told", first: "first step, or the beginning", last: "last step, or the end" };

  function keys(one) {
    const [yes, no, unsure] = ASKED[one.about].answers.map(([answer]) => () => reply(answer));
    const only = one.step !== null && one.step !== undefined;
    const steps = one.pair ? { forward: () => scroll(0.8), back: () => scroll(-0.8), first: () => scroll(-Infinity), last: () => scroll(Infinity) } : only ? {} : { forward: () => move(1), back: () => move(-1), first: () => go(0), last: () => go(run.steps.length - 1) };
    const pictures = one.pair ? {} : { after: review.picture.toggleAfter, zoom: review.picture.cycle, marks: review.picture.toggleMarks, video: () => review.clip.show(run, step) };
    return { ...steps, ...pictures, yes, pass: yes, note: no, fail: no, unsure, next: () => walk(1), previous: () => walk(-1) };
  }

  /* Both runs by a part of what is seen of them, or to an end. */
  function scroll(by) {
    const box = byId("audit-pair");
    box.scrollTop = Number.isFinite(by) ? box.scrollTop + by * box.clientHeight : by > 0 ? box.scrollHeight : 0;
  }

  function move(by) {
    const to = step + by;
    if (to < 0 || to >= run.steps.length) return say(by > 0 ? "This is the last step." : "This is the first step.");
    go(to);
    return say(`Step ${run.steps[step].index}: ${review.text.visible(review.text.short(review.timeline.wordsOf(run, step), 120))}`);
  }

  review.audit = { show };
})(window.review);
