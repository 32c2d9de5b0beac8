"""What the recorder loses and costs, on a display of its own: events at a thousand a second, and kills.

    python benchmarks/recorder.py [--seconds 20] [--kills 10]

Prints one JSON object. Needs Xvfb, openbox and xterm.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
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
sys.path.insert(0, str(ROOT))

from curate.store.recording import INPUT_ROWS, read_frames, read_info, read_rows  # noqa: E402

SIZE = "1920x1080x24"


def injector() -> Any:
    """A function that injects one event and returns when it did, in monotonic nanoseconds."""
    import xcffib
    import xcffib.xproto
    import xcffib.xtest as xtest

    connection = xcffib.Connection()
    root, fake = connection.get_setup().roots[0].root, connection(xtest.key)

    def inject(kind: int, detail: int, x: int = 0, y: int = 0) -> int:
        fake.FakeInput(kind, detail, 0, root, x, y, 0)
        connection.flush()
        return time.monotonic_ns()

    return inject


def recorder(out: Path, name: str) -> subprocess.Popen[str]:
    """A recorder that has said that it records."""
    command = [sys.executable, "-m", "recorders", "--task", "bench", "--out", str(out), "--name", name]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("recording")
    return process


def rate(out: Path, seconds: float) -> dict[str, Any]:
    """Mixed input at 1,000 events a second: how many are missing, how far recorded times are from injected ones."""
    process, inject, rng = recorder(out, "rate"), injector(), random.Random(1)
    sent: list[int] = []
    begun, n = time.monotonic(), int(seconds * 1000)
    while len(sent) < n:
        time.sleep(max(0.0, begun + len(sent) / 1000 - time.monotonic()))
        what = rng.random()
        if what < 0.7:
            sent.append(inject(6, 0, 600 + len(sent) % 500, 300 + len(sent) % 400))
        elif what < 0.85:
            code = rng.randrange(24, 34)
            sent += [inject(2, code), inject(3, code)]
        elif what < 0.93:
            sent += [inject(4, 1), inject(5, 1)]
        else:
            button = rng.choice((4, 5))
            sent.append(inject(4, button))
            inject(5, button)
    process.send_signal(signal.SIGINT)
    process.wait(60)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rows = [row for _, row in read_rows(out / "rate" / "events.jsonl", []) if isinstance(row, INPUT_ROWS)][1:]
    error = np.array([abs(row.t - t) / 1e6 for row, t in zip(rows, sent, strict=False)])
    info = read_info(out / "rate")
    return {
        "sent": len(sent), "lost": len(sent) - len(rows), "faults": info.faults,
        "time_error_ms": {f"p{p}": round(float(np.percentile(error, p)), 2) for p in (50, 99, 100)},
        "cpu_share": round((used.ru_utime + used.ru_stime) / seconds, 3), "memory_mb": round(used.ru_maxrss / 1024),
    }  # fmt: skip


def kills(out: Path, times: int) -> dict[str, Any]:
    """Killed at random moments while moves come and a terminal prints: seconds of events and of video that are gone."""
    inject, rng, events, video = injector(), random.Random(2), [], []
    for i in range(times):
        process = recorder(out, f"kill-{i}")
        end, last = time.monotonic() + rng.uniform(0.7, 3), 0
        while time.monotonic() < end:
            last = inject(6, 0, 600 + last % 500, 300)
            time.sleep(0.01)
        process.kill()
        process.wait()
        folder = out / f"kill-{i}"
        rows = [row.t for _, row in read_rows(folder / "events.jsonl", [])]
        with av.open(str(folder / "screen.mkv")) as opened:
            seen = sum(1 for _ in opened.decode(video=0))
        frames = read_frames(folder / "frames.jsonl")
        events.append((last - rows[-1]) / 1e9)
        video.append((last - frames[min(seen, len(frames)) - 1].t) / 1e9)
    return {"runs": times, "events_lost_s": _spread(events), "video_lost_s": _spread(video)}


def _spread(values: list[float]) -> dict[str, float]:
    return {"median": round(float(np.median(values)), 3), "max": round(max(values), 3)}


def main() -> None:
    """Run both on a fresh display."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--kills", type=int, default=10)
    given = parser.parse_args()
    tell, told = os.pipe()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(told), "-screen", "0", SIZE, "-nolisten", "tcp"], pass_fds=(told,), **quiet
    )
    os.close(told)
    with os.fdopen(tell) as answer:
        os.environ["DISPLAY"] = f":{answer.readline().strip()}"
    others = [subprocess.Popen(["openbox"], **quiet)]
    others.append(subprocess.Popen(["xterm", "-geometry", "200x60+400+100", "-e", "cat"], **quiet))
    time.sleep(2)
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = {"rate": rate(Path(folder), given.seconds)}
            others.append(
                subprocess.Popen(["xterm", "-e", "sh", "-c", "while :; do date +%N; sleep 0.05; done"], **quiet)
            )
            found["kills"] = kills(Path(folder), given.kills)
        print(json.dumps(found, indent=1))
    finally:
        for process in [*others, server]:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
