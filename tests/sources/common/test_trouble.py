"""What nobody foresaw is said in words, without names of this machine."""

from __future__ import annotations

import pytest

from curate.sources.common.trouble import TROUBLE, in_plain_words, refused


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (KeyError("width"), "A field that the source needs is not there: 'width'."),
        (ZeroDivisionError("float division by zero"), "A number is 0 that the source divides by: float division by"),
        (OverflowError("int too large"), "A number is beyond what can be reckoned with"),
        (IndexError("list index out of range"), "A list is shorter than the source needs"),
        (TypeError("unsupported operand"), "A value is of another type than the source needs"),
        (ValueError("invalid literal"), "A value is none that the source can read"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "A text is not UTF-8"),
        (RuntimeError("odd"), "It stops the source (RuntimeError): odd."),
        (FileNotFoundError(2, "No such file or directory", "/data/alice/a.png"), "No such file or directory."),
        (ValueError("cannot open /data/alice/secret/a.png here"), "A value is none that the source can read: cannot"),
    ],
)
def test_in_plain_words(error: Exception, words: str) -> None:
    said = in_plain_words(error)
    assert said.startswith(words) and said.endswith(".")
    assert "alice" not in said and "Traceback" not in said and "\n" not in said


@pytest.mark.parametrize("error", [KeyError("a"), ZeroDivisionError(), AttributeError("x"), OverflowError("y")])
def test_a_source_catches_them_around_a_record(error: Exception) -> None:
    assert isinstance(error, TROUBLE)
    row = refused(error, "a.jsonl", "id", 7)
    assert (row.reason, row.file, row.line, row.id) == ("read.error", "a.jsonl", 7, "id") and row.detail


def test_a_full_disk_is_not_among_them() -> None:
    assert not isinstance(OSError(28, "No space left on device"), TROUBLE)
