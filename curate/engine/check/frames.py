"""Frame, order, scroll sign and pictures' moment: what the data says against what the source declares."""

from __future__ import annotations

from curate.engine.check.collect import Collected
from curate.engine.check.types import Row, Sure
from curate.engine.explaining import Explained
from curate.sources.detector.verdict import Verdict

_WORDS = {
    "space": "coordinate frame", "order": "order of x and y", "scroll": "scroll sign", "timing": "pictures' moment",
}  # fmt: skip


def add_frames(found: Collected, explained: list[Explained]) -> None:
    """The verdicts on every input (many inputs of one source are judged together)."""
    silent: dict[str, set[str]] = {}
    for one in explained:
        for verdict in one.verdicts:
            kind = _kind(verdict)
            if kind is None:
                silent.setdefault(verdict.question, set()).add(one.source)
                continue
            _add(found, kind, one, verdict)
    for question, sources in silent.items():
        told = ", ".join(sorted(sources))
        found.cannot(
            "frame", f"{_WORDS[question]} of {told}", "too few steps tell; what the source declares was believed."
        )


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
    found.say(kind, f"{one.input}: {verdict.sentence}", part=part, of=known, sure=sure)


def _counted(verdict: Verdict) -> tuple[int | None, int | None]:
    """Steps that tell, and those of them for the answer; None of frames, which weigh what they count."""
    if verdict.question == "space" or verdict.found is None:
        return None, None
    yes = verdict.counts.get(verdict.found)
    answers = [name for name in verdict.counts if "_by_" not in name]
    return (None, None) if yes is None else (sum(verdict.counts[name] for name in answers), yes)
