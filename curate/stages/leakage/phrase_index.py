"""Finds the test tasks that instructions give away: the same task, most of a task's phrases, or a shared phrase. Many
instructions at a time; a test holds it against comparing each with each task.

A phrase is n consecutive content words. A filter of 64-bit hashes leaves the few phrases of the instructions that may
stand in a test task; what is left is compared word by word."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.constants import LEAK_COVERAGE_PHRASES, LEAK_STOP_SHARE
from curate.stages.arrays import list_array, numbers, take
from curate.stages.measures.normal_forms import Texts, Vocabulary
from curate.stages.ranges import in_ranges

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

Numbers = NDArray[np.int64]

_FILTER_BITS = 20  # of the hash: a million flags stay in a processor's cache, one in 14 set by 10,000 tasks
_ODD = np.uint64(0x9E3779B97F4A7C15)


class Phrases(NamedTuple):
    """Where phrases stand: by phrase the text, the hash, and the place of its first word among `words`, which are the
    content words of all texts."""

    text: Numbers
    hash: NDArray[np.uint64]
    place: Numbers
    words: NDArray[np.int32]


class Wordings(NamedTuple):
    """The ways test tasks are said. By wording: its text (an Arrow array of strings), the number of its task, and
    whether it is a template: its `{parameters}` stand for anything, so no phrase reaches over one."""

    texts: Any
    tasks: Numbers
    templates: NDArray[np.bool_]


class Found(NamedTuple):
    """Test tasks that texts share phrases with, a row for each text and task, by text, the largest share first.
    `wording`: the one that is shared most of; `share`: how much of its phrases (0 where it has too few to say).
    `phrases[starts[i]:starts[i + 1]]` are the numbers of those shared that tell something, in the text's order."""

    text: Numbers
    task: Numbers
    wording: Numbers
    share: NDArray[np.float64]
    starts: Numbers
    phrases: Numbers


_NONE = np.zeros(0, np.int64)
_NO_PAIRS = _NONE, _NONE
_NOTHING = Found(_NONE, _NONE, _NONE, np.zeros(0), np.zeros(1, np.int64), _NONE)


class LeakIndex:
    """The test tasks' normal forms and phrases of n content words, ready to be looked up.

    A phrase that stands in many test tasks (more than LEAK_STOP_SHARE of them, and more than two) names the
    benchmark's apps or its way of asking; it is evidence of nothing and counts only for how much of a task is covered.
    `limit`: in more test tasks than that it is evidence of nothing instead, and a task of such phrases alone is found
    as a whole or not at all."""

    def __init__(self, wordings: Wordings, n: int, limit: int | None = None) -> None:
        self.n, self._limit = n, limit
        self.wordings = wordings
        segments, of = _segments(wordings)
        once = Vocabulary()
        read = once.read(segments)
        self.vocabulary = Vocabulary(once.strings.to_pylist())
        read = self.vocabulary.read(segments)
        self._same = self._by_form(read, of)
        self._collect(read, of)

    def _by_form(self, read: Texts, of: Numbers) -> dict[str, int]:
        """A number for each normal form; templates are no tasks. The tasks of form i are
        `same_tasks[same_from[i] : same_from[i + 1]]`: one task may stand in several benchmarks. With a `limit`, only
        the first is told."""
        forms: list[Any] = self.vocabulary.forms(read).to_pylist()
        tasks: dict[str, list[int]] = {}
        for form, wording in zip(forms, of, strict=True):
            if form and not self.wordings.templates[wording]:
                those, task = tasks.setdefault(form, []), int(self.wordings.tasks[wording])
                if task not in those and not (those and self._limit is not None):
                    those.append(task)
        self.same_from = np.cumsum([0, *map(len, tasks.values())])
        self.same_tasks = np.array([task for those in tasks.values() for task in those], np.int64)
        return {form: number for number, form in enumerate(tasks)}

    def _collect(self, read: Texts, of: Numbers) -> None:
        """The distinct phrases, which wordings they stand in, and which tell something."""
        count = len(self.wordings.tasks)
        for seed in range(64):
            self._seed = seed
            found = self._phrases(read)
            self._hashes, first, number = np.unique(found.hash, return_index=True, return_inverse=True)
            spelt = found.words[found.place[:, None] + np.arange(self.n)]
            self._spelt: NDArray[np.int32] = spelt[first].reshape(len(first), self.n)
            if np.array_equal(self._spelt[number], spelt):
                break  # else two phrases share a hash: another seed
        else:
            raise RuntimeError("no seed tells the hashes of the test tasks' phrases apart")
        pairs = np.unique(of[found.text] * max(len(first), 1) + number)
        wording, phrase = np.divmod(pairs, max(len(first), 1))
        self._sizes = np.bincount(wording, minlength=count)
        self._has = phrase
        self._has_from = np.concatenate([[0], np.cumsum(self._sizes)])
        mentions = np.unique(self.wordings.tasks[wording] * max(len(first), 1) + phrase)
        often = np.bincount(mentions % max(len(first), 1), minlength=len(first))
        usual = max(2.0, LEAK_STOP_SHARE * self.tasks)
        self._tells = often <= (usual if self._limit is None else self._limit)
        self._post(wording, phrase, often)
        self._filter = np.zeros(1 << _FILTER_BITS, bool)
        self._filter[(self._hashes >> np.uint64(64 - _FILTER_BITS)).astype(np.int64)] = True

    def _post(self, wording: Numbers, phrase: Numbers, often: Numbers) -> None:
        """By phrase, the wordings it leads to: those it tells of, and of a wording none of whose phrases tells
        anything, the one that stands in the fewest tasks."""
        telling = self._tells[phrase]
        told = np.zeros(len(self._sizes), bool)
        told[wording[telling]] = True
        rest = np.flatnonzero(~told[wording])
        order = rest[np.lexsort((phrase[rest], often[phrase[rest]], wording[rest]))]
        order = order if self._limit is None else order[:0]
        anchor = order[np.r_[True, np.diff(wording[order]) != 0]] if len(order) else order
        leads = np.concatenate([np.flatnonzero(telling), anchor])
        leads = leads[np.lexsort((wording[leads], phrase[leads]))]
        self._leads_to = wording[leads]
        self._leads_from = np.searchsorted(phrase[leads], np.arange(len(self._hashes) + 1))

    def _phrases(self, texts: Texts) -> Phrases:
        """Each n consecutive content words of a text."""
        says = self.vocabulary.says[texts.words]
        words, owner = texts.words[says], texts.owners()[says]
        last = len(words) - self.n + 1
        if last <= 0:
            nothing = np.zeros(0, np.int64)
            return Phrases(nothing, np.zeros(0, np.uint64), nothing, words)
        hashes = self.vocabulary.hashes[words]
        found = np.full(last, np.uint64(self._seed))
        for i in range(self.n):
            found = (found + hashes[i : last + i]) * _ODD
            found ^= found >> np.uint64(29)
        place = np.flatnonzero(owner[:last] == owner[self.n - 1 :])
        return Phrases(owner[place], found[place], place, words)

    @property
    def tasks(self) -> int:
        """How many test tasks there are."""
        return int(self.wordings.tasks.max(initial=-1)) + 1

    @property
    def phrases(self) -> int:
        """How many distinct phrases they have."""
        return len(self._hashes)

    def tells(self, phrases: Numbers) -> NDArray[np.bool_]:
        """By phrase, whether it tells something."""
        told: NDArray[np.bool_] = self._tells[phrases]
        return told

    def read(self, texts: Any) -> Texts:
        """Texts (Arrow strings without nulls) in the normal form, by this index's vocabulary."""
        return self.vocabulary.read(texts)

    def same(self, forms: list[str]) -> Numbers:
        """By text, given by its normal form, the number of the form that test tasks have too (`same_tasks`), -1 for
        none."""
        return np.array([self._same.get(form, -1) for form in forms], np.int64)

    def phrase_strings(self, phrases: Numbers) -> Any:
        """These phrases, as an Arrow array of strings."""
        words = take(self.vocabulary.strings, self._spelt[phrases].ravel())
        return pc.binary_join(list_array(np.arange(len(phrases) + 1) * self.n, words), " ")

    def often_in(self, texts: Texts) -> Numbers:
        """By phrase, in how many of the texts it stands."""
        _, phrase = self._known(self._phrases(texts))
        return np.bincount(phrase, minlength=self.phrases)

    def shared(self, texts: Texts) -> Found:
        """Which test tasks the texts share phrases with. A task of which only phrases that tell nothing are shared
        counts if that is all of it."""
        text, phrase = self._known(self._phrases(texts)) if len(self._hashes) else _NO_PAIRS
        if not len(text):
            return _NOTHING
        many = len(self._hashes)
        keys = np.unique(text * many + phrase)
        leads = self._leads_from[phrase + 1] - self._leads_from[phrase]
        row = np.repeat(np.arange(len(phrase)), leads)
        wording = self._leads_to[in_ranges(self._leads_from[phrase], leads)]
        order = np.lexsort((row, wording, text[row]))  # a phrase comes once a text, in the text's order
        row, wording = row[order], wording[order]
        starts = begins(text[row], wording)
        pair_text, pair_wording = text[row[starts]], wording[starts]
        share = self._shares(pair_text, pair_wording, keys, many)
        ends = np.append(starts[1:], len(row))
        told = self._tells[phrase[row[starts]]] if len(starts) else np.zeros(0, bool)
        stays = np.flatnonzero(told | (share >= 1.0))
        task = self.wordings.tasks[pair_wording]
        best = stays[np.lexsort((pair_wording[stays], -share[stays], task[stays], pair_text[stays]))]
        best = best[begins(pair_text[best], task[best])]
        best = best[np.lexsort((task[best], -share[best], pair_text[best]))]
        counts = ends[best] - starts[best]
        phrases = phrase[row[in_ranges(starts[best], counts)]] if len(best) else np.zeros(0, np.int64)
        upto = np.concatenate([[0], np.cumsum(counts)])
        return Found(pair_text[best], task[best], pair_wording[best], share[best], upto, phrases)

    def _known(self, found: Phrases) -> tuple[Numbers, Numbers]:
        """(text, phrase) of phrases that stand in a test task, each once a text, in the text's order."""
        if not len(self._hashes):
            return _NO_PAIRS
        maybe = np.flatnonzero(self._filter[(found.hash >> np.uint64(64 - _FILTER_BITS)).astype(np.int64)])
        number = np.minimum(np.searchsorted(self._hashes, found.hash[maybe]), len(self._hashes) - 1)
        spelt = found.words[found.place[maybe][:, None] + np.arange(self.n)]
        hit = (self._spelt[number] == spelt).all(axis=1)
        text, phrase = found.text[maybe[hit]], number[hit]
        _, first = np.unique(text * len(self._hashes) + phrase, return_index=True)
        first.sort()
        return text[first], phrase[first]

    def _shares(self, text: Numbers, wording: Numbers, keys: Numbers, many: int) -> NDArray[np.float64]:
        """How much of each wording's phrases its text holds."""
        sizes = self._sizes[wording]
        pair = np.repeat(np.arange(len(text)), sizes)
        wanted = text[pair] * many + self._has[in_ranges(self._has_from[wording], sizes)]
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        held = np.bincount(pair[keys[place] == wanted], minlength=len(text)) if len(pair) else np.zeros(0)
        return np.where(sizes >= LEAK_COVERAGE_PHRASES, held / np.maximum(sizes, 1), 0.0)


def _segments(wordings: Wordings) -> tuple[Any, Numbers]:
    """The texts that phrases may not reach beyond, and by text the wording it is part of."""
    if not wordings.templates.any():
        return wordings.texts, np.arange(len(wordings.tasks))
    parts = pc.split_pattern_regex(wordings.texts, r"\{[^{}]*\}")
    counts = numbers(pc.list_value_length(parts))
    plain = np.flatnonzero(~wordings.templates)
    templates = np.flatnonzero(wordings.templates)
    texts = pa.concat_arrays([take(wordings.texts, plain), take(parts, templates).flatten()])
    return texts, np.concatenate([plain, np.repeat(templates, counts[templates])])


def begins(one: Numbers, other: Numbers) -> Numbers:
    """Where a new pair begins in two arrays that are sorted together."""
    if not len(one):
        return np.zeros(0, np.int64)
    return np.flatnonzero(np.r_[True, (np.diff(one) != 0) | (np.diff(other) != 0)])
