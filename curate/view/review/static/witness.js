"use strict";

/* A run beside what is held against it: a near-copy and its witness with their steps aligned, a leak and the test task
   with the shared words marked. */
(function (review) {
  const { make, recorded, marked, byId } = review.dom;
  const KINDS = { same: "both did it", only: "only here", ignored: "not compared" };
  const SIGNS = { same: "=", only: "≠", ignored: "·" };

  async function show(main, { numbers, query }) {
    const position = numbers[0] ?? 0;
    const answer = await review.load(`witness/${position}`);
    const found = answer.witnesses ?? [];
    const back = review.address.written("run", [position], query);
    review.frame("witness", position);
    document.title = "Side by side · review";
    main.replaceChildren(make("div", { class: "witness-page", tabindex: "-1", id: "witness" },
      make("p", { class: "walk" }, make("a", { href: back, class: "button" }, "Back to the run ", make("kbd", { "aria-hidden": "true" }, "Esc"))),
      found.length ? found.map((one) => (one.kind === "task" ? task(one) : pair(one, position, query))) : make("p", { class: "waiting" }, "No stage names a witness for this run.")));
    byId("witness").focus();
    review.keys.use({ leave: () => review.address.go("run", [position], query) });
  }

  function head(one) {
    return [make("h2", null, recorded(one.stage, 40), ": ", review.badges.verdict(one.verdict)),
      make("p", null, one.sentence ?? (one.verdict === "keep" && one.kind === "run" ? "This is the run most like it; it is not so like it that it had to go." : ""), one.reason ? [" ", recorded(one.reason, 60, { class: "code" })] : null),
      one.detail ? make("p", { class: "dim" }, recorded(one.detail, 400)) : null];
  }

  function pair(one, position, query) {
    const other = one.other ?? {};
    const similar = typeof one.similarity === "number" && !(one.detail ?? "").includes("similarity") ? make("p", null, "Similarity ", make("b", null, one.similarity.toFixed(3)), ".") : null;
    const link = (at, label) => (at === null || at === undefined ? label : make("a", { href: review.address.written("run", [at], query) }, label));
    const column = (label, side) => make("th", { scope: "col" }, make("div", null, label), make("div", { class: "words" }, recorded(side.instruction ?? "", 300)), make("div", { class: "dim" }, recorded(side.where ?? "", 120)));
    const words = [...(one.rows ?? [])].map((row) => make("tr", { class: kindOf(row) }, make("td", null, step(row.other)), make("td", { class: "compared" }, make("span", { role: "img", "aria-label": KINDS[kindOf(row)] }, SIGNS[kindOf(row)])), make("td", null, step(row.own))));
    const table = make("table", { class: "aligned" },
      make("caption", { class: "hidden" }, "Steps of both runs, aligned"),
      make("thead", null, make("tr", null, column(link(other.position, ["Witness ", recorded(other.id ?? "", 60, { class: "id" }), other.split ? ` (${other.split})` : ""]), other), make("th", { scope: "col" }, make("span", { class: "hidden" }, "Compared")), column(link(position, "This run"), one))),
      make("tbody", null, words));
    return make("section", { class: "card" }, head(one), similar, make("p", { class: "dim legend" }, Object.keys(SIGNS).map((kind) => make("span", null, make("b", null, SIGNS[kind]), ` ${KINDS[kind]}`))), make("div", { class: "wide" }, table));
  }

  function kindOf(row) {
    const kinds = [row.other?.kind, row.own?.kind];
    return kinds.includes("same") ? "same" : kinds.includes("only") ? "only" : "ignored";
  }

  function step(side) {
    if (!side) return null;
    const src = typeof side.image === "string" ? side.image : side.image?.src;
    const image = src ? make("img", { src, alt: "", loading: "lazy", decoding: "async" }) : null;
    return make("div", { class: "aligned-step" }, image, make("div", null, make("span", { class: "dim" }, `${side.index} `), recorded(side.text, 200)));
  }

  function task(one) {
    const evidence = one.evidence ?? [];
    const shared = [...new Set(evidence.flatMap((found) => found.phrases ?? []))];
    const words = one.task?.words ?? null;
    const phrased = evidence.some((found) => found.phrases?.length);
    const lists = evidence.map((found) => make("tr", null, make("th", { scope: "row" }, recorded(String(found.kind).replaceAll("_", " "), 60)), make("td", null, recorded(review.text.value(found.strength), 40)),
      make("td", { class: "found" }, marked(found.text ?? "", found.phrases ?? [], 400)), make("td", { class: "num" }, typeof found.share === "number" ? `${Math.round(100 * found.share)} %` : ""), phrased ? make("td", { class: "found" }, recorded((found.phrases ?? []).join(" · "), 300)) : null));
    return make("section", { class: "card" }, head(one),
      make("div", { class: "beside" },
        make("div", null, make("h3", null, "Test task ", recorded(one.task?.id ?? "", 120, { class: "id" })), make("p", { class: "quoted" }, words ? marked(words, shared.length ? shared : sharedWords(words, one.instruction), 2000) : "Its words are not told: the test tasks are not where they were.")),
        make("div", null, make("h3", null, "Instruction of this run"), make("p", { class: "quoted" }, marked(one.instruction ?? "", shared.length ? shared : sharedWords(words ?? "", one.instruction), 2000)))),
      lists.length ? make("div", { class: "wide" }, make("table", { class: "evidence" }, make("caption", null, "Evidence, the strongest first"),
        make("thead", null, make("tr", null, ["Kind", "Strength", "Where", "Share", phrased ? "Shared words" : null].filter(Boolean).map((name) => make("th", { scope: "col" }, name)))), make("tbody", null, lists))) : null);
  }

  /* Words of four letters or more that both have, where the evidence names no phrases. */
  function sharedWords(one, other) {
    const words = (text) => String(text ?? "").toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? [];
    const seen = new Set(words(other));
    return [...new Set(words(one).filter((word) => seen.has(word)))];
  }

  review.witness = { show, pair, task };
})(window.review);
