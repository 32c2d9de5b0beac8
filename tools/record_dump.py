"""Records the dump that ships with the package, again and for real: its own X server, a window manager, real programs,
our recorder, and a hand that follows the scripts of tools/dump/scripts.py.

    python tools/record_dump.py [--only NAME ...] [--out DIR] [--keep-raw DIR]

Needs Linux with Xvfb, D-Bus, at-spi2-core, xdotool, openbox, xterm, mousepad, chromium and x11-xserver-utils. Takes
about eight minutes.
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

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tools" / "dump")]

from desk import Desk  # noqa: E402
from finish import ship  # noqa: E402
from hand import Hand  # noqa: E402
from look import Look  # noqa: E402
from scripts import SCRIPTS, TASKS, Script, Stage  # noqa: E402
from web import Web  # noqa: E402

from curate.store.recording import Outcome, read_info, write_info  # noqa: E402

OUT = ROOT / "curate" / "_data" / "dump"


def record(script: Script, out: Path) -> Path:
    """One recording on a fresh desktop; its folder."""
    with Desk() as desk:
        stage = Stage(desk, Hand(script.seed, script.places), Look(), Web())
        script.prepare(stage)
        command = [sys.executable, "-m", "recorders", "--task", script.instruction, "--out", str(out)]
        recorder = subprocess.Popen(
            [*command, "--name", script.name, "--actor", script.actor],
            cwd=ROOT, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert recorder.stderr is not None
        said = recorder.stderr.readline()
        if not said.startswith("recording"):
            sys.exit(f"The recorder did not start: {said}")
        try:
            stage.hand.pause(1.2, 1.6)
            script.perform(stage)
            stage.hand.pause(1.2, 1.6)
            stage.hand.hotkey("ctrl", "alt", "end")
            recorder.wait(30)
        except BaseException:
            recorder.send_signal(signal.SIGINT)
            recorder.wait(30)
            raise
        if recorder.returncode:
            sys.exit(f"{script.name}: {recorder.stderr.read()}")
    folder = out / script.name
    info = read_info(folder)
    info.outcome = Outcome(status=script.status, reason=script.reason)
    write_info(folder, info)
    return folder


def main() -> None:
    """Record what was asked for and put it where it ships from."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", choices=[script.name for script in SCRIPTS])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--keep-raw", type=Path, help="also keep the recordings as the recorder wrote them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        raw = given.keep_raw or Path(temporary)
        for script in SCRIPTS:
            if given.only and script.name not in given.only:
                continue
            begun = time.monotonic()
            size = ship(record(script, raw), given.out / script.name)
            print(f"{script.name}: {size / 1000:.0f} kB, {time.monotonic() - begun:.0f} s", flush=True)
    given.out.mkdir(parents=True, exist_ok=True)
    tasks = "".join(json.dumps(task, ensure_ascii=False) + "\n" for task in TASKS["benchmark"])
    (given.out / "benchmark.jsonl").write_text(tasks, encoding="utf-8")


if __name__ == "__main__":
    main()
