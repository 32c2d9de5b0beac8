"""A run to audit, and people who answer."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from pathlib import Path

from curate.engine.auditing.sampling import Sample
from curate.engine.auditing.strata import Drawn
from curate.model.audit_label import AuditItem, AuditLabel
from curate.model.trajectory import Keyframe, Trajectory
from curate.store.dataset import DatasetWriter
from curate.store.edits import labels_file
from tests.factories import make_step, make_trajectory, png
from tests.runs import run_here

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu")


def made_records() -> list[Trajectory]:
    """Forty runs: 28 completed, 8 of unknown outcome, 4 failed; the last six are like the first six but for a step;
    of the first step's pictures some are doubted by a flag, some by the keyframe."""
    found = []
    for k in range(40):
        at = k if k < 34 else k - 34
        does = [f"click {WORDS[(at + n) % 12]}{at}" for n in range(6)]
        if k >= 34:
            does[3] = "press f5"
        steps = [make_step(n, what) for n, what in enumerate(does)]
        for step in steps:
            step.keyframe = Keyframe(time=1.0, rule="latest_away", hover=k % 9 == 0 and step.index == 0)
        if k % 10 == 3:
            steps[0].flags = ["late_change"]
        if k % 10 == 4:
            steps[0].keyframe = None
        completed = False if k % 10 == 9 else None if k % 5 == 3 else True
        found.append(make_trajectory(f"made:{k:02d}", steps=steps, instruction=f"Do {WORDS[at % 12]} number {at}",
                                     app=f"app{at % 3}", completed=completed))  # fmt: skip
    return found


def make_audited_run(folder: Path, sets: Iterable[str] = ()) -> Path:
    """A run of these records, whose first two steps have pictures."""
    with DatasetWriter(folder / "data", made={"by": "test"}) as writer:
        for k, record in enumerate(made_records()):
            for step in record.steps[:2]:
                step.image = writer.media.add_bytes(png(64, 36, shade=(5 * k + step.index) % 250), "png")
            writer.add(record)
    run_here([folder / "data"], folder / "run", ["nearcopies.evidence=actions", *sets])
    return folder / "run"


def label(item: AuditItem, answer: str, by: str = "anna", at: str = "2026-11-30T10:00:00Z") -> AuditLabel:
    return AuditLabel(
        about=item.about, run=item.run, size=item.size, seed=item.seed, item=item.item, answer=answer, by=by, at=at
    )


def store(folder: Path, labels: Iterable[AuditLabel]) -> Path:
    """Labels in the files that the page would keep them in; their folder."""
    for one in labels:
        labels_file(folder, one.about, one.by).append(one)
    return folder


def answered(
    sample: Sample, answer: Callable[[int, AuditItem, Drawn], str | None], by: str = "anna"
) -> list[AuditLabel]:
    """The labels of somebody who answers by a rule; None: not at all."""
    given = [
        (item, answer(k, item, one))
        for k, item, one in zip(itertools.count(), sample.items, sample.drawn, strict=False)
    ]
    return [label(item, said, by) for item, said in given if said is not None]
