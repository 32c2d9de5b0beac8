"""Whose run folder it is: an existing one goes on only as the run it is, unless the user says otherwise. One run at a
time works in a folder."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.plan import Plan, versions
from curate.engine.work import read_marker
from curate.model.errors import GateError, StoreError
from curate.store.atomic import make_folder, remove_leftovers, store_error, write_bytes, write_json
from curate.store.locks import lock
from curate.store.run_folder import RunFolder

RUN_VERSION = "run.v1"


class Clock(msgspec.Struct, kw_only=True):
    """The wall-clock fields of run.json, the only ones in which equal runs differ; UTC. As long as each other, so
    that equal runs have a run.json of equal size, which the report shows."""

    started: str
    finished: str | None = None


def check_folder(plan: Plan) -> bool:
    """Whether the run folder holds another run, which `resume_anyway` lets this one take over. Raises GateError for
    one that may not be taken over, or that holds something else."""
    root = plan.out
    if not root.exists() or (root.is_dir() and not any(root.iterdir())):
        return False
    if not root.is_dir():
        raise StoreError(f"Cannot write a run to {root}: there is a file of that name.")
    before = read_marker(RunFolder(root).run_json, dict[str, Any])
    if before is None:
        if [path.name for path in root.iterdir()] == [".work"]:
            return False  # killed before it wrote anything
        raise GateError(f"{root} is not empty and holds no run: choose a new or empty folder for --out.")
    if before.get("forgotten"):
        raise GateError(
            f"{root} had runs taken out by `curate forget`, and the inputs may still hold them: give a new --out, and "
            "inputs without them."
        )
    different = differences(before, plan.identity())
    if different and not plan.resume_anyway:
        raise GateError(
            f"{root} holds a run with {different}. Give a new --out, or --resume-anyway to turn it into this run "
            "(what does not depend on the change is kept)."
        )
    return bool(different)


class TakenOver:
    """Remembers, over a kill too, that the folder held another run, of which something may be left until the end."""

    def __init__(self, root: Path, other: bool) -> None:
        self._mark = root / ".work" / "taken-over"
        if other:
            write_bytes(self._mark, b"")
        self.yes = self._mark.exists()

    def done(self) -> None:
        self._mark.unlink(missing_ok=True)


def differences(before: dict[str, Any], now: dict[str, Any]) -> str:
    """In words, what differs between two runs' run.json: options, inputs, limit; empty where nothing does."""
    found = []
    old, new = before.get("recipe") or {}, now["recipe"]
    for section in sorted(old.keys() | new.keys()):
        one, other = old.get(section), new.get(section)
        if isinstance(one, dict) and isinstance(other, dict):
            names = [name for name in sorted(one.keys() | other.keys()) if one.get(name) != other.get(name)]
            found += [f"{section}.{name} {_short(one.get(name))}, not {_short(other.get(name))}" for name in names]
        elif one != other:
            found.append(f"{section} {_short(one)}, not {_short(other)}")
    if before.get("examples_only", False) != now.get("examples_only", False):
        found.append("--examples-only" if before.get("examples_only") else "a dataset, so not --examples-only")
    if before.get("limit") != now["limit"]:
        found.append(f"--limit {_short(before.get('limit'))}, not {_short(now['limit'])}")
    if before.get("edits") != now.get("edits"):
        found.append("no --edits" if not before.get("edits") else "--edits" if not now.get("edits") else "other edits")
    inputs = _different_inputs(before.get("inputs") or [], now["inputs"])
    files = _different_inputs(_listed(before.get("files")), _listed(now["files"]))
    inputs = [*files, *_different_batches(before.get("against"), now.get("against")), *inputs]
    return "; ".join(found[:3] + ([f"{len(found) - 3} more options"] if len(found) > 3 else []) + inputs)


def _different_inputs(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[str]:
    old, new = ({file["path"]: file["sha256"] for file in files} for files in (before, now))
    words = {
        "other contents of": [path for path in old if path in new and old[path] != new[path]],
        "the input": [path for path in old if path not in new],
        "without the input": [path for path in new if path not in old],
    }
    found = []
    for what, paths in words.items():
        if paths:
            more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
            found.append(f"{what} {sorted(paths)[0]}{more}")
    return found


def _different_batches(before: dict[str, str] | None, now: dict[str, str] | None) -> list[str]:
    """In words, what differs in the runs published before."""
    if before == now:
        return []
    if before is None or now is None:
        return ["no --against" if before is None else "--against an index"]
    return [f"{len(before)} batches in the index it is held --against, not {len(now)}, or others of these names"]


def _listed(files: dict[str, str] | None) -> list[dict[str, Any]]:
    return [{"path": path, "sha256": sha256} for path, sha256 in (files or {}).items()]


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else f"{text[:57]}..."


@contextlib.contextmanager
def locked(root: Path) -> Iterator[None]:
    """Hold the run folder for one run. Raises StoreError while another one works in it."""
    work = make_folder(root / ".work")
    path = work / "lock"
    try:
        file = path.open("ab")
    except OSError as error:
        raise store_error("write", path, error) from error
    with file:
        if not lock(file):
            raise StoreError(f"Another run works in {root}: wait for it, or give a new --out.")
        remove_leftovers(root)
        yield


class RunJson:
    """run.json: written when the run starts, and again when it is done."""

    def __init__(self, plan: Plan) -> None:
        self._path = RunFolder(plan.out).run_json
        self._plan = plan
        self._clock = Clock(started=_utc_now())

    def start(self) -> None:
        self._write(finished=False)

    def finish(self) -> None:
        self._clock.finished = _utc_now()
        self._write(finished=True)

    def _write(self, finished: bool) -> None:
        identity = self._plan.identity()
        rest = {"not_recognised": self._plan.unknown, "versions": versions(), "finished": finished}
        write_json(self._path, {"schema": RUN_VERSION, **identity, **rest, "clock": self._clock})


def _utc_now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
