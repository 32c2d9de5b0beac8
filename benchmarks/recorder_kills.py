"""A recorder killed with SIGKILL at random moments, each recording recovered: how much before the kill was lost.

    python benchmarks/recorder_kills.py [--kills 20] [--seed 1]

On a display of its own, 1920x1080, with a window manager, a terminal that prints, an editor with an accessibility tree,
moves, keys, and a number on the screen that changes 25 times a second. Prints one JSON object; the exit code is 1 where
a recording was not recovered or more than 0.25 s of it was lost. Needs Xvfb, openbox, xterm, mousepad and dbus.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.recorders.kills import Loss, killed_once  # noqa: E402
from tools.xvfb import start_xvfb  # noqa: E402

SIZE = "1920x1080x24"
MOST_S = 0.25
PRINTING = "while :; do date +%N; sleep 0.05; done"


def spread(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"median": round(ordered[len(ordered) // 2], 3), "max": round(ordered[-1], 3)}


def main() -> int:
    """Start a display, kill, recover, and say what was lost."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if not given.inside and shutil.which("dbus-run-session"):
        again = ["dbus-run-session", "--", sys.executable, __file__, "--inside", "--kills", str(given.kills)]
        return subprocess.run([*again, "--seed", str(given.seed)], check=False).returncode
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server, os.environ["DISPLAY"] = start_xvfb(SIZE)
    os.environ.pop("XDG_SESSION_TYPE", None)
    os.environ.update(GTK_MODULES="gail:atk-bridge", NO_AT_BRIDGE="0")
    programs = (["openbox"], ["mousepad"], ["xterm", "-geometry", "100x40+800+200", "-e", "sh", "-c", PRINTING])
    others = [subprocess.Popen(command, **quiet) for command in programs]
    time.sleep(2)
    try:
        with tempfile.TemporaryDirectory() as folder:
            rng, losses = random.Random(given.seed), list[Loss]()
            for number in range(given.kills):
                losses.append(killed_once(Path(folder), f"kill-{number}", rng))
                shutil.rmtree(Path(folder) / f"kill-{number}")
    finally:
        for process in [*others, server]:
            process.terminate()
            process.wait()
    found = {
        "kills": given.kills, "recovered": len(losses), "seed": given.seed,
        "events_lost_s": spread([loss.events for loss in losses]),
        "video_lost_s": spread([loss.video for loss in losses]),
        "rows": sum(loss.rows for loss in losses), "frames": sum(loss.frames for loss in losses),
        "trees": sum(loss.trees for loss in losses),
    }  # fmt: skip
    print(json.dumps(found, indent=1))
    return int(any(max(loss.events, loss.video) > MOST_S for loss in losses))


if __name__ == "__main__":
    sys.exit(main())
