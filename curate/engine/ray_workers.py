"""Runs jobs on a Ray cluster (extra [ray]): the same jobs as engine.workers, over shard files that every node reaches.

A job is a pure function of shard files and marks what it finished, so a job whose worker or node died is simply run
again, and the same command goes on after the driver died. Core tasks, not Ray Data: a task a shard, a few in flight;
Ray lists no files (docs/cluster.md has the measured difference)."""

from __future__ import annotations

import contextlib
import logging
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from curate.engine.plan import Plan, stage_files, versions
from curate.engine.workers import Job, Result, Workers, WorkersError
from curate.model.constants import RAY_ANSWER_S, RAY_LOCAL_STORE_BYTES, RAY_TASK_RETRIES
from curate.model.errors import UsageError
from curate.store.atomic import make_folder, store_error
from curate.store.spare_pandas import spare_pandas

LOCAL = "local"
"""The address that stands for a Ray of this machine alone: on loopback, without a dashboard, ended with the run."""
_STARTS = 3  # tries to start a Ray of this machine, which has half a minute each time
_LOOKED_AT = 100  # files and inputs that every node is asked for
_AHEAD = 2  # jobs in flight for each processor of the cluster


def workers_for(plan: Plan, early: Workers | None = None) -> Workers:
    """What runs a plan's jobs: processes of this machine (`early` where it is given), a Ray cluster that sees the run
    folder, or, where the run goes to an object store, one that need not."""
    if plan.ray is None:
        return early or Workers(plan.workers)
    inputs = [planned.input.path for planned in plan.inputs if planned.input.origin is None]
    inputs = [*(path.absolute() for path in stage_files(plan.recipe).values()), *inputs]
    if plan.store is None or plan.ray == LOCAL:
        return RayWorkers(plan.ray, plan.workers, plan.out, inputs)
    from curate.engine.store_workers import StoreWorkers

    return StoreWorkers(plan.ray, plan.workers, plan.out, inputs, plan.store)


class RayWorkers(Workers):
    """`Workers` on Ray. `address`: LOCAL (then `count` workers), `auto`, or HOST:PORT of a cluster, which is used as
    large as it is. `root`: the run folder, which every node must see under this path, as it must see the `inputs`."""

    def __init__(self, address: str, count: int, root: Path, inputs: Sequence[Path] = ()) -> None:
        super().__init__(count)
        self.address = address
        self.root = root
        self.inputs = list(inputs)
        self._ray: Any = None
        self._mine = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._ray is not None and self._mine:
            self._ray.shutdown()
        self._ray = None

    def start(self, *modules: str) -> None:
        """Nothing: a cluster starts its own."""

    def run(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[tuple[int, Result]]:
        """(number of the job, its result) as they come. An exception of a job is raised here; a job whose worker died
        is run again, RAY_TASK_RETRIES times."""
        if not jobs:
            return
        ray = self._started()
        task = ray.remote(_call).options(max_retries=RAY_TASK_RETRIES, num_cpus=1, name=function.__name__)
        folder = Path.cwd()
        running: dict[Any, int] = {}
        waiting = iter(enumerate(jobs))
        try:
            while True:
                while len(running) < self.count * _AHEAD and (following := next(waiting, None)) is not None:
                    number, job = following
                    running[task.remote(*self._sent(function, job), folder)] = number
                if not running:
                    return
                done, _ = ray.wait(list(running), num_returns=1)
                for reference in done:
                    yield running.pop(reference), self._received(self._result(reference))
        finally:
            for reference in running:  # unfinished, so done again by the next run
                with contextlib.suppress(Exception):
                    ray.cancel(reference, force=True)

    def _sent(self, function: Callable[[Any], Any], job: Any) -> tuple[Callable[[Any], Any], Any]:
        """What a worker gets for a job."""
        return function, job

    def _received(self, result: Any) -> Any:
        """The result, from what a worker gave."""
        return result

    def _result(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            cause = error.cause if isinstance(error.cause, BaseException) else error
            raise cause from None
        except (errors.WorkerCrashedError, errors.OutOfMemoryError, errors.NodeDiedError) as error:
            raise WorkersError(
                f"A job was tried {RAY_TASK_RETRIES + 1} times, and each time its worker died, killed or out of "
                "memory; the same command goes on where it stopped."
            ) from error
        except errors.RayError as error:
            raise WorkersError(
                f"The Ray cluster failed ({_first_line(error)}); the same command goes on where it stopped."
            ) from error

    def _started(self) -> Any:
        """Ray, connected. Raises UsageError without the extra, WorkersError for a cluster that is of no use."""
        if self._ray is None:
            ray, self._mine = _connected(self.address, self.count)
            try:
                self._check(ray)
            except BaseException:
                if self._mine:
                    ray.shutdown()
                raise
            self._ray = ray
        return self._ray

    def _check(self, ray: Any) -> None:
        """Every node must have this program in these versions, or bytes may differ; and must see the run folder."""
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        if not nodes:
            raise WorkersError(f"The Ray cluster {self.address} has no node with a processor.")
        if self.address != LOCAL:
            self.count = max(1, int(sum(node["Resources"]["CPU"] for node in nodes)))
        with _token(self.root) as token:
            paths = self._seen(token)
            strategy = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
            look = ray.remote(_look)
            asked = []
            for node in nodes:
                there = strategy(node["NodeID"], soft=False)
                looking = look.options(num_cpus=0, scheduling_strategy=there).remote(paths)
                asked.append((node["NodeManagerAddress"], looking))
            for name, looking in asked:
                try:
                    missing, theirs = ray.get(looking)
                except ray.exceptions.RayError as error:
                    raise WorkersError(
                        f"The Ray node {name} cannot run this program ({_first_line(error)}): install the same "
                        "cua-curate there."
                    ) from error
                if theirs != versions():
                    raise WorkersError(f"The Ray node {name} has other versions: {_differing(versions(), theirs)}.")
                if missing is not None:
                    raise WorkersError(
                        f"The Ray node {name} does not see {self.root if missing == token else missing}: what is read "
                        "and --out must be on a file system that all nodes share, or in an object store (s3://...)."
                    )

    def _seen(self, token: Path) -> list[Path]:
        """What every node must see."""
        return [token, *self.inputs[:_LOOKED_AT]]


def _connected(address: str, count: int) -> tuple[Any, bool]:
    """Ray, and whether this call connected it: a connection of the caller's own is used and left open."""
    local = address == LOCAL
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if local:  # the switch that Ray has for macOS and Windows: bind to loopback only
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError as error:
        raise UsageError("--ray needs Ray: pip install 'cua-curate[ray]'.") from error
    if ray.is_initialized():
        return ray, False
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    _answers(address)
    how: dict[str, Any]
    if local:
        how = {"num_cpus": count, "include_dashboard": False, "object_store_memory": RAY_LOCAL_STORE_BYTES}
    else:
        how = {"address": address}
    for attempt in range(_STARTS if local else 1):
        try:
            ray.init(**how, **quiet)
            return ray, True
        except Exception as error:  # Ray raises a dozen kinds; on a busy machine its processes start too late for it
            why = error
            ray.shutdown()
            logging.getLogger(__name__).debug("Ray did not start (attempt %d): %s", attempt + 1, error)
    raise WorkersError(f"Cannot reach a Ray cluster at {address} ({_first_line(why)}).") from why


def _answers(address: str) -> None:
    """Ray itself waits for minutes. Raises WorkersError where nobody listens at HOST:PORT."""
    import socket

    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), RAY_ANSWER_S).close()
    except OSError as error:
        why = error.strerror or "no answer"
        raise WorkersError(f"Cannot reach a Ray cluster at {address} ({why}).") from error


def _call(function: Callable[[Any], Any], job: Any, folder: Path) -> Any:
    """What runs on a worker. `folder`: where the command was given, for files that a recipe names from there."""
    spare_pandas()
    with contextlib.suppress(OSError):
        os.chdir(folder)
    return function(job)


def _look(paths: Sequence[Path]) -> tuple[Path | None, dict[str, Any]]:
    """The first of the paths that the worker does not see, and its versions."""
    return next((path for path in paths if not path.exists()), None), versions()


@contextlib.contextmanager
def _token(root: Path) -> Iterator[Path]:
    """A file in the run folder that no other run folder has."""
    path = make_folder(root / ".work") / f"seen-{uuid.uuid4().hex}"
    try:
        path.touch()
        yield path.absolute()
    except OSError as error:
        raise store_error("write", path, error) from error
    finally:
        path.unlink(missing_ok=True)


def _differing(ours: dict[str, Any], theirs: dict[str, Any]) -> str:
    names = [name for name in ours if ours[name] != theirs.get(name)]
    return ", ".join(f"{name} {theirs.get(name)}, not {ours[name]}" for name in names)


def _first_line(error: BaseException) -> str:
    """Ray's messages run over pages."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:200]
