"""Holds a table of records against a pack: one row a record, with the test tasks that it gives away and how."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.stages.arrays import flags, lists_of, numbers, one_array, strings, take
from curate.stages.base import MeasureContext
from curate.stages.leakage.canaries import Canaries
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.files import Files
from curate.stages.leakage.hits import HIT, hits_column
from curate.stages.leakage.identity import Identities
from curate.stages.leakage.pack import BenchmarkTask, paths_of, read_packs, read_test_tasks
from curate.stages.leakage.paraphrases import Paraphrases
from curate.stages.leakage.paths import Paths
from curate.stages.leakage.phrase_index import LeakIndex, Wordings
from curate.stages.leakage.said import said_in
from curate.stages.leakage.slots import Slots
from curate.stages.measures.places import apps_of, members, sites_of
from curate.stages.measures.task_text import template_key
from curate.stages.tables import nulls, schema

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

_STRINGS = pa.list_(pa.string())
MEASURES = schema(
    id=pa.string(),
    tasks=_STRINGS,  # normal forms of the instruction and its wordings
    template=pa.string(),  # with its arguments; null without one
    apps=_STRINGS,
    sites=_STRINGS,
    tested=_STRINGS,  # those of its apps and sites that a test task names
    held=_STRINGS,  # those of its apps and sites that the pack holds out
    hits=pa.list_(HIT),  # null: nothing
    phrases=_STRINGS,  # all that are shared with test tasks and tell something; null: none
    phrase_hits=pa.int64(),  # test tasks that share a phrase, the unlisted ones too
)


class Pack:
    """The test tasks, ready for records to be held against."""

    def __init__(self, tasks: Sequence[BenchmarkTask], n: int) -> None:
        self.tasks = tasks
        self.ids = strings([task.id for task in tasks])
        self.index = LeakIndex(wordings_of(tasks), n)
        self.identities = Identities(tasks)
        self.canaries, self.files, self.paths = Canaries(tasks), Files(tasks), Paths(tasks)
        self.slots = Slots(tasks)
        self.named = {place for task in tasks for place in (*task.apps, *task.sites)}
        self.held_out = {place for task in tasks if task.held_out for place in (*task.apps, *task.sites)}

    @cached_property
    def paraphrases(self) -> Paraphrases:
        """Made when it is first asked for: it needs a model."""
        return Paraphrases(self.index.wordings, self.ids)


def wordings_of(tasks: Sequence[BenchmarkTask]) -> Wordings:
    """Every way each task is said: its instruction, other wordings, template."""
    rows = [(text, number, False) for number, task in enumerate(tasks) for text in task.texts]
    rows += [(task.template, number, True) for number, task in enumerate(tasks) if task.template]
    texts, of, templates = zip(*rows, strict=True) if rows else ((), (), ())
    return Wordings(strings(texts), np.array(of, np.int64), np.array(templates, bool))


def pack_of(tests: str | list[str] | None, n: int) -> Pack:
    """The pack in these files, made once a process as long as they stay as they are; without a file, an empty one."""
    files = []
    for path in paths_of(tests):
        try:
            state = path.stat()
        except OSError:
            read_test_tasks(path)  # says what is wrong
            raise
        files.append((path, state.st_mtime_ns, state.st_size))
    return _made(tuple(files), n)


@lru_cache(maxsize=2)
def _made(files: tuple[tuple[Path, int, int], ...], n: int) -> Pack:
    return Pack(read_packs([path for path, *_ in files]), n)


def measure(trajectories: pa.Table, pack: Pack, context: MeasureContext, similarity: float | None = None) -> pa.Table:
    """One row a run (see MEASURES). `similarity`: from which a text counts as a paraphrase; None looks for none."""
    said = said_in(one_array(trajectories["instruction"]), one_array(trajectories["wordings"]), pack.index)
    given, counts = said.given()
    apps, sites = apps_of(trajectories), sites_of(trajectories)
    templates, more = _templates(trajectories, pack)
    for found in (pack.identities, pack.canaries, pack.files):
        more += found.hits(trajectories)
    by_record = {(run, hit.test) for run, hit in more if hit.kind == "like_template"}
    more += [found for found in pack.slots.hits(said) if (found[0], found[1].test) not in by_record]
    if similarity is not None:
        more += pack.paraphrases.hits(said, similarity)
    if pack.paths:
        for run, record in enumerate(context.records(trajectories)):
            hit = pack.paths.hit(record, [*apps[run].as_py(), *sites[run].as_py()])
            more += [(run, hit)] if hit else []
    columns = {
        "id": one_array(trajectories["id"]),
        "tasks": said.forms_by_run(),
        "template": templates,
        "apps": apps,
        "sites": sites,
        "tested": _joined(members(apps, pack.named), members(sites, pack.named)),
        "held": _joined(members(apps, pack.held_out), members(sites, pack.held_out)),
        "hits": hits_column(said, given, pack.ids, more),
        "phrases": said.phrases_by_run(),
        "phrase_hits": counts,
    }
    return pa.table(columns, schema=MEASURES)


def _templates(trajectories: pa.Table, pack: Pack) -> tuple[Any, list[tuple[int, Hit]]]:
    """The template of each run with its arguments (null for a run without one), and the test tasks of them."""
    column = one_array(trajectories["template"])
    if column.null_count == len(column):
        return nulls(len(column), pa.string()), []
    instructions = one_array(trajectories["instruction"])
    keys: list[str | None] = [None] * len(column)
    hits = []
    for run in np.flatnonzero(flags(pc.is_valid(column))).tolist():
        template, instruction = column[run].as_py(), instructions[run].as_py()
        keys[run] = template_key(template, instruction)
        hit = pack.identities.of_template(template, keys[run], instruction)
        hits += [(run, hit)] if hit else []
    return pa.array(keys, pa.string()), hits


def _joined(one: Any, other: Any) -> Any:
    """By row, the strings of two lists, the first one's first."""
    if not len(other.values):
        return one
    rows = np.concatenate([numbers(pc.list_parent_indices(lists)) for lists in (one, other)])
    order = np.argsort(rows, kind="stable")
    both = pa.concat_arrays([pc.list_flatten(one), pc.list_flatten(other)])
    return lists_of(rows[order], take(both, order), len(one))
