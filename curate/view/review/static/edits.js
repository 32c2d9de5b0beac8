"use strict";

/* The reviewers' edits. They are only ever appended: taking one back is an edit too. With a server it stores them (one
   file a reviewer); an exported page keeps them in this browser and gives them out as such a file. */
(function (review) {
  const ADDS_UP = new Set(["blur", "note"]);
  const NAME = /^[a-z0-9_-]{1,40}$/;
  const listeners = new Set();
  let about = null;
  let all = [];

  async function start(theAbout) {
    about = theAbout;
    const given = await review.load("edits").catch((error) => ({ edits: [], problem: error.message }));
    all = given.edits ?? [];
    if (review.exported) all = all.concat(own());
    return given.problem ?? given.told?.[0] ?? null;
  }

  /* Who reviews an exported page is asked there: it may have been passed on. */
  function reviewer() {
    return review.exported ? review.stored.read("by") : about?.by ?? null;
  }

  function setReviewer(name) {
    if (!NAME.test(name)) return false;
    review.stored.write("by", name);
    for (const listener of listeners) listener(null);
    return true;
  }

  function own() {
    try {
      return JSON.parse(review.stored.read("edits") ?? "[]");
    } catch {
      return [];
    }
  }

  /* The edits of one reviewer without what was undone; an undone undo undoes nothing. */
  function standing(edits) {
    const undone = new Set();
    for (const edit of [...edits].sort((a, b) => b.number - a.number)) {
      if (edit.kind === "undo" && !undone.has(edit.number)) undone.add(edit.undoes);
    }
    return edits.filter((edit) => edit.kind !== "undo" && !undone.has(edit.number));
  }

  function byReviewer(edits) {
    const found = new Map();
    for (const edit of edits) found.set(edit.by, [...(found.get(edit.by) ?? []), edit]);
    return found;
  }

  /* What is decided. A cut speaks of the run: where it ends. */
  const place = (edit) => `${edit.kind === "cut" ? "" : edit.step ?? ""}|${edit.kind}`;
  const valueOf = (edit) => JSON.stringify(edit.kind === "cut" ? edit.step : edit.value);

  /* What each reviewer says of a run now: of several edits about one thing, the last. */
  function inForce(id) {
    const found = [];
    for (const edits of byReviewer(all.filter((edit) => edit.id === id)).values()) {
      const last = new Map();
      for (const edit of standing(edits)) last.set(ADDS_UP.has(edit.kind) ? `${place(edit)}|${edit.number}` : place(edit), edit);
      found.push(...last.values());
    }
    return found;
  }

  /* Two reviewers about one thing, with different answers: neither is applied until they agree. */
  function disagreements(id) {
    const sides = new Map();
    for (const edit of inForce(id)) {
      if (!ADDS_UP.has(edit.kind)) sides.set(place(edit), [...(sides.get(place(edit)) ?? []), edit]);
    }
    return [...sides.values()].filter((edits) => new Set(edits.map(valueOf)).size > 1);
  }

  /* What this reviewer says of a run or a step of it. */
  function mine(id, kind, step = null) {
    return inForce(id).find((edit) => edit.by === reviewer() && place(edit) === place({ kind, step })) ?? null;
  }

  /* The last edit of this reviewer about this run that still stands, in the order of time. */
  function lastOf(id) {
    const edits = all.filter((edit) => edit.id === id && edit.by === reviewer());
    return standing(edits).sort((a, b) => a.number - b.number).pop() ?? null;
  }

  async function put(edit) {
    const wanted = { step: null, value: null, of: null, undoes: null, ...edit };
    const stored = review.exported ? keep(wanted) : await review.post("edits", wanted);
    all = [...all, stored];
    for (const listener of listeners) listener(stored.id);
    return stored;
  }

  function keep(edit) {
    const before = own();
    const mine = all.filter((one) => one.by === reviewer());
    const number = mine.reduce((most, one) => Math.max(most, one.number), 0) + 1;
    const at = new Date().toISOString().replace(/\.\d+Z$/, "Z");
    const stored = { schema: "edit.v1", number, ...edit, by: reviewer(), at };
    if (!review.stored.write("edits", JSON.stringify([...before, stored]))) {
      review.dom.say("This browser keeps nothing: download your edits before you close the page.", true);
    }
    return stored;
  }

  /* The file of edits as `curate run --edits` reads it. */
  function asFile() {
    return own().map((edit) => JSON.stringify(edit) + "\n").join("");
  }

  function takeBack(edit) {
    return put({ id: edit.id, step: edit.step, kind: "undo", undoes: edit.number, of: edit.of });
  }

  /* A column of the list: whether a run is reviewed, by whom, and where two differ. */
  function column(ids) {
    const marks = new Map();
    for (const edit of all) marks.set(edit.id, null);
    const words = ids.map((id) => {
      if (!marks.has(id)) return "not reviewed";
      if (marks.get(id) === null) marks.set(id, stateOf(id));
      return marks.get(id);
    });
    return review.columns.coded(words);
  }

  function stateOf(id) {
    if (disagreements(id).length) return "disagreement";
    const found = inForce(id);
    if (!found.length) return "not reviewed";
    return found.some((edit) => edit.by === reviewer()) ? "reviewed by me" : "reviewed by others";
  }

  function listen(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  const of = (id) => all.filter((edit) => edit.id === id);
  review.edits = { start, reviewer, setReviewer, inForce, disagreements, mine, lastOf, put, takeBack, column, listen, of,
    asFile, standing, editable: () => review.exported || Boolean(about?.editable), count: () => own().length };
})(window.review);
