"""Every benchmark, one after the other, with the ratios they print. The real recording comes from CURATE_SHARED; where
it is absent the keyframe benchmark is left out and says so.

    make bench
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("CURATE_SHARED", HERE.parent.parent / "shared"))


def main() -> int:
    """Runs the benchmarks; the number of those that failed."""
    failed = 0
    for title, command in commands():
        print(f"\n== {title}", flush=True)
        failed += subprocess.run([sys.executable, *command], check=False).returncode != 0
    return failed


def commands() -> list[tuple[str, list[str]]]:
    found = [("whole runs against parsing alone and a script of the usual libraries", [str(HERE / "whole_run.py")])]
    found.append(("near-copies against their peers", [str(HERE / "nearcopies.py")]))
    found.append(("pictures against Pillow, imagehash and cp", [str(HERE / "pictures.py")]))
    if (SHARED / "bench" / "corpus.py").is_file():
        found.append(("training formats against orjson writing the same bytes", [str(HERE / "formats.py")]))
    if (SHARED / "data" / "test-tasks").is_dir():
        found.append(("the leak check against its peers", [str(HERE / "leaks.py")]))
    recording = SHARED / "data" / "agentnet-recording"
    if recording.is_dir():
        found.append(
            ("keyframe rules on a real recording", [str(HERE / "keyframes.py"), str(recording), "--cost", "5"])
        )
    else:
        print("no real recording at CURATE_SHARED: the keyframe benchmark is left out")
    if shutil.which("Xvfb"):
        found.append(("the recorder under load", [str(HERE / "recorder.py")]))
        if all(shutil.which(name) for name in ("openbox", "xterm", "mousepad", "chromium", "xdotool")):
            own = ["own_keyframes.py", "--rules", "--cost"]
            found.append(("keyframes of own recordings against the truth", [str(HERE / own[0]), *own[1:]]))
        found.append(("the recorder's cost over a minute of work", [str(HERE / "recorder_cost.py"), "--paired"]))
        found.append(("the recorder killed at random moments", [str(HERE / "recorder_kills.py")]))
    else:
        print("no Xvfb: the recorder's benchmark is left out")
    return found


if __name__ == "__main__":
    sys.exit(main())
