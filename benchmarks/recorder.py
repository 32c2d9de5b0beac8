"""Input under load, on a display of its own: what the recorder loses, how right its times are, and how much later a
program gets its input because something records.

    python benchmarks/recorder.py [--seconds 60] [--pairs 5]

Prints one JSON object. `rate`: mixed input (moves, keys, clicks, wheel) at 1,000 events a second with events only and
with the whole recorder; what the first shows too is the server's and the injector's own. `delay`: a program that
injects through XTEST and waits for its own event, recorder off, events only, all; the added delay is the median over
the pairs of the differences of p99. Kills: recorder_kills.py. Needs Xvfb, openbox, xterm.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from curate.store.recording import INPUT_ROWS, read_info, read_rows  # noqa: E402
from tools.xvfb import start_xvfb  # noqa: E402

SIZE = "1920x1080x24"
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
EVENTS_ONLY = """
import sys, time
from pathlib import Path
from recorders.events.x11_events import X11Events
from recorders.writer import EventWriter
writer, source = EventWriter(Path(sys.argv[1])), X11Events()
source.start(writer.put)
print("recording", flush=True)
sys.stdin.read()
source.stop()
writer.close("asked")
print(source.fault or source.doubt or writer.fault or writer.reckon() or "", file=sys.stderr)
"""


def injector() -> tuple[Any, Any]:
    """A function that injects one event and returns when it did, in monotonic nanoseconds; one that returns when the
    server has done all of them (what it does after a recorder stopped is none of the recorder's)."""
    import xcffib
    import xcffib.xproto
    import xcffib.xtest as xtest

    connection: Any = xcffib.Connection()
    root, fake = connection.get_setup().roots[0].root, connection(xtest.key)

    def inject(kind: int, detail: int, x: int = 0, y: int = 0) -> int:
        fake.FakeInput(kind, detail, 0, root, x, y, 0)
        connection.flush()
        return time.monotonic_ns()

    return inject, lambda: connection.core.GetInputFocus().reply()


class Recorder:
    """A recorder of one kind (`off`, `events`, `all`) that records while the block runs; `events`: its file."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind, self.events = kind, folder / "r" / "events.jsonl" if kind == "all" else folder / "events.jsonl"
        command = [sys.executable, "-m", "recorders", "--task", "bench", "--out", str(folder), "--name", "r"]
        if kind == "events":
            command = [sys.executable, "-c", EVENTS_ONLY, str(self.events)]
        self._command = command

    def __enter__(self) -> Recorder:
        if self.kind != "off":
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(
                self._command, cwd=ROOT, stdin=pipe, stdout=pipe if self.kind == "events" else subprocess.DEVNULL,
                stderr=subprocess.DEVNULL if self.kind == "events" else pipe, text=True,
            )  # fmt: skip
            said = self.process.stdout if self.kind == "events" else self.process.stderr
            assert said is not None
            assert any(line.startswith("recording") for line in iter(said.readline, ""))
        return self

    def __exit__(self, *_: object) -> None:
        if self.kind == "events":
            self.process.communicate()
        elif self.kind == "all":
            self.process.send_signal(signal.SIGINT)
            self.process.communicate(timeout=120)


def send_mixed(seconds: float) -> list[int]:
    """Moves, keys, clicks and the wheel, 1,000 a second; when each was injected (the wheel's releases are no rows)."""
    (inject, done), pick = injector(), random.Random(1)
    sent: list[int] = []
    begun, n = time.monotonic(), int(seconds * 1000)
    while len(sent) < n:
        time.sleep(max(0.0, begun + len(sent) / 1000 - time.monotonic()))
        what = pick.random()
        if what < 0.7:
            sent.append(inject(6, 0, 600 + len(sent) % 500, 300 + len(sent) % 400))
        elif what < 0.85:
            code = pick.randrange(24, 34)
            sent += [inject(2, code), inject(3, code)]
        elif what < 0.93:
            sent += [inject(4, 1), inject(5, 1)]
        else:
            button = pick.choice((4, 5, 6, 7))
            sent.append(inject(4, button))
            inject(5, button)
    done()
    return sent


def rate(folder: Path, kind: str, seconds: float) -> dict[str, Any]:
    """How many events are missing, and how far recorded times are from injected ones."""
    folder.mkdir()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    with Recorder(kind, folder) as recorder:
        sent = send_mixed(seconds)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = [row for _, row in read_rows(recorder.events, []) if isinstance(row, INPUT_ROWS)][1:]
    error = np.array([(row.t - t) / 1e6 for row, t in zip(rows, sent, strict=False)])
    cpu = after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime
    info = read_info(folder / "r") if kind == "all" else None
    return {
        "sent": len(sent), "lost": len(sent) - len(rows),
        "time_error_ms": {f"p{p}": round(float(np.percentile(abs(error), p)), 2) for p in (50, 99, 100)},
        "cpu_of_a_core": round(cpu / seconds, 3), "faults": info.faults + info.notes if info else [],
    }  # fmt: skip


def own_delays(seconds: float) -> tuple[list[float], list[float]]:
    """Of a move over a window of ours, 100 times a second, in milliseconds: from injecting it to having its event, and
    from injecting it to the server's own time of it (which is what is recorded; whole milliseconds)."""
    import xcffib
    import xcffib.xtest as xtest
    from xcffib import xproto

    program: Any = xcffib.Connection()
    hand: Any = xcffib.Connection()
    root, window = program.get_setup().roots[0].root, program.generate_id()
    program.core.CreateWindow(
        0, window, root, 100, 100, 700, 700, 0, xproto.WindowClass.InputOutput, 0,
        xproto.CW.OverrideRedirect | xproto.CW.EventMask, [1, xproto.EventMask.PointerMotion],
    )  # fmt: skip
    program.core.MapWindowChecked(window).check()
    fake = hand(xtest.key)
    delays: list[float] = []
    errors: list[float] = []
    begun, n = time.monotonic(), 0
    while time.monotonic() - begun < seconds:
        n += 1
        time.sleep(max(0.0, begun + n / 100 - time.monotonic()))
        before = time.monotonic_ns()
        fake.FakeInput(6, 0, 0, root, 150 + n % 600, 150 + n // 600 % 600, 0)
        hand.flush()
        while not isinstance(event := program.wait_for_event(), xproto.MotionNotifyEvent):
            pass
        delays.append((time.monotonic_ns() - before) / 1e6)
        errors.append(abs(event.time - before / 1e6 % 2**32))
    program.disconnect()
    return delays[50:], errors[50:]


def delay(folder: Path, pairs: int, seconds: float) -> dict[str, Any]:
    """p50 and p99 of every kind, and what recording adds to the p99 of a run without it, right before."""
    found: dict[str, list[float]] = {kind: [] for kind in ("off", "events", "all")}
    middle: dict[str, list[float]] = {kind: [] for kind in found}
    clock: dict[str, list[float]] = {kind: [] for kind in found}
    for pair in range(pairs):
        for kind in found if pair % 2 == 0 else reversed(list(found)):
            place = folder / f"{pair}-{kind}"
            place.mkdir()
            with Recorder(kind, place):
                delays, errors = own_delays(seconds)
            clock[kind].append(float(np.percentile(errors, 99)))
            found[kind].append(float(np.percentile(delays, 99)))
            middle[kind].append(float(np.percentile(delays, 50)))
    added = {
        kind: round(statistics.median(a - b for a, b in zip(found[kind], found["off"], strict=True)), 2)
        for kind in ("events", "all")
    }
    return {
        "p50_ms": {kind: round(statistics.median(values), 2) for kind, values in middle.items()},
        "p99_ms": {kind: round(statistics.median(values), 2) for kind, values in found.items()},
        "added_p99_ms": added,
        "server_time_error_p99_ms": {kind: round(statistics.median(values), 2) for kind, values in clock.items()},
    }


def main() -> None:
    """Run all on a fresh display with a terminal that takes what is typed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--delay-seconds", type=float, default=8)
    given = parser.parse_args()
    server, os.environ["DISPLAY"] = start_xvfb(SIZE)
    others = [subprocess.Popen(["openbox"], **QUIET)]
    others.append(subprocess.Popen(["xterm", "-geometry", "200x60+400+100", "-e", "cat"], **QUIET))
    time.sleep(2)
    try:
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            found: dict[str, Any] = {
                "rate": {kind: rate(folder / kind, kind, given.seconds) for kind in ("events", "all")},
                "load": [round(value, 1) for value in os.getloadavg()],
                "delay": delay(folder, given.pairs, given.delay_seconds),
            }
        print(json.dumps(found, indent=1))
    finally:
        for process in [*others, server]:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
