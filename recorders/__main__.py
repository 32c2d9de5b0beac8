"""`python -m recorders --task TEXT --out DIR`: record until the stop chord, Ctrl-C or --seconds. The thin form for
scripts: nothing is asked, no window is put away. For people there is `curate record`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from curate.model.constants import RECORDING_FPS
from curate.model.errors import CurateError
from curate.model.printed import printable, printable_lines
from recorders.control.chords import shown
from recorders.control.signals import stop_signals
from recorders.options import Options
from recorders.session import Session


def main(arguments: list[str] | None = None) -> int:
    """Record once. Prints `recording` on stderr when everything is being recorded, the folder on stdout at the end."""
    parser = argparse.ArgumentParser(prog="python -m recorders", description="Record the desktop.")
    parser.add_argument("--task", required=True, help="what is going to be done")
    parser.add_argument("--out", type=Path, default=Path("recordings"), help="folder for the new recording's folder")
    parser.add_argument("--name", help="the new folder's name (default: a random id)")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--fps", type=float, default=RECORDING_FPS)
    parser.add_argument("--actor", help="a pseudonym")
    parser.add_argument("--no-a11y", action="store_true", help="read no accessibility trees")
    given = parser.parse_args(arguments)
    try:
        session = Session(
            given.out,
            given.task,
            Options(
                fps=given.fps,
                seconds=given.seconds,
                name=given.name,
                actor=given.actor,
                accessibility=not given.no_a11y,
            ),
        )
        with stop_signals(session.interrupt):
            session.start()
            print(f"recording; stop with {shown(session.options.chords.stop)} or Ctrl-C", file=sys.stderr, flush=True)
            info = session.stop(session.wait())
    except CurateError as error:
        print(printable_lines(str(error)), file=sys.stderr)
        return error.exit_code
    for fault in info.faults:
        print(printable_lines(fault), file=sys.stderr)
    print(printable(str(session.folder)) if sys.stdout.isatty() else session.folder)
    return 1 if info.faults else 0


if __name__ == "__main__":
    sys.exit(main())
