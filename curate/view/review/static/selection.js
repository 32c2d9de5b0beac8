"use strict";

/* Which rows are shown, in which order, and how many there would be behind every other choice. Pure: columns and a
   selection in, rows and counts out. */
(function (review) {
  /* Choices that are words of a column; several of one are joined by or, those of different ones by and. */
  const CHOICES = [
    { key: "review", label: "Review", column: "review" },
    { key: "outcome", label: "Outcome", column: "outcome" },
    { key: "fate", label: "Kept or not", column: "fate" },
    { key: "stage", label: "Left out by", column: "stage" },
    { key: "reason", label: "Reason", column: "reason" },
    { key: "split", label: "Split", column: "split" },
    { key: "source", label: "Source", column: "source" },
    { key: "app", label: "App", column: "apps" },
    { key: "site", label: "Site", column: "sites" },
    { key: "platform", label: "Platform", column: "platform" },
    { key: "actor", label: "Actor", column: "actor" },
    { key: "flag", label: "Flag", column: "flags" },
    { key: "score_name", label: "Score by", column: "score_name" },
  ];
  const RANGES = [
    { key: "steps", label: "Steps", column: "steps" },
    { key: "score", label: "Score", column: "score" },
  ];
  const SORTS = [
    { key: "", label: "As in the data" },
    { key: "steps", label: "Fewest steps" }, { key: "-steps", label: "Most steps" },
    { key: "score", label: "Lowest score" }, { key: "-score", label: "Highest score" },
    { key: "instruction", label: "Instruction, A to Z" },
    { key: "-weight", label: "Largest weight" }, { key: "-pictures", label: "Most pictures" },
  ];

  function read(query) {
    const chosen = {};
    for (const { key } of CHOICES) chosen[key] = query.getAll(key);
    for (const { key } of RANGES) chosen[key] = range(query.get(key));
    const sort = query.get("sort") ?? "";
    return { ...chosen, q: query.get("q") ?? "", sort: SORTS.some((one) => one.key === sort) ? sort : "" };
  }

  function range(text) {
    const found = /^(-?[\d.]*)~(-?[\d.]*)$/.exec(text ?? "");
    if (!found) return [null, null];
    return [found[1], found[2]].map((part) => (part === "" || Number.isNaN(Number(part)) ? null : Number(part)));
  }

  function write(selection) {
    const query = new URLSearchParams();
    for (const { key } of CHOICES) for (const value of selection[key]) query.append(key, value);
    for (const { key } of RANGES) {
      const [low, high] = selection[key];
      if (low !== null || high !== null) query.set(key, `${low ?? ""}~${high ?? ""}`);
    }
    if (selection.q) query.set("q", selection.q);
    if (selection.sort) query.set("sort", selection.sort);
    return query;
  }

  /* One test a chosen filter: row -> does it pass? */
  function tests(columns, selection, texts) {
    const found = [];
    for (const { key, column } of CHOICES) {
      if (!selection[key].length) continue;
      const { values, codes } = columns[column];
      const wanted = new Set(selection[key].map((value) => values.indexOf(value)).filter((code) => code >= 0));
      if (selection[key].includes("")) wanted.add(-1);
      const passes = (code) => (Array.isArray(code) ? (code.length ? code.some((one) => wanted.has(one)) : wanted.has(-1)) : wanted.has(code));
      found.push({ key, passes: (row) => passes(codes[row]) });
    }
    for (const { key, column } of RANGES) {
      const [low, high] = selection[key];
      if (low === null && high === null) continue;
      const numbers = columns[column];
      found.push({ key, passes: (row) => within(numbers[row], low, high) });
    }
    const words = searched(selection.q);
    if (words.length && texts) found.push({ key: "q", passes: (row) => words.every((word) => (texts[row] ?? "").includes(word)) });
    return found;
  }

  function within(number, low, high) {
    return typeof number === "number" && (low === null || number >= low) && (high === null || number <= high);
  }

  function searched(q) {
    return q.toLowerCase().split(/\s+/).filter(Boolean);
  }

  /* {rows, counts: {key: Map(code -> rows that this choice would show)}, numbers: {key: values under the others}}. A
     filter's own counts ignore that filter: they say what choosing another of its words would give. */
  function select(columns, selection, texts) {
    const active = tests(columns, selection, texts);
    const counts = Object.fromEntries(CHOICES.map(({ key }) => [key, new Map()]));
    const numbers = Object.fromEntries(RANGES.map(({ key }) => [key, []]));
    const rows = [];
    for (let row = 0; row < columns.count; row += 1) {
      let failed = null;
      let failures = 0;
      for (const test of active) {
        if (test.passes(row)) continue;
        failures += 1;
        failed = test.key;
        if (failures > 1) break;
      }
      if (failures > 1) continue;
      if (!failures) rows.push(row);
      tally(columns, row, failed, counts, numbers);
    }
    return { rows: sorted(columns, rows, selection.sort), counts, numbers };
  }

  function tally(columns, row, failed, counts, numbers) {
    for (const { key, column } of CHOICES) {
      if (failed !== null && failed !== key) continue;
      const code = columns[column].codes[row];
      for (const one of Array.isArray(code) ? (code.length ? new Set(code) : [-1]) : [code]) {
        counts[key].set(one, (counts[key].get(one) ?? 0) + 1);
      }
    }
    for (const { key, column } of RANGES) {
      if (failed !== null && failed !== key) continue;
      if (typeof columns[column][row] === "number") numbers[key].push(columns[column][row]);
    }
  }

  /* Stable: equal rows stay in the order of the data; those without the number come last, whichever way. */
  function sorted(columns, rows, sort) {
    if (!sort) return rows;
    const down = sort.startsWith("-");
    const values = columns[sort.replace(/^-/, "")];
    const sign = down ? -1 : 1;
    return rows.sort((a, b) => {
      const [one, other] = [values[a], values[b]];
      if (one === null || other === null) return (one === null) - (other === null) || a - b;
      if (typeof one === "string") return sign * one.localeCompare(other) || a - b;
      return sign * (one - other) || a - b;
    });
  }

  review.selection = { CHOICES, RANGES, SORTS, read, write, select, searched };
})(window.review);
