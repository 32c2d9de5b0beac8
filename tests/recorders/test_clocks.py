"""Clocks. The X server wraps its time around and may run on another machine: an event still gets its own millisecond.
The wall clock may be set, jump or run back while a recording is made: no row, frame or tree may take its time from it.
`time.time` and `datetime.now` are named in the recorders only where a date is meant."""

from __future__ import annotations

import ast
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from recorders.x11_clock import NS_PER_MS, ServerClock

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


DAY_MS = 86_400_000


@given(st.integers(0, 400 * DAY_MS), st.integers(-(2**31), 2**31 - 1), st.integers(-20 * DAY_MS, DAY_MS))
def test_server_time_is_unwrapped(event_ms: int, offset: int, read_later_ms: int) -> None:
    """Whatever the machine's uptime, the server's offset and how late the row is read: the event's own millisecond."""
    server_ms = (event_ms + offset) % 2**32
    now = max(0, event_ms - read_later_ms) * NS_PER_MS + 123
    assert ServerClock(offset).monotonic_ns(server_ms, now) == event_ms * NS_PER_MS


@given(st.integers(0, 100 * DAY_MS), st.integers(0, 45))
def test_a_server_on_our_clock_has_no_offset(before_ms: int, trip_ms: int) -> None:
    sample = (before_ms * NS_PER_MS, before_ms % 2**32, (before_ms + trip_ms) * NS_PER_MS)
    assert ServerClock.measured([sample]).offset_ms == 0


def test_a_remote_servers_offset_is_of_the_quickest_answer() -> None:
    slow, quick = (0, 5_000_900, 800 * NS_PER_MS), (10**9, 5_001_001, 10**9 + 2 * NS_PER_MS)
    assert ServerClock.measured([slow, quick]).offset_ms == 5_000_000
