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
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from curate.store.recording import FRAMES, VIDEO, read_frames, read_info  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
CHROMIUM = (
    "chromium --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --password-store=basic --window-position=200,150 --window-size=1400,850"
).split()
FORM = """
import tkinter as tk
window = tk.Tk(); window.title("Form"); window.geometry("600x400+200+150")
for name in ("Name", "Street", "Town", "Note"):
    row = tk.Frame(window); row.pack(fill="x", padx=8, pady=4)
    tk.Label(row, text=name, width=8).pack(side="left")
    tk.Entry(row, font=("DejaVu Sans", 16)).pack(side="left", fill="x", expand=True)
tk.Text(window, height=6).pack(fill="both", expand=True)
window.bind("<Map>", lambda _: window.after(200, lambda: window.winfo_children()[0].winfo_children()[1].focus_force()))
window.mainloop()
"""
MOTION = """
import sys, time, xcffib
from xcffib import xproto
x = xcffib.Connection(); screen = x.get_setup().roots[0]
wide, high = screen.width_in_pixels * 5 // 8, screen.height_in_pixels * 3 // 4
window, pen, font = (x.generate_id() for _ in range(3))
mask = xproto.CW.BackPixel | xproto.CW.OverrideRedirect
x.core.CreateWindow(24, window, screen.root, 200, 100, wide, high, 0, 1, screen.root_visual, mask, [0xFFFFFF, 1])
x.core.OpenFont(font, 5, "fixed")
mask = xproto.GC.Foreground | xproto.GC.Background | xproto.GC.Font
x.core.CreateGC(pen, window, mask, [0, 0xFFFFFF, font])
x.core.MapWindow(window)
end, line, at = time.monotonic() + float(sys.argv[1]), 0, time.monotonic()
while time.monotonic() < end:
    x.core.CopyArea(window, window, pen, 0, 4, 0, 0, wide, high - 4)
    if line % 4 == 0:
        text = (f"{line:06} " + " ".join(str(line * n % 9973) for n in range(40)))[:250]
        x.core.ImageText8(len(text), window, pen, 4, high - 5, text)
    line += 1
    x.core.GetInputFocus().reply()
    at += 1 / 60
    time.sleep(max(0.0, at - time.monotonic()))
"""
MOTION_S, IDLE_S = 6.0, 8.0
PRINTS = "for i in $(seq 30); do ls -la --color /usr/lib | head -$((20 + i * 3)); sleep 4; done"


def page() -> str:
    """A long page of rows with text, colours and buttons."""
    rows = "".join(
        f"<li>Order {n} <b>customer {n * 7919 % 1000}</b> <i style='color:hsl({n * 37 % 360},70%,40%)'>"
        f"{n * 31.5:.2f} EUR</i> <button>Edit {n}</button></li>"
        for n in range(300)
    )
    return f"<!doctype html><meta charset=utf-8><title>Orders</title><h1>Orders</h1><ol>{rows}</ol>"


def paint_photo() -> None:
    """A picture with noise in every pixel as the root window's background, the worst that a photograph can be."""
    import numpy as np
    import xcffib
    from xcffib import xproto

    x = xcffib.Connection()
    root = x.get_setup().roots[0]
    width, height = root.width_in_pixels, root.height_in_pixels
    down, across = np.mgrid[:height, :width]
    noise = np.random.default_rng(1).integers(0, 24, (height, width, 3))
    photo = np.zeros((height, width, 4), np.uint8)
    photo[..., :3] = np.stack([down * 150 // height, across * 180 // width, (down + across) % 200], -1) + noise
    pixmap, pen = x.generate_id(), x.generate_id()
    x.core.CreatePixmap(root.root_depth, pixmap, root.root, width, height)
    x.core.CreateGC(pen, pixmap, 0, [])
    for top in range(0, height, 16):
        rows = photo[top : top + 16]
        data = rows.tobytes()
        x.core.PutImage(
            xproto.ImageFormat.ZPixmap, pixmap, pen, width, len(rows), 0, top, 0, root.root_depth, len(data), data
        )
    x.core.ChangeWindowAttributes(root.root, xproto.CW.BackPixmap, [pixmap])
    x.core.ClearArea(False, root.root, 0, 0, 0, 0)
    x.core.GetInputFocus().reply()
    x.disconnect()


def session_bus() -> list[subprocess.Popen[bytes]]:
    """A session's D-Bus, by which programs can be asked for their accessibility trees; none where it is not
    installed. It starts the accessibility bus itself, and ends it."""
    if not shutil.which("dbus-daemon"):
        return []
    tell, told = os.pipe()
    command = ["dbus-daemon", "--session", "--nofork", f"--print-address={told}"]
    bus = subprocess.Popen(command, pass_fds=(told,), **QUIET)
    os.close(told)
    with os.fdopen(tell) as answer:
        os.environ["DBUS_SESSION_BUS_ADDRESS"] = answer.readline().strip()
    return [bus]


@contextlib.contextmanager
def display(size: str, photo: bool) -> Iterator[subprocess.Popen[bytes]]:
    """An X server with a window manager; DISPLAY names it while it runs."""
    tell, told = os.pipe()
    command = ["Xvfb", "-displayfd", str(told), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"]
    server = subprocess.Popen(command, pass_fds=(told,), **QUIET)
    os.close(told)
    with os.fdopen(tell) as answer:
        os.environ["DISPLAY"] = f":{answer.readline().strip()}"
    manager = subprocess.Popen(["openbox"], **QUIET)
    time.sleep(1)
    do("xsetroot", "-solid", "#40576b")
    if photo:
        paint_photo()
    bus = session_bus()
    try:
        yield server
    finally:
        for process in (*bus, manager, server):
            process.terminate()
            process.wait()


def do(*command: str) -> None:
    subprocess.run(command, check=False, timeout=60, **QUIET)


class Work:
    """The minute's work. `parts`: (name, from, to) in monotonic seconds."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.parts = folder, list[tuple[str, float, float]]()
        self._running: list[subprocess.Popen[bytes]] = []
        (folder / "form.py").write_text(FORM, encoding="utf-8")
        (folder / "orders.html").write_text(page(), encoding="utf-8")

    def do(self) -> None:
        """All of it, some 75 s."""
        try:
            parts = (self._idle, self._open, self._type, self._point, self._rest, self._browse, self._scroll)
            for part in (*parts, self._reread, self._leave, self._motion):
                begun = time.monotonic()
                part()
                self.parts.append((part.__name__.strip("_"), begun, time.monotonic()))
        finally:
            self.close()

    def close(self) -> None:
        """End every program."""
        while self._running:
            process = self._running.pop()
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
                continue
            process.kill()

    def _start(self, *command: str) -> None:
        self._running.append(subprocess.Popen(command, **QUIET))

    def _idle(self) -> None:
        time.sleep(IDLE_S)

    def _motion(self) -> None:
        do(sys.executable, "-c", MOTION, str(MOTION_S))

    def _open(self) -> None:
        self._start(sys.executable, str(self._folder / "form.py"))
        self._start("xterm", "-geometry", "90x30+1000+100", "-e", "sh", "-c", PRINTS)
        time.sleep(2.5)

    def _type(self) -> None:
        do("xdotool", "mousemove", "500", "207", "click", "1")
        for line in range(4):
            do("xdotool", "type", "--delay", "120", f"Quarterly report line {line + 1}. ")
            do("xdotool", "key", "Tab")
            time.sleep(0.3)

    def _point(self) -> None:
        for i in range(60):
            do("xdotool", "mousemove", str(300 + 15 * i), str(200 + 7 * i))
            time.sleep(0.02)

    def _rest(self) -> None:
        time.sleep(6)

    def _browse(self) -> None:
        profile = self._folder / "profile"
        self._start(*CHROMIUM, f"--user-data-dir={profile}", (self._folder / "orders.html").as_uri())
        time.sleep(6)

    def _scroll(self) -> None:
        do("xdotool", "mousemove", "700", "600")
        for _ in range(30):
            do("xdotool", "click", "5")
            time.sleep(0.08)
        time.sleep(5)

    def _reread(self) -> None:
        for _ in range(15):
            do("xdotool", "click", "4")
            time.sleep(0.15)
        time.sleep(6)

    def _leave(self) -> None:
        do("xdotool", "mousemove", "400", "300")
        time.sleep(6)
        self.close()
        time.sleep(3)


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
    from recorders.desktop.x11 import X11Desktop
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
