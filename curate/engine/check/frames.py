"""Frame, order, scroll sign and pictures' moment: what the data says against what the source declares."""

from __future__ import annotations

from curate.engine.check.collect import Collected
from curate.engine.check.types import Row, Sure
from curate.engine.explaining import Explained
from curate.sources.detector.space import WORDS
from curate.sources.detector.verdict import Verdict

_WORDS = {
    "space": "coordinate frame", "order": "order of x and y", "scroll": "scroll sign", "timing": "pictures' moment",
}  # fmt: skip
_ANSWERS = {
    **WORDS, "xy": "x before y", "yx": "y before x", "plus_up": "a positive number goes up",
    "plus_down": "a positive number goes down", "view": "words say what comes into view",
    "finger": "words say where the finger goes", "before": "before the action", "after": "after the action",
}  # fmt: skip


def add_frames(found: Collected, explained: list[Explained]) -> None:
    """The verdicts on every input (many inputs of one source are judged together)."""
    silent: dict[tuple[str, str], list[str]] = {}
    for one in explained:
        for verdict in one.verdicts:
            kind = _kind(verdict)
            if kind is None:
                told = silent.setdefault((verdict.question, _why_silent(one, verdict)), [])
                told += [] if one.source in told else [one.source]
                continue
            _add(found, kind, one, verdict)
    for (question, why), sources in silent.items():
        found.cannot("frame", f"{_WORDS[question]} of {', '.join(sorted(sources))}", why)


def _why_silent(one: Explained, verdict: Verdict) -> str:
    """Why the data says nothing, and what reading went by."""
    if not one.read:
        return "no record could be read."
    points = verdict.question in ("space", "order")
    if verdict.counts:
        why = "too few steps tell, or they do not agree"
    else:
        why = "no step has a point" if points else "no step tells"
    if verdict.declared is None:
        return f"{why}, and the source does not declare it."
    return f"{why}; what the source declares ({_ANSWERS.get(verdict.declared, verdict.declared)}) was believed."


def _kind(verdict: Verdict) -> str | None:
    """The kind of finding; None where the source declares something and the data has nothing to say."""
    if verdict.contradicts:
        return "frame.contradicted"
    if verdict.found is None:
        return "frame.undecided" if verdict.declared is None and verdict.counts else None
    if verdict.declared is None:
        return "frame.decided"
    return "frame.confirmed" if verdict.found == verdict.declared else None


def _add(found: Collected, kind: str, one: Explained, verdict: Verdict) -> None:
    part = f"{one.source}.{verdict.question}" if one.inputs > 1 else f"{one.input}.{verdict.question}"
    known, yes = _counted(verdict)
    finding = found.add(kind, part=part, times=yes or 1)
    if yes is None:
        finding.unit, finding.count = "inputs", one.inputs
    finding.do = finding.do.replace(f"import.{part}", f"import.{verdict.question}")
    for example in verdict.examples if kind != "frame.confirmed" else ():
        row = Row(id=example.record, step=example.step, file=example.file, line=example.line, what=example.what)
        found.add(kind, row, part=part, times=0)
    interval = verdict.low < verdict.high
    sure = Sure(
        by="measured", yes=yes, known=known, low=verdict.low, high=verdict.high,
        why=None if interval else "share of the likelihood of all frames",
    )  # fmt: skip
    found.say(kind, verdict.sentence, part=part, of=known, sure=sure)  # the part names the input


def _counted(verdict: Verdict) -> tuple[int | None, int | None]:
    """Steps that tell, and those of them for the answer; None of frames, which weigh what they count."""
    if verdict.question == "space" or verdict.found is None:
        return None, None
    yes = verdict.counts.get(verdict.found)
    answers = [name for name in verdict.counts if "_by_" not in name]
    return (None, None) if yes is None else (sum(verdict.counts[name] for name in answers), yes)
