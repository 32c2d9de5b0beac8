"""A minute of ordinary work on a desktop of its own, over which the recorder's cost is measured (recorder_cost.py)."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tools.xvfb import start_xvfb

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
    server, os.environ["DISPLAY"] = start_xvfb(f"{size}x24")
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
