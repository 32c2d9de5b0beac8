"use strict";

/* What is told of the whole run: its head, where it comes from, every stage's verdict with its reason in words, measures
   and witness, and who said what of it. */
(function (review) {
  const { make, recorded, long, facts } = review.dom;
  const KINDS = { outcome: "outcome", correct: "step", redundant: "step", instruction: "instruction", blur: "blurred a region", note: "note", undo: "took back" };

  function instruction(run) {
    const edit = review.edits.mine(run.record.id, "instruction");
    return edit ? edit.value : run.record.instruction;
  }

  /* The outcome as this reviewer sees it now. */
  function outcome(run) {
    const edit = review.edits.mine(run.record.id, "outcome");
    return edit ? edit.value : run.record.outcome?.completed ?? null;
  }

  /* The last verdict that is not keep decides what became of it. */
  function fate(run) {
    if (!run.verdicts.length) return null;
    const last = run.verdicts.find((one) => one.verdict !== "keep");
    return last ? { drop: "dropped", quarantine: "quarantined" }[last.verdict] : "kept";
  }

  function about(run) {
    const { record } = run;
    const source = record.source ?? {};
    const scores = (record.scores ?? []).map((score) => `${score.name} ${review.text.value(score.value)} of ${review.text.value(score.min)} to ${review.text.value(score.max)}${score.by ? ` by ${score.by}` : ""}`);
    const wordings = Object.entries(record.wordings ?? {}).map(([name, text]) => make("div", null, make("span", { class: "dim" }, `${review.text.visible(name)}: `), recorded(text, 300)));
    return make("section", { "aria-labelledby": "run-head" }, make("h3", { id: "run-head" }, "The run"),
      facts([
        ["Id", recorded(record.id, 120, { class: "id" })],
        ["Outcome", record.outcome?.by ? [`${{ true: "completed", false: "failed" }[record.outcome.completed] ?? "unknown"}, said by `, recorded(record.outcome.by, 60)] : null],
        ["Why", record.outcome?.reason ? recorded(record.outcome.reason, 400) : null],
        ["Other wordings", wordings.length ? wordings : null],
        ["Before it", record.task?.prerequisites ? recorded(textOf(record.task.prerequisites), 400) : null],
        ["Steps asked for", record.task?.steps ? recorded(textOf(record.task.steps), 600) : null],
        ["Expected", record.task?.expected ? recorded(textOf(record.task.expected), 400) : null],
        ["Source", [recorded(source.name ?? "", 60), source.file ? [" · ", recorded(source.file, 120, { class: "id" }), source.line ? `, line ${source.line}` : ""] : null]],
        ["Licence", source.license ? recorded(source.license, 60) : null],
        ["Actor", record.actor ? recorded(`${record.actor.kind ?? "unknown"}${record.actor.name ? ` ${record.actor.name}` : ""}`, 80) : null],
        ["Platform", record.platform ? recorded(record.platform, 40) : null],
        ["Apps, sites", recorded([...(record.apps ?? []), ...(record.sites ?? [])].join(", "), 200)],
        ["Scores", scores.length ? recorded(scores.join("; "), 300) : null],
        ["Weight", record.weight?.value === null || record.weight?.value === undefined ? null : recorded(`${review.text.value(record.weight.value)}, by ${record.weight.by}`, 80)],
        ["Examples", run.examples?.count === null || run.examples?.count === undefined ? null : review.text.count(run.examples.count)],
        ["Lineage", record.lineage?.length ? record.lineage.map((line) => make("div", null, recorded(line, 300))) : null],
      ]));
  }

  function textOf(thing) {
    return Array.isArray(thing) ? thing.join("\n") : typeof thing === "string" ? thing : JSON.stringify(thing);
  }

  function verdicts(run) {
    if (!run.verdicts.length) return make("section", { "aria-labelledby": "verdict-head" }, make("h3", { id: "verdict-head" }, "Verdicts"), make("p", { class: "dim" }, "No stage has looked at this run: it is a dataset, or the run went out before the first."));
    const rows = run.verdicts.map((one) => make("tr", { class: one.verdict === "keep" ? null : "out" },
      make("th", { scope: "row" }, recorded(one.stage, 40)), make("td", null, review.badges.verdict(one.verdict), why(run, one))));
    return make("section", { "aria-labelledby": "verdict-head" }, make("h3", { id: "verdict-head" }, "Verdicts"),
      make("table", { class: "verdicts" }, make("caption", { class: "hidden" }, "What each stage decided, in order"),
        make("thead", null, make("tr", null, ["Stage", "Verdict, and why"].map((head) => make("th", { scope: "col" }, head)))), make("tbody", null, rows)));
  }

  function why(run, one) {
    const measures = Object.entries(one.measures ?? {});
    const flags = (one.flags ?? []).map((flag) => make("div", null, flag.sentence ?? "", " ", recorded(flag.code, 60, { class: "code" })));
    return [
      one.reason ? make("div", null, one.sentence ?? review.badges.sentence(one.reason), " ", recorded(one.reason, 60, { class: "code" })) : null,
      flags, detail(one), witness(run, one.witness),
      measures.length ? make("details", null, make("summary", null, review.text.plural(measures.length, "measure")),
        facts(measures.map(([name, value]) => [review.text.visible(name.replaceAll("_", " ")), recorded(review.text.value(value), 200)]))) : null,
    ];
  }

  /* What the stage found; without the codes that stand above it already. */
  function detail(one) {
    const codes = (one.flags ?? []).map((flag) => flag.code);
    const text = (one.detail ?? "").split("; ").map((part) => {
      const code = codes.find((known) => part === known || part.startsWith(`${known} (`));
      return code ? part.slice(code.length).trim().replace(/^\((.*)\)$/s, "$1") : part;
    }).filter(Boolean).join("; ");
    return text ? make("div", { class: "dim" }, recorded(text, 300)) : null;
  }

  function witness(run, one) {
    if (!one) return null;
    const query = review.address.now().query;
    const link = make("a", { href: review.address.written("witness", [run.position], query), "aria-keyshortcuts": "s" }, "side by side");
    if (one.position === undefined) return make("div", null, "Test task ", recorded(one.task ?? Object.values(one)[0] ?? "", 120, { class: "id" }), " · ", link);
    return make("div", null, "Witness ", make("a", { href: review.address.written("run", [one.position]) }, recorded(one.id, 60, { class: "id" })), one.split ? ` (${one.split})` : "", " · ", link);
  }

  /* Every edit, newest first, with who and when; own ones that stand can be taken back. */
  function edits(run) {
    const all = review.edits.of(run.record.id);
    const differ = review.edits.disagreements(run.record.id);
    const standing = new Set([...groups(all).values()].flatMap((some) => review.edits.standing(some)));
    const items = [...all].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.number - a.number)).map((edit) => entry(edit, standing.has(edit), all));
    return make("section", { "aria-labelledby": "edits-head", id: "edits-panel" }, make("h3", { id: "edits-head" }, `Edits${all.length ? ` (${all.length})` : ""}`),
      differ.map((sides) => make("p", { class: "note stop" }, make("b", null, "Reviewers differ"), ` on ${place(sides[0])}: `, sides.map((edit, k) => [k ? "; " : "", recorded(edit.by, 40), " says ", said(edit)]), ". Neither is applied.")),
      items.length ? make("ul", { class: "edits" }, items) : make("p", { class: "dim" }, "Nobody has said anything of this run."));
  }

  function groups(all) {
    const found = new Map();
    for (const edit of all) found.set(edit.by, [...(found.get(edit.by) ?? []), edit]);
    return found;
  }

  function entry(edit, stands, all) {
    const undone = edit.kind === "undo" ? all.find((one) => one.by === edit.by && one.number === edit.undoes) : null;
    const words = edit.kind === "undo" ? ["took back: ", undone ? [place(undone), " ", said(undone)] : `edit ${edit.undoes}`] : [place(edit), ": ", said(edit)];
    return make("li", { class: stands || edit.kind === "undo" ? null : "gone" }, make("span", { class: "what" }, words),
      make("span", { class: "dim" }, " ", recorded(edit.by, 40), ", ", make("time", { datetime: edit.at }, edit.at.replace("T", " ").replace("Z", " UTC")), !stands && edit.kind !== "undo" ? " · no longer in force" : ""));
  }

  function place(edit) {
    if (edit.kind === "cut") return "cut";
    const step = edit.step === null || edit.step === undefined ? "" : `step ${edit.step}`;
    if (edit.kind === "correct" || edit.kind === "redundant") return step;
    return step ? `${step}, ${KINDS[edit.kind] ?? edit.kind}` : KINDS[edit.kind] ?? edit.kind;
  }

  /* What an edit says, in words. */
  function said(edit) {
    const { kind, value } = edit;
    if (kind === "cut") return `from step ${edit.step} on`;
    if (kind === "outcome") return value === true ? "pass" : value === false ? "fail" : "unknown";
    if (kind === "correct") return value === false ? "wrong" : value === true ? "right" : "not known to be right or wrong";
    if (kind === "redundant") return value === true ? "redundant" : value === false ? "not redundant" : "not known to be redundant";
    if (kind === "blur" && Array.isArray(value)) return value.map((part) => `${(100 * part).toFixed(1)} %`).join(", ");
    return typeof value === "string" ? recorded(value, 300) : "";
  }

  review.runPanel = { about, verdicts, edits, instruction, outcome, fate, said, place };
})(window.review);
