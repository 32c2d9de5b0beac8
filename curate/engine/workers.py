"""Runs jobs in processes. Results come in any order and say which job they are of; nothing else may depend on how
many processes there are. One process: the jobs run here, one after the other."""

from __future__ import annotations

import contextlib
import gc
import importlib
import itertools
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, TypeVar

from curate.model.errors import CurateError
from curate.store.spare_memory import collect_seldom
from curate.store.spare_pandas import spare_pandas

Job = TypeVar("Job")
Result = TypeVar("Result")
_AHEAD = 2  # jobs queued a worker: enough to keep it busy, few enough to stop soon


@contextlib.contextmanager
def no_collecting() -> Iterator[None]:
    """Without the search for reference cycles. Records have none, and looking for them among the hundred thousand
    objects of a batch costs a sixth of the time (measured); counting references frees them all the same."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class WorkersError(CurateError):
    """A worker died."""


class Workers:
    """`with Workers(n) as workers: for number, result in workers.run(function, jobs)`."""

    def __init__(self, count: int) -> None:
        self.count = max(1, count)
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            return
        if kind is not None:  # what is being worked on is thrown away: it is not finished, so it is done again
            self._pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
        self._pool.shutdown(wait=True)
        self._pool = None

    def start(self, *modules: str) -> None:
        """Start the processes now and load these modules in them, while this one does something else; nothing where
        there is but one. Whatever goes wrong is said by `run`."""
        if self.count > 1:
            with contextlib.suppress(OSError):
                self._started()
            self.load(*modules)

    def load(self, *modules: str) -> None:
        """Let the processes that were started load these modules while they have nothing to do."""
        if self._pool is not None:
            with contextlib.suppress(OSError, RuntimeError):
                for _ in range(self.count):
                    self._pool.submit(_load, modules)

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        """(number of the job, its result) as they come; processes begin at once, before the first is asked for. An
        exception of a job is raised here."""
        if self.count == 1 or len(jobs) <= 1:
            return ((number, function(job)) for number, job in enumerate(jobs))
        try:
            pool = self._started()
        except OSError as error:
            raise _cannot_start(error) from error
        results = self._results(pool, function, jobs)
        next(results)
        return results

    def _results(
        self, pool: ProcessPoolExecutor, function: Callable[[Job], Result], jobs: Sequence[Job]
    ) -> Iterator[tuple[int, Any]]:
        """First nothing, when the first jobs are on their way; then the results."""
        running: dict[Future[Any], int] = {}
        waiting = iter(enumerate(jobs))
        try:
            for number, job in itertools.islice(waiting, self.count * _AHEAD):
                running[_submitted(pool, function, job)] = number
            yield -1, None
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in sorted(done, key=lambda one: running[one]):
                    number = running.pop(future)
                    if (following := next(waiting, None)) is not None:
                        running[_submitted(pool, function, following[1])] = following[0]
                    yield number, future.result()
        except BrokenProcessPool as error:
            raise WorkersError(
                "A worker process died, killed or out of memory; the same command goes on where it stopped "
                "(fewer --workers need less memory)."
            ) from error

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # spawn: the same on every system, and no locks of the parent's threads are copied half-held
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.count, context, initializer=_start_worker)
        return self._pool


def _submitted(pool: ProcessPoolExecutor, function: Callable[[Job], Result], job: Job) -> Future[Any]:
    """Processes are started as jobs come."""
    try:
        return pool.submit(function, job)
    except OSError as error:
        raise _cannot_start(error) from error


def _cannot_start(error: OSError) -> WorkersError:
    why = error.strerror or type(error).__name__
    return WorkersError(f"Worker processes cannot be started ({why}): --workers 1 does without.")


def _start_worker() -> None:
    """Ctrl-C is the parent's to answer; and a worker whose parent was killed must not go on writing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_seldom()
    spare_pandas()
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _load(modules: Sequence[str]) -> None:
    for name in modules:
        importlib.import_module(name)


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
