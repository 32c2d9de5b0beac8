"use strict";

/* The list of trajectories: filters, chips, search, order, and of the rows only those on the screen. */
(function (review) {
  const { make, byId, say, marked, recorded } = review.dom;
  const ROW = 58; // pixels, as in list.css
  const ORDINARY = "words_generated"; // a flag that nearly every recorded run has: a filter, but no news in a row
  const TYPED = 180; // ms after the last key before a search runs
  let columns = null; // of all runs; loaded once
  let texts = null; // for the full text search; loaded when first needed
  let selection = null;
  let found = { rows: [] };
  let shown = null; // the rows on the screen
  let current = 0; // place in found.rows of the row that the keys act on
  let stopListening = () => {};

  async function ready() {
    if (columns) return;
    columns = review.columns.table(await review.load("list"));
    columns.review = review.edits.column(columns.id);
  }

  /* Which rows a query selects, in its order: trajectory pages walk along them too. */
  async function rowsOf(query) {
    await ready();
    const wanted = review.selection.read(query);
    if (wanted.q && !texts) texts = (await review.load("text")).text;
    columns.review = review.edits.column(columns.id);
    return review.selection.select(columns, wanted, texts);
  }

  async function show(main, { query }, from = null) {
    await ready();
    selection = review.selection.read(query);
    found = await rowsOf(query);
    document.title = `${review.about.title} · review`;
    main.replaceChildren(page());
    review.frame("list");
    current = Math.max(0, from === null ? 0 : found.rows.indexOf(from));
    shown = review.windowed({ box: byId("rows"), size: ROW, make: row, count: found.rows.length });
    refresh();
    if (from !== null) shown.reveal(current, true);
    review.keys.use(actions());
    if (from !== null) focusRow();
    const forget = review.edits.listen(() => apply(selection, false));
    stopListening = forget;
    return () => {
      stopListening();
      shown.close();
    };
  }

  function page() {
    const search = make("input", { type: "search", id: "search", placeholder: "Search instructions, steps, typed texts", "aria-label": "Search in all texts", "aria-keyshortcuts": "/", autocomplete: "off", spellcheck: "false" });
    search.value = selection.q;
    let timer = null;
    search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => apply({ ...selection, q: search.value.trim() }), TYPED);
    });
    search.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      clearTimeout(timer);
      apply({ ...selection, q: search.value.trim() }).then(focusRow);
    });
    const sort = make("select", { id: "sort", "aria-label": "Order", change: () => apply({ ...selection, sort: sort.value }) },
      review.selection.SORTS.filter(sortable).map((one) => make("option", { value: one.key }, one.label)));
    sort.value = selection.sort;
    const facets = make("details", { class: "facets", id: "facet-box", open: window.innerWidth > 820 },
      make("summary", null, "Filters"), make("div", { id: "facets", role: "group", "aria-label": "Filters" }));
    const scored = columns.score.some((score) => score !== null);
    const decided = review.about.kind === "run";
    const heads = ["Outcome", "Instruction", "Steps", decided ? "What became of it" : "Flags", decided ? "Split" : "", scored ? "Score" : ""];
    return make("div", { class: "list-page" }, facets,
      make("section", { class: scored ? "list" : "list unscored", "aria-label": "Trajectories" },
        make("div", { class: "list-bar" }, search, sort, make("p", { id: "matches" })),
        make("div", { id: "chips", class: "chips", role: "group", "aria-label": "Filters chosen" }),
        make("div", { class: "heads-box", "aria-hidden": "true" }, make("div", { class: "row heads" }, heads.map((head, k) => make("span", { class: `cell c${k}` }, head)))),
        make("div", { id: "rows", class: "rows", role: "listbox", tabindex: "-1", "aria-label": "Trajectories; Enter opens one" })));
  }

  function sortable({ key }) {
    const values = columns[key.replace(/^-/, "")];
    return !values || values.some((value) => value !== null);
  }

  async function apply(next, renew = true) {
    selection = next;
    const query = review.selection.write(selection);
    review.address.replace("list", [], query);
    const keep = found.rows[current];
    found = await rowsOf(query);
    if (renew) current = Math.max(0, found.rows.indexOf(keep));
    else current = Math.min(current, Math.max(0, found.rows.length - 1));
    refresh();
    if (renew) say(`${review.text.plural(found.rows.length, "trajectory", "trajectories")} shown.`);
  }

  function refresh() {
    review.facets.show(byId("facets"), columns, selection, found, apply);
    review.facets.chips(byId("chips"), selection, apply);
    const search = byId("search");
    if (document.activeElement !== search) search.value = selection.q;
    const all = columns.count;
    const number = found.rows.length;
    byId("matches").textContent = number === all ? review.text.plural(all, "trajectory", "trajectories") : `${review.text.count(number)} of ${review.text.count(all)}`;
    byId("rows").setAttribute("data-empty", number ? "no" : "yes");
    shown.setCount(number);
    if (number === 0) byId("rows").firstChild.append(make("p", { class: "waiting" }, all ? "No trajectory has all of this: take a filter off." : "The data holds no trajectory."));
  }

  function row(place) {
    const at = found.rows[place];
    const word = (name) => review.columns.word(columns[name], at);
    const words = review.selection.searched(selection.q);
    const open = () => openAt(place);
    const where = [word("source"), ...(word("apps") ?? []), ...(word("sites") ?? [])].filter(Boolean);
    const reason = word("reason");
    const flags = (word("flags") ?? []).filter((flag) => flag !== ORDINARY);
    const state = word("review");
    const score = columns.score[at];
    return make("div", { class: place === current ? "row current" : "row", role: "option", id: `row-${place}`, tabindex: place === current ? "0" : "-1",
        "aria-selected": String(place === current), "aria-posinset": place + 1, "aria-setsize": found.rows.length, click: open,
        keydown: (event) => event.key === "Enter" && open() },
      make("span", { class: "cell c0" }, review.badges.outcome(columns.completed[at], false)),
      make("span", { class: "cell c1" },
        make("span", { class: "title" }, marked(columns.instruction[at] || "(no instruction)", words, 200)),
        make("span", { class: "under" }, away(word("fate")), recorded(columns.id[at], 40, { class: "id" }), " · ", recorded(where.join(", "), 80), state === "not reviewed" ? null : [" · ", make("b", { class: state === "disagreement" ? "lost-text" : "done" }, state)])),
      make("span", { class: "cell c2 num" }, review.text.count(columns.steps[at])),
      make("span", { class: "cell c3" }, review.badges.fate(word("fate")), reason ? recorded(reason, 40, { class: "code" }) : null,
        under(reason, flags)),
      make("span", { class: "cell c4" }, word("split") ?? ""),
      make("span", { class: "cell c5 num" }, score === null ? "" : review.text.value(score)));
  }

  /* On a narrow screen, which has no column for what became of it. */
  function away(fate) {
    return fate && fate !== "kept" ? make("b", { class: "narrow" }, `${fate} · `) : null;
  }

  /* Why it went out, in words; else what it was noted for. */
  function under(reason, flags) {
    const told = review.badges.sentence(reason) || flags.join(", ");
    const hint = flags.map((flag) => review.about.flags?.[flag] ?? review.badges.sentence(flag)).filter(Boolean).join(" ");
    return told ? recorded(told, 80, { class: "under", title: told === flags.join(", ") ? hint || null : told }) : null;
  }

  function openAt(place) {
    if (found.rows.length) review.address.go("run", [found.rows[place]], review.selection.write(selection));
  }

  function move(to) {
    if (!found.rows.length) return say("No trajectory is shown.");
    const before = shown.element(current);
    current = Math.max(0, Math.min(found.rows.length - 1, to));
    if (before) mark(before, false);
    shown.reveal(current);
    focusRow();
  }

  function focusRow() {
    const element = shown.element(current);
    if (!element) return;
    mark(element, true);
    element.focus({ preventScroll: true });
  }

  function mark(element, is) {
    element.classList.toggle("current", is);
    element.setAttribute("aria-selected", String(is));
    element.tabIndex = is ? 0 : -1;
  }

  const inRows = () => byId("rows").contains(document.activeElement);
  /* The first key goes to the current row, those after it along the rows. */
  const step = (by) => () => move(inRows() ? current + by : current);

  function actions() {
    return {
      next: step(1), previous: step(-1), first: () => move(0), last: () => move(found.rows.length - 1), open: () => openAt(current),
      search: () => byId("search").focus(), leave: () => byId("rows").focus(),
      other: (event) => {
        const far = { ArrowDown: 1, ArrowUp: -1, PageDown: shown.perPage(), PageUp: -shown.perPage() }[event.key];
        const held = event.target instanceof Element && event.target.closest("summary, input, button, select");
        if (far === undefined || held) return;
        event.preventDefault();
        step(far)();
      },
    };
  }

  review.list = { show, rowsOf, columns: () => columns, ready };
})(window.review);
