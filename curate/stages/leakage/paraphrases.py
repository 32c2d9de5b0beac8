"""Instructions that mean what a test task means in other words, by a small model of word vectors that ships with the
package `wordllama` (extra [embed]; nothing is downloaded). Weak evidence, and off unless the recipe asks: the model
does not tell `on` from `off`.

Each text is embedded by itself and vectors are rounded, so that batches change nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curate.model.errors import UsageError
from curate.stages.arrays import take
from curate.stages.leakage.evidence import Hit
from curate.stages.leakage.phrase_index import Wordings
from curate.stages.leakage.said import Said

_SCALE = 4096.0  # vectors in whole 4096ths: products of them are exact in double precision, in any order


class Paraphrases:
    """The wordings of test tasks (not their templates) as vectors. `ids`: of the tasks, an Arrow array of strings.
    Raises UsageError where the model is not installed."""

    def __init__(self, wordings: Wordings, ids: Any) -> None:
        plain = np.flatnonzero(~wordings.templates)
        self._texts, self._tasks, self._ids = take(wordings.texts, plain), wordings.tasks[plain], ids
        self._vectors = _vectors(self._texts.to_pylist())

    def hits(self, said: Said, similarity: float) -> Iterator[tuple[int, Hit]]:
        """(run, hit): by run and text, the nearest wording of a test task, where it is that near (cosine) and not the
        same task anyway."""
        if not len(self._texts) or not len(said.texts):
            return
        near = [self._nearest(text) for text in said.texts.to_pylist()]
        same = said.same_task
        for run, text in zip(said.run.tolist(), said.text.tolist(), strict=True):
            wording, score = near[text]
            if score >= similarity and same[text] < 0:
                test, words = self._ids[int(self._tasks[wording])].as_py(), self._texts[wording].as_py()
                yield run, Hit(test=test, kind="paraphrase", evidence=words, share=round(score, 4))

    def _nearest(self, text: str) -> tuple[int, float]:
        scores = self._vectors @ _vector(text)
        wording = int(scores.argmax())
        return wording, float(scores[wording]) / _SCALE**2


def _vectors(texts: list[str]) -> NDArray[np.float64]:
    return np.array([_vector(text) for text in texts]).reshape(len(texts), -1)


@lru_cache(maxsize=1 << 12)
def _vector(text: str) -> NDArray[np.float64]:
    """The text's direction in whole _SCALE ths; zero for a text without any token."""
    found: NDArray[np.float64] = np.nan_to_num(np.asarray(_model().embed([text]), np.float64)[0])
    length = float(np.sqrt((found * found).sum()))
    if length:
        np.rint(found / length * _SCALE, out=found)
    return found


@lru_cache(maxsize=1)
def _model() -> Any:
    try:
        import wordllama
    except ImportError:
        raise UsageError(
            "leaks.paraphrases needs a model that is not installed: pip install 'cua-curate[embed]'"
        ) from None
    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
