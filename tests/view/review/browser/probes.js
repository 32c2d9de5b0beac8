// What tests ask of a page: each is evaluated there by `probe(page, name, argument)` of conftest.py.
({
  // Everything that acts and has no name that a reader could say.
  unnamed() {
    const acting = 'a[href], button, input, select, textarea, [role=option], [role=img], [tabindex="0"]';
    const named = (one) => {
      const ids = (one.getAttribute("aria-labelledby") ?? "").split(" ");
      const labelled = ids.map((id) => document.getElementById(id)?.textContent ?? "").join("");
      const label = one.closest("label") ?? (one.id ? document.querySelector(`label[for="${one.id}"]`) : null);
      return one.getAttribute("aria-label") || labelled || label?.textContent || one.textContent.trim() || one.title;
    };
    const shown = [...document.querySelectorAll(acting)].filter((one) => one.offsetParent !== null);
    return shown.filter((one) => !named(one)).map((one) => one.outerHTML.slice(0, 120));
  },

  // Ids that two elements have.
  twice() {
    const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
    return ids.filter((id, k) => ids.indexOf(id) !== k);
  },

  // The levels of the headings that are seen, in order.
  headings() {
    const found = [...document.querySelectorAll("h1, h2, h3, h4")].filter((one) => one.offsetParent);
    return found.map((one) => Number(one.tagName[1]));
  },

  // Texts whose contrast with what is behind them is below 4.5 to 1 (WCAG 2 AA). What is off is excepted, as there.
  faint() {
    const channel = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
    const parts = (text) => [...text.match(/[\d.]+/g).map(Number), 1].slice(0, 4);
    const ground = (element) => {
      for (let one = element; one; one = one.parentElement) {
        const found = parts(getComputedStyle(one).backgroundColor);
        if (found[3] > 0.99) return found;
      }
      return [255, 255, 255, 1];
    };
    const off = "svg, option, .step.cut, .step.left-out, .empty, button:disabled";
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Map();
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.textContent.trim() || element.closest(off)) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const colours = [parts(getComputedStyle(element).color), ground(element)];
      const [one, other] = colours.map(light).sort((a, b) => b - a);
      const ratio = (one + 0.05) / (other + 0.05);
      if (ratio < 4.5) found.set(`${element.className || element.tagName} ${colours.join(" on ")}`, ratio.toFixed(2));
    }
    return [...found];
  },

  // What has the focus, and the line around it.
  focus() {
    const one = document.activeElement;
    const style = getComputedStyle(one);
    return [one.id || one.className || one.tagName, style.outlineStyle, parseFloat(style.outlineWidth)];
  },

  // The box of an element in the window: left, top, right, bottom.
  box(selector) {
    const found = document.querySelector(selector).getBoundingClientRect();
    return [found.left, found.top, found.right, found.bottom];
  },

  // The middle of each ring that is drawn, in pixels of the screen.
  dots() {
    return [...document.querySelectorAll("#marks .ring .dot")].map((dot) => {
      const box = dot.getBoundingClientRect();
      return [((box.left + box.right) / 2) * devicePixelRatio, ((box.top + box.bottom) / 2) * devicePixelRatio];
    });
  },

  // The shapes of a kind of mark, in fractions of the picture.
  geometry(kind) {
    const { width, height } = document.getElementById("picture").getBoundingClientRect();
    return [...document.querySelectorAll(`#marks .mark[data-kind=${kind}]`)].map((mark) => {
      const line = mark.querySelector("line.line") ?? mark.querySelector("rect.line");
      const at = (name, whole) => Number(line?.getAttribute(name)) / whole;
      return {
        words: mark.querySelector("text")?.textContent ?? "",
        from: [at("x1", width), at("y1", height)],
        to: [at("x2", width), at("y2", height)],
        box: [at("x", width), at("y", height), at("width", width), at("height", height)],
        rings: mark.querySelectorAll("circle.line").length,
        half: mark.querySelectorAll(".half").length,
      };
    });
  },

  // Whether every label lies on the picture.
  labelsInside() {
    const picture = document.getElementById("picture").getBoundingClientRect();
    return [...document.querySelectorAll("#marks .label-ground")].every((label) => {
      const box = label.getBoundingClientRect();
      const across = box.left >= picture.left - 1 && box.right <= picture.right + 1;
      return across && box.top >= picture.top - 1 && box.bottom <= picture.bottom + 1;
    });
  },

  // What of recorded markup became elements, or ran.
  hurt() {
    const made = "main script, main svg[onload], main img[onerror], main [style*=url], main iframe, main object";
    const pictures = [...document.querySelectorAll("main img[src]")].map((image) => image.getAttribute("src"));
    const foreign = pictures.filter((src) => !src.startsWith("media/"));
    return { ran: window.hurt ?? null, made: document.querySelectorAll(made).length, foreign };
  },
})
