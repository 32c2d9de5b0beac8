"use strict";

/* The list of all trajectories as columns, as it came: a run is a row number. Columns of words are dictionary coded,
   so that ten thousand rows are filtered and counted as small numbers. */
(function (review) {
  /* A column as {values, codes}: codes[row] is a position in values, -1 for none, or a list of positions. It comes as
     one word or list a row, or as {values, codes} whose values are words or lists. */
  function coded(raw) {
    if (!raw) return null;
    const values = [];
    const seen = new Map();
    const code = (thing) => {
      if (Array.isArray(thing)) return thing.map(code);
      if (thing === null || thing === undefined) return -1;
      if (!seen.has(thing)) seen.set(thing, values.push(thing) - 1);
      return seen.get(thing);
    };
    if (Array.isArray(raw)) return { values, codes: raw.map(code) };
    const told = raw.values.map(code);
    return { values, codes: raw.codes.map((one) => (Array.isArray(one) ? one.map((each) => told[each]) : told[one] ?? -1)) };
  }

  const WORDS = ["source", "platform", "apps", "sites", "actor", "split", "fate", "stage", "reason", "score_name", "flags"];
  const PLAIN = ["id", "instruction", "completed", "steps", "score", "pictures", "video", "weight", "witness"];

  function table(raw) {
    const columns = { count: raw.count };
    for (const name of WORDS) columns[name] = coded(raw[name]) ?? { values: [], codes: new Array(raw.count).fill(-1) };
    for (const name of PLAIN) columns[name] = plain(raw[name]) ?? new Array(raw.count).fill(null);
    columns.outcome = coded(columns.completed.map((done) => (done === true ? "completed" : done === false ? "failed" : "unknown")));
    return columns;
  }

  function plain(raw) {
    return raw && !Array.isArray(raw) && raw.values ? raw.codes.map((code) => raw.values[code]) : raw;
  }

  /* What a row has in a column of words: one word, a list, or null. */
  function word(column, row) {
    const code = column.codes[row];
    if (Array.isArray(code)) return code.map((one) => column.values[one]);
    return code === -1 || code === undefined ? null : column.values[code];
  }

  review.columns = { table, word, coded };
})(window.review);
