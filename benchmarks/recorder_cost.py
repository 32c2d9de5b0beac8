"""What recording costs: a minute of ordinary desktop work on a display of its own, recorded.

    python benchmarks/recorder_cost.py [--size 1920x1080] [--part all|screen] [--photo] [--paired] [--keep FOLDER]

The work is the same every time: typing into a Tk form, a terminal that prints now and then, the pointer moving, a long
page in Chromium scrolled down and up, and rests between. Before it comes a rest with nothing going on (`idle`), after
it a window that scrolls sixty times a second (`motion`, not part of the whole). Prints one JSON object: CPU seconds a
second of the recorder and all its processes, memory, bytes a minute, for the whole and for each part; with `--paired`
what the X server used for the same work without and with the recorder. `--photo` puts a picture with noise behind the
windows. Needs Xvfb, openbox, xterm, xdotool, xsetroot and Chromium.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from desktop_work import Work, display  # noqa: E402

from curate.store.recording import FRAMES, VIDEO, read_frames, read_info  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """A process and all that came from it."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
    return found


def cpu_of(pid: int) -> float:
    """CPU seconds of a process so far, with its ended and collected children."""
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return sum(map(int, fields[11:15])) / TICKS
    return 0.0


def memory_of(pid: int) -> tuple[float, float]:
    """Resident and proportional megabytes of a process."""
    found = {"Rss": 0.0, "Pss": 0.0}
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            name = line.split(":")[0]
            if name in found:
                found[name] = int(line.split()[1]) / 1024
    return found["Rss"], found["Pss"]


class Meter(threading.Thread):
    """Looks at a process and its family four times a second: (time, CPU seconds, RSS, PSS, bytes of the folder)."""

    def __init__(self, pid: int, folder: Path) -> None:
        super().__init__(daemon=True)
        self._pid, self._folder, self._ended = pid, folder, threading.Event()
        self.rows: list[tuple[float, float, float, float, int]] = []

    def run(self) -> None:
        while not self._ended.wait(0.25):
            self.look()

    def look(self) -> None:
        pids = family(self._pid)
        memory = [memory_of(pid) for pid in pids]
        size = sum(p.stat().st_size for p in self._folder.rglob("*") if p.is_file())
        self.rows.append(
            (time.monotonic(), sum(map(cpu_of, pids)), sum(m[0] for m in memory), sum(m[1] for m in memory), size)
        )

    def stop(self) -> None:
        self._ended.set()
        self.join()
        self.look()

    def between(self, begun: float, ended: float) -> dict[str, float]:
        """What one stretch of time cost."""
        rows = [row for row in self.rows if begun - 0.25 <= row[0] <= ended + 0.25]
        if len(rows) < 2:
            return {}
        (t0, cpu0, *_, size0), (t1, cpu1, *_, size1) = rows[0], rows[-1]
        return {
            "seconds": round(t1 - t0, 1),
            "cpu_share": round((cpu1 - cpu0) / (t1 - t0), 3),
            "mb_a_minute": round((size1 - size0) / 1e6 / (t1 - t0) * 60, 2),
            "rss_mb": round(max(row[2] for row in rows)),
            "pss_mb": round(max(row[3] for row in rows)),
        }


def recorder(out: Path, part: str, fps: float) -> subprocess.Popen[str]:
    """A recorder that has said that it records."""
    if part == "screen":
        command = [sys.executable, str(Path(__file__).resolve()), "--record-screen-into", str(out / "r")]
    else:
        command = [sys.executable, "-m", "recorders", "--task", "bench", "--out", str(out), "--name", "r"]
    command += ["--fps", str(fps)]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    said = process.stderr.readline()
    if not said.startswith("recording"):
        raise SystemExit(f"The recorder did not begin: {said}{process.stderr.read()}")
    threading.Thread(target=process.stderr.read, daemon=True).start()  # what it says later must not block it
    return process


def record_screen(folder: Path, fps: float) -> None:
    """Only the screen's part of the recorder, until SIGINT."""
    from recorders.desktop.base import PointerFiles
    from recorders.desktop.x11_desktop import X11Desktop
    from recorders.privacy.names import Scrub
    from recorders.screen.capture import ScreenCapture
    from recorders.screen.video import VideoWriter

    folder.mkdir()
    ended = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: ended.set())
    desktop = X11Desktop(Scrub([]))
    video = VideoWriter(folder, desktop.screen.width, desktop.screen.height)
    capture = ScreenCapture(desktop, video, fps)
    desktop.start(lambda _: None, PointerFiles(folder, "pointers").keep, capture.changed)
    capture.start()
    capture.first_frame.wait(15)
    print("recording", file=sys.stderr, flush=True)
    while not ended.wait(0.1):
        pass
    capture.stop()
    desktop.stop()
    if capture.fault:
        print(capture.fault, file=sys.stderr)


def recorded(folder: Path, given: argparse.Namespace) -> dict[str, Any]:
    """The work, recorded."""
    with display(given.size, given.photo) as server:
        process = recorder(folder, given.part, given.fps)
        meter, others = Meter(process.pid, folder / "r"), Meter(server.pid, folder / "r")
        time.sleep(1)
        meter.start()
        others.start()
        work = Work(folder)
        work.do()
        meter.stop()
        others.stop()
        process.send_signal(signal.SIGINT)
        process.wait(60)
    frames = read_frames(folder / "r" / FRAMES)
    begun, ended = work.parts[1][1], work.parts[-2][2]
    found: dict[str, Any] = {
        "whole": meter.between(begun, ended),
        "x_server_cpu_share": others.between(begun, ended)["cpu_share"],
        "load": [round(share, 1) for share in os.getloadavg()],
        "frames": len(frames),
        "video_mb": round((folder / "r" / VIDEO).stat().st_size / 1e6, 2),
    }
    for name, since, until in work.parts:
        times = [frame.t / 1e9 for frame in frames if since <= frame.t / 1e9 <= until]
        found[name] = {**meter.between(since, until), "frames_a_second": round(len(times) / (until - since), 1)}
        if name == "motion":  # by the frames, as the program takes a moment to begin
            found[name]["frames_a_second"] = round((len(times) - 3) / (times[-2] - times[1]), 1)
    if given.part == "all":
        info = read_info(folder / "r")
        found["faults"], found["notes"] = info.faults, info.notes
    return found


def not_recorded(folder: Path, given: argparse.Namespace) -> float:
    """What the X server uses for the same work by itself."""
    with display(given.size, given.photo) as server:
        others = Meter(server.pid, folder)
        others.start()
        work = Work(folder)
        work.do()
        others.stop()
        return others.between(work.parts[1][1], work.parts[-2][2])["cpu_share"]


def main() -> None:
    """Run on a fresh display and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--fps", type=float, default=25.0)
    parser.add_argument("--part", choices=("all", "screen"), default="all")
    parser.add_argument("--photo", action="store_true", help="a photograph behind the windows")
    parser.add_argument("--paired", action="store_true", help="do the work without the recorder too")
    parser.add_argument("--keep", type=Path, help="where the recording is to stay")
    parser.add_argument("--record-screen-into", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.record_screen_into:
        record_screen(given.record_screen_into, given.fps)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        found = recorded(folder, given)
        if given.paired:
            with tempfile.TemporaryDirectory() as other:
                found["x_server_cpu_share_without"] = not_recorded(Path(other), given)
        print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
