"""What a record says it is of: its ids and its template, held against the test tasks' ids and what those were made
from. And its template with its arguments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.model.constants import LEAK_ID_CHARACTERS
from curate.model.task_ids import MADE_FROM
from curate.stages.arrays import flags, one_array, strings
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.pack import BenchmarkTask
from curate.stages.measures.task_text import normal_form, template_key

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

_SIGN = re.compile(r"\d|[a-z][A-Z]|[-_:/]")


def says_what_it_is(id: str) -> bool:
    """Whether an id is nobody else's by chance: long enough, and with a digit, a sign or a capital within it; not `17`,
    not `settings`."""
    return len(id) >= LEAK_ID_CHARACTERS and (_SIGN.search(id) is not None or len(id) >= 2 * LEAK_ID_CHARACTERS)


class Identities:
    """Ids and parents of the test tasks, and their templates with arguments."""

    def __init__(self, tasks: Sequence[BenchmarkTask]) -> None:
        self._tasks = tasks
        self._ids: dict[str, list[int]] = {}
        self._last: dict[str, list[int]] = {}  # of tasks without a domain: what a record names behind its last slash
        self._templates: dict[str, int] = {}
        self._alike: dict[str, int] = {}
        for number, task in enumerate(tasks):
            self._add_names(number, task)
            form = normal_form(task.template) if task.template else None
            if form:
                self._alike.setdefault(form, number)
                for text in task.texts:
                    self._templates.setdefault(str(template_key(task.template, text)), number)
        self._set, self._last_set = strings(list(self._ids)), strings(list(self._last))

    def _add_names(self, number: int, task: BenchmarkTask) -> None:
        """Ids that anybody may have count with the benchmark's name alone."""
        own = task.names or (task.id,)
        for name in dict.fromkeys(filter(None, (*own, task.parent))):
            if says_what_it_is(task.parent if name == task.parent else own[0]):
                _put(self._ids, name, number)
            if task.benchmark:
                _put(self._ids, f"{task.benchmark}:{name}", number)
        if task.domain is None and says_what_it_is(own[0]):
            _put(self._last, own[0], number)

    def hits(self, trajectories: pa.Table) -> Iterator[tuple[int, Hit]]:
        """(row, hit) of the records that name a test task; each task once a row. Where a name stands for tasks that ask
        for different things, and the record asks for what some of them do, it is of those alone."""
        seen: set[tuple[int, int]] = set()
        if not self._ids:
            return
        instructions = one_array(trajectories["instruction"])
        for column, last in _names(trajectories):
            known, values = (self._last, self._last_set) if last else (self._ids, self._set)
            for row in np.flatnonzero(flags(pc.is_in(column, value_set=values))).tolist():
                name = column[row].as_py()
                for number in self._meant(known[name], instructions[row].as_py()):
                    if (row, number) not in seen:
                        seen.add((row, number))
                        yield row, Hit(test=self._tasks[number].id, kind="id", evidence=name, share=1.0)

    def _meant(self, numbers: list[int], instruction: str) -> list[int]:
        if len(numbers) == 1:
            return numbers
        asked = normal_form(instruction)
        same = [number for number in numbers if asked in map(normal_form, self._tasks[number].texts)]
        return same or numbers

    def of_template(self, template: str, key: str | None, instruction: str) -> Hit | None:
        """The test task of this template: with the same arguments, or with others."""
        number = self._templates.get(key or "")
        if number is not None:
            return Hit(test=self._tasks[number].id, kind="template", evidence=instruction, share=1.0)
        number = self._alike.get(normal_form(template) or "")
        if number is None:
            return None
        return Hit(test=self._tasks[number].id, kind="like_template", evidence=template, share=1.0)


def _put(names: dict[str, list[int]], name: str, number: int) -> None:
    if number not in (told := names.setdefault(name, [])):
        told.append(number)


def _names(trajectories: pa.Table) -> Iterator[tuple[Any, bool]]:
    """The columns that may name a task, a row a record, and whether they are what stands behind a name's last slash."""
    ids, source = one_array(trajectories["id"]), one_array(trajectories["source"])
    of_source, name = pc.struct_field(source, "id"), pc.struct_field(source, "name")
    bare = pc.replace_substring_regex(ids, r"^[^:]*:", "")
    yield ids, False
    yield bare, False
    yield of_source, False
    yield pc.binary_join_element_wise(name, of_source, ":"), False
    yield one_array(trajectories["template"]), False
    for column in (bare, of_source):
        if pc.any(pc.match_substring(column, "/")).as_py():
            yield pc.replace_substring_regex(column, r"^.*/", ""), True
        made = pc.match_substring_regex(column, MADE_FROM)
        if pc.any(made).as_py():
            parents = pc.if_else(made, pc.replace_substring_regex(column, MADE_FROM, r"\1"), None)
            yield parents, False
            yield pc.binary_join_element_wise(name, parents, ":"), False
