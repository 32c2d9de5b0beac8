"""Kept by how they ended; unknown is neither success nor failure."""

from __future__ import annotations

import pytest

from curate.stages.outcome import STAGE, OutcomeOptions
from tests.stages.factories import buttons, decided, kept, reasons

RUNS = [buttons("done", ["x"], completed=True), buttons("failed", ["x"], completed=False), buttons("open", ["x"])]


@pytest.mark.parametrize(
    ("keep", "left"),
    [("completed", ["done"]), ("not_failed", ["done", "open"]), ("all", ["done", "failed", "open"])],
)
def test_keep(keep, left):
    assert kept(decided(STAGE, RUNS, OutcomeOptions(keep=keep))) == left


def test_default_and_reasons():
    rows = decided(STAGE, RUNS)
    assert reasons(rows) == {"failed": "outcome.not_completed"}
    assert [row["flags"] for row in rows] == [None, None, ["outcome.unknown"]]
    assert reasons(decided(STAGE, RUNS, OutcomeOptions(keep="completed")))["open"] == "outcome.unknown"
