"""The page's own sentences: what came in, what came out, and what deserves a second look."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from curate.engine.report.rows import share as share_of
from curate.engine.report.types import PointerRow, Report, Share
from curate.model.constants import (
    REPORT_ABOVE_FLOOR,
    REPORT_LOSS,
    REPORT_PILE_CLICKS,
    REPORT_PILE_EDGE,
)

STAGES: dict[str, str] = {
    "read": "could be read",
    "validate": "are sound records",
    "normalise": "are in one spelling",
    "redact": "have personal data taken out",
    "images": "have pictures to learn from",
    "outcome": "did their task, or may have",
    "leaks": "give no test task away",
    "nearcopies": "are no near-copies",
    "split": "are in a split",
    "weights": "have a weight",
    "unroll": "gave training examples",
}
"""What the runs that pass a stage are, to go on from "of those"."""


class Note(msgspec.Struct, frozen=True):
    """Something to look at before training: `level` "stop" or "look", where on the page it is shown."""

    level: Literal["stop", "look"]
    text: str
    anchor: str


def many(count: int, one: str, more: str | None = None) -> str:
    """ "1 run", "2 runs", "no runs"."""
    word = one if count == 1 else more or f"{one}s"
    return f"{count:,} {word}" if count else f"no {word}"


def percent(value: float | None) -> str:
    """A share as a person writes it; a dash where it is unknown."""
    if value is None:
        return "–"
    hundred = 100 * value
    if 0 < hundred < 0.1 or 99.9 < hundred < 100:
        return "< 0.1 %" if hundred < 50 else "> 99.9 %"
    if 0 < hundred < 1 or 99 < hundred < 100:
        return f"{hundred:.1f} %"
    return f"{hundred:.0f} %"


def in_order(splits: Iterable[str]) -> list[str]:
    """Names of splits as people list them."""
    known = ("train", "validation", "test")
    return sorted(splits, key=lambda name: (known.index(name) if name in known else len(known), name))


def summary(report: Report) -> str:
    """The page in one sentence or two."""
    examples = sum(report.examples.values())
    splits = ", ".join(
        f"{report.examples[name]:,} {name}" for name in in_order(report.examples) if report.examples[name]
    )
    first = f"{many(report.read, 'run')} read: {report.trajectories:,} gave {many(examples, 'training example')}"
    if len([count for count in report.examples.values() if count]) > 1:
        first += f" ({splits})"
    if not report.rejected:
        return f"{first}, and none is missing."
    return f"{first}; {report.rejected:,} gave none."


def notes(report: Report, tests: str | None) -> list[Note]:
    """What a careful reader would ask about, the gravest first. `tests`: the file that leaks were looked for in."""
    found = [*_losses(report), *_outcomes(report), *_pointers(report), *_clicks(report), *_weights(report)]
    found += _licenses(report)
    if tests is None and any(stage.name.startswith("leaks") for stage in report.stages):
        text = "No benchmark's tasks were looked for: the recipe names none (leaks.tests)."
        found.append(Note("look", text, "leaks"))
    return sorted(found, key=lambda note: note.level != "stop")


def _losses(report: Report) -> list[Note]:
    if report.read and not report.trajectories:
        return [Note("stop", "No run gave a training example. The funnel says where they went.", "funnel")]
    if report.read and report.rejected / report.read > REPORT_LOSS and report.rejected_by_reason:
        largest = report.rejected_by_reason[0]
        share = percent(report.rejected / report.read)
        text = f"{share} of what was read gave no example. Largest reason, {largest.count:,} times: {largest.sentence}"
        return [Note("look", text, "rejected")]
    return []


def _outcomes(report: Report) -> list[Note]:
    unknown = sum(row.trained for row in report.outcomes if row.completed is None)
    failed = sum(row.trained for row in report.outcomes if row.completed is False)
    found = []
    if unknown:
        have = "has" if unknown == 1 else "have"
        text = (
            f"Of {many(report.trajectories, 'run')} that gave examples, {unknown:,} {have} an unknown outcome: "
            "nobody said that the task was done."
        )
        found.append(Note("look", text, "outcomes"))
    if failed:
        found.append(Note("look", f"{many(failed, 'failed run')} gave examples.", "outcomes"))
    missing = sum(row.steps - row.pictures for row in report.keyframes)
    if missing:
        steps = sum(row.steps for row in report.keyframes)
        text = f"{missing:,} of {many(steps, 'step')} read have no picture."
        found.append(Note("look", text if missing < steps else "No step has a picture.", "pictures"))
    return found


def _pointers(report: Report) -> list[Note]:
    """By source, over all its action types: rows of a few steps each say nothing for certain."""
    found = []
    rows = report.pointer.targets
    for source in sorted({row.source for row in rows}):
        of_source = [row for row in rows if row.source == source]
        floor = pooled([row.floor for row in of_source])
        for words, shares in (
            ("the pointer is already on the target", [row.on_target for row in of_source]),
            ("the target is highlighted", [row.hover for row in of_source]),
        ):
            found += _above(source, words, pooled(shares), floor)
    unknown = _unknown_pointer(rows)
    if unknown:
        names = ", ".join(unknown)
        text = f"Whether pictures give the target away is not known for {names}: no pointer events came along."
        found.append(Note("look", text, "pointer"))
    return found


def _above(source: str, words: str, share: Share, floor: Share) -> list[Note]:
    """A share above its floor: for certain only where the two intervals do not touch."""
    expected = floor.share or 0.0
    if share.share is None or share.low is None or share.share <= expected + REPORT_ABOVE_FLOOR:
        return []
    certain = share.low > max(expected + REPORT_ABOVE_FLOOR, floor.high or 0.0)
    text = (
        f"In {percent(share.share)} of the pictures of {source} ({share.yes:,} of {share.known:,}) {words}; clicking "
        f"where the previous action ended explains {percent(expected)}."
    )
    return [
        Note("stop" if certain else "look", text if certain else f"{text} So few steps do not settle it.", "pointer")
    ]


def pooled(shares: list[Share]) -> Share:
    """The share over all of them."""
    yes, known, unknown = (sum(getattr(share, name) for share in shares) for name in ("yes", "known", "unknown"))
    return share_of(yes, known, known + unknown)


def _unknown_pointer(rows: list[PointerRow]) -> list[str]:
    known: dict[str, int] = {}
    for row in rows:
        known[row.source] = known.get(row.source, 0) + row.on_target.known
    return sorted(source for source, count in known.items() if not count)


def _clicks(report: Report) -> list[Note]:
    found = []
    for row in report.clicks:
        ranges = (("left", "width", row.x_range), ("top", "height", row.y_range))
        for side, length, spread in ranges:
            if row.points >= REPORT_PILE_CLICKS and spread is not None and spread[1] < REPORT_PILE_EDGE:
                text = (
                    f"The clicks of {row.source} lie in the {side} {percent(spread[1])} of the {length}: "
                    "coordinates of another scale would look like this."
                )
                found.append(Note("look", text, "clicks"))
        off = sum(row.off_picture.values())
        if off:
            text = f"{many(off, 'click')} of {row.source} {'lies' if off == 1 else 'lie'} off the picture."
            found.append(Note("look", text, "clicks"))
    return found


def _weights(report: Report) -> list[Note]:
    weights = report.weights
    if weights.effective is not None and weights.effective < weights.runs / 4:
        text = f"The weights make {many(weights.runs, 'run')} count like {weights.effective:,.1f}."
        return [Note("look", text, "weights")]
    return []


def _licenses(report: Report) -> list[Note]:
    unknown = sorted(row.source for row in report.sources if row.trained and "unknown" in row.licenses)
    if unknown:
        return [Note("look", f"No licence is stated for runs of {', '.join(unknown)}.", "sources")]
    return []
