"""Secrets in a real terminal: in its title, in reverse video, under another window. And a form whose checkbox the
pointer passes while a secret is typed."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from curate.reduce.redaction.recording import redact_recording
from curate.reduce.redaction.secrets import Secret
from curate.reduce.redaction.spellings import Spellings
from curate.store.recording import EVENTS, WindowRow, read_rows
from recorders import Options, Session
from tests.recorders.conftest import run
from tests.recorders.test_privacy_recorded import pictures
from tests.tk import tk_python

Start = Callable[..., "subprocess.Popen[bytes]"]
pytestmark = pytest.mark.timeout(180)
WORD = "Zebra7quiltXk"
FORM = """
import tkinter as tk
root = tk.Tk(className="form"); root.title("form"); root.geometry("420x200+150+150")
field = tk.Entry(root, font=("DejaVu Sans", 12), width=30); field.pack(pady=10)
tk.Checkbutton(root, text="Remember me", font=("DejaVu Sans", 11)).pack(pady=10)
field.focus_force(); root.update(); print("ready", flush=True); root.mainloop()
"""


def types(text: str) -> None:
    run("xdotool", "type", "--delay", "40", text)
    time.sleep(0.3)
    run("xdotool", "key", "Return")
    time.sleep(0.8)


def test_title_and_reverse_video_of_a_terminal_are_black(display: str, tmp_path: Path, program: Start) -> None:
    run("xsetroot", "-solid", "#506070")
    session = Session(tmp_path / "in", "try it", Options(accessibility=False))
    session.start()
    command = "xterm -geometry 40x12+60+60 -fa Monospace -fs 11 -e bash --norc --noprofile".split()
    program(*command, env={**os.environ, "PS1": "$ ", "HISTFILE": "/dev/null"})
    time.sleep(1.5)
    run("xdotool", "search", "--class", "xterm", "windowactivate", "--sync")
    types(f'printf "\\033]0;title {WORD}\\007"')
    types("clear")
    titled = session.folder
    types(f"printf '\\033[7m{WORD}\\033[0m\\n'")
    session.stop("asked")
    rows = [row for _, row in read_rows(titled / EVENTS, []) if isinstance(row, WindowRow)]
    came = next(row.t for row in rows if row.title and WORD in row.title)
    done = redact_recording(titled, Spellings([Secret(text=WORD)]), tmp_path / "out")
    assert done.doubts[0] == "in a title" and 0 < done.share <= done.most < 0.3
    old, new = pictures(titled), pictures(done.folder)
    (_, before), (_, after) = old[-1], new[-1]
    assert all((picture != kept).any() for (t, picture), (_, kept) in zip(old, new, strict=True) if t > came)
    white = (before >= 250).all(axis=-1)
    top = int(np.flatnonzero(white.sum(axis=1) > 250)[0])  # of the terminal's ground
    left = int(np.flatnonzero(white[top])[0])
    title = after[top - 14 : top - 6, left + 130 : left + 230]
    assert not (title > 200).all(axis=-1).any(), "letters of the title"
    inverse = (before[top : top + 80, left : left + 110] < 8).all(axis=-1).sum(axis=1) > 60
    rows_of_it = top + np.flatnonzero(inverse)
    assert rows_of_it.size > 8, "the terminal drew it in reverse"
    assert not (after[rows_of_it, left + 3 : left + 112] > 160).all(axis=-1).any(), "letters in reverse video"


def test_a_checkbox_the_pointer_passed_is_black_only_then(display: str, tmp_path: Path, program: Start) -> None:
    run("xsetroot", "-solid", "#506070")
    session = Session(tmp_path / "in", "try it", Options(accessibility=False))
    session.start()
    run("xdotool", "mousemove", "250", "340")
    form = program(tk_python(), "-c", FORM, stdout=subprocess.PIPE)
    assert form.stdout is not None and form.stdout.readline() == b"ready\n"
    time.sleep(0.5)
    run("xdotool", "search", "--name", "^form$", "windowactivate", "--sync")
    run("xdotool", "type", "--delay", "90", "hunter2Secret")
    run("xdotool", "mousemove", "360", "238")
    time.sleep(1.5)
    run("xdotool", "mousemove", "250", "340")
    time.sleep(0.5)
    session.stop("asked")
    done = redact_recording(session.folder, Spellings([Secret(text="hunter2Secret")]), tmp_path / "out")
    (_, before), (_, after) = pictures(session.folder)[-1], pictures(done.folder)[-1]
    changed = np.flatnonzero((before != after).any(axis=(1, 2)))
    assert changed.size and changed[-1] < 215, "the field is black, the checkbox is not"
    assert done.released == 1
