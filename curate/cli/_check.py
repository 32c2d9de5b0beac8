"""What `curate check` writes and prints."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from curate.cli._say import next_command, result, result_json, say, verbosity
from curate.engine.check.types import Check
from curate.model.errors import GateError, UsageError
from curate.model.printed import quoted
from curate.store.atomic import make_folder, write_json, write_text
from curate.store.pack_folder import named_pack
from curate.view.check_page import lines, page, summary

ROWS = "rows"


def packs(names: Sequence[str]) -> list[tuple[str, Path]]:
    """Files of test tasks, and packs by their names, with the names they are told by. Raises UsageError."""
    return [(Path(name).stem, Path(name) if Path(name).is_file() else named_pack(name)) for name in names]


def check_out(out: Path) -> None:
    """Raises UsageError where no folder can be written, before anything is read for it."""
    there = next(path for path in (out, *out.absolute().parents) if path.exists())
    if not there.is_dir():
        raise UsageError(f"--out {out}: {there} is a file. Give the folder that the page is to be written to.")
    if not os.access(there, os.W_OK):
        raise UsageError(f"--out {out}: nothing may be written to {there}. Give another folder.")


def write(check: Check, out: Path) -> Path:
    """check.json and check.html into the folder; the page's path."""
    make_folder(out)
    write_json(out / "check.json", check)
    write_text(out / "check.html", page(check, ["check.json"]))
    return out / "check.html"


def show(check: Check, out: Path | None, as_json: bool, paths: Sequence[str]) -> None:
    """The result on stdout; what to do next."""
    if as_json:
        result_json(check)
    else:
        for line in lines(check, notes=verbosity() > 0):
            result(line)
        result(summary(check))
    if out is not None:
        say(f"{out / 'check.html'} and check.json say it with places; rows/ lists all of them.")
    else:
        given = " ".join(quoted(Path(path)) for path in paths[:3])
        next_command(f"curate check {given}{' ...' if len(paths) > 3 else ''} --out check   (a page with the places)")


def gate(check: Check) -> None:
    """Raises GateError where there is an error among the findings."""
    errors = [one for one in check.findings if one.severity == "error"]
    if errors:
        kinds = ", ".join(dict.fromkeys(one.kind for one in errors))
        said = "one finding is an error" if len(errors) == 1 else f"{len(errors)} findings are errors"
        raise GateError(f"--strict: {said} ({kinds}).")
