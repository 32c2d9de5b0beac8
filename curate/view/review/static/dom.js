"use strict";

/* Elements are made here and nowhere else: text becomes text nodes, never markup. */
(function (review) {
  const SVG = "http://www.w3.org/2000/svg";
  const LONG = 1200; // characters of a text shown at once; the rest on request

  function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) continue;
      if (typeof value === "function") element.addEventListener(name, value);
      else element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }

  /* make("p", {class: "dim", click: f}, "text", other, [more]) */
  function make(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
  }

  function svg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
  }

  function byId(id) {
    return document.getElementById(id);
  }

  /* Recorded text on one line, apart from the direction of what stands around it. */
  function recorded(text, limit = 300, attributes = {}) {
    return make("bdi", { dir: "auto", ...attributes }, review.text.visible(review.text.short(text, limit)));
  }

  /* Recorded text of any length: the first part, and a button for all of it. */
  function long(text, tag = "p", attributes = {}) {
    const whole = String(text ?? "");
    const holder = make(tag, { dir: "auto", ...attributes });
    const show = (shown) => holder.replaceChildren(review.text.visibleLines(shown));
    show(whole.slice(0, LONG));
    if (whole.length <= LONG) return holder;
    const label = `Show all ${review.text.count(whole.length)} characters`;
    const more = make("button", { type: "button", class: "link" }, label);
    more.addEventListener("click", () => {
      show(whole);
      more.remove();
      holder.tabIndex = -1;
      holder.focus();
    });
    return make("div", { class: "long" }, holder, more);
  }

  /* Recorded text in which words of a list are marked. */
  function marked(text, words, limit = 300) {
    const pieces = review.text.parts(review.text.visible(review.text.short(text, limit)), words);
    return make("bdi", { dir: "auto" }, pieces.map((piece) => (piece.hit ? make("mark", null, piece.text) : piece.text)));
  }

  function button(label, key, click, attributes = {}) {
    const hint = key ? make("kbd", { "aria-hidden": "true" }, key) : null;
    return make("button", { type: "button", "aria-keyshortcuts": key, click, ...attributes }, label, hint);
  }

  /* What the live region says of the last key, and a line at the bottom shows. `trouble` is said at once. */
  function say(text, trouble = false) {
    const line = byId("said");
    line.classList.toggle("trouble", trouble);
    line.setAttribute("aria-live", trouble ? "assertive" : "polite");
    line.textContent = text;
  }

  /* A table of [label, element or text] pairs. */
  function facts(pairs) {
    const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
    return make("dl", null, shown.map(([label, value]) => [make("dt", null, label), make("dd", null, value)]));
  }

  review.dom = { make, svg, byId, recorded, long, marked, button, say, facts };
})(window.review);
