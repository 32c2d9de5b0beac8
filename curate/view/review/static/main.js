"use strict";

/* The start of the page, and which view its address asks for. */
(function (review) {
  const { make, byId, say, recorded } = review.dom;
  const VIEWS = { list: () => review.list, run: () => review.trajectory, witness: () => review.witness, audit: () => review.audit };
  let leave = () => {};
  let turn = 0;
  let before = null; // the address shown before this one

  async function start() {
    byId("help-button").addEventListener("click", review.keys.help);
    byId("skip").addEventListener("click", (event) => {
      event.preventDefault();
      byId("main").focus();
    });
    // The token has become a cookie: it need not stand in an address that is passed on.
    if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);
    try {
      review.about = await review.load("about");
      byId("title").replaceChildren(recorded(review.about.title, 60));
      const problem = await review.edits.start(review.about);
      places();
      if (!location.hash && review.about.audit) review.address.replace("audit", [], null);
      review.address.listen(show);
      if (problem) say(problem, true);
    } catch (error) {
      trouble(error);
    }
  }

  async function show(address) {
    turn += 1;
    const mine = turn;
    leave();
    leave = () => {};
    review.dialogs.leave();
    const view = review.about.audit ? review.audit : (VIEWS[address.view] ?? VIEWS.list)(); // an audit shows nothing else
    const from = before && before.view === "run" ? before.numbers[0] : null;
    if (!before || before.view !== address.view || before.numbers[0] !== address.numbers[0]) say(""); // it spoke of another view
    before = address;
    try {
      const done = await view.show(byId("main"), address, from);
      if (mine === turn) leave = done ?? (() => {});
      else if (done) done();
    } catch (error) {
      if (mine === turn) trouble(error);
    }
  }

  function trouble(error) {
    const ways = make("p", { class: "group" }, make("button", { type: "button", click: () => location.reload() }, "Reload the page"), make("a", { href: "#/list", class: "button" }, "To the list"));
    byId("main").replaceChildren(make("section", { class: "problem", role: "alert" }, make("h2", null, "This cannot be shown"), make("p", null, review.text.visible(error.message)), ways));
  }

  /* The links at the top: the list, the audit where there is one, and on an exported page the file of edits. */
  function places() {
    const audit = make("a", { href: "#/audit", id: "place-audit" }, "Audit");
    const links = [review.about.audit ? audit : make("a", { href: "#/list", id: "place-list" }, "Trajectories")];
    byId("places").replaceChildren(...links);
    tell();
    review.edits.listen(tell);
  }

  function tell() {
    const by = review.edits.reviewer();
    const line = byId("reviewer");
    if (!review.edits.editable()) return line.replaceChildren("read only");
    const parts = by ? ["Reviewer ", make("b", null, by)] : ["No edits yet"];
    if (review.exported && review.edits.count()) parts.push(" · ", make("button", { type: "button", class: "link", click: download }, `Download ${review.text.plural(review.edits.count(), "edit")}`));
    return line.replaceChildren(...parts);
  }

  function download() {
    const link = make("a", { download: `${review.edits.reviewer()}.jsonl` });
    link.href = URL.createObjectURL(new Blob([review.edits.asFile()], { type: "application/jsonl" }));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    say(`The file goes to curate run --edits.`);
  }

  /* Which view the frame around it is for, and of which run. */
  review.frame = function (name, position = "") {
    document.body.dataset.view = name;
    document.body.dataset.position = position;
    for (const link of byId("places").children) {
      if (link.id === `place-${name}`) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };

  start();
})(window.review);
