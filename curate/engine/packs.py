"""Packs of test tasks: made of a benchmark's list, listed, and held against data. `curate tests`."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from curate.engine.checked_data import tables_of_data
from curate.engine.progress import Silent, Tells
from curate.engine.recipe import with_settings
from curate.model.constants import LEAK_PHRASE_WORDS
from curate.model.errors import InputError, UsageError
from curate.model.listed_task import ListedTask
from curate.sources.packs.base import ListOptions, keyed
from curate.sources.packs.registry import reader_of
from curate.stages.base import MeasureContext
from curate.stages.leakage.exposure import Exposed, Exposure
from curate.stages.leakage.measuring import Pack, measure
from curate.stages.leakage.pack import BenchmarkTask, benchmark_task, read_packs
from curate.store.pack_folder import named_pack, pack_names, pack_path, read_pack, version_of, write_pack


class PackInfo(msgspec.Struct, kw_only=True):
    """What a pack holds. `wordings`: ways its tasks are said, instructions and templates too; `ids`: tasks of which
    only the id is known; `format`: of the list it was made from, None where that is not told."""

    name: str
    version: str
    tasks: int = 0
    wordings: int = 0
    ids: int = 0
    apps: int = 0
    sites: int = 0
    templates: int = 0
    parents: int = 0
    benchmarks: list[str] = []
    format: str | None = None


class Checked(msgspec.Struct, kw_only=True):
    """What data gives away of packs. `counts`: seen, similar and unseen by pack; `tasks`: every test task."""

    records: int
    packs: dict[str, str]
    counts: dict[str, dict[str, int]]
    tasks: list[Exposed]


def add_pack(
    name: str, path: Path, sets: Sequence[str] = (), form: str | None = None, home: Path | None = None
) -> PackInfo:
    """Make a pack of a list of tasks, in place of one of that name. `form`: the format of the list (None: told by
    itself). Raises UsageError, InputError, StoreError."""
    target = pack_path(name, home)
    options = with_settings(ListOptions(), "tests", sets)
    assert isinstance(options, ListOptions)
    reader = reader_of(path, form)
    try:
        tasks = keyed(reader.read(path, options), reader.benchmark or name, options)
    except InputError as error:
        raise InputError(f"{path}, read as {reader.name}: {error}") from error
    for task in tasks:
        benchmark_task(task, task.key or str(task.id))
    write_pack(target, tasks)
    return msgspec.structs.replace(pack_info(name, home), format=reader.name)


def pack_info(name: str, home: Path | None = None) -> PackInfo:
    """What the installed pack holds. Raises UsageError, InputError."""
    path = named_pack(name, home)
    info = PackInfo(name=name, version=version_of(path))
    apps: set[str] = set()
    sites: set[str] = set()
    benchmarks: Counter[str] = Counter()
    for task in read_pack(path):
        info.tasks += 1
        info.wordings += _wordings(task)
        info.ids += not task.says_something
        info.templates += task.template is not None
        info.parents += task.parent is not None
        apps.update(task.apps or ())
        sites.update(task.sites or ())
        benchmarks[task.benchmark or name] += 1
    info.apps, info.sites, info.benchmarks = len(apps), len(sites), sorted(benchmarks)
    return info


def list_packs(home: Path | None = None) -> list[PackInfo]:
    """Every installed pack."""
    return [pack_info(name, home) for name in pack_names(home)]


def check_data(
    paths: Sequence[Path], names: Sequence[str] = (), sets: Sequence[str] = (), home: Path | None = None,
    progress: Tells | None = None,
) -> Checked:  # fmt: skip
    """Hold data (dataset and run folders, files of records, other people's data, lists of instructions) against packs,
    all there are where none is named. Nothing is written. Raises UsageError, InputError."""
    chosen = {name: _file(name, home) for name in names or pack_names(home)}
    if not chosen:
        raise UsageError("There is no pack of test tasks yet: make one with `curate tests add NAME PATH`.")
    tests = {name: read_packs([path]) for name, path in chosen.items()}
    pack = Pack([task for tasks in tests.values() for task in tasks], LEAK_PHRASE_WORDS)
    exposure = Exposure(pack)
    with tempfile.TemporaryDirectory(prefix="curate-") as scratch:
        context = MeasureContext(media_root=Path(scratch))
        for table in tables_of_data(paths, sets, Path(scratch), progress or Silent()):
            exposure.add(measure(table, pack, context))
    if not exposure.records:
        raise InputError(f"There is nothing to check in {', '.join(map(str, paths))}.")
    tasks = exposure.found()
    versions = {name: version_of(path) for name, path in chosen.items()}
    return Checked(records=exposure.records, packs=versions, counts=dict(_counts(tests, tasks)), tasks=tasks)


def _file(name: str, home: Path | None) -> Path:
    """An installed pack, or a file of test tasks."""
    return Path(name) if Path(name).is_file() else named_pack(name, home)


def _counts(tests: dict[str, list[BenchmarkTask]], tasks: list[Exposed]) -> Iterator[tuple[str, dict[str, int]]]:
    state = {task.test: task.state for task in tasks}
    for name, those in tests.items():
        counts = Counter(state[test] for test in {task.id for task in those})
        yield name, {one: counts[one] for one in ("seen", "similar", "unseen")}


def _wordings(task: ListedTask) -> int:
    return sum(1 for text in (task.instruction, task.template) if text) + len(task.wordings or ())


__all__ = ["Checked", "Exposed", "PackInfo", "add_pack", "check_data", "list_packs", "pack_info"]
