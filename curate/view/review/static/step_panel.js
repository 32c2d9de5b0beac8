"use strict";

/* What is told of one step beside its picture: words, what is typed and pressed, thought, code, element, flags, and why
   it is no target. */
(function (review) {
  const { make, recorded, long, facts } = review.dom;

  /* The line over the picture: what is typed as text, what is pressed as keys. */
  function caption(run, index) {
    const step = run.record.steps[index];
    const said = (step?.actions ?? []).map(done).filter(Boolean);
    const words = review.timeline.wordsOf(run, index);
    return [recorded(words || "(no words)", 240, { class: "words" }), said.length ? make("span", { class: "typed" }, said) : null];
  }

  function done(action) {
    const key = (name) => make("kbd", null, review.text.visible(name));
    switch (action.type) {
      case "write": return make("span", { class: "part" }, "types ", recorded(action.text, 200, { class: "text" }));
      case "answer": return make("span", { class: "part" }, "answers ", recorded(action.text ?? "", 200, { class: "text" }));
      case "press": return make("span", { class: "part" }, key(action.key), action.presses > 1 ? ` × ${action.presses}` : null);
      case "hotkey": return make("span", { class: "part" }, action.keys.map((name, k) => [k ? "+" : null, key(name)]));
      case "keyDown": return make("span", { class: "part" }, "holds ", key(action.key));
      case "keyUp": return make("span", { class: "part" }, "lets go ", key(action.key));
      case "scroll": return make("span", { class: "part" }, `scrolls ${action.amount > 0 ? "up" : "down"} ${amount(action)}`);
      case "hscroll": return make("span", { class: "part" }, `scrolls ${action.amount > 0 ? "right" : "left"} ${amount(action)}`);
      case "wait": return make("span", { class: "part" }, `waits ${review.text.value(action.seconds)} s`);
      case "terminate": return make("span", { class: "part" }, `ends: ${action.status ?? "no status"}`);
      case "openApp": return make("span", { class: "part" }, "opens ", recorded(action.app ?? "", 80, { class: "text" }));
      case "goto": return make("span", { class: "part" }, "goes to ", recorded(action.url ?? "", 160, { class: "text" }));
      case "selectOption": return make("span", { class: "part" }, "chooses ", recorded(action.value ?? "", 120, { class: "text" }));
      default: return action.modifiers?.length ? make("span", { class: "part" }, "holding ", action.modifiers.map((name, k) => [k ? "+" : null, key(name)])) : null;
    }
  }

  function amount(action) {
    return review.text.plural(Math.abs(action.amount), action.unit ?? "notch", action.unit === "notch" ? "notches" : undefined);
  }

  /* The part of the panel that changes with the step. */
  function show(run, index) {
    const step = run.steps[index];
    const record = run.record.steps[index] ?? {};
    const texts = [["Thought", step.thought], ["Observation", step.observation], ["Low-level instruction", record.low_level], ["Reflection", step.reflection]]
      .filter(([, text]) => text).map(([name, text]) => make("section", { class: "told" }, make("h4", null, name), long(text, "p", { class: "lines" })));
    const code = step.code ? make("section", { class: "told" }, make("h4", null, "Code"), long(step.code, "pre", { "aria-label": "Code of the step" })) : null;
    return make("section", { "aria-labelledby": "step-head", id: "step-panel" },
      make("h3", { id: "step-head" }, `Step ${step.index}`), review.blind ? null : state(step, record), texts, code, review.blind ? null : flags(record), details(step, record));
  }

  function state(step, record) {
    const judged = [record.correct === false ? "The source says: this step is wrong." : null, record.redundant === true ? "The source says: this step is redundant." : null];
    const out = step.left_out;
    return [
      out ? make("p", { class: "note" }, make("b", null, "No target. "), out.sentence ?? review.badges.sentence(out.reason), " ", recorded(out.reason, 60, { class: "code" }), out.detail ? [" ", recorded(out.detail, 200, { class: "dim" })] : null) : null,
      judged.filter(Boolean).map((line) => make("p", { class: "note" }, line)),
    ];
  }

  function flags(record) {
    const lines = (record.flags ?? []).map((flag) => make("li", null, review.badges.flag(flag), make("span", { class: "dim" }, review.about.flags?.[flag] ?? "")));
    return lines.length ? make("ul", { class: "flags", "aria-label": "Flags" }, lines) : null;
  }

  function details(step, record) {
    const element = record.element;
    const keyframe = record.keyframe;
    const time = record.time;
    return facts([
      ["Element", element ? [make("span", { class: "dim" }, `${review.text.visible(element.role ?? "")} `), recorded(element.name ?? "", 160)] : null],
      ["App", record.app ? recorded(record.app, 80) : null],
      ["Window", record.window ? recorded(record.window, 160) : null],
      ["Address", record.url ? recorded(record.url, 200) : null],
      ["Screen", record.screen ? `${record.screen.width} × ${record.screen.height}${record.screen.scale && record.screen.scale !== 1 ? ` at ${record.screen.scale}` : ""}` : null],
      ["Time", time && time.start !== null ? `${review.text.seconds(time.start)} to ${review.text.seconds(time.end)}` : null],
      ["Picture taken", keyframe?.time !== undefined && keyframe?.time !== null ? `${review.text.seconds(keyframe.time)}${keyframe.erased ? ", pointer erased" : ""}` : null],
      ["Pointer", pointer(step)],
      ["Weight", record.weight === null || record.weight === undefined ? null : review.text.value(record.weight)],
      ["Raw events", step.events ? `${step.events[0]} to ${step.events[1]}` : null],
    ]);
  }

  function pointer(step) {
    if (!step.pointer || review.blind) return null; // it is what an audit of pictures asks
    if (step.pointer.on_target === true) return make("b", { class: "lost-text" }, "on the target in this picture");
    return step.pointer.on_target === false ? "away from the target" : "place known, target not";
  }

  review.stepPanel = { show, caption };
})(window.review);
