"""What cannot be recorded is refused in one sentence before anything is opened."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from curate.model.errors import UsageError
from recorders.__main__ import main
from recorders.errors import why
from recorders.options import Options, check_options


@pytest.mark.parametrize(
    "arguments",
    [
        ["--fps", "0"], ["--fps", "nan"], ["--fps", "-1"], ["--fps", "inf"], ["--seconds", "nan"], ["--seconds", "0"],
        ["--seconds", "inf"], ["--task", ""], ["--task", " \n"], ["--name", "../../x"], ["--name", ".."],
        ["--name", ""], ["--name", "/tmp/x"], ["--name", "a\\b"], ["--name", "c:x"],
    ],
)  # fmt: skip
def test_the_thin_form_refuses_it(arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--task", "x", "--out", str(tmp_path / "out"), *arguments]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1 and said.err.endswith(".\n") and "Traceback" not in said.err
    assert not said.out and not list(tmp_path.iterdir())


def test_what_can_be_recorded_is_not_refused() -> None:
    check_options("x", Options())
    check_options("x", Options(fps=0.5, seconds=0.1, name="Report of May.2"))
    with pytest.raises(UsageError):
        check_options("x", Options(fps=math.nan))


def test_an_error_without_words_makes_no_empty_sentence() -> None:
    assert why(ValueError("no such thing.")) == "ValueError: no such thing"
    assert why(KeyError()) == "KeyError" and why(AssertionError()) == "no answer came"
