"""The writer of event rows: nothing lost, nothing twice, in order; late rows, hidden rows, full disks, long days."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.constants import NS_PER_MS
from curate.model.errors import StoreError
from curate.store.recording import EndRow, KeyRow, MoveRow, RedactionRow, WindowRow, read_rows
from recorders.privacy.gate import PASSWORD_KINDS, Gate
from recorders.writer import HOLD_NS, EventWriter
from tools.soak_events import soak_events

ROOT = Path(__file__).resolve().parents[2]
S = 1_000_000_000


def move(t: int, x: int = 0) -> MoveRow:
    return MoveRow(seq=0, t=t, x=x, y=0)


def key(t: int, pressed: bool = True) -> KeyRow:
    return KeyRow(seq=0, t=t, key="k", code=45, pressed=pressed, text="k" if pressed else None)


def rows_of(path: Path) -> list[object]:
    unreadable: list[tuple[int, str]] = []
    rows = [row for _, row in read_rows(path, unreadable)]
    assert unreadable == []
    assert [row.seq for row in rows] == list(range(len(rows)))
    return list(rows)


def until(condition: object, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:  # type: ignore[operator]
        time.sleep(0.005)
    assert condition()  # type: ignore[operator]


def test_hidden_rows_are_accounted_for_and_never_in_the_file(tmp_path: Path) -> None:
    gate = Gate()
    writer = EventWriter(tmp_path / "e", gate, clock=lambda: 100 * S)
    gate.hide("password", 2 * S, PASSWORD_KINDS)
    gate.show("password", 4 * S)
    for t in range(1, 6):
        for row in (move(t * S), key(t * S + 1), key(t * S + 2, pressed=False)):
            writer.put(row)
    writer.close("asked")
    rows = rows_of(tmp_path / "e")
    assert [row.t // S for row in rows if isinstance(row, KeyRow)] == [1, 1, 4, 4, 5, 5]
    assert sum(isinstance(row, MoveRow) for row in rows) == 5
    assert [(row.since, row.t) for row in rows if isinstance(row, RedactionRow)] == [
        (2 * S, 2 * S), (2 * S, 4 * S),
    ]  # fmt: skip
    assert writer.reckon() is None
    assert (writer.handed, gate.hidden, writer.written) == (15, 4, 15 - 4 + 2 + 1)


def test_the_mark_of_a_hidden_stretch_is_written_though_no_row_comes(tmp_path: Path) -> None:
    """A kill while a password is typed must find in the file that something is left out."""
    gate = Gate()
    writer = EventWriter(tmp_path / "e", gate)
    gate.hide("password", time.monotonic_ns(), PASSWORD_KINDS)
    until(lambda: (tmp_path / "e").read_bytes().endswith(b"\n"))
    assert b'"redaction"' in (tmp_path / "e").read_bytes()
    writer.close("asked")
    assert writer.reckon() is None


def test_a_row_later_than_the_hold_is_kept_with_its_own_time(tmp_path: Path) -> None:
    now = 10 * S
    writer = EventWriter(tmp_path / "e", clock=lambda: now)
    writer.put(move(9 * S))
    until(lambda: writer.written == 1)
    writer.put(WindowRow(seq=0, t=8 * S, app="late"))
    writer.close("asked")
    rows = rows_of(tmp_path / "e")
    assert [(type(row), row.t) for row in rows] == [(MoveRow, 9 * S), (WindowRow, 8 * S), (EndRow, 10 * S)]  # type: ignore[attr-defined]
    assert writer.late == 1
    assert writer.reckon() is None


def test_rows_wait_for_earlier_ones_of_slower_sources(tmp_path: Path) -> None:
    now = 10 * S
    writer = EventWriter(tmp_path / "e", clock=lambda: now)
    writer.put(move(10 * S - HOLD_NS + 2))
    writer.put(move(10 * S - HOLD_NS - 1))
    until(lambda: writer.written == 1)
    writer.put(move(10 * S - HOLD_NS + 1))
    writer.close("asked")
    times = [row.t for row in rows_of(tmp_path / "e")]  # type: ignore[attr-defined]
    assert times == sorted(times)
    assert writer.late == 0


def test_what_is_handed_over_from_many_threads_arrives_once(tmp_path: Path) -> None:
    writer = EventWriter(tmp_path / "e")

    def hand_over(k: int) -> None:
        for i in range(2000):
            writer.put(move(time.monotonic_ns(), x=k * 2000 + i))

    threads = [threading.Thread(target=hand_over, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close("asked")
    found = [row.x for row in rows_of(tmp_path / "e") if isinstance(row, MoveRow)]
    assert sorted(found) == list(range(12_000))
    assert writer.reckon() is None


def test_what_comes_after_the_end_is_missed(tmp_path: Path) -> None:
    """A source that was not stopped: the reckoning says so, nothing is claimed to be complete."""
    writer = EventWriter(tmp_path / "e")
    writer.put(move(1))
    writer.close("asked")
    writer.put(move(2))
    assert writer.reckon() == "2 events were taken and 1 written."


def test_half_a_character_stops_nothing(tmp_path: Path) -> None:
    """Windows hands out titles and injected text in UTF-16 halves, which no file can hold."""
    writer = EventWriter(tmp_path / "e")
    writer.put(WindowRow(seq=0, t=1, app="editor", title="really? \ud83d"))
    writer.close("asked")
    assert rows_of(tmp_path / "e")[0].title == "really? \ufffd"  # type: ignore[attr-defined]
    assert writer.fault is None


FULL = """
import resource, sys, time
from pathlib import Path
from curate.store.recording import MoveRow
from recorders.writer import EventWriter
writer = EventWriter(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
handed = 0
while writer.fault is None and handed < 1_000_000:
    writer.put(MoveRow(seq=0, t=1, x=handed, y=0))
    handed += 1
    time.sleep(0.0005)
writer.close("fault")
print(writer.written, writer.fault, writer.reckon(), sep="\\n")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits on the size of files are a Unix matter")
def test_a_full_disk_leaves_whole_rows_and_says_how_many(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL, str(tmp_path / "e")]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120, check=True)
    written, fault, reckoning = ran.stdout.splitlines()
    assert fault == f"Cannot write {tmp_path / 'e'}: the file is larger than the system allows."
    assert len(rows_of(tmp_path / "e")) == int(written) > 100
    assert "written" in reckoning


def test_where_no_file_can_be_made_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Cannot write"):
        EventWriter(tmp_path / "missing" / "e")


def test_a_quarter_of_an_hour_fed_fast(tmp_path: Path) -> None:
    """The short form of `make soak`'s eight hours."""
    found = soak_events(tmp_path, hours=0.25, seed=3)
    assert found["wrong"] == []
    assert found["rows"] > 10_000


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(-60, 60), min_size=1, max_size=60))
def test_rows_of_several_threads_come_in_the_order_of_their_times(offsets: list[int]) -> None:
    """Rows that are up to 60 ms late still find their place; numbers have no gaps; the end comes last."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.jsonl"
        writer = EventWriter(path)
        base = time.monotonic_ns()
        rows = [MoveRow(seq=0, t=max(0, base + offset * NS_PER_MS), x=i, y=0) for i, offset in enumerate(offsets)]
        threads = [
            threading.Thread(target=lambda part: [writer.put(r) for r in part], args=(rows[k::3],)) for k in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        writer.close("asked")
        unreadable: list[tuple[int, str]] = []
        read = [row for _, row in read_rows(path, unreadable)]
        assert not unreadable
        assert writer.fault is None
        assert [row.seq for row in read] == list(range(len(rows) + 1))
        assert [row.t for row in read] == sorted(row.t for row in read)
        assert sorted(row.x for row in read if isinstance(row, MoveRow)) == list(range(len(rows)))
        assert isinstance(read[-1], EndRow)


def test_a_row_is_on_the_disk_within_a_quarter_second(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    writer = EventWriter(path)
    writer.put(MoveRow(seq=0, t=time.monotonic_ns(), x=1, y=2))
    end = time.monotonic() + 5
    begun = time.monotonic()
    while not path.read_bytes() and time.monotonic() < end:
        time.sleep(0.005)
    assert time.monotonic() - begun < 0.3
    writer.close("asked")


@pytest.mark.parametrize("t", [0, 2**62])
def test_rows_hold_any_time(t: int) -> None:
    row = MoveRow(seq=0, t=t, x=-3, y=1.5)
    assert msgspec.json.decode(msgspec.json.encode(row), type=MoveRow) == row
