"use strict";

/* What this browser remembers of an exported page, where no server takes edits: the reviewer's name and the edits. Where
   the browser refuses (a private window, a full disk), they last as long as the page and that is said. */
(function (review) {
  const memory = new Map();

  function read(key) {
    try {
      return localStorage.getItem(key) ?? memory.get(key) ?? null;
    } catch {
      return memory.get(key) ?? null;
    }
  }

  /* False where it is kept only until the page is closed. */
  function write(key, text) {
    memory.set(key, text);
    try {
      localStorage.setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }

  /* Exports of different data opened from one browser are kept apart by the address they lie at. */
  function key(name) {
    return `curate:${location.pathname.replace(/[^/]*$/, "")}:${name}`;
  }

  review.stored = { read: (name) => read(key(name)), write: (name, text) => write(key(name), text) };
})(window.review);
