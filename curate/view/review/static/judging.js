"use strict";

/* What a reviewer's keys and buttons do. The same key again takes the edit back; every edit says what it did. */
(function (review) {
  const { make, say, button } = review.dom;
  let run = null;
  let place = 0; // of the step shown, in run.steps

  function at(theRun, index) {
    run = theRun;
    place = index;
  }

  /* Stores an edit and says so; where it stands already, takes it back. Resolves to whether something was stored. */
  async function toggle(kind, value, step, words) {
    const { record, fingerprint } = run; // what is judged is what was seen when it began, whatever is shown by then
    if (!(await allowed())) return;
    const before = review.edits.mine(record.id, kind, step);
    if (before && same(before.value, value) && (before.step ?? null) === step) {
      await review.edits.takeBack(before);
      return say(`Taken back: ${words}.`);
    }
    await review.edits.put({ id: record.id, step, kind, value, of: fingerprint });
    return say(`${words[0].toUpperCase()}${words.slice(1)}. u takes it back.`);
  }

  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const index = () => run.steps[place].index;

  async function allowed() {
    if (!review.edits.editable()) {
      say(review.about.not_editable ?? "This data is read only: edits cannot be stored beside it.", true);
      return false;
    }
    if (review.edits.reviewer()) return true;
    const name = await review.dialogs.ask("Who reviews?", { label: "A name or pseudonym for the edits file", rows: 1, store: "Go on",
      hint: "Small letters, digits, _ and -, at most 40. It stands in every edit.",
      check: (text) => (/^(?!audit-)[a-z0-9_-]{1,40}$/.test(text) ? null : "Only a to z, 0 to 9, _ and -, at most 40, and not audit-… .") });
    return name !== null && review.edits.setReviewer(name);
  }

  const pass = () => toggle("outcome", true, null, "run passed");
  const fail = () => toggle("outcome", false, null, "run failed");
  const wrong = () => toggle("correct", false, index(), `step ${index()} flagged wrong`);
  const redundant = () => toggle("redundant", true, index(), `step ${index()} flagged redundant`);
  const cut = () => toggle("cut", null, index(), `run cut from step ${index()} on`);

  async function instruction() {
    const judged = run;
    if (!(await allowed())) return;
    const old = review.runPanel.instruction(judged);
    const text = await review.dialogs.ask("Rewrite the instruction", { label: "Instruction", value: old, check: (given) => (given.trim() ? null : "An instruction has words.") });
    if (text === null) return say("The instruction stays as it was.");
    if (text.trim() === old) return say("That is what it was: nothing stored.");
    await review.edits.put({ id: judged.record.id, step: null, kind: "instruction", value: text.trim(), of: judged.fingerprint });
    say("Instruction rewritten. u takes it back.");
  }

  async function note() {
    const judged = run;
    const step = index();
    if (!(await allowed())) return;
    const text = await review.dialogs.ask("Note", { label: `About step ${step} of this run`, check: (given) => (given.trim() ? null : "A note has words.") });
    if (text === null) return say("No note stored.");
    await review.edits.put({ id: judged.record.id, step, kind: "note", value: text.trim(), of: judged.fingerprint });
    say("Note stored.");
  }

  async function blur() {
    if (!run.steps[place].image) return say("This step has no picture.");
    const judged = run;
    const step = index();
    if (!(await allowed())) return;
    const box = await review.blur.ask();
    if (!box) return;
    await review.edits.put({ id: judged.record.id, step, kind: "blur", value: box, of: judged.fingerprint });
    say(`A region of step ${step} will be blurred. u takes it back.`);
  }

  async function undo() {
    const last = review.edits.lastOf(run.record.id);
    if (!last) return say("You have no edit of this run that could be taken back.");
    await review.edits.takeBack(last);
    const step = last.step === null || last.step === undefined ? "" : ` of step ${last.step}`;
    say(`Taken back: your ${last.kind}${step}.`);
  }

  const GROUPS = [
    ["Run", [["Pass", "p", pass, "outcome"], ["Fail", "f", fail, "outcome"], ["Rewrite", "i", instruction, null, "Rewrite the instruction"], ["Note", "n", note]]],
    ["Step", [["Wrong", "w", wrong, "correct"], ["Redundant", "r", redundant, "redundant"], ["Cut", "c", cut, "cut"], ["Blur", "b", blur]]],
  ];

  /* The buttons; `refresh` presses those whose edit stands. */
  function bar() {
    const guarded = (action) => () => Promise.resolve(action()).catch((error) => say(error.message, true));
    const groups = GROUPS.map(([name, buttons]) => make("div", { class: "group", role: "group", "aria-label": `This ${name.toLowerCase()}` },
      make("span", { class: "dim group-name", "aria-hidden": "true" }, name),
      buttons.map(([label, key, action, kind, name]) => button(label, key, guarded(action), { "data-key": key, "aria-label": name, "aria-pressed": kind ? "false" : null, class: `judge judge-${label.toLowerCase()}` }))));
    groups[0].append(button("Undo", "u", guarded(undo), { class: "judge", "data-key": "u" }));
    return make("div", { class: "judging", role: "toolbar", "aria-label": "Your judgement" }, groups);
  }

  function refresh() {
    const holds = (kind, step, value) => {
      const edit = review.edits.mine(run.record.id, kind, step);
      return Boolean(edit) && same(edit.value, value) && (edit.step ?? null) === step;
    };
    const pressed = { p: holds("outcome", null, true), f: holds("outcome", null, false), w: holds("correct", index(), false), r: holds("redundant", index(), true), c: holds("cut", index(), null) };
    for (const [key, is] of Object.entries(pressed)) document.querySelector(`.judging [data-key="${key}"]`)?.setAttribute("aria-pressed", String(is));
  }

  review.judging = { at, bar, refresh, keys: { pass, fail, wrong, redundant, cut, instruction, note, blur, undo } };
})(window.review);
