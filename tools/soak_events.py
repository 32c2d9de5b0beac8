"""Eight hours of a working day's input through the recorder's writer, as fast as it goes: memory must stay flat and
every row must be on the disk, in order.

    python tools/soak_events.py [--hours 8]

Prints one JSON object; the exit code is 1 where something is wrong."""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from curate.store.recording import INPUT_ROWS, ButtonRow, KeyRow, MoveRow, ScrollRow, WindowRow, read_rows  # noqa: E402
from recorders.privacy.gate import PASSWORD_KINDS, Gate  # noqa: E402
from recorders.rows import UNNUMBERED, Row  # noqa: E402
from recorders.writer import EventWriter  # noqa: E402

NS = 1_000_000_000
MOVES_A_SECOND = 100
MOST_WAITING = 20_000
"""Rows the made-up hand may be ahead of the writer: it is the writer's memory that is measured, not the hand's."""


def working_day(hours: float, pick: random.Random) -> Iterator[Row]:
    """What a hand does: seconds of moving that end in a click, typing at seven keys a second, wheel turns, other
    windows, and most of the time nothing. Times in nanoseconds from 1 s on."""
    t, end = NS, int((1 + hours * 3600) * NS)
    x = y = 500
    while t < end:
        for _ in range(pick.randrange(30, 250)):
            t += NS // MOVES_A_SECOND
            x, y = (x + pick.randrange(-20, 21)) % 1920, (y + pick.randrange(-20, 21)) % 1080
            yield MoveRow(seq=UNNUMBERED, t=t, x=x, y=y)
        for pressed in (True, False):
            t += 80_000_000
            yield ButtonRow(seq=UNNUMBERED, t=t, x=x, y=y, button="left", pressed=pressed)
        for _ in range(pick.choice((0, 0, 10, 60))):
            code = pick.randrange(24, 60)
            for pressed in (True, False):
                t += 70_000_000
                yield KeyRow(seq=UNNUMBERED, t=t, key="k", code=code, pressed=pressed, text="k" if pressed else None)
        for _ in range(pick.choice((0, 0, 0, 25))):
            t += 40_000_000
            yield ScrollRow(seq=UNNUMBERED, t=t, x=x, y=y, dx=0.0, dy=-1.0)
        if pick.random() < 0.1:
            yield WindowRow(seq=UNNUMBERED, t=t - 30_000_000, app="editor", title=f"page {pick.randrange(99)}")
        t += int(pick.expovariate(1 / 5) * NS)


def resident_mb() -> float | None:
    """This process's resident memory; None where the system does not say (only Linux does)."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return None
    return pages * 4096 / 2**20


def soak_events(folder: Path, hours: float, seed: int = 0) -> dict[str, Any]:
    """Feed `hours` of input, a password now and then, to a writer in `folder`; what became of it. `wrong`: sentences,
    empty where all is well."""
    rows, now, gate = working_day(hours, random.Random(seed)), 0, Gate()
    writer = EventWriter(folder / "events.jsonl", gate, clock=lambda: now)
    memory: list[float] = []
    begun, handed, moment = time.monotonic(), 0, 0
    for row in rows:
        now = max(now, row.t)
        writer.put(row)
        handed += 1
        if handed % 5000 == 0:
            gate.hide("password", now, PASSWORD_KINDS)
        if handed % 5000 == 300:
            gate.show("password", now)
        while handed - writer.written - gate.hidden > MOST_WAITING and writer.fault is None:
            time.sleep(0.002)
        if row.t // (60 * NS) > moment:
            moment = row.t // (60 * NS)
            memory += [mb] if (mb := resident_mb()) is not None else []
    writer.close("asked")
    wrong = [fault for fault in (writer.fault, writer.reckon()) if fault]
    read, last, size = 0, 0, (folder / "events.jsonl").stat().st_size
    unreadable: list[tuple[int, str]] = []
    for _, found in read_rows(folder / "events.jsonl", unreadable):
        if found.seq != read:
            wrong.append(f"Row {read} has the number {found.seq}.")
            break
        if isinstance(found, INPUT_ROWS):
            if found.t < last:
                wrong.append(f"Row {read} is earlier than the one before it.")
                break
            last = found.t
        read += 1
    if read != handed - gate.hidden + gate.added + 1:
        wrong.append(f"{handed} rows were handed over, {gate.hidden} hidden, {read} are on the disk.")
    grown = max(memory[len(memory) // 2 :]) - max(memory[: len(memory) // 2]) if len(memory) > 3 else 0.0
    if grown > 10:
        wrong.append(f"Memory grew by {grown:.0f} MB in the second half.")
    seconds = time.monotonic() - begun
    return {
        "hours": hours, "rows": handed, "hidden": gate.hidden, "on_disk": read, "file_mb": round(size / 1e6, 1),
        "rows_a_second": round(handed / seconds), "memory_grown_mb": round(grown, 1), "unreadable": len(unreadable),
        "wrong": wrong + [why for _, why in unreadable[:3]],
    }  # fmt: skip


def main() -> int:
    """Run it in a folder of its own."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--hours", type=float, default=8)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = soak_events(Path(folder), given.hours)
    print(json.dumps(found, indent=1))
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
