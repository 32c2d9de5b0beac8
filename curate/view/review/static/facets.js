"use strict";

/* The filters beside the list: each word with how many runs it would show, ranges of numbers with their distribution,
   and what is chosen as chips that take themselves off. */
(function (review) {
  const { make, svg, recorded } = review.dom;
  const { CHOICES, RANGES } = review.selection;
  const FIRST = 8; // words of a filter shown before all are asked for
  const BARS = 16;
  const open = new Set();

  /* Fills `holder`; `change(selection)` hears of every choice. */
  function show(holder, columns, selection, found, change) {
    const focus = holder.contains(document.activeElement) ? document.activeElement.id : null;
    const boxes = CHOICES.map((choice) => words(choice, columns, selection, found.counts[choice.key], change, () => show(holder, columns, selection, found, change)));
    const ranges = RANGES.map((one) => range(one, columns, selection, found.numbers[one.key], change));
    holder.replaceChildren(...[...boxes.slice(0, 6), ...ranges, ...boxes.slice(6)].filter(Boolean));
    if (focus) document.getElementById(focus)?.focus();
  }

  function words(choice, columns, selection, counts, change, again) {
    const { values } = columns[choice.column];
    const chosen = selection[choice.key];
    const listed = [...counts].filter(([code]) => code >= 0).map(([code, count]) => ({ value: values[code], count }));
    for (const value of chosen) if (value && !listed.some((one) => one.value === value)) listed.push({ value, count: 0 });
    if (counts.get(-1) && listed.length && choice.key !== "score_name") listed.push({ value: "", count: counts.get(-1) });
    if (!listed.length || (listed.length === 1 && !chosen.length && listed[0].count === columns.count)) return null;
    listed.sort((a, b) => chosen.includes(b.value) - chosen.includes(a.value) || b.count - a.count || a.value.localeCompare(b.value));
    const most = Math.max(...listed.map((one) => one.count), 1);
    const all = open.has(choice.key);
    const shown = all ? listed : listed.slice(0, FIRST);
    const lines = shown.map((one, k) => line(choice, one, k, most, chosen, (value) => change(toggled(selection, choice.key, value))));
    const more = listed.length > FIRST ? moreButton(choice, listed.length, all, again) : null;
    return make("fieldset", null, make("legend", null, choice.label), make("ul", null, lines), more);
  }

  function moreButton(choice, total, all, again) {
    const click = () => {
      if (all) open.delete(choice.key);
      else open.add(choice.key);
      again();
    };
    const label = all ? "Show fewer" : `Show all ${total}`;
    return make("button", { type: "button", class: "link", id: `more-${choice.key}`, click }, label);
  }

  function line(choice, one, k, most, chosen, pick) {
    const id = `facet-${choice.key}-${encodeURIComponent(one.value).slice(0, 80) || "none"}-${k}`;
    const box = make("input", { type: "checkbox", id, change: () => pick(one.value) });
    box.checked = chosen.includes(one.value);
    const name = one.value === "" ? make("i", null, "none") : recorded(one.value, 80);
    const bar = make("span", { class: "share", "aria-hidden": "true" });
    bar.style.width = `${Math.round((100 * one.count) / most)}%`;
    const count = make("span", { class: "count" }, review.text.count(one.count));
    return make("li", { class: one.count ? null : "empty" }, make("label", { for: id, title: hint(choice, one.value) }, box, make("span", { class: "name" }, name, bar), count));
  }

  function hint(choice, value) {
    if (choice.key === "reason") return review.badges.sentence(value) || null;
    return choice.key === "flag" ? review.about?.flags?.[value] ?? (review.badges.sentence(value) || null) : null; // stages note reasons
  }

  function toggled(selection, key, value) {
    const before = selection[key];
    return { ...selection, [key]: before.includes(value) ? before.filter((one) => one !== value) : [...before, value] };
  }

  function range(one, columns, selection, numbers, change) {
    const known = columns[one.column].filter((value) => typeof value === "number");
    if (!known.length) return null;
    const [lowest, highest] = known.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
    if (lowest === highest) return null;
    const [low, high] = selection[one.key];
    const inputs = [["from", low, lowest, 0], ["to", high, highest, 1]].map(([word, value, placeholder, side]) => {
      const input = make("input", { type: "number", step: "any", id: `range-${one.key}-${word}`, placeholder, "aria-label": `${one.label} ${word}` });
      input.value = value ?? "";
      input.addEventListener("change", () => {
        const next = [...selection[one.key]];
        next[side] = input.value === "" ? null : Number(input.value);
        change({ ...selection, [one.key]: next });
      });
      return input;
    });
    return make("fieldset", { class: "range" }, make("legend", null, one.label), histogram(numbers, lowest, highest, low, high),
      make("div", { class: "ends" }, inputs[0], make("span", { "aria-hidden": "true" }, "to"), inputs[1]));
  }

  function histogram(numbers, lowest, highest, low, high) {
    const counts = new Array(BARS).fill(0);
    const width = (highest - lowest) / BARS;
    for (const value of numbers) counts[Math.min(BARS - 1, Math.floor((value - lowest) / width))] += 1;
    const most = Math.max(...counts, 1);
    const bars = counts.map((count, k) => {
      const from = lowest + k * width;
      const inside = (low === null || from + width > low) && (high === null || from <= high);
      const tall = count ? Math.max(1, (26 * count) / most) : 0;
      return svg("rect", { x: k * 12, y: 28 - tall, width: 10, height: tall, class: inside ? "kept" : "faint" });
    });
    return svg("svg", { class: "histogram", viewBox: `0 0 ${BARS * 12} 28`, preserveAspectRatio: "none", "aria-hidden": "true" }, bars);
  }

  /* What is chosen, each with a button that takes it off. */
  function chips(holder, selection, change) {
    const shown = [];
    for (const { key, label } of CHOICES) {
      for (const value of selection[key]) shown.push(chip(label, value || "none", () => change(toggled(selection, key, value))));
    }
    for (const { key, label } of RANGES) {
      const [low, high] = selection[key];
      if (low !== null || high !== null) shown.push(chip(label, `${low ?? "…"} to ${high ?? "…"}`, () => change({ ...selection, [key]: [null, null] })));
    }
    if (selection.q) shown.push(chip("Text", selection.q, () => change({ ...selection, q: "" })));
    if (shown.length > 1) shown.push(make("button", { type: "button", class: "link", click: () => change(review.selection.read(new URLSearchParams())) }, "Clear all"));
    holder.replaceChildren(...shown);
  }

  function chip(label, value, off) {
    return make("button", { type: "button", class: "chip", "aria-label": `Take off the filter ${label}: ${review.text.visible(value)}`, click: off },
      make("span", { class: "dim" }, `${label} `), recorded(value, 60), make("span", { "aria-hidden": "true" }, " ×"));
  }

  review.facets = { show, chips };
})(window.review);
