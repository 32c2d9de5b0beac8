"""Commands that are printed can be typed: a path with spaces, quotes or a dollar comes back whole."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.printed import printable, printable_lines, quoted

NAMES = ["plain", "my recordings", "it's", 'say "so"', "$HOME", "später 日本", "a;b&c", "-x"]
HOSTILE = ["\x1b[31mred\x07", "it's\x1b]0;x\x07 \\x", "one\ntwo", "gnp\u202eexe", "a\x7f1", "\udcff"]


@pytest.mark.skipif(os.name == "nt", reason="asks a POSIX shell")
def test_a_shell_reads_the_paths_that_were_quoted(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in NAMES]
    show = f"{quoted(Path(sys.executable))} -c 'import sys; print(sys.argv[1:])' {quoted(*paths)}"
    done = subprocess.run(["sh", "-c", show], capture_output=True, text=True, check=True, env={"PYTHONUTF8": "1"})
    assert done.stdout.strip() == str([str(path) for path in paths])


@pytest.mark.skipif(os.name == "nt" or not shutil.which("bash"), reason="asks a shell that knows $'...'")
@pytest.mark.parametrize("name", HOSTILE)
def test_names_that_cannot_be_seen_are_quoted_so_that_they_can_and_mean_the_same(tmp_path: Path, name: str) -> None:
    shown = quoted(tmp_path / name)
    assert shown.isprintable() and shown.isascii()
    done = subprocess.run(
        ["bash", "-c", f"printf %s {shown}"], capture_output=True, check=True, env={"LC_ALL": "C.UTF-8"}
    )
    assert done.stdout == os.fsencode(tmp_path / name)


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_nothing_given_reaches_the_terminal_as_control_characters(tmp_path: Path) -> None:
    name = "".join(HOSTILE)
    folder = tmp_path / name
    for command in (
        ["show", folder],
        [folder],
        ["run", folder, "--out", folder],
        [f"--{name}"],
        ["record", "--tasks", folder],
    ):
        done = subprocess.run([sys.executable, "-m", "curate", *map(os.fsencode, command)], capture_output=True)
        assert done.returncode in (1, 2, 3)
        told = done.stderr.decode("utf-8")
        assert told and all(c.isprintable() or c == "\n" for c in told), told


@given(st.text())
def test_what_is_printed_is_printable_and_says_what_it_was(text: str) -> None:
    assert printable(text).isprintable() and all(c.isprintable() or c in "\n\t" for c in printable_lines(text))
    assert (printable(text) == text) is text.isprintable()
