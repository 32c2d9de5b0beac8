"use strict";

/* The raw events that a step was made of, as the recorder wrote them, in a table. */
(function (review) {
  const { make, recorded } = review.dom;
  const FIRST = ["seq", "t", "kind"];
  const MOST = 400; // rows shown; a step of more says so
  const HIDDEN = new Set(["in_step"]);

  async function show(run, index) {
    const step = run.steps[index];
    const answer = await review.load(`events/${run.position}/${step.index}`);
    const rows = answer.rows ?? [];
    if (!rows.length) return void review.dialogs.open(`Raw events of step ${step.index}`, make("p", null, recorded(answer.sentence ?? "There are none.", 400)));
    const names = [...new Set([...FIRST, ...rows.flatMap((row) => Object.keys(row))])].filter((name) => !HIDDEN.has(name) && rows.some((row) => row[name] !== undefined && row[name] !== null));
    const start = rows.find((row) => row.in_step !== false)?.t ?? rows[0].t;
    const table = make("table", { class: "events" },
      make("caption", null, `Rows ${review.text.count(answer.from ?? 0)} to ${review.text.count((answer.from ?? 0) + rows.length - 1)} of ${review.text.count(answer.of ?? rows.length)}. t: milliseconds from the step's first row. Rows of the step itself are marked.`),
      make("thead", null, make("tr", null, names.map((name) => make("th", { scope: "col" }, recorded(name, 40))))),
      make("tbody", null, rows.slice(0, MOST).map((row) => line(row, names, start))));
    const more = rows.length > MOST ? make("p", { class: "dim" }, `${review.text.count(rows.length - MOST)} more rows are not shown.`) : null;
    review.dialogs.open(`Raw events of step ${step.index}`, make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Raw events" }, table, more), { wide: true });
  }

  function line(row, names, start) {
    return make("tr", { class: row.in_step === false ? "around" : "own" }, names.map((name) => make("td", { class: typeof row[name] === "number" ? "num" : null }, cell(name, row[name], start))));
  }

  function cell(name, value, start) {
    if (value === undefined || value === null) return "";
    if (name === "t" && typeof value === "number" && typeof start === "number") return ((value - start) / 1e6).toFixed(1);
    return recorded(review.text.value(value), 160);
  }

  review.events = { show };
})(window.review);
