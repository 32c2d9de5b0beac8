"""Jobs on a cluster whose nodes share no disk: each worker takes what its job needs out of the object store that the
run goes to, works in a folder of its own, and puts what it made there; the node of the command takes it over.

Finished shards so lie in the store below `.work/` until the run is put there whole (engine.remote_out). A worker that
died loses its job alone; a command that was killed goes on with what its own disk holds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.distributed_copies import PartJob
from curate.engine.editing.planned import edits_path
from curate.engine.measuring import to_measure
from curate.engine.ray_workers import RayWorkers
from curate.engine.reading import ReadJob
from curate.engine.unrolling import UnrollJob, examples_folder
from curate.engine.work import INDEX, ShardFolder
from curate.model.constants import REMOTE_THREADS
from curate.store.remote import Remote

_KEPT = (".work/read/", ".work/examples/", ".work/copies/", "media/")
"""What jobs make for others; the rest (what is remembered of pictures) serves the worker alone."""


class StoredJob(msgspec.Struct, kw_only=True, frozen=True):
    """A job of the run folder `root`, which is at `url` for whoever works on it; `needs`: its files that are there."""

    url: str
    root: Path
    function: Callable[[Any], Any]
    job: Any
    needs: list[str]


class StoredDone(msgspec.Struct, kw_only=True, frozen=True):
    """A job's result, and the files that it made, which are in the store."""

    result: Any
    made: list[str]


class StoreWorkers(RayWorkers):
    """`RayWorkers` that reach the run folder through `url` alone."""

    def __init__(self, address: str, count: int, root: Path, inputs: list[Path], url: str) -> None:
        super().__init__(address, count, root, inputs)
        self.url = url
        self._remote: Remote | None = None
        self._there: set[tuple[str, int, int]] = set()  # files known to be in the store: name, size, time

    def _seen(self, token: Path) -> list[Path]:
        return super()._seen(token)[1:]  # the run folder is nobody's but this node's

    def _sent(self, function: Callable[[Any], Any], job: Any) -> tuple[Callable[[Any], Any], Any]:
        """The job as workers get it, once all files it needs are in the store. Finished ones are only looked up."""
        if is_finished(job):
            return _nothing_to_do, StoredDone(result=function(job), made=[])
        store, needs = self._store(), []
        for path in needed(job):
            name = path.relative_to(self.root).as_posix()
            needs.append(name)
            if self._state(name) not in self._there:
                store.put(path, name)
                self._there.add(self._state(name))
        return work_on, StoredJob(url=self.url, root=self.root, function=function, job=job, needs=needs)

    def _received(self, done: StoredDone) -> Any:
        """A job's result, once all files it made are here; the mark of a finished shard comes last."""
        marks = [name for name in done.made if name.endswith(f"/{INDEX}")]
        with ThreadPoolExecutor(REMOTE_THREADS) as threads:
            list(threads.map(self._take, [name for name in done.made if name not in marks]))
        for name in marks:
            self._take(name)
        self._there.update(self._state(name) for name in done.made)
        return done.result

    def _take(self, name: str) -> None:
        target = self.root / name
        if not (name.startswith("media/") and target.is_file()):  # the same content always has the same name
            self._store().fetch(name, target)

    def _state(self, name: str) -> tuple[str, int, int]:
        status = (self.root / name).stat()
        return name, status.st_size, status.st_mtime_ns

    def _store(self) -> Remote:
        self._remote = self._remote or Remote(self.url)
        return self._remote


def _nothing_to_do(done: StoredDone) -> StoredDone:
    return done


def work_on(stored: StoredJob) -> StoredDone:
    """What runs on a worker: its own small run folder, filled from the store, and what it made put back."""
    remote, root = Remote(stored.url), Path(tempfile.mkdtemp(prefix="curate-"))
    try:
        with ThreadPoolExecutor(REMOTE_THREADS) as threads:
            list(threads.map(lambda name: remote.fetch(name, root / name), stored.needs))
            before = _files(root)
            result = stored.function(moved(stored.job, stored.root, root))
            found = {name: time for name, time in _files(root).items() if name.startswith(_KEPT)}
            made = sorted(name for name, time in found.items() if before.get(name) != time)
            list(threads.map(lambda name: remote.put(root / name, name), made))
        return StoredDone(result=result, made=made)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _files(root: Path) -> dict[str, int]:
    return {path.relative_to(root).as_posix(): path.stat().st_mtime_ns for path in root.rglob("*") if path.is_file()}


def is_finished(job: Any) -> bool:
    """Whether all that a job makes is there already."""
    if isinstance(job, ReadJob):
        folder = ShardFolder(job.root, job.key)
        index = folder.index()
        measures = (folder.measures(one.stage.name, one.key) for one in to_measure(job.recipe))
        return not job.again and index is not None and not index.missing and all(path.is_file() for path in measures)
    return isinstance(job, UnrollJob) and (examples_folder(job) / INDEX).is_file()


def needed(job: Any) -> list[Path]:
    """The files of the run folder that a job reads."""
    if isinstance(job, ReadJob):  # of a shard that was read before, to measure it
        edits = [edits_path(job.root)] if job.edits is not None else []
        return _existing([*edits, *ShardFolder(job.root, job.key).path.glob("*")])
    if isinstance(job, UnrollJob):
        return _existing(path for batch in job.batches for path in _of_batch(job, batch.folder, batch.number))
    return _existing(job.inputs) if isinstance(job, PartJob) else []


def _of_batch(job: UnrollJob, folder: ShardFolder, number: int) -> list[Path]:
    drafts = [] if job.drafts is None else [folder.drafts(job.drafts, number)]
    return [folder.records(number), *drafts]


def _existing(paths: Iterable[Path]) -> list[Path]:
    return sorted({path for path in paths if path.is_file()})


def moved(job: Any, old: Path, new: Path) -> Any:
    """The same job in another run folder."""

    def there(path: Path) -> Path:
        return new / path.relative_to(old)

    if isinstance(job, PartJob):
        return msgspec.structs.replace(job, inputs=[there(path) for path in job.inputs], out=there(job.out))
    if isinstance(job, UnrollJob):
        batches = [
            msgspec.structs.replace(batch, folder=ShardFolder(new, batch.folder.path.name)) for batch in job.batches
        ]
        return msgspec.structs.replace(job, root=new, batches=batches)
    return msgspec.structs.replace(job, root=new)
