"""What runs were asked for, and which test tasks that gives away. Each distinct text is looked at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.constants import LEAK_HITS
from curate.stages.arrays import flags, lists_of, numbers, take
from curate.stages.leakage.phrase_index import Found, LeakIndex, Numbers, begins
from curate.stages.ranges import in_ranges
from curate.stages.tables import nulls

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls


class Given(NamedTuple):
    """Test tasks that runs give away by what they were asked for: a row for each run and task, by run, the strongest
    first, at most LEAK_HITS by phrases. `text`: which of the texts does; `found`: the row of what is shared, -1 where
    the text is the task itself."""

    run: Numbers
    task: Numbers
    text: Numbers
    found: Numbers


class Said:
    """What runs were asked for. `texts`: each distinct one (Arrow strings), in the normal form in `forms`; `run` and
    `text`: which run was asked for with which, each once, in the order given. `same_task`: by text the number of the
    test tasks' form that it has (`LeakIndex.same`), -1 for none."""

    def __init__(self, texts: Any, run: Numbers, count: int, index: LeakIndex) -> None:
        """`texts` (Arrow strings without nulls) and by text the position of its run, of `count`."""
        self.count = count
        coded = texts.dictionary_encode()
        text = numbers(coded.indices)
        self.texts = coded.dictionary
        self.index = index
        self.run, self.text = _each_once(run, text, len(self.texts))
        read = index.read(self.texts)
        self.forms = index.vocabulary.forms(read)
        self.shared: Found = index.shared(read)
        self.same_task = index.same(self.forms.to_pylist())

    def forms_by_run(self) -> Any:
        """By run the normal forms of its texts, each once; none of a text of which nothing is left."""
        coded = self.forms.dictionary_encode()
        form = numbers(coded.indices)[self.text]
        some = flags(pc.not_equal(coded.dictionary, ""))[form]
        run, form = _each_once(self.run[some], form[some], len(coded.dictionary))
        return lists_of(run, take(coded.dictionary, form), self.count)

    def given(self) -> tuple[Given, Numbers]:
        """The test tasks given away, and by run how many share a phrase in all."""
        is_task = np.flatnonzero(self.same_task[self.text] >= 0)
        if not len(is_task) and not len(self.shared.text):  # as a rule, of a batch
            return Given(*(np.zeros(0, np.int64) for _ in Given._fields)), np.zeros(self.count, np.int64)
        form = self.same_task[self.text[is_task]]
        many = np.diff(self.index.same_from)[form]
        run, text = np.repeat(self.run[is_task], many), np.repeat(self.text[is_task], many)
        task = self.index.same_tasks[in_ranges(self.index.same_from[form], many)]
        first = _firsts(run, task, self.index.tasks)
        same = Given(run[first], task[first], text[first], np.full(len(first), -1))
        shares, counts = self._by_phrases(same)
        both = Given(*(np.concatenate(pair) for pair in zip(same, shares, strict=True)))
        order = np.argsort(both.run, kind="stable")
        return Given(*(column[order] for column in both)), counts

    def _by_phrases(self, same: Given) -> tuple[Given, Numbers]:
        row, found = self._expanded()
        run, task, share = self.run[row], self.shared.task[found], self.shared.share[found]
        taken = np.isin(run * self.index.tasks + task, same.run * self.index.tasks + same.task)
        order = np.lexsort((row, -share, task, run))
        order = order[~taken[order]]
        best = order[begins(run[order], task[order])]
        counts = np.bincount(run[best], minlength=self.count)
        best = best[np.lexsort((task[best], -share[best], run[best]))]
        place = np.arange(len(best)) - np.searchsorted(run[best], run[best])
        best = best[place < LEAK_HITS]
        return Given(run[best], task[best], self.text[row[best]], found[best]), counts

    def _expanded(self) -> tuple[Numbers, Numbers]:
        """By run and text, the rows of what the text shares: as (row of `run`, row of `shared`)."""
        first = np.searchsorted(self.shared.text, self.text)
        counts = np.searchsorted(self.shared.text, self.text, "right") - first
        return np.repeat(np.arange(len(self.text)), counts), in_ranges(first, counts)

    def phrases_by_run(self) -> Any:
        """By run, the phrases that it shares with test tasks and that tell something, each once; null for none."""
        if not len(self.shared.text):
            return nulls(self.count, pa.list_(pa.string()))
        row, found = self._expanded()
        counts = np.diff(self.shared.starts)[found]
        phrase = self.shared.phrases[in_ranges(self.shared.starts[found], counts)]
        run = np.repeat(self.run[row], counts)
        telling = self.index.tells(phrase)
        run, phrase = _each_once(run[telling], phrase[telling], self.index.phrases)
        return lists_of(run, self.index.phrase_strings(phrase), self.count, none=True)


def said_in(instructions: Any, wordings: Any, index: LeakIndex) -> Said:
    """What runs were asked for by their columns `instruction` and `wordings`; the instruction comes first."""
    count = len(instructions)
    first, last = wordings.offsets[0].as_py(), wordings.offsets[-1].as_py()
    texts = pa.concat_arrays([instructions, wordings.items.slice(first, last - first)])
    more = np.repeat(np.arange(count), np.diff(numbers(wordings.offsets)))
    return Said(texts, np.concatenate([np.arange(count), more]), count, index)


def _firsts(one: Numbers, other: Numbers, many: int) -> NDArray[np.int64]:
    """Where each pair comes first, in order."""
    found: NDArray[np.int64] = np.sort(np.unique(one * max(many, 1) + other, return_index=True)[1])
    return found


def _each_once(one: Numbers, other: Numbers, many: int) -> tuple[Numbers, Numbers]:
    """The pairs, each once, ordered by the first, else as they came."""
    if (np.diff(one) > 0).all():  # one each
        return one, other
    first = _firsts(one, other, many)
    first = first[np.argsort(one[first], kind="stable")]
    return one[first], other[first]
