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
        self._ids: dict[str, int] = {}
        self._templates: dict[str, int] = {}
        self._alike: dict[str, int] = {}
        for number, task in enumerate(tasks):
            for id in filter(None, (task.id, task.parent)):
                if says_what_it_is(id):
                    self._ids.setdefault(id, number)
                if task.benchmark:
                    self._ids.setdefault(f"{task.benchmark}:{id}", number)
            form = normal_form(task.template) if task.template else None
            if form:
                self._alike.setdefault(form, number)
                for text in task.texts:
                    self._templates.setdefault(str(template_key(task.template, text)), number)
        self._set = strings(list(self._ids))

    def hits(self, trajectories: pa.Table) -> Iterator[tuple[int, Hit]]:
        """(row, hit) of the records that name a test task; each task once a row."""
        seen: set[tuple[int, int]] = set()
        if not self._ids:
            return
        for column in _names(trajectories):
            for row in np.flatnonzero(flags(pc.is_in(column, value_set=self._set))):
                name = column[int(row)].as_py()
                number = self._ids[name]
                if (int(row), number) not in seen:
                    seen.add((int(row), number))
                    yield int(row), Hit(test=self._tasks[number].id, kind="id", evidence=name, share=1.0)

    def of_template(self, template: str, key: str | None, instruction: str) -> Hit | None:
        """The test task of this template: with the same arguments, or with others."""
        number = self._templates.get(key or "")
        if number is not None:
            return Hit(test=self._tasks[number].id, kind="template", evidence=instruction, share=1.0)
        number = self._alike.get(normal_form(template) or "")
        if number is None:
            return None
        return Hit(test=self._tasks[number].id, kind="like_template", evidence=template, share=1.0)


def _names(trajectories: pa.Table) -> Iterator[Any]:
    """The columns that may name a task, a row a record."""
    ids, source = one_array(trajectories["id"]), one_array(trajectories["source"])
    of_source, name = pc.struct_field(source, "id"), pc.struct_field(source, "name")
    yield ids
    yield pc.replace_substring_regex(ids, r"^[^:]*:", "")
    yield of_source
    yield pc.binary_join_element_wise(name, of_source, ":")
    yield one_array(trajectories["template"])
