"use strict";

/* The raw events that a step was made of, as the recorder wrote them, in a table. */
(function (review) {
  const { make, recorded } = review.dom;
  const FIRST = ["index", "time", "kind"];
  const MOST = 400; // rows shown; a step of more says so
  const HIDDEN = new Set(["in_step"]);

  async function show(run, index) {
    const step = run.steps[index];
    const answer = await review.dialogs.wanted(review.load(`events/${run.position}/${step.index}`), "The raw events are being read…");
    if (!answer) return;
    const rows = answer.rows ?? [];
    if (!rows.length) return void review.dialogs.open(`Raw events of step ${step.index}`, make("p", null, recorded(answer.sentence ?? "There are none.", 400)));
    const names = [...new Set([...FIRST, ...rows.flatMap((row) => Object.keys(row))])].filter((name) => !HIDDEN.has(name) && rows.some((row) => row[name] !== undefined && row[name] !== null));
    const table = make("table", { class: "events" },
      make("caption", { class: "hidden" }, "Raw events, in order"),
      make("thead", null, make("tr", null, names.map((name) => make("th", { scope: "col", class: rows.some((row) => numeric(row[name])) ? "num" : null }, recorded(name, 40))))),
      make("tbody", null, rows.slice(0, MOST).map((row) => line(row, names))));
    const more = rows.length > MOST ? make("p", { class: "dim" }, `${review.text.count(rows.length - MOST)} more rows are not shown.`) : null;
    review.dialogs.open(`Raw events of step ${step.index}`, make("div", null,
      make("p", { class: "dim" }, `The step was made of the ${review.text.plural(answer.of ?? 0, "event")} marked here; the others came around it. Time in seconds, places in pixels of the screen.`),
      make("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Raw events" }, table), more), { wide: true });
    document.querySelector("table.events tr.own")?.scrollIntoView({ block: "center" });
  }

  function line(row, names) {
    return make("tr", { class: row.in_step === false ? "around" : "own" }, names.map((name) => make("td", { class: numeric(row[name]) ? "num" : null }, cell(name, row[name]))));
  }

  const numeric = (value) => typeof value === "number";

  function cell(name, value) {
    if (value === undefined || value === null) return "";
    if (name === "time" && typeof value === "number") return value.toFixed(3);
    return recorded(review.text.value(value), 160);
  }

  review.events = { show };
})(window.review);
