"""A run folder in an object store (`--out s3://...`): made here, in the place for caches, and put there in whole
objects when it is done. `run.json` comes last: where it is, all is there. Put again is only what is not there as it is
here, so a command that was killed goes on, and one with another threshold puts what that changed.

While objects are being put, `.uploading.json` says whose they are; what an earlier run left is removed before the end.
Nothing else ever writes to a store."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.fingerprint import fingerprint
from curate.engine.plan import Plan
from curate.engine.progress import Tells
from curate.engine.run_identity import differences
from curate.model.constants import REMOTE_THREADS
from curate.model.errors import GateError, UsageError
from curate.store.cache import cache_folder
from curate.store.remote import Remote, RemoteFile, is_url, masked, same_content
from curate.store.run_folder import RunFolder

_MARK = ".uploading.json"
_LAST = ("report.html", "report.json", "run.json")
_OURS = ("trajectories/", "media/", "stages/", "examples/", "index/", ".work/")
"""Folders of which a run is the only author; other objects below its URL are left alone."""


class Place(msgspec.Struct, kw_only=True, frozen=True):
    """Where a run goes: the `folder` it is made in, and the `url` it is put to (None: it stays)."""

    folder: Path
    url: str | None = None

    @property
    def shown(self) -> str:
        return masked(self.url) if self.url else str(self.folder)


def place_of(out: str) -> Place:
    """The place that `--out` stands for. Raises UsageError for a URL that no run can be put to."""
    if not is_url(out):
        return Place(folder=Path(out))
    if out.startswith("hf://"):
        raise UsageError(
            "--out hf://... is no place for a run: make it in a folder, look at its report, then publish it."
        )
    url = out.rstrip("/")
    return Place(folder=cache_folder() / "runs" / fingerprint(url)[:16] / url.rsplit("/", 1)[-1], url=url)


def check_place(place: Place, plan: Plan) -> None:
    """Before hours of work: the store answers, and holds nothing, or this run, or one that may be replaced. Raises
    GateError."""
    if place.url is None:
        return
    remote = Remote(place.url)
    there = {file.path for file in remote.files_or_none()}
    if there:
        _check_there(place, plan, remote, there)
    if plan.ray is not None and _MARK not in there:  # a cluster puts what it made while it works
        remote.put_bytes(msgspec.json.encode(plan.identity()), _MARK)


def _check_there(place: Place, plan: Plan, remote: Remote, there: set[str]) -> None:
    found = next((name for name in (_MARK, "run.json") if name in there), None)
    if found is None:
        raise GateError(f"{place.shown} is not empty and holds no run: choose another URL for --out.")
    try:
        before = msgspec.json.decode(remote.read(found), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise GateError(f"{place.shown}/{found} is no run's: choose another URL for --out.") from error
    different = differences(before, plan.identity())
    if different and not plan.resume_anyway:
        raise GateError(
            f"{place.shown} holds a run with {different}. Give a new --out, or --resume-anyway to replace it."
        )


def put_run(place: Place, tells: Tells) -> int:
    """Put the finished run where it goes; how many objects that took. Raises StoreError, InputError."""
    if place.url is None:
        return 0
    remote = Remote(place.url)
    there = {file.path: file for file in remote.files_or_none()}
    here = _files(place.folder)
    stale = [path for path in there if path not in here and path.startswith(_OURS)]
    with ThreadPoolExecutor(REMOTE_THREADS) as threads:
        same = list(threads.map(lambda path: _same(there.get(path), here[path]), here))
        todo = [path for path, is_same in zip(here, same, strict=True) if not is_same]
        if not todo and not stale and _MARK not in there:
            return 0
        remote.abandon_uploads()
        remote.put(here["run.json"], _MARK)
        for path in reversed(_LAST):  # from here on nobody takes what is there for a whole run
            if path in there:
                remote.remove(path)
        tells.phase("objects put", len(todo))
        first = [path for path in todo if path not in _LAST]
        for _ in threads.map(lambda path: remote.put(here[path], path), first):
            tells.advance()
        list(threads.map(remote.remove, stale))
    last = [path for path in _LAST if path in here]
    for path in last:
        remote.put(here[path], path)
    remote.remove(_MARK)
    return len(first) + len(last)


def _files(folder: Path) -> dict[str, Path]:
    """The files of a run folder by their names in it, without its unfinished and remembered work."""
    run = RunFolder(folder)
    paths: Sequence[Path] = sorted(path for path in run.root.rglob("*") if path.is_file())
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path for name, path in names.items() if not name.startswith(".work/")}


def _same(file: RemoteFile | None, path: Path) -> bool:
    return file is not None and same_content(file, path)
