"use strict";

/* The state of the page is in its address, behind #, so that a link shows the same: #/list?source=web&steps=5~20 or
   #/run/12/3?... (the run at position 12 of the data, its step 3, within that selection). */
(function (review) {
  function parse(hash) {
    const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
    const [view, ...rest] = path.split("/").filter(Boolean);
    const numbers = rest.map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : null));
    return { view: view || "list", numbers, query: new URLSearchParams(query ?? "") };
  }

  function written(view, numbers, query) {
    const path = [view, ...numbers.filter((number) => number !== null && number !== undefined)].join("/");
    const text = query ? query.toString() : "";
    return `#/${path}${text ? "?" + text : ""}`;
  }

  let expected = null;

  /* A new entry in the history: the browser's Back leads here again. */
  function go(view, numbers, query) {
    location.hash = written(view, numbers, query);
  }

  /* The same entry: a step or a filter more is nothing to go back through. Shows nothing by itself. */
  function replace(view, numbers, query) {
    const hash = written(view, numbers, query);
    if (hash === location.hash) return;
    expected = hash;
    location.replace(hash);
  }

  function listen(show) {
    window.addEventListener("hashchange", () => {
      if (location.hash === expected) {
        expected = null;
        return;
      }
      show(parse(location.hash));
    });
    show(parse(location.hash));
  }

  review.address = { parse, written, go, replace, listen, now: () => parse(location.hash) };
})(window.review);
