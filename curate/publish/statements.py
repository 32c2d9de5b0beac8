"""Sentences that the card and the Croissant file share, each made of the manifest's numbers. What is not known is said
to be not known. `show`: how recorded text is shown, which in Markdown must be inert."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from curate.publish import audit_words
from curate.publish.manifest import Manifest

Show = Callable[[Any], str]

_PEOPLE = {
    "human": "people", "model": "models", "program": "programs", "unknown": "actors that the records do not name"
}  # fmt: skip


def count(number: int, one: str, many: str | None = None) -> str:
    """`1 run`, `1,200 runs`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def percent(share: float | None) -> str:
    """`12.3 %`; `not known`."""
    return "not known" if share is None else f"{100 * share:.1f} %"


def interval(share: dict[str, Any] | None) -> str:
    """`12.3 % (10.0 to 15.0 %, 246 of 2,000)`."""
    if not share or share["share"] is None:
        return "not known"
    low, high = 100 * share["low"], 100 * share["high"]
    return f"{percent(share['share'])} ({low:.1f} to {high:.1f} %, {share['yes']:,} of {share['known']:,})"


def shares(counts: dict[str, int], show: Show) -> str:
    """`3 by people (75.0 %), 1 by programs (25.0 %)`, most first."""
    total = sum(counts.values())
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{n:,} {show(name)} ({percent(n / total)})" for name, n in ranked) or "none"


def collection(manifest: Manifest) -> str:
    """Who acted, and where."""
    actors = shares(manifest.value("actors"), lambda kind: f"by {_PEOPLE[kind]}")
    people = interval(manifest.value("people"))
    return (
        f"Runs recorded: {actors}. Steps that are learnt and that people did: {people}. Platforms: "
        f"{shares(manifest.value('platforms'), str)}."
    )


def sources(manifest: Manifest, show: Show) -> str:
    """The parts in one sentence."""
    rows = [
        f"{show(row['source'])} ({row['trajectories']:,}, {show(row['license'])})" for row in manifest.value("parts")
    ]
    return "Sources, with their runs and licences: " + ", ".join(rows) + "."


def annotators(manifest: Manifest) -> str:
    """How many pseudonyms stand for who acted."""
    named = manifest.value("different")["actors"]
    who = f"{count(named, 'pseudonym')} in the records" if named else "not named in the records"
    return f"Who acted: {who}. Age, gender, region and language of the people are not known."


def outcomes(manifest: Manifest, show: Show) -> str:
    """How runs ended, and who says so."""
    by = manifest.value("outcomes_by")
    said = f" Said by: {shares(by, show)}." if by else ""
    return f"Outcomes: {shares(manifest.value('outcomes'), str)}.{said}"


def audit_lines(manifest: Manifest) -> list[str]:
    """What people who looked again at verdicts said."""
    found = manifest.value("audit")
    if not found:
        return ["Not known: nobody's second look at verdicts was given."]
    return audit_words.lines(found)


def pay(manifest: Manifest, show: Show) -> str:
    """What people were paid, as far as prices say."""
    costs = manifest.value("costs")
    if costs is None:
        return "Pay of the people who recorded or labelled is not known: no prices were given."
    rows = [f"{show(row['source'] or 'all sources')} {row['spent']:,.2f}" for row in costs["rows"]]
    spent = f"Spent in all, in {show(costs['currency'])}: {', '.join(rows)}."
    return f"{spent} How much of it was pay is for the publisher to say."


def consent(manifest: Manifest) -> str:
    """What is known of consent."""
    if not manifest.value("actors").get("human"):
        return "No run is said to be of a person, so consent was not asked of one as far as is known."
    return "Consent of the people recorded is not part of the records: ask the publisher and the sources named."


def personal(manifest: Manifest, show: Show) -> str:
    """What was done about personal data."""
    done = "Named secrets were taken out of texts and pictures (stage `redact`)." if manifest.value("redacted") else (
        "No secrets were named to be taken out (the recipe has no stage `redact`)."
    )  # fmt: skip
    scan = manifest.value("scan")
    if scan is None:
        told = "What a scan for personal data found is not known."
    else:
        rows = [row for row in scan if row["code"].startswith("personal.")]
        findings = ", ".join(f"{show(row['code'])} {row['count']:,}" for row in rows) or "nothing"
        told = f"A scan before publication found of personal data: {findings}."
    return (
        f"{done} {told} Actors have pseudonyms. Screenshots may show third parties' pages, names and pictures, and "
        "belong to their owners."
    )


def takedown(manifest: Manifest) -> str:
    """How somebody gets something out."""
    return (
        f"To have a run or a person's runs taken out, write in the Community tab of {manifest.repo} with the record's "
        "id; `curate forget` takes it out of the data and of the next revision."
    )


def limits(manifest: Manifest) -> list[str]:
    """What one should know before training on it."""
    found = []
    outcomes = manifest.value("outcomes")
    total = manifest.value("trajectories")
    if unknown := outcomes.get("unknown"):
        found.append(f"Of {unknown:,} of {count(total, 'run')} nobody says whether the task was completed.")
    if failed := outcomes.get("failed"):
        found.append(f"{failed:,} of {count(total, 'run')} failed.")
    right = manifest.value("step_labels")["correct"]
    if right.get("unknown"):
        found.append(f"Of {count(right['unknown'], 'step')} nobody says whether they are right; they count as targets.")
    if lost := manifest.value("media")["lost"]:
        found.append(f"Files that records name and that could not be read (null in the tables): {lost:,}.")
    if generated := manifest.value("flags").get("words_generated"):
        found.append(f"The words of {count(generated, 'step')} were made from the action, not written by anybody.")
    if videos := manifest.value("media")["videos"]:
        found.append(f"{count(videos, 'run')} have a screen video, which shows more than the steps' pictures.")
    if manifest.value("unseen") is None:
        found.append("There is no test split.")
    if not manifest.value("leak_packs"):
        found.append("It was not held against any benchmark's test tasks.")
    if manifest.value("near_copies") is None:
        found.append("Near-copies were not looked for.")
    return found


def biases(manifest: Manifest) -> list[str]:
    """Where the data leans, by its own counts."""
    found = [collection(manifest)]
    different = manifest.value("different")
    found.append(
        f"It shows {count(different['apps'], 'app')} and {count(different['sites'], 'site')}; what is not among them "
        "is not represented."
    )
    parts = manifest.value("parts")
    if len(parts) == 1:
        found.append("All of it comes from one source.")
    return found
