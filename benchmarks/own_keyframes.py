"""Keyframes of our own recordings against what was really on the screen.

    python benchmarks/own_keyframes.py [--keep FOLDER] [--only NAME ...] [--judge FOLDER] [--sheet FOLDER]

Scripted people work in programs that say themselves what they show (benchmarks/desk/: strips of cells, which are wiped
from the video before the reducer sees it) and in an editor and a terminal, at three paces, while our recorder records.
Just before each act the screen is looked at by itself. Then the recordings are reduced, and each step's picture is
held against the truth: is it the state the person acted on, is the pointer or what it lights up on the target, is it
flagged.
`--keep` keeps the recordings, `--judge` judges kept ones, `--sheet` writes pictures of the wrong ones, `--rules` judges
two other rules on the same material, `--cost` prints the CPU time against decoding the videos once.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import cv2

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "desk"), str(ROOT / "tools" / "dump")]

from desk import Desk  # noqa: E402
from judge import judge_session  # noqa: E402
from keyframes import cpu_times  # noqa: E402
from look import Look  # noqa: E402
from person import Person  # noqa: E402
from table import print_table, write_sheets  # noqa: E402
from work import Place, Session, sessions  # noqa: E402

from curate.sources.recording import open_recording  # noqa: E402


def record(session: Session, out: Path) -> Path:
    """Make one recording; the folder with it (`recording`), the acts and what the programs wrote."""
    folder = out / session.name
    folder.mkdir(parents=True)
    folder.chmod(0o777)  # the programs run as another user
    with Desk() as desk:
        place = Place(desk, folder, Look())
        session.prepare(place)
        time.sleep(1.0)
        person = Person(session.seed, session.pace, folder)
        person.move_to(1240, 690)
        command = [sys.executable, "-m", "recorders", "--task", session.name, "--out", str(folder)]
        recorder = subprocess.Popen(
            [*command, "--name", "recording"], cwd=ROOT, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "DISPLAY": desk.display},
        )  # fmt: skip
        assert recorder.stderr is not None
        said = recorder.stderr.readline()
        if not said.startswith("recording"):
            sys.exit(f"The recorder did not start: {said}")
        try:
            time.sleep(1.0)
            session.work(place, person)
            time.sleep(1.2)
            person.hotkey("ctrl", "alt", "end")
            recorder.wait(30)
        except BaseException:
            recorder.send_signal(signal.SIGINT)
            recorder.wait(30)
            raise
        finally:
            person.finish()
            for close in place.close:
                close()
    return folder


def cost(folder: Path) -> float:
    """CPU time of choosing all keyframes of a recording against decoding its video once."""
    decoded, chosen = cpu_times(open_recording(folder))
    return chosen / decoded


def main() -> None:
    """Record, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--record-only", action="store_true")
    parser.add_argument("--rules", action="store_true")
    parser.add_argument("--cost", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    chosen = [session for session in sessions() if not given.only or session.name in given.only]
    with tempfile.TemporaryDirectory() as temporary:
        out = given.judge or given.keep or Path(temporary)
        if given.keep is None and given.judge is None:
            Path(temporary).chmod(0o755)
        if given.judge is None:
            for session in chosen:
                begun = time.monotonic()
                record(session, out)
                print(f"recorded {session.name} in {time.monotonic() - begun:.0f} s", flush=True)
        if given.record_only:
            return
        there = [session for session in chosen if (out / session.name).is_dir()]
        judged = [judge_session(session, out / session.name, given.rules) for session in there]
        print_table(judged)
        if given.cost:
            for session in there:
                print(f"cost of {session.name}: {cost(out / session.name / 'wiped'):.2f} times decoding it")
        if given.sheet is not None:
            write_sheets(judged, given.sheet)


if __name__ == "__main__":
    main()
