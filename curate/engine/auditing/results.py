"""What an audit found (`audit.v1`): what `curate audit RUN --labels FILE... --json` prints, a line for each sample."""

from __future__ import annotations

from typing import Literal

import msgspec

from curate.judge.audit import ConfusionMatrix, Figures
from curate.model.audit_label import About
from curate.model.wilson import Estimate

SCHEMA = "audit.v1"


class Reviewer(msgspec.Struct, frozen=True, kw_only=True):
    """One person's answers: how many, how many of them unsure, and how many items of the sample are without one."""

    by: str
    answered: int
    unsure: int
    missing: int


class Agreement(msgspec.Struct, frozen=True, kw_only=True):
    """Two people: how many items both answered (unsure is no answer), how many alike, Cohen's kappa."""

    one: str
    other: str
    both: int
    same: int
    kappa: Estimate


class Judged(msgspec.Struct, frozen=True, kw_only=True):
    """An item of the sample. `said`: by the machine; `truth`: by people (null: nobody, or they differ);
    `stands_for`: how many things of the run, each stratum's own shared out over its items with a truth (0: no truth);
    `answers`: by person."""

    item: str
    id: str
    step: int | None
    other: str | None
    stratum: str
    said: str | None
    truth: str | None
    stands_for: float
    answers: dict[str, str]


class Silent(msgspec.Struct, frozen=True, kw_only=True):
    """What the machine said nothing of: labelled items, and the weighted share of them that is positive by people."""

    labelled: int
    positive: Estimate


class AuditResult(msgspec.Struct, frozen=True, kw_only=True):
    """What people found of one sample.

    `population`: things in the run, by stratum; `drawn`: items of the sample; `labelled`: those with a truth;
    `unsure`: those of which nobody could tell; `disputed`: those that people differ on evenly;
    `missing`: those that nobody has answered. The four add up to `drawn`.

    `counts`: the four boxes by items; `matrix`: by what they stand for; `figures`: the weighted shares;
    `effective`: so many equally weighted items have the same variance (Kish). The boxes and figures are of items that
    the machine said something of; the others are in `silent`. `kept`: of the runs that gave examples, the share that
    is completed by people (verdicts; else null). `unseen`: strata without any truth, which no figure speaks of."""

    schema: Literal["audit.v1"] = "audit.v1"
    about: About
    run: str
    size: int
    seed: int
    population: dict[str, int]
    drawn: int
    labelled: int
    unsure: int
    disputed: int
    missing: int
    reviewers: list[Reviewer]
    counts: ConfusionMatrix
    matrix: ConfusionMatrix
    figures: Figures
    effective: float
    silent: Silent
    kept: Estimate
    agreements: list[Agreement]
    disagreements: list[Judged]
    differ: list[Judged]
    unseen: list[str]
    items: list[Judged]
