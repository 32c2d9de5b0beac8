"""Runs for tests: small corpora, a run in this process or in one of its own, and a folder as bytes to compare."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from hypothesis import strategies as st

from curate.engine.plan import MaxErrors, make_plan
from curate.engine.recipe import load_recipe
from curate.engine.run import Summary, run
from curate.model.trajectory import encode
from curate.store.run_folder import RunFolder
from tests.factories import make_step, make_trajectory, write_records

ROOT = Path(__file__).resolve().parents[1]


def run_here(
    inputs: Iterable[Path],
    out: Path,
    sets: Sequence[str] = (),
    *,
    recipe: str = "web",
    workers: int = 1,
    limit: int | None = None,
    max_errors: MaxErrors | None = None,
    resume_anyway: bool = False,
    against: Path | None = None,
    edits: Sequence[Path] = (),
) -> Summary:
    """A run in this process."""
    return run(
        make_plan(
            list(inputs), load_recipe(recipe, sets), out, workers=workers, limit=limit, max_errors=max_errors,
            resume_anyway=resume_anyway, against=against, edits=edits,
        )
    )  # fmt: skip


def command(*arguments: str | Path) -> list[str]:
    """`curate ...` as a process of its own, with this interpreter."""
    return [sys.executable, "-m", "curate", *map(str, arguments)]


def curate(*arguments: str | Path, timeout: float = 240, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        command(*arguments), capture_output=True, text=True, timeout=timeout, cwd=ROOT, check=False, **more
    )


def contents(folder: Path) -> dict[str, str]:
    """Every file below a run folder with its hash, of run.json without its clock. Equal runs have equal contents."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            if path.name == "run.json":
                plain = msgspec.json.decode(data)
                plain.pop("clock")
                data = msgspec.json.encode(plain)
            found[path.relative_to(folder).as_posix()] = hashlib.sha256(data).hexdigest()
    return found


def rows(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def examples(out: Path) -> list[dict[str, Any]]:
    """All training examples of a run."""
    return [row for path in RunFolder(out).example_paths() for row in rows(path)]


_does = st.sampled_from(
    ["click File", "click Save", "click Open", "write hello", "press enter", "scroll -3", "click OK"]
)
_flag = st.sampled_from([None, None, True, False])


@st.composite
def records(draw: st.DrawFn) -> bytes:
    """The JSON line of a record: few ids, tasks and apps, so that ids repeat and runs are copies of each other."""
    doing = draw(st.lists(_does, min_size=1, max_size=7))
    steps = [
        make_step(k, what, correct=draw(_flag), redundant=draw(st.sampled_from([None, None, None, True])))
        for k, what in enumerate(doing)
    ]
    record = make_trajectory(
        id=f"made:{draw(st.integers(0, 6))}",
        steps=steps,
        instruction=draw(st.sampled_from(["Save the report as PDF", "Open the file Übung.txt", "Export the budget"])),
        app=draw(st.sampled_from(["notes", "sheets", "mail", None])),
        actor=draw(st.sampled_from(["human", "program", None])),
        completed=draw(st.sampled_from([True, True, None, False])),
    )
    return encode(record)


def _with_bad_point(line: bytes) -> bytes:
    plain = msgspec.json.decode(line)
    plain["steps"][0]["actions"] = [{"type": "click", "x": 1.5, "y": 0.5, "modifiers": []}]
    return msgspec.json.encode(plain)


broken = st.one_of(
    st.sampled_from([b'{"schema": "trajectory.v1"', b"null", b"[]", b"\xff\xfe", b"{}", b'{"id": 3}', b"not json"]),
    records().map(lambda line: line[: len(line) // 2]),
    records().map(_with_bad_point),
    records().map(lambda line: line.replace(b'"trajectory.v1"', b'"trajectory.v9"', 1)),
)
lines = st.lists(st.one_of(records(), records(), records(), broken), min_size=1, max_size=8)
"""Lines of a JSONL file, most of them records. The first must be a record for the file to be recognised as one."""


class Files(list[list[bytes]]):
    """The lines of some files; a failure shows them by what they are, not byte for byte."""

    def __repr__(self) -> str:
        return f"{[[line[:60] for line in some] for some in self]} (write_files to look closer)"


@st.composite
def files(draw: st.DrawFn) -> Files:
    """The lines of one to three files."""
    count = draw(st.integers(1, 3))
    return Files([draw(records()), *draw(lines)] for _ in range(count))


def write_files(folder: Path, given: list[list[bytes]]) -> list[Path]:
    return [write_records(folder / f"part {k}.jsonl", some) for k, some in enumerate(given)]
