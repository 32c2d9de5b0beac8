"""Records that are rewritten some at a time come out as each by itself, in order, a faulty one with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.engine.recipe import load_recipe
from curate.engine.rewriting import Refused, Rewriting, handfuls
from curate.model import render
from curate.model.constants import HANDFUL_RECORDS, HANDFUL_STEPS
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import Read
from curate.stages import normalise
from curate.stages.base import MeasureContext
from tests.factories import make_trajectory


def rewriting() -> Rewriting:
    return Rewriting(load_recipe("web"), MeasureContext(media_root=Path("/nowhere")))


def some() -> list[Trajectory]:
    """Records of which the first is in its normal form, the second lacks words, and the third has a number too wide."""
    plain, wordless, wide = make_trajectory("plain"), make_trajectory("wordless"), make_trajectory("wide")
    wordless.steps[1].action = None
    wide.steps[0].events = [2**70]
    return [plain, wordless, wide]


def test_together_as_each_by_itself() -> None:
    together = rewriting().rewritten(some())
    alone = [rewriting().rewritten([record])[0] for record in some()]
    assert together == alone
    assert isinstance(together[1], Trajectory) and "words_generated" in together[1].steps[1].flags
    assert isinstance(together[2], Refused) and together[2].reason == "validate.schema"


def test_a_record_that_a_stage_fails_on_is_refused_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    look = render.plain_codes

    def failing(steps: Any) -> Any:
        if any(len(actions) == 7 for actions in steps):
            raise ZeroDivisionError("seven")
        return look(steps)

    records = some()[:2]
    expected = rewriting().rewritten(some()[:2])
    monkeypatch.setattr(normalise, "plain_codes", failing)
    bad = make_trajectory("bad", ["press enter"])
    bad.steps[0].actions = bad.steps[0].actions[:1] * 7
    made = rewriting().rewritten([records[0], bad, records[1]])
    assert [made[0], made[2]] == expected
    assert isinstance(made[1], Refused) and made[1].record.id == "bad"
    assert (made[1].reason, made[1].detail) == ("read.error", "normalise: ZeroDivisionError: seven")


def test_handfuls_keep_the_order_and_end_with_a_picture() -> None:
    none = Rejected(id=None, file="f", line=1, stage="validate", reason="read.json", detail=None)
    records = [make_trajectory(f"r{number}", ["press enter"]) for number in range(HANDFUL_RECORDS + 5)]
    records[3].steps[0].image = "media/ab/" + "a" * 64 + ".png"
    long = make_trajectory("long", ["press enter"] * HANDFUL_STEPS)
    items: list[Read | Rejected] = [none, *(Read(trajectory=record) for record in [*records[:7], long, *records[7:]])]
    found = list(handfuls(items))
    assert [item for handful in found for item in handful] == items
    assert [len(handful) for handful in found] == [5, 4, HANDFUL_RECORDS - 2]
    assert list(handfuls([])) == []
