"use strict";

/* The browser's own dialogs: they keep the focus, close on Esc, and give it back where it was. */
(function (review) {
  const { make, button } = review.dom;

  /* Shows a dialog with a heading and some content; `done` hears when it is gone. Returns the dialog. */
  function open(title, content, { wide = false, done = () => {} } = {}) {
    const before = document.activeElement;
    const heading = make("h2", { id: "dialog-title", tabindex: "-1" }, title);
    const close = button("Close", "Esc", () => dialog.close(), { class: "quiet" });
    const head = make("div", { class: "dialog-head" }, heading, close);
    const dialog = make("dialog", { "aria-labelledby": "dialog-title", class: wide ? "wide-dialog" : null }, head, content);
    dialog.addEventListener("close", () => {
      dialog.remove();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
      done();
    });
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
    heading.focus();
    return dialog;
  }

  /* Asks for a text. Resolves to it, or to null where the person closes the dialog. */
  function ask(title, { label, value = "", hint = null, rows = 4, check = () => null, store = "Store" }) {
    return new Promise((resolve) => {
      const field = rows > 1
        ? make("textarea", { id: "asked", rows, dir: "auto", "aria-describedby": "asked-hint" })
        : make("input", { id: "asked", type: "text", autocomplete: "off", "aria-describedby": "asked-hint" });
      field.value = value;
      const wrong = make("p", { class: "refused", role: "alert" });
      let answer = null;
      const send = (event) => {
        event.preventDefault();
        const problem = check(field.value);
        wrong.textContent = problem ?? "";
        if (problem) return;
        answer = field.value;
        dialog.close();
      };
      const form = make("form", { submit: send },
        make("label", { for: "asked" }, label), field,
        make("p", { id: "asked-hint", class: "dim" }, hint ?? (rows > 1 ? "Ctrl+Enter stores it, Esc leaves it as it was." : "")),
        wrong, make("div", { class: "dialog-end" }, make("button", { type: "submit", class: "main" }, store)));
      field.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) send(event);
      });
      const dialog = open(title, form, { done: () => resolve(answer) });
      field.focus();
      if (rows > 1) field.setSelectionRange(field.value.length, field.value.length);
    });
  }

  let view = 0; // how many views there were

  /* Another view is shown: what is asked of this one is left as it was. */
  function leave() {
    view += 1;
    for (const one of document.querySelectorAll("dialog[open]")) one.close();
  }

  /* What a dialog is to show, once it is there: null where the person has gone on meanwhile. `waiting` is said until
     then. */
  async function wanted(answer, waiting) {
    const asked = view;
    review.dom.say(waiting);
    const found = await answer;
    if (asked !== view || document.querySelector("dialog[open]")) return null;
    review.dom.say("");
    return found;
  }

  review.dialogs = { open, ask, leave, wanted, isOpen: () => Boolean(document.querySelector("dialog[open]")) };
})(window.review);
