"""Which files of a folder are exports, and of what: an export made again replaces its own file, and nobody else's.

`.exported.json` beside the files holds, by name, a hash of the folder exported, the format, the split and the options;
no paths, for exports are passed on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curate.engine.fingerprint import fingerprint
from curate.engine.work import read_marker
from curate.model.errors import GateError
from curate.store.atomic import write_json

NAME = ".exported.json"


def mark_export(out: Path, folder: Path, *told: Any, beside: Sequence[Path] = ()) -> None:
    """Say that `out` is (or is about to be) an export of `folder` with what is `told`. What the folder holds may have
    changed since: the same command makes the same file anew. `beside`: files of the same folder that go with it, which
    replace those of any export. Raises GateError where `out` or one of those is anything else."""
    key = fingerprint(str(folder.resolve()), *told)[:32]
    path = out.parent / NAME
    marks = read_marker(path, dict[str, str]) or {}
    if out.exists() and marks.get(out.name) != key:
        what = "another export" if out.name in marks else "no export of this command"
        raise GateError(f"{out} is there already, and is {what}: give another --out, or remove it.")
    for one in beside:
        if one.exists() and one.name not in marks:
            raise GateError(f"{one} is there already, and is of no export: give another --out, or remove it.")
    fresh = {**marks, **{one.name: key for one in (out, *beside)}}
    if fresh != marks:
        write_json(path, dict(sorted(fresh.items())))
