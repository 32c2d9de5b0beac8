"""Real recordings of real programs: what was excluded is in no picture and no row, and a secret that was typed comes
out of them afterwards."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from curate.reduce.redaction.recording import redact_recording
from curate.reduce.redaction.secrets import Secret
from curate.reduce.redaction.spellings import Spellings
from curate.reduce.video.decoding import Video, to_rgb
from curate.store.recording import (
    EVENTS,
    FRAMES,
    VIDEO,
    KeyRow,
    RedactionRow,
    WindowRow,
    read_frames,
    read_info,
    read_rows,
)
from recorders import Options, Session
from recorders.privacy.exclusions import Exclusions
from tests.recorders.conftest import run
from tests.recorders.test_privacy_windows import SECRET, Program, until
from tests.tk import tk_python

Start = Callable[..., "subprocess.Popen[bytes]"]
pytestmark = pytest.mark.timeout(180)
WORD = "Zebra7quilt"
FORM = """
import tkinter as tk
root = tk.Tk(className="form"); root.title("form"); root.geometry("420x260+150+150")
plain = tk.Entry(root, font=("TkFixedFont", 14), width=30); plain.pack(pady=10)
stars = tk.Entry(root, show="*", font=("TkFixedFont", 14), width=30); stars.pack(pady=10)
said = tk.Label(root, text="-", font=("TkFixedFont", 14)); said.pack(pady=10)
def show(_):
    said.config(text="you typed " + plain.get()); plain.delete(0, "end"); root.title("form sent")
plain.bind("<Return>", show); plain.focus_force(); root.update(); print("ready", flush=True); root.mainloop()
"""


def pictures(folder: Path) -> list[tuple[int, np.ndarray]]:
    times = [row.t for row in read_frames(folder / FRAMES)]
    return [(times[f.index], to_rgb(f.planes, f.layout)) for f in Video(folder / VIDEO).frames()]


def quiet(**more: object) -> Options:
    return Options(accessibility=False, **more)  # type: ignore[arg-type]


def title_of(name: str) -> bool:
    return (
        subprocess.run(["xdotool", "search", "--name", f"^{name}$"], capture_output=True, check=False).returncode == 0
    )


def test_an_excluded_window_is_in_no_picture_and_no_row(display: str, tmp_path: Path, program: Start) -> None:
    run("xsetroot", "-solid", "#808080")
    session = Session(tmp_path, "try it", quiet(exclusions=Exclusions(apps=("vault",))))
    session.start()
    shown = Program(program, "notes", "notes", "#20a0ff", "300x200+450+350")
    secret = Program(program, "vault", "my keys", "#ff00c8", "260x180+60+60")
    for turn in range(12):
        secret.does(f"root.geometry('+{40 + 30 * turn}+{40 + 20 * turn}')")
        shown.does("root.lift()")
        secret.does("root.lift()")
        secret.does("root.withdraw()" if turn % 2 else "root.deiconify()")
        time.sleep(0.05)
    secret.does("root.deiconify(); root.lift(); root.focus_force()")
    run("xdotool", "mousemove", "450", "300", "key", "s", "key", "e", "click", "1")
    time.sleep(0.3)
    run("xdotool", "search", "--name", "^notes$", "windowactivate", "--sync")
    run("xdotool", "mousemove", "700", "520", "click", "1", "key", "o")
    time.sleep(0.3)
    secret.process.terminate()
    secret.process.wait(5)
    time.sleep(0.3)
    session.stop("asked")
    assert session.info.faults == []
    frames = pictures(session.folder)
    colour = np.array(SECRET)
    for t, picture in frames:
        assert not (np.abs(picture.astype(int) - colour).max(axis=-1) < 60).any(), t
    assert any((picture == 0).all(axis=-1).sum() > 20_000 for _, picture in frames), "it was black"
    rows = [row for _, row in read_rows(session.folder / EVENTS, [])]
    assert [row.key for row in rows if isinstance(row, KeyRow) and row.pressed] == ["o"]
    assert any(isinstance(row, WindowRow) and row.hidden and row.title is None for row in rows)
    assert "excluded" in {row.reason for row in rows if isinstance(row, RedactionRow)}
    assert b"my keys" not in (session.folder / EVENTS).read_bytes()
    assert read_info(session.folder).excluded == ["app:vault"]


@pytest.fixture
def typed(display: str, tmp_path: Path, program: Start) -> Path:
    """A recording of a form: a secret typed in the clear, shown by the program, and typed once more as stars."""
    run("xsetroot", "-solid", "#808080")
    session = Session(tmp_path / "recorded", "Fill in the form", quiet())
    session.start()
    form = program(tk_python(), "-c", FORM, stdout=subprocess.PIPE)
    assert form.stdout is not None and form.stdout.readline() == b"ready\n"
    until(lambda: title_of("form"), "the form")
    run("xdotool", "search", "--name", "^form$", "windowactivate", "--sync")
    run("xdotool", "type", "--delay", "30", "hello ")
    run("xdotool", "type", "--delay", "30", WORD)
    time.sleep(0.4)
    run("xdotool", "key", "Return")
    until(lambda: title_of("form sent"), "the form was sent")
    time.sleep(0.4)
    run("xdotool", "key", "Tab")
    run("xdotool", "type", "--delay", "30", WORD)
    time.sleep(0.4)
    run("xdotool", "key", "Tab")
    session.stop("asked")
    return session.folder


def test_a_secret_comes_out_of_a_real_recording(typed: Path, tmp_path: Path) -> None:
    spellings = Spellings([Secret(text=WORD, name="word")])
    done = redact_recording(typed, spellings, tmp_path / "redacted")
    assert done.typed == 2 and done.frames > 10
    rows = [row for _, row in read_rows(done.folder / EVENTS, [])]
    left = "".join(row.text or "" for row in rows if isinstance(row, KeyRow))
    assert left.replace("\r", "").replace("\t", "").strip() == "hello"
    old, new = pictures(typed), pictures(done.folder)
    assert [t for t, _ in old] == [t for t, _ in new]
    first = next(row.t for row in rows if isinstance(row, RedactionRow))
    last = new[-1][1]
    black = (last == 0).all(axis=-1)
    rows_black = np.flatnonzero(black.sum(axis=1) > 60)
    assert rows_black.size, "stars and label are black at the end"
    for (t, before), (_, after) in zip(old, new, strict=True):
        changed = (before != after).any(axis=-1)
        assert t >= first or not changed.any()
        assert changed.mean() < 0.1, "most of the screen is as it was"
    assert done.left_out == 0
    again = redact_recording(done.folder, spellings, tmp_path / "again")
    assert again.typed == 0
