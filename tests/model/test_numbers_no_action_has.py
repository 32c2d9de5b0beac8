"""Numbers that no real action has refuse their code; the largest that one may have do not."""

from __future__ import annotations

import pytest

from curate.model.calls import CodeError
from curate.model.parse import parse
from curate.model.schemas import problem


@pytest.mark.parametrize(
    "code",
    [
        "press('a', presses=10**9)", f"press('a', presses={10**9})", "press('tab', presses=10001)", "wait(1e308)",
        "wait(86401)", "scroll(1e300)", "scroll(-1000001)", "hscroll(1e7)", "wait(1e999)",
        f"hotkey({', '.join([repr('a')] * 10_000)})", f"click(x={'7' * 6000}, y=0.5)",
        f"press('a', presses={'7' * 6000})",
    ],
    ids=range(12),
)  # fmt: skip
def test_a_number_that_no_action_has_is_refused(code: str) -> None:
    with pytest.raises(CodeError) as told:
        parse(code)
    assert told.value.reason in ("read.code", "validate.coordinate_out_of_range")
    assert "set_int_max_str_digits" not in str(told.value)
    assert len(str(told.value)) < 300


def test_the_largest_are_read() -> None:
    code = "press('tab', presses=10000)\nwait(86400)\nscroll(-1000000)\nhotkey('ctrl', 'alt', 'shift', 'win', 'a')"
    assert len(parse(code)) == 4


def test_a_record_with_a_number_of_thousands_of_digits_is_told_so() -> None:
    told = problem(b'{"schema": "trajectory.v1", "id": "a", "steps": [{"index": ' + b"7" * 6000 + b"}]}")
    assert told == ("read.json", "The line holds a number of thousands of digits, which no field may.")
