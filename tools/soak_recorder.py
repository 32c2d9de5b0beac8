"""Drift and memory of the recorder: `python tools/soak_recorder.py --minutes 10` (a part of `make soak`).

A small program changes its colour every few seconds when it is pressed, and says when it painted. All the while the
whole recorder runs. Afterwards the first frame of every colour is looked up: its time must never be before the painting
began and, in the median of the first and of the last fifth, at most one frame after it; the quickest of both fifths
must be the same, or the clocks drift; and the recorder's memory must not grow. Prints one JSON object; the exit code is
1 where something is not so.
"""

from __future__ import annotations

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import av
import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from desktop_work import display, do  # noqa: E402
from recorder_cost import Meter, recorder  # noqa: E402

from curate.store.recording import FRAMES, VIDEO, read_frames  # noqa: E402
from tests.recorders.flash import AT, COLOURS  # noqa: E402

FPS = 25.0
DRIFT_S = 0.01
GROWTH_MB = 10.0
Painted = tuple[int, int, int]


def flash(every: float, minutes: float) -> list[Painted]:
    """Press the window until the time is up; (told, began, done) of every painting."""
    command = [sys.executable, str(ROOT / "tests" / "recorders" / "flash.py"), "300", "200"]
    program = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None
    painted: list[Painted] = []
    try:
        program.stdout.readline()
        end = time.monotonic() + minutes * 60
        while time.monotonic() < end:
            do("xdotool", "mousemove", str(AT[0] + 20 + len(painted) % 50), str(AT[1] + 20), "click", "1")
            told, began, done = map(int, program.stdout.readline().split())
            painted.append((told, began, done))
            time.sleep(every * (0.9 + 0.2 * (len(painted) % 7) / 7))  # never in step with the frames
    finally:
        program.kill()
        program.wait()
    return painted


def lateness(folder: Path, painted: list[Painted]) -> list[float]:
    """Seconds from the beginning of each painting to the first frame that shows it; decodes the video once."""
    rows, late = read_frames(folder / FRAMES), list[float]()
    with av.open(str(folder / VIDEO)) as video:
        for row, frame in zip(rows, video.decode(video=0), strict=False):
            if len(late) == len(painted):
                break
            colour = COLOURS[(len(late) + 1) % len(COLOURS)]
            wanted = np.array([colour >> 16, colour >> 8 & 255, colour & 255])
            since = painted[len(late) - 1][2] if late else 0
            seen = frame.to_ndarray(format="rgb24")[AT[1] + 100, AT[0] + 150].astype(int)
            if row.t > since and np.abs(seen - wanted).max() <= 1:
                late.append((row.t - painted[len(late)][1]) / 1e9)
    return late


def verdict(late: list[float], painted: int, memory: list[float]) -> dict[str, Any]:
    """What was found, and `wrong`: what should not be so."""
    fifth = max(3, len(late) // 5)
    first, last = float(np.median(late[:fifth])), float(np.median(late[-fifth:]))
    drift = min(late[-fifth:]) - min(late[:fifth])  # what a busy machine adds is not in the quickest
    early, grown = memory[len(memory) // 5], memory[-1]
    wrong = []
    if len(late) != painted:
        wrong.append(f"{painted - len(late)} flashes are in no frame")
    if min(late) < 0:
        wrong.append("a frame shows what was not painted yet")
    if max(first, last) > 1 / FPS:
        wrong.append("a flash is seen more than a frame late")
    if abs(drift) > DRIFT_S:
        wrong.append("the clocks drift")
    if grown - early > GROWTH_MB:
        wrong.append("memory grows")
    return {
        "flashes": painted, "late_ms_at_start": round(first * 1e3, 1), "late_ms_at_end": round(last * 1e3, 1),
        "drift_ms": round(drift * 1e3, 1),
        "late_ms": {f"p{p}": round(float(np.percentile(late, p)) * 1e3, 1) for p in (0, 50, 95, 100)},
        "memory_mb": {"early": round(early), "end": round(grown), "most": round(max(memory))}, "wrong": wrong,
    }  # fmt: skip


def soak(minutes: float, every: float, part: str) -> dict[str, Any]:
    """Record, press, look."""
    with tempfile.TemporaryDirectory() as temporary, display("1920x1080", photo=False):
        folder = Path(temporary)
        process = recorder(folder, part, FPS)
        meter = Meter(process.pid, folder / "r")
        meter.start()
        try:
            painted = flash(every, minutes)
        finally:
            meter.stop()
            process.send_signal(signal.SIGINT)
            process.wait(60)
        memory = [row[3] for row in meter.rows if row[3] > 0]
        return verdict(lateness(folder / "r", painted), len(painted), memory)


def main() -> int:
    """Run on a fresh display and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between flashes")
    parser.add_argument("--part", choices=("all", "screen"), default="all")
    given = parser.parse_args()
    found = soak(given.minutes, given.every, given.part)
    print(json.dumps(found, indent=1))
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
