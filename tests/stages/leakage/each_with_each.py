"""A second implementation of the leak index, for tests: each instruction against each task, as the rule is said."""

from __future__ import annotations

import re
from collections import Counter

from curate.model.constants import LEAK_COVERAGE_PHRASES, LEAK_STOP_SHARE
from curate.stages.measures.task_text import content_words, normal_form, phrases

Task = tuple[list[str], list[str]]
"""Instruction and other wordings, and templates."""


def task_phrases(task: Task, n: int) -> list[set[tuple[str, ...]]]:
    """The phrases of each wording of a test task."""
    plain = [set(phrases(content_words(text), n)) for text in task[0]]
    parts = [re.split(r"\{[^{}]*\}", template) for template in task[1]]
    return plain + [{p for part in segments for p in phrases(content_words(part), n)} for segments in parts]


def same_task(tasks: list[Task], text: str) -> set[int]:
    form = normal_form(text)
    return {i for i, task in enumerate(tasks) if form and form in {normal_form(said) for said in task[0]}}


def shares(tasks: list[Task], text: str, n: int = 3) -> dict[int, tuple[float, set[str]]]:
    """By test task that is shared with: the largest share of a wording, and the telling phrases of those wordings."""
    own = [task_phrases(task, n) for task in tasks]
    often = Counter(phrase for wordings in own for phrase in set().union(*wordings))
    limit = max(2.0, LEAK_STOP_SHARE * len(tasks))
    mine = set(phrases(content_words(text), n))
    found: dict[int, tuple[float, set[str]]] = {}
    for i, wordings in enumerate(own):
        for wording in wordings:
            both = mine & wording
            share = len(both) / len(wording) if len(wording) >= LEAK_COVERAGE_PHRASES else 0.0
            telling = {" ".join(phrase) for phrase in both if often[phrase] <= limit}
            if (telling or share >= 1.0) and (i not in found or share > found[i][0]):
                found[i] = share, telling or {" ".join(phrase) for phrase in both}
    return found
