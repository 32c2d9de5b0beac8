"""Instructions that are a test task's template with something in its `{parameters}`: all its other words, in their
order, whatever stands between them. Weak evidence: the arguments may be others."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute

from curate.model.constants import LEAK_SLOT_WORDS, STOP_WORDS
from curate.stages.arrays import flags
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.pack import BenchmarkTask
from curate.stages.leakage.said import Said
from curate.stages.measures.task_text import normal_words

pc: Any = pyarrow.compute  # its stubs know no regular expressions

_SLOT = re.compile(r"\{\{?[^{}]*\}?\}")


class _Template(NamedTuple):
    test: str
    anchor: str  # its longest run of words, which a text must hold to be looked at
    fits: re.Pattern[str]


class Slots:
    """The templates of the test tasks that have parameters and words enough around them."""

    def __init__(self, tasks: Sequence[BenchmarkTask]) -> None:
        found = (_template(task) for task in tasks if task.template)
        self._templates = [one for one in found if one is not None]
        anchors = sorted({one.anchor for one in self._templates})
        self._any = "|".join(map(re.escape, anchors))

    def __bool__(self) -> bool:
        return bool(self._templates)

    def fit(self, text: str) -> list[str]:
        """The test tasks whose template a text is."""
        return [one.test for one in self._fitting(" ".join(normal_words(text)))]

    def _fitting(self, form: str) -> list[_Template]:
        return [one for one in self._templates if one.anchor in form and one.fits.fullmatch(form)]

    def hits(self, said: Said) -> Iterator[tuple[int, Hit]]:
        """(run, hit) of runs that were asked for what a template says; each task once a run."""
        if not self._templates or not len(said.forms):
            return
        texts = np.flatnonzero(flags(pc.fill_null(pc.match_substring_regex(said.forms, self._any), False)))
        seen = set()
        for text in texts.tolist():
            fitting = self._fitting(said.forms[text].as_py())
            for run in said.run[said.text == text].tolist() if fitting else ():
                for one in fitting:
                    if (run, one.test) not in seen:
                        seen.add((run, one.test))
                        evidence = said.texts[text].as_py()
                        yield run, Hit(test=one.test, kind="like_template", evidence=evidence, share=1.0)


def _template(task: BenchmarkTask) -> _Template | None:
    """None for a template without parameters (its words are looked for as others are), or of too few words."""
    parts = [normal_words(part) for part in _SLOT.split(task.template or "")]
    says = sum(word not in STOP_WORDS for words in parts for word in words)
    if len(parts) < 2 or says < LEAK_SLOT_WORDS:
        return None
    spelt = [re.escape(" ".join(words)) for words in parts]
    pattern = spelt[0] + r"\W" if spelt[0] else ""  # `{name}.pdf` is one word once it is filled in
    for last, words in zip(range(len(parts) - 2, -1, -1), spelt[1:], strict=True):
        pattern += ".+" + (rf"\W{words}" if words else "") + (r"\W" if words and last else "")
    anchor = max((" ".join(words) for words in parts), key=len)
    return _Template(task.id, anchor, re.compile(pattern, re.DOTALL))
