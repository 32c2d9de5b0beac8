"""Finds the test tasks that an instruction gives away: the same task, most of a task's phrases, or a shared phrase."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from curate.model.constants import LEAK_COVERAGE_PHRASES, LEAK_HITS, LEAK_STOP_SHARE
from curate.stages.measures.task_text import content_of, content_words, normal_form, normal_words, phrases
from curate.stages.measures.tests_file import BenchmarkTask


class Hit(msgspec.Struct, frozen=True):
    """One test task an instruction gives away. `kind`: `task` (the same in normal form) or `phrase`. `evidence`: the
    text or phrase. `share`: of the test task's phrases (1 for the same task)."""

    test: str
    kind: str
    evidence: str
    share: float


class LeakIndex:
    """The test tasks' normal forms and phrases of n content words, ready to be looked up.

    A phrase that stands in many test tasks (more than LEAK_STOP_SHARE of them, and more than two) names the
    benchmark's apps or its way of asking; it is evidence of nothing and counts only for how much of a task is covered.
    """

    def __init__(self, tasks: Sequence[BenchmarkTask], n: int) -> None:
        self._tasks, self._n = tasks, n
        self._same: dict[str, int] = {}
        self._phrases: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        self._size: dict[tuple[int, int], int] = {}
        frequency: Counter[tuple[str, ...]] = Counter()
        for number, task in enumerate(tasks):
            mentioned: set[tuple[str, ...]] = set()
            for wording, text in enumerate(task.texts):
                if form := normal_form(text):
                    self._same.setdefault(form, number)
                found = phrases(content_words(text), n)
                self._size[number, wording] = len(found)
                mentioned.update(found)
                for phrase in found:
                    self._phrases[phrase].append((number, wording))
            frequency.update(mentioned)
        limit = max(2.0, LEAK_STOP_SHARE * len(tasks))
        self._stop = {phrase for phrase, count in frequency.items() if count > limit}

    def hits(self, texts: Iterable[str]) -> tuple[list[Hit], int]:
        """What the texts (an instruction and its other wordings) give away, strongest first and at most LEAK_HITS of
        each kind, and how many test tasks share a phrase in all."""
        same: dict[int, Hit] = {}
        shared: dict[int, Hit] = {}
        for text in texts:
            words = normal_words(text)
            number = self._same.get(" ".join(words)) if words else None
            if number is not None:
                same.setdefault(number, Hit(self._tasks[number].id, "task", text, 1.0))
            for task, hit in self._by_phrase(content_of(words)).items():
                if task not in shared or hit.share > shared[task].share:
                    shared[task] = hit
        for number in same:
            shared.pop(number, None)
        ranked = sorted(shared.items(), key=lambda item: (-item[1].share, item[0]))
        return [hit for _, hit in [*sorted(same.items()), *ranked[:LEAK_HITS]]], len(shared)

    def _by_phrase(self, words: Sequence[str]) -> dict[int, Hit]:
        found = [phrase for phrase in phrases(words, self._n) if phrase in self._phrases]
        if not found:
            return {}
        count = Counter(wording for phrase in found for wording in self._phrases[phrase])
        telling = {
            wording: phrase
            for phrase in reversed(found)
            if phrase not in self._stop
            for wording in self._phrases[phrase]
        }
        best: dict[int, Hit] = {}
        for (number, wording), shared in count.items():
            size = self._size[number, wording]
            covers = shared / size if size >= LEAK_COVERAGE_PHRASES else 0.0
            phrase = telling.get((number, wording))
            if phrase is None and covers < 1.0:
                continue
            hit = Hit(self._tasks[number].id, "phrase", " ".join(phrase or found[0]), covers)
            if number not in best or hit.share > best[number].share:
                best[number] = hit
        return best
