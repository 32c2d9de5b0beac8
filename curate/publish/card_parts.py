"""Paragraphs and rows of the card, each made of the manifest's numbers."""

from __future__ import annotations

from typing import Any

from curate.publish import audit_words
from curate.publish import statements as say
from curate.publish.configs import ABOUT, Config, in_order
from curate.publish.gate.codes import CODES
from curate.publish.inert import block, code
from curate.publish.manifest import Manifest
from curate.publish.options import PublishOptions
from curate.publish.sample import shown_json

count = say.count
_KINDS = {"apps": "apps", "sites": "sites", "templates": "templates", "tasks": "instructions", "actors": "actors"}


def size(number: int) -> str:
    """Bytes for a person."""
    amount, unit = float(number), "bytes"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{number:,} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"


def summary(manifest: Manifest) -> str:
    """What it is, in two sentences."""
    different = manifest.value("different")
    runs, steps = count(manifest.value("trajectories"), "run"), count(manifest.value("steps"), "step")
    return (
        f"{runs} of computer use with {steps}: for each step the screen before it, the action in words, as typed "
        f"values and as code, and what is known of how the run ended. They show {count(different['apps'], 'app')}, "
        f"{count(different['sites'], 'site')} and {count(different['tasks'], 'different instruction')}. Platforms: "
        f"{say.shares(manifest.value('platforms'), str)}."
    )


def split_rows(manifest: Manifest) -> list[dict[str, Any]]:
    """Splits with their counts."""
    examples = manifest.value("examples")
    splits = manifest.value("splits")
    return [{"split": name, **splits[name], "examples": examples.get(name)} for name in in_order(splits)]


def config_rows(manifest: Manifest, configs: list[Config]) -> list[dict[str, Any]]:
    """Configs with what a row is, files and bytes."""
    sizes = {file.path: file.bytes for file in manifest.files}
    return [
        {"name": c.name, "about": ABOUT[c.name], "files": len(c.rows), "bytes": sum(sizes[path] for path in c.rows)}
        for c in configs
    ]


def media(manifest: Manifest) -> str:
    """Pictures and what else there is."""
    found = manifest.value("media")
    return (
        f"{count(found['pictures'], 'different picture')}, shown {count(found['shown'], 'time')}, in the bytes that "
        f"were recorded; {count(found['trees'], 'step')} with an accessibility tree; "
        f"{count(found['videos'], 'run')} with a video."
    )


def example_fields(configs: list[Config]) -> str:
    """The columns of the examples."""
    columns = [
        f"`{f['name']}`" for c in configs if c.name == "examples" for f in c.features if f["name"].isidentifier()
    ]
    if not columns:
        return "There are no training examples."
    told = "The same rows, byte for byte as the run wrote them, are the JSONL files in `examples/`."
    return f"Fields of `examples`: {', '.join(columns)}. {told}"


def sample(manifest: Manifest) -> str:
    """A record as JSON."""
    record = manifest.value("sample")
    if record is None:
        return "There is no record."
    told = "The first one; fields that are null are left out, long texts and all but its first steps cut."
    return f"{told}\n\n{block(shown_json(record), 'json')}"


def made(manifest: Manifest) -> str:
    """The run in a sentence, and the files that say more."""
    inputs, versions = manifest.value("inputs"), manifest.value("versions")
    told = ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
    return (
        f"{count(manifest.value('read'), 'run')} and lines were read from {count(inputs['files'], 'file')} "
        f"({size(inputs['bytes'])}); {count(manifest.value('trajectories'), 'run')} gave training examples, "
        f"{manifest.value('rejected'):,} did not. The recipe with all its options is `recipe.yaml` (seed "
        f"{manifest.value('seed')}); every number of the run is in `report.json`. Made with "
        f"{code(told) if told else 'versions that are not known'}."
    )


def funnel_rows(manifest: Manifest) -> list[dict[str, Any]]:
    """The funnel, with reasons beside the counts."""
    return [
        {**row, "dropped": _reasons(row["dropped"]), "quarantined": _reasons(row["quarantined"])}
        for row in manifest.value("funnel")
    ]


def _reasons(counts: dict[str, int]) -> str:
    if not counts:
        return "0"
    told = ", ".join(f"{code(reason)} {n:,}" for reason, n in sorted(counts.items()))
    return f"{sum(counts.values()):,}: {told}"


def after(manifest: Manifest) -> str:
    """What became of steps, and of weights."""
    left_out = manifest.value("steps_left_out")
    steps = ", ".join(f"{code(row['reason'])} {row['count']:,}" for row in left_out)
    weights = manifest.value("weights")
    effective = "" if weights["effective"] is None else f", as many as {weights['effective']:,.1f} of equal weight"
    return (
        f"Steps that are no target: {steps or 'none'}. Runs are weighted: {count(weights['runs'], 'run')} of a total "
        f"weight of {weights['total']:,.1f}{effective}. {edits(manifest)} Splits keep together what shares "
        f"{code(manifest.value('split_by') or 'nothing: there is no split')}. Examples are in the format "
        f"{code(manifest.value('format') or 'not known')}."
    )


def edits(manifest: Manifest) -> str:
    """What people changed before."""
    told = manifest.value("edits")
    if told is None:
        return "No person's edits were applied."
    applied, left_out = sum(told["applied"].values()), sum(told["left_out"].values())
    return (
        f"Edits of {count(told['reviewers'], 'reviewer')}: {applied:,} applied, {left_out:,} not, of these "
        f"{count(told['disagreements'], 'matter')} on which reviewers differ."
    )


def license_line(manifest: Manifest) -> str:
    """The licence as a whole."""
    told = manifest.value("license")
    name = f" ({code(told['name'])})" if told["name"] else ""
    link = f", {code(told['link'])}" if told["link"] else ""
    return f"{code(told['id'])}{name}{link}"


def labels(manifest: Manifest) -> str:
    """What is known of single steps."""
    told = manifest.value("step_labels")
    rows = [
        f"{name}: {counts.get('yes', 0):,} yes, {counts.get('no', 0):,} no, {counts.get('unknown', 0):,} not known"
        for name, counts in told.items()
    ]
    scores = manifest.value("scores")
    given = ", ".join(f"{code(name)} ({count(n, 'run')})" for name, n in scores.items()) or "none"
    flags = ", ".join(f"{code(name)} {n:,}" for name, n in manifest.value("flags").items()) or "none"
    return f"Steps marked: {'; '.join(rows)}. Scores: {given}. Flags of steps: {flags}."


def variety(manifest: Manifest) -> str:
    """How varied the instructions and paths are."""
    rows = manifest.value("diversity")
    told = [
        f"{row['who']}: {count(row['tasks'], 'task')} in {count(row['runs'], 'run')}, of {_known(row['words'])} words "
        f"on average, {_known(row['goals_per_place'])} tasks an app or site, mean cosine distance of two instructions "
        f"{_known(row['distance'])}, {count(row['paths'], 'different path')}"
        for row in rows
    ]
    return f"Variety: {'; '.join(told)}." if told else "How varied the runs are is not known: they were not compared."


def _known(value: float | None) -> str:
    return "not known" if value is None else f"{value:g}"


def remarks(manifest: Manifest) -> str:
    """What stages remark on runs that are published all the same."""
    rows = manifest.value("remarks")
    told = ", ".join(f"{code(row['reason'])} {row['count']:,} ({row['sentence'].rstrip('.')})" for row in rows)
    return f"Runs that are published though a stage remarks on them: {told or 'none'}."


def audit(manifest: Manifest) -> str:
    """What people who looked again said of verdicts."""
    found = manifest.value("audit")
    if not found:
        return "Not known: nobody's second look at verdicts was given (`curate audit`, then `--audit`)."
    return audit_words.table(found)


def leaks(manifest: Manifest) -> str:
    """What it was held against, and what was dropped."""
    packs = manifest.value("leak_packs")
    if not packs:
        return "Not known: the run was not held against any benchmark's test tasks."
    told = ", ".join(
        f"{code(pack['name'])} (version {code(pack['version'])}, {_tasks(pack['tasks'])})" for pack in packs
    )
    dropped = manifest.value("leaks_dropped")
    rows = ", ".join(f"{code(row['reason'])} {row['count']:,}" for row in dropped) or "none"
    return (
        f"Held against: {told}. {_seen(manifest.value('test_tasks'))} Runs dropped for what they give away: {rows}. Of "
        "the runs that are published, by each definition of giving a task away:"
    )


def _seen(classes: dict[str, int] | None) -> str:
    if classes is None:
        return "How many test tasks the data as it was read gives away is not known."
    return (
        f"The data as it was read, before anything was dropped, gives away {count(classes['seen'], 'test task')}, "
        f"shares weak evidence with {classes['similar']:,} and none with {classes['unseen']:,}."
    )


def _tasks(tasks: dict[str, int] | None) -> str:
    if tasks is None:
        return "how many tasks it has is not known here: no installed pack is this version"
    return " and ".join(f"{n:,} tasks of {code(name)}" for name, n in sorted(tasks.items()))


def leak_rows(manifest: Manifest) -> list[dict[str, Any]]:
    """Benchmarks and definitions."""
    return manifest.value("leaks_left") or []


def near_copies(manifest: Manifest) -> str:
    """Near-copies against their threshold."""
    found = manifest.value("near_copies")
    if found is None:
        return "Not known: the recipe did not look for near-copies."
    recall = found["recall"]
    told = (
        ""
        if recall is None
        else f" Found by MinHash; of what the exact decision drops it dropped {say.interval(recall)}."
    )
    return (
        f"Two runs are near-copies from a similarity of {found['threshold']:g} on (shared shingles of what was done, "
        f"evidence {code(found['evidence'])}). Compared: {count(found['compared'], 'run')}. Dropped as near-copies: "
        f"{found['dropped']:,}. Kept though they are near-copies, with less weight or as the recipe's cap allows: "
        f"{found['kept']:,}. Left over that the decision would drop, says a second implementation: "
        f"{found['left_over']:,}.{told}"
    )


def unseen(manifest: Manifest) -> str:
    """Whether there is a test to speak of."""
    if manifest.value("unseen") is None:
        return "There is no test split."
    return "Of what the test split's runs use or ask for, how much no other split has:"


def unseen_rows(manifest: Manifest) -> list[dict[str, Any]]:
    """Apps, sites, templates, instructions and actors of the test."""
    found = manifest.value("unseen") or {}
    return [{"kind": _KINDS[kind], **row} for kind, row in found.items()]


def accepted(manifest: Manifest) -> str:
    """What the gate found, and what of it a person let through by name."""
    scan, names = manifest.value("scan"), manifest.value("accepted")
    if scan is None:
        found = "What the gate before publication found is not known."
    else:
        rows = [f"{code(row['code'])} {row['count']:,}: {_title(row['code'])}" for row in scan]
        found = "The gate before publication found: " + (" ".join(rows) or "nothing.")
    let = ", ".join(map(code, names)) or "nothing"
    return f"{found} Let through by name: {let}."


def _title(name: str) -> str:
    return CODES[name].title if name in CODES else "A finding of another version of the gate."


def citation(options: PublishOptions) -> str:
    """As the publisher gave it."""
    if not options.citation:
        return f"No citation was given. Name the dataset {code(options.repo)} and its revision."
    return block(options.citation, "bibtex")
