"""Vectors of near-copies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import msgspec
import pytest

from curate.model import actions as act
from curate.model.trajectory import Score
from curate.stages import nearcopies
from curate.stages.copies.projection import words_column
from curate.stages.copies.shingle_sets import shingle_sets
from curate.stages.copies.thresholds import needed, similarity
from curate.stages.copies.tokens import token, tokens
from tests.stages.factories import decided, kept, reasons, said, step
from tests.vectors.registry import Vector, vector, worded

LESSON = nearcopies.NearcopiesOptions(evidence="actions", order="input", across_apps=True, action_people="drop")


def shingled(*labels: list[str]) -> list[set[int]]:
    """The shingles of some runs, as ranks."""
    sets = shingle_sets(words_column(labels), 2)
    return [set(sets.members[a:b].tolist()) for a, b in zip(sets.offsets, sets.offsets[1:], strict=False)]


@vector(
    "jaccard_shop_ab", "jaccard_shop_ab_ignored", "jaccard_L3", "jaccard_L4", "jaccard_L5", "jaccard_L6", "jaccard_L7",
    "jaccard_shop_ad", "jaccard_share_copy_runs",
)  # fmt: skip
def jaccard(v: Vector, folder: Path) -> None:
    one, other = (v["inputs"][name] for name in "ab" if name in v["inputs"]) if "b" in v["inputs"] else (
        v["inputs"]["a"], v["inputs"]["d"])  # fmt: skip
    if v["inputs"].get("ignore") is None or v["inputs"]["ignore"]:
        labels = [[t for words in run if (t := token(said(0, words)))] for run in (one, other)]
    else:  # the vector counts the scroll
        labels = [one, other]
    a, b = shingled(*labels)
    shared = len(a & b)
    found = similarity(shared, len(a), len(b))
    wanted = v["expected"]
    if isinstance(wanted, dict):
        assert (shared, len(a | b), shared >= least(len(a), len(b))) == (
            wanted["shared"], wanted["all"], wanted["near_copy_at_0_5"])  # fmt: skip
        wanted = wanted["J"]
    assert found == pytest.approx(wanted, abs=max(v["tol"], 1e-9))


def least(a: int, b: int) -> int:
    """How many members sets of a and b share at least, where they are similar at one half."""
    return int(needed(Fraction(1, 2), max(a, b)).shared[a + b])


@vector("jaccard_formula_end_insert")
def end_insert(v: Vector, folder: Path) -> None:
    labels = [f"x{i}" for i in range(v["inputs"]["L"])]
    a, b = shingled(labels, [*labels, "extra"])
    assert similarity(len(a & b), len(a), len(b)) == pytest.approx(v["expected"])


@vector("jaccard_threshold_inclusive")
def inclusive(v: Vector, folder: Path) -> None:
    names = ["x0", "x1", "x2", "x3", "x4"]
    runs = [worded("a", names), worded("b", [*names[:2], "extra", *names[2:]])]  # exactly one half
    for method in ("exact", "minhash"):
        options = msgspec.structs.replace(LESSON, method=method, threshold=v["inputs"]["threshold"])
        assert reasons(decided(nearcopies.STAGE, runs, options)) == {"b": "nearcopies.copy_of"}


@vector("jaccard_share_copy")
def share_copy(v: Vector, folder: Path) -> None:
    assert v["inputs"]["shared"] / v["inputs"]["all"] == pytest.approx(v["expected"], abs=v["tol"])
    assert least(3, 4) > 1


@vector("shingles_single_action")
def single_action(v: Vector, folder: Path) -> None:
    runs = [worded(name, v["inputs"][name], instruction="Tap it once") for name in "ab"]
    assert reasons(decided(nearcopies.STAGE, runs)) == {"b": "nearcopies.copy_of"}
    assert v["should_be"] == 1.0


@vector("shingles_all_ignored_ch9")
def nothing_but_scrolls(v: Vector, folder: Path) -> None:
    runs = [worded(name, v["inputs"][name]) for name in "ab"]
    assert kept(decided(nearcopies.STAGE, runs, LESSON)) == ["a", "b"]


@vector("shingles_single_step_merge_ch9")
def one_step_of_two_apps(v: Vector, folder: Path) -> None:
    runs = [worded(name, v["inputs"][name]["actions"], apps=[v["inputs"][name]["app"]]) for name in "ab"]
    for options in (None, msgspec.structs.replace(LESSON, across_apps=False)):
        assert kept(decided(nearcopies.STAGE, runs, options)) == ["a", "b"]


@vector("ignore_label_mismatch")
def ignored_by_type(v: Vector, folder: Path) -> None:
    assert [token(said(0, words)) for words in v["inputs"]["actions"]] == [None, None, None]
    assert tokens([step(0, act.Scroll(amount=-3), action="look further down")]) == []


@vector("dedup_order_dependent")
def order_of_quality(v: Vector, folder: Path) -> None:
    grades = [9, 5, 7]
    runs = [
        worded(str(i), words, scores=[Score(name="s", value=grades[i], min=0, max=10, higher_is_better=True)])
        for i, words in enumerate(v["inputs"]["runs"])
    ]
    options = msgspec.structs.replace(LESSON, order="best")
    for order in ([0, 1, 2], [1, 0, 2], [2, 1, 0]):
        rows = decided(nearcopies.STAGE, [runs[i] for i in order], options)
        assert sorted(kept(rows)) == ["0", "2"]
        assert all(row["witness"] in kept(rows) for row in rows if row["verdict"] == "drop")
