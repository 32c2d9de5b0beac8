"use strict";

/* One table of keys for the whole page: what each does is said here once, for the handler and for the help sheet. A view
   brings the functions; a key whose function it does not have says so. */
(function (review) {
  const { make, say } = review.dom;

  const KEYS = [
    { key: "j", name: "next", group: "Move", label: "next trajectory" },
    { key: "k", name: "previous", group: "Move", label: "previous trajectory" },
    { key: "ArrowRight", shown: "→", name: "forward", group: "Move", label: "next step" },
    { key: "ArrowLeft", shown: "←", name: "back", group: "Move", label: "previous step" },
    { key: "g", name: "first", group: "Move", label: "first trajectory, or first step of one" },
    { key: "G", name: "last", group: "Move", label: "last trajectory, or last step of one" },
    { key: "Enter", shown: "Enter", name: "open", group: "Move", label: "open the trajectory of the row" },
    { key: "Escape", shown: "Esc", name: "leave", group: "Move", label: "back: close, leave, to the list" },
    { key: "/", name: "search", group: "Move", label: "search in all texts" },
    { key: "o", name: "after", group: "Look", label: "picture before or after the step" },
    { key: "z", name: "zoom", group: "Look", label: "zoom: fit, 1:1, 2×" },
    { key: "h", name: "marks", group: "Look", label: "hide or show what is drawn on the picture" },
    { key: "v", name: "video", group: "Look", label: "video around the step" },
    { key: "e", name: "events", group: "Look", label: "raw events of the step" },
    { key: "s", name: "beside", group: "Look", label: "side by side with the witness" },
    { key: "p", name: "pass", group: "Judge", label: "pass: the run did its task" },
    { key: "f", name: "fail", group: "Judge", label: "fail: it did not" },
    { key: "w", name: "wrong", group: "Judge", label: "flag the step wrong" },
    { key: "r", name: "redundant", group: "Judge", label: "flag the step redundant" },
    { key: "c", name: "cut", group: "Judge", label: "cut the run from this step on" },
    { key: "i", name: "instruction", group: "Judge", label: "rewrite the instruction" },
    { key: "b", name: "blur", group: "Judge", label: "blur a region: drag, or arrow keys (Shift resizes), Enter" },
    { key: "n", name: "note", group: "Judge", label: "write a note; it changes nothing" },
    { key: "u", name: "undo", group: "Judge", label: "undo your last edit of this run" },
    { key: "y", name: "yes", group: "Audit", label: "yes" },
    { key: "d", name: "unsure", group: "Audit", label: "cannot be told" },
    { key: "?", name: "help", group: "Help", label: "this sheet" },
  ];
  const BY_KEY = new Map(KEYS.map((one) => [one.key, one]));
  const WRITES = "input:not([type=checkbox]), textarea, select, [contenteditable]";
  let actions = {};
  let labels = {};

  /* The functions of the view that is shown, by the names of the table; `theLabels`: what they do there, where that is
     not what the table says. */
  function use(theActions, theLabels = {}) {
    actions = theActions;
    labels = theLabels;
  }

  function pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (review.dialogs.isOpen()) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.matches(WRITES)) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (event.key === "Enter" && target.matches("a, button, summary, [role=option]")) return;
    if (target.matches("video")) return;
    const found = BY_KEY.get(event.key);
    if (!found) return actions.other ? actions.other(event) : undefined;
    if (found.name === "help") return stop(event, help);
    const action = actions[found.name];
    if (action) stop(event, () => action(event));
    else if (found.group !== "Audit" && event.key.length === 1) say(`${found.key}: nothing to do here.`);
  }

  function stop(event, action) {
    event.preventDefault();
    Promise.resolve().then(action).catch((error) => say(error.message, true));
  }

  function help() {
    const groups = [...new Set(KEYS.map((one) => one.group))];
    const shown = groups.map((group) => {
      const rows = KEYS.filter((one) => one.group === group && (actions[one.name] || one.name === "help"));
      if (!rows.length) return null;
      const lines = rows.map((one) => make("li", null, make("kbd", null, one.shown ?? one.key), make("span", null, labels[one.name] ?? one.label)));
      return make("section", null, make("h3", null, group), make("ul", { class: "keys" }, lines));
    });
    review.dialogs.open("Keys", make("div", { class: "key-groups" }, shown));
  }

  document.addEventListener("keydown", pressed);
  review.keys = { KEYS, use, help };
})(window.review);
