"use strict";

/* Of many rows only those on the screen are elements. `windowed` fills a scrolling box with the items in view, all of
   one size along one axis, and a few beyond, so that a fast scroll shows no gaps. */
(function (review) {
  const BEYOND = 4;
  const LONGEST = 8_000_000; // pixels: browsers draw no taller box

  /* box: the scrolling element; size: pixels an item; make(index) -> element. */
  function windowed({ box, size, across = false, make, count }) {
    const inner = document.createElement("div");
    inner.className = "windowed";
    inner.setAttribute("role", "presentation");
    box.replaceChildren(inner);
    const shown = new Map();
    let total = 0;
    let scale = 1; // pixels of content a pixel of scrolling, above 1 only for enormous lists

    const length = () => (across ? box.clientWidth : box.clientHeight);
    const place = () => (across ? box.scrollLeft : box.scrollTop) * scale;

    function range() {
      const start = place();
      const first = Math.max(0, Math.floor(start / size) - BEYOND);
      return [first, Math.min(total, Math.ceil((start + length()) / size) + BEYOND)];
    }

    function draw() {
      const [first, end] = range();
      for (const [index, element] of shown) {
        if (index >= first && index < end) continue;
        if (element.contains(document.activeElement)) box.focus({ preventScroll: true });
        element.remove();
        shown.delete(index);
      }
      const shift = scale === 1 ? 0 : place() - place() / scale;
      for (let index = first; index < end; index += 1) {
        let element = shown.get(index);
        if (!element) {
          element = make(index);
          shown.set(index, element);
          inner.insertBefore(element, after(index));
        }
        const at = `${index * size - shift}px`;
        element.style.transform = across ? `translateX(${at})` : `translateY(${at})`;
      }
    }

    /* Elements stand in the order of the items, for who walks through them by keyboard or reader. */
    function after(index) {
      let next = null;
      for (const [other, element] of shown) if (other > index && (next === null || other < next[0])) next = [other, element];
      return next ? next[1] : null;
    }

    function setCount(number) {
      for (const element of shown.values()) element.remove();
      shown.clear();
      total = number;
      scale = Math.max(1, (total * size) / LONGEST);
      inner.style[across ? "width" : "height"] = `${Math.min(LONGEST, total * size)}px`;
      draw();
    }

    /* Scrolls just so far that the item is in view. */
    function reveal(index, centre = false) {
      const start = place();
      const low = index * size;
      let to = start;
      if (centre) to = low - (length() - size) / 2;
      else if (low < start) to = low;
      else if (low + size > start + length()) to = low + size - length();
      if (to !== start) box[across ? "scrollLeft" : "scrollTop"] = to / scale;
      draw();
    }

    box.addEventListener("scroll", draw, { passive: true });
    const observer = new ResizeObserver(draw);
    observer.observe(box);
    setCount(count);
    return { draw, setCount, reveal, element: (index) => shown.get(index) ?? null, size, close: () => observer.disconnect(),
      again: () => setCount(total), perPage: () => Math.max(1, Math.floor(length() / size) - 1) };
  }

  review.windowed = windowed;
})(window.review);
