"use strict";

/* Recorded text is hostile. It only ever becomes text nodes, and what turns, hides or piles up text is written out,
   such as ⟨U+202E⟩: the same rule as the report's. */
(function (review) {
  const HIDES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/gu;
  const PILE = /(\p{Mn}|\p{Me}){3,}/gu;
  const PLAIN = /^[\x20-\x7e]*$/;

  function written(character) {
    return `⟨U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
  }

  /* On one line. */
  function visible(text) {
    const whole = String(text ?? "");
    if (PLAIN.test(whole)) return whole;
    return hidden(whole.replace(/\r\n?/g, "\n").replace(/\n/g, " ⏎ ").replace(/\t/g, " ⇥ "));
  }

  /* Line ends and tabs stay. */
  function visibleLines(text) {
    const lines = String(text ?? "").replace(/\r\n?/g, "\n").split("\n");
    return lines.map((line) => line.split("\t").map(hidden).join("\t")).join("\n");
  }

  function hidden(text) {
    if (PLAIN.test(text)) return text;
    return text.replace(HIDES, written).replace(PILE, (pile) => pile.slice(0, 2) + written(pile[2]));
  }

  /* At most so many characters, saying how many are missing. */
  function short(text, limit) {
    const whole = String(text ?? "");
    if (whole.length <= limit) return whole;
    const cut = whole.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
    return `${cut}… (+${count(whole.length - cut.length)} characters)`;
  }

  function count(number) {
    return Number(number).toLocaleString("en-US");
  }

  /* 1 step, 2 steps. */
  function plural(number, one, many) {
    return `${count(number)} ${number === 1 ? one : many ?? one + "s"}`;
  }

  function seconds(value) {
    return typeof value === "number" ? `${value.toFixed(2)} s` : "";
  }

  /* A number of the data as a person reads it: at most four digits behind the point. */
  function value(thing) {
    if (thing === null || thing === undefined) return "unknown";
    if (typeof thing === "number") return Number.isInteger(thing) ? String(thing) : String(Number(thing.toFixed(4)));
    if (Array.isArray(thing)) return thing.map(value).join(", ");
    return typeof thing === "object" ? JSON.stringify(thing) : String(thing);
  }

  /* Parts of a text, those that a word of the list covers told apart: [{text, hit}]. */
  function parts(text, words) {
    const found = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    if (!found.length) return [{ text, hit: false }];
    const split = String(text).split(new RegExp(`(${found.sort((a, b) => b.length - a.length).join("|")})`, "giu"));
    return split.map((part, k) => ({ text: part, hit: k % 2 === 1 })).filter((part) => part.text);
  }

  review.text = { visible, visibleLines, short, count, plural, seconds, value, parts };
})(window.review);
