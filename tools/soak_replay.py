"""Replay conformance: every scripted session on real programs is recorded, reduced, and replayed after a reset; the
program must end in the same state, and the reduced actions must be the script's.

    python tools/soak_replay.py [--only NAME ...] [--keep DIR]

Needs Linux with what tests/replay/desk.py names. Takes about ten minutes. The exit code is 1 where a session differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.replay.conform import open_stage, run_session  # noqa: E402
from tests.replay.desk import missing  # noqa: E402
from tests.replay.sessions.table import SESSIONS  # noqa: E402


def main() -> int:
    """Every session, one line each."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--only", nargs="+", metavar="NAME", help="sessions whose name begins so")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep recordings and records")
    parser.add_argument("--seed", type=int, default=1, help="of the hand")
    given = parser.parse_args()
    if lacking := missing():
        print(f"replay conformance was not run: {', '.join(lacking)} not installed")
        return 0
    chosen = [s for s in SESSIONS if not given.only or s.name.startswith(tuple(given.only))]
    begun, failed = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="replay-") as temporary, open_stage() as stage:
        for session in chosen:
            out = (given.keep or Path(temporary)) / session.name
            out.mkdir(parents=True)
            try:
                outcomes = run_session(session, stage, out, given.seed)
                wrong, seconds = outcomes.wrong, json.dumps(outcomes.seconds)
            except Exception as error:
                wrong, seconds = [f"{type(error).__name__}: {error}"], ""
            print(f"{'ok    ' if not wrong else 'DIFFERS'} {session.name:24} {session.kind:26} {seconds}", flush=True)
            for line in wrong:
                print(f"        {line}", flush=True)
            failed += [session.name] if wrong else []
    print(f"{len(chosen) - len(failed)} of {len(chosen)} sessions end the same, in {time.monotonic() - begun:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
