"""The funnel as rows of the page: how many came into each stage, how many went on, and why the others did not."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from curate.engine.report.types import Report
from curate.model.reasons import REASONS
from curate.view.words import STAGES


class Loss(msgspec.Struct, frozen=True):
    """`count` runs left here for one reason; `quarantined`: put aside, not dropped."""

    count: int
    code: str
    sentence: str
    quarantined: bool


class FunnelRow(msgspec.Struct, frozen=True):
    """A stage: `kept` of `entered` went on, `total` were read. `words`: what those that went on are."""

    name: str
    words: str
    entered: int
    kept: int
    total: int
    losses: list[Loss]

    @property
    def lost(self) -> int:
        return self.entered - self.kept


def funnel(report: Report) -> list[FunnelRow]:
    """Reading, where it lost any that no stage counts, then the stages in order."""
    rows = []
    if not report.stages or report.stages[0].entered != report.read:
        rows.append(_reading(report))
    seen: set[str] = set()
    for stage in report.stages:
        name = stage.name.rstrip("_0123456789")
        words = STAGES.get(name, "")
        if name in seen and name == "leaks":
            words = "give no task of our own test away"
        seen.add(name)
        losses = [*_losses(stage.dropped, False), *_losses(stage.quarantined, True)]
        rows.append(FunnelRow(stage.name, words, stage.entered, stage.kept, report.read, losses))
    return rows


def _reading(report: Report) -> FunnelRow:
    """What could not be read never came to a stage: it is in the reasons of stage `read`."""
    entered = report.stages[0].entered if report.stages else report.trajectories
    unread = {row.reason: row.count for row in report.rejected_by_reason if row.stage == "read"}
    return FunnelRow("read", STAGES["read"], report.read, entered, report.read, _losses(unread, False))


def _losses(reasons: Mapping[str, int], quarantined: bool) -> list[Loss]:
    ordered = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    return [Loss(count, code, REASONS.get(code, ""), quarantined) for code, count in ordered]
