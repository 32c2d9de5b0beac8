"""A run: read and measure every shard, decide, make examples, say why anything is missing, and the numbers.

Each step is a module of its own; this one calls them in order. Everything finished is found again (engine.work), so
the same command after a kill goes on, and after a change of options redoes only what depends on them."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.against import prepare_index, publish
from curate.engine.assembling import assemble_parts, assemble_reduced
from curate.engine.corpus import Corpus, ReadShard
from curate.engine.deciding import decide_all, positions_of
from curate.engine.distributed_copies import copies_on
from curate.engine.editing.planned import ReadEdits, store_edits
from curate.engine.editing.shared_pictures import known_pictures, read_again, with_known
from curate.engine.fates import fates_of
from curate.engine.fingerprint import fingerprint
from curate.engine.places import Place
from curate.engine.plan import Plan, Shard
from curate.engine.progress import Silent, Tells
from curate.engine.ray_workers import workers_for
from curate.engine.reading import ReadDone, ReadJob, read_shard
from curate.engine.run_identity import RunJson, TakenOver, check_folder, locked
from curate.engine.unrolling import UnrollDone, UnrollJob, link_examples, unroll, unroll_jobs, without_drafts
from curate.engine.work import ShardFolder
from curate.engine.workers import Workers
from curate.model.constants import ERRORS_JUDGED_FROM
from curate.model.errors import GateError
from curate.store.run_folder import RunFolder


class Done(msgspec.Struct, kw_only=True):
    """What was worked on now (and not found finished): shards read, measurings of a shard or the corpus by a stage,
    places that decided, parts and example jobs written."""

    shards: int = 0
    measurings: int = 0
    decisions: list[str] = []
    parts: int = 0
    examples: int = 0


class Summary(msgspec.Struct, kw_only=True):
    """What a run came to. `report`: report.json; `done`: what this call had to do for it; `said`: sentences on what was
    done beside the run folder."""

    out: Path
    report: dict[str, Any]
    not_recognised: list[str]
    done: Done
    said: list[str] = []


def run(
    plan: Plan,
    progress: Tells | None = None,
    early: Workers | None = None,
    meanwhile: Callable[[], object] = lambda: None,
) -> Summary:
    """Run a plan into its run folder, or go on with one that was interrupted. `early`: processes of this machine that
    are started already. `meanwhile`: called once, when processes have their first shards to read.

    Raises GateError for a folder that holds another run, or when there are more errors than `max_errors` allows;
    StoreError when the folder cannot be written. The folder can be resumed after any of them."""
    tells = progress or Silent()
    folder, done = RunFolder(plan.out), Done()
    other = check_folder(plan)
    with locked(plan.out), workers_for(plan, early) as workers:
        taken_over = TakenOver(plan.out, other)
        run_json = RunJson(plan)
        prepare_index(plan.against)
        run_json.start()
        store_edits(plan.out, plan.edits)
        shards, read = _read_all(plan, workers, tells, done, meanwhile)
        workers.load("curate.engine.unrolling", "curate.engine.report.counting")  # idle until all is decided
        corpus = Corpus(plan.out, shards, plan.recipe, published_before(plan))
        with copies_on(plan, workers):
            places = decide_all(corpus, folder, tells)
        done.measurings += corpus.measured
        done.decisions = [place.name for place in places if place.made]
        tells.phase("dataset put together", 0)
        fates = fates_of(places, len(corpus.ids))
        parts: list[Path] = []
        reduced = None
        if not plan.examples_only:
            parts, done.parts = assemble_parts(plan.out, corpus.shards, fates)
            reduced = assemble_reduced(plan.out, corpus.shards)
        jobs = unroll_jobs(plan.out, corpus.shards, fates, plan.recipe)
        if plan.examples_only:
            _draft_again(read, jobs, workers)
        indexes = [one.index for one in _unroll_all(jobs, workers, tells, done)]
        places[-1].amend(positions_of([id for index in indexes for id in index.without], corpus))
        tells.phase("numbers of the report", 0)
        examples = link_examples(folder.examples, jobs, indexes)
        key = fingerprint(corpus.key, [place.key for place in places], [job.key for job in jobs], plan.examples_only)
        used = [*parts, *examples, *([reduced] if reduced else [])]
        from curate.engine.finish import Closing, close  # loaded already, in `_parallel`

        report = close(Closing(plan, corpus, places, indexes, jobs, used, key, other=taken_over.yes), workers)
        said = publish(plan.out, plan.batch, corpus, places[-1].kept, key, plan.against)
        taken_over.done()
        run_json.finish()
    return Summary(out=plan.out, report=report, not_recognised=plan.unknown, done=done, said=said)


def published_before(plan: Plan) -> dict[Path, str]:
    """The files of the index that the run is held against, with their hashes."""
    return {} if plan.against is None else {path: plan.against.batches[path.name] for path in plan.against.files}


def _read_all(
    plan: Plan, workers: Workers, tells: Tells, done: Done, meanwhile: Callable[[], object]
) -> tuple[list[ReadShard], list[ReadJob]]:
    """Every shard, in input order, read and measured, and the jobs that read them."""
    tells.phase("inputs read", len(plan.shards))
    limited = plan.limit is not None
    results = _limited(plan, workers, tells) if limited else _parallel(plan, workers, tells, meanwhile)
    if plan.edits is not None:
        results = read_again(plan.out, results, workers, tells)
    shards = []
    for job, result in results:
        done.shards += result.read
        done.measurings += result.measured
        folder = ShardFolder(plan.out, job.key)
        shards.append(ReadShard(key=result.index.content, folder=folder, index=result.index))
    return shards, [job for job, _ in results]


def _job(plan: Plan, shard: Shard, limit: int | None = None) -> ReadJob:
    key = shard.key if limit is None else fingerprint(shard.key, "limit", limit)
    edits = None
    if plan.edits is not None:
        key = fingerprint(key, "edits", plan.edits.key)
        edits = ReadEdits(key=plan.edits.key, plain=key)
    keep = not plan.examples_only
    return ReadJob(root=plan.out, shard=shard, recipe=plan.recipe, key=key, limit=limit, keep=keep, edits=edits)


def _draft_again(read: list[ReadJob], jobs: list[UnrollJob], workers: Workers) -> None:
    """Read again what examples are to be made of though nothing of it is left: its records were not kept, and their
    drafts were for another recipe or went when the run was done."""
    lacking = {folder for job in jobs for folder in without_drafts(job)}
    again = [msgspec.structs.replace(job, again=True) for job in read if ShardFolder(job.root, job.key).path in lacking]
    for _ in workers.run(read_shard, again):
        pass


def _parallel(
    plan: Plan, workers: Workers, tells: Tells, meanwhile: Callable[[], object]
) -> list[tuple[ReadJob, ReadDone]]:
    known = known_pictures(plan.out)
    jobs = [with_known(_job(plan, shard), known) for shard in plan.shards]
    results: dict[int, ReadDone] = {}
    gate = _Gate(plan)
    coming = workers.run(read_shard, jobs)
    importlib.import_module("curate.engine.finish")  # here, while processes are at the first shards
    meanwhile()
    for number, result in coming:
        results[number] = result
        gate.pass_or_stop(results)
        tells.advance()
    gate.pass_or_stop(results, last=True)
    return [(job, results[number]) for number, job in enumerate(jobs)]


def _limited(plan: Plan, workers: Workers, tells: Tells) -> list[tuple[ReadJob, ReadDone]]:
    """One shard after the other: how much is left to read is known only when the one before is read."""
    results: dict[int, ReadDone] = {}
    jobs: list[ReadJob] = []
    gate = _Gate(plan)
    known = known_pictures(plan.out)
    left = plan.limit or 0
    for shard in plan.shards:
        if left <= 0:
            break
        job = with_known(_job(plan, shard, left), known)
        ((_, result),) = workers.run(read_shard, [job])
        results[len(jobs)] = result
        jobs.append(job)
        left -= result.index.items
        gate.pass_or_stop(results)
        tells.advance()
    gate.pass_or_stop(results, last=True)
    return [(job, results[number]) for number, job in enumerate(jobs)]


class _Gate:
    """Stops a run that meets more unreadable records than it may. Only shards read without a gap from the first
    count, so that the number of workers has no say."""

    def __init__(self, plan: Plan) -> None:
        self.allowed = plan.max_errors
        self.out = plan.out
        self.counted = self.read = self.errors = 0
        self.reasons: Counter[str] = Counter()

    def pass_or_stop(self, results: dict[int, ReadDone], last: bool = False) -> None:
        """Raises GateError with the counts so far."""
        while (result := results.get(self.counted)) is not None:
            self.counted += 1
            self.read += result.index.items
            self.errors += len(result.index.unread)
            self.reasons.update(one.row.reason for one in result.index.unread)
            self._judge(last=False)
        self._judge(last)

    def _judge(self, last: bool) -> None:
        allowed = self.allowed
        if allowed is None or (allowed.share is not None and self.read < ERRORS_JUDGED_FROM and not last):
            return
        if allowed.exceeded(self.errors, self.read):
            why = ", ".join(f"{count:,} {reason}" for reason, count in sorted(self.reasons.items()))
            raise GateError(
                f"Stopped: {self.errors:,} of the {self.read:,} records read so far could not be read ({why}), more "
                f"than --max-errors {allowed}. What was read is kept in {self.out}; the same command with a higher "
                "--max-errors goes on, and its rejected.jsonl says what is wrong with each."
            )


def _unroll_all(jobs: list[UnrollJob], workers: Workers, tells: Tells, done: Done) -> list[UnrollDone]:
    tells.phase("files of examples", len(jobs))
    results: dict[int, UnrollDone] = {}
    for number, result in workers.run(unroll, jobs):
        results[number] = result
        done.examples += result.made
        tells.advance()
    return [results[number] for number in range(len(jobs))]


__all__ = ["Done", "Place", "Summary", "run"]
