"""The wall clock may be set, jump or run back while a recording is made: no row, frame or tree may take its time from
it. `time.time` and `datetime.now` are named in the recorders only where a date is meant."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WALL = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.datetime.now", "time.localtime"}
MAY = {"session.py", "tasks.py", "consent.py"}
"""The date a recording began, and dates in lists of tasks and consents."""


def uses(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)} & WALL


def test_rows_take_no_time_from_the_wall_clock() -> None:
    files = [path for path in (ROOT / "recorders").rglob("*.py") if path.name not in MAY]
    assert len(files) > 20
    assert {str(path.relative_to(ROOT)): uses(path) for path in files if uses(path)} == {}


def test_the_session_names_a_date_once() -> None:
    source = (ROOT / "recorders" / "session.py").read_text(encoding="utf-8")
    assert source.count("datetime.now(UTC)") == 1
    assert uses(ROOT / "recorders" / "session.py") == {"datetime.now"}


def test_the_monotonic_clock_is_the_one_of_rows() -> None:
    """What stamps rows: the writer, the sources, the desktop."""
    for name in ("writer.py", "events/x11_events.py", "events/pynput_source.py"):
        assert "time.monotonic_ns" in (ROOT / "recorders" / name).read_text(encoding="utf-8")
