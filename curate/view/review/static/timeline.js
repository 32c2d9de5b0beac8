"use strict";

/* All steps of a run in a row: a small picture each, what it does, and what is said of it. Pictures of the steps in
   view are loaded, and no others. */
(function (review) {
  const { make, recorded } = review.dom;
  const WIDE = 118; // px, as in trajectory.css
  let shown = null;
  let state = null; // {run, current, go}

  function open(box, run, go) {
    state = { run, current: 0, go };
    shown = review.windowed({ box, size: WIDE, across: true, make: item, count: run.steps.length });
    return () => shown.close();
  }

  function item(index) {
    const { run, current, go } = state;
    const step = run.steps[index];
    const said = marksOf(run, step);
    const words = review.text.visible(review.text.short(wordsOf(run, index), 90));
    const none = (words) => make("span", { class: "no-picture" }, words);
    const image = step.image ? make("img", { src: step.image.src, alt: "", loading: "lazy", decoding: "async", draggable: "false", error: () => image.replaceWith(none("cannot be shown")) }) : none("no picture");
    const looks = ["step", index === current ? "current" : "", ...said.map((one) => one.look)].join(" ");
    return make("button", { type: "button", class: looks, "data-step": index, tabindex: index === current ? "0" : "-1", "aria-current": index === current ? "step" : null,
        "aria-label": `Step ${step.index}: ${words}${said.length ? ` (${said.map((one) => one.label).join(", ")})` : ""}`, title: said.map((one) => one.label).join(", ") || null, click: () => go(index) },
      make("span", { class: "thumb" }, image), make("span", { class: "number" }, String(step.index), said.map((one) => make("span", { class: `tag ${one.tag}` }, one.sign))), make("span", { class: "what" }, recorded(words, 60)));
  }

  function wordsOf(run, index) {
    const step = run.record.steps[index];
    return step?.action || step?.low_level || run.steps[index].lines?.[0] || "";
  }

  /* What a person and the stages say of a step, each with a sign and a word: never by colour alone. */
  function marksOf(run, step) {
    const found = [];
    if (review.blind) return found; // an audit: what anybody said of it is not told
    const record = run.record.steps.find((one) => one.index === step.index) ?? {};
    const value = (kind) => {
      const edit = review.edits.mine(run.record.id, kind, step.index);
      return edit ? edit.value : record[kind];
    };
    if (isCut(run, step.index)) found.push({ sign: "✂", label: "cut off", look: "cut", tag: "bad" });
    if (value("correct") === false) found.push({ sign: "✗", label: "wrong", look: "wrong", tag: "bad" });
    if (value("redundant") === true) found.push({ sign: "≈", label: "redundant", look: "redundant", tag: "look" });
    if (step.left_out) found.push({ sign: "–", label: `left out: ${step.left_out.reason}`, look: "left-out", tag: "none" });
    if (review.edits.inForce(run.record.id).some((edit) => edit.kind === "blur" && edit.step === step.index)) found.push({ sign: "▒", label: "blurred", look: "", tag: "look" });
    const flags = (record.flags ?? []).filter((flag) => flag !== "words_generated");
    if (flags.length) found.push({ sign: "⚑", label: `flagged: ${flags.join(", ")}`, look: "", tag: "look" });
    return found;
  }

  function isCut(run, index) {
    const cut = review.edits.mine(run.record.id, "cut");
    return Boolean(cut) && index >= cut.step;
  }

  function show(index) {
    const before = shown.element(state.current);
    state.current = index;
    if (before) mark(before, false);
    shown.reveal(index);
    const element = shown.element(index);
    if (element) mark(element, true);
    const focused = document.activeElement;
    if (focused && focused.closest?.("#timeline") && element) element.focus({ preventScroll: true });
  }

  function mark(element, is) {
    element.classList.toggle("current", is);
    element.tabIndex = is ? 0 : -1;
    if (is) element.setAttribute("aria-current", "step");
    else element.removeAttribute("aria-current");
  }

  function refresh() {
    const focused = document.activeElement?.closest?.("#timeline");
    shown.again();
    if (focused) shown.element(state.current)?.focus({ preventScroll: true });
  }

  review.timeline = { open, show, refresh, isCut, wordsOf };
})(window.review);
