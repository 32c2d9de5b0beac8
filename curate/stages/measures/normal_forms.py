"""The normal form of many texts at once, as numbers of words. What it is, is said in `stages.measures.task_text`; here
it is taken once for each token (what stands between blanks) instead of once for each text.

That gives the same words wherever nothing of the form reaches over a blank. Only times do (`7 pm`, `7 o'clock`): a text
in which two words stand together that may be part of one, and one with a token whose own form is not final, is read
whole. A test holds the two equal for any text."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.model.constants import LEAK_VOCABULARY, STOP_WORDS
from curate.stages.arrays import list_array, numbers, take
from curate.stages.measures.task_text import normal_words, one_round, task_key

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

_BEFORE = re.compile(r"\d[apo]?$")
_AFTER = re.compile(r"(?:[ap](?:$|\.?m(?!\w))|m(?!\w)|o(?:$|clock(?!\w))|clock(?!\w))")
"""Words that may be the beginning of a time, and those that may go on with it."""


class Texts(NamedTuple):
    """Texts in the normal form: the words of text `i` are `words[offsets[i]:offsets[i + 1]]`, by their numbers."""

    words: NDArray[np.int32]
    offsets: NDArray[np.int64]

    @property
    def counts(self) -> NDArray[np.int64]:
        return np.diff(self.offsets)

    def owners(self) -> NDArray[np.int64]:
        """By word, the text it stands in."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.counts)


class _Grown:
    """An array that grows at its end."""

    def __init__(self, kind: Any) -> None:
        self._values = np.zeros(1024, kind)
        self._count = 0

    def extend(self, values: Sequence[Any]) -> None:
        need = self._count + len(values)
        if need > len(self._values):
            grown = np.zeros(max(need, 2 * len(self._values)), self._values.dtype)
            grown[: self._count] = self._values[: self._count]
            self._values = grown
        self._values[self._count : need] = values
        self._count = need

    @property
    def values(self) -> NDArray[Any]:
        return self._values[: self._count]

    def __len__(self) -> int:
        return self._count


class Vocabulary:
    """Numbers for words and what is known of each token met so far, at most LEAK_VOCABULARY of them. The words given
    first keep their numbers for good; others' hold until the next `read`."""

    def __init__(self, first: Iterable[str] = ()) -> None:
        self._first = list(dict.fromkeys(first))
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[str, int] = {}
        self._strings: Any = pa.nulls(0, pa.string())  # pa.array would look for pandas
        self._new: list[str] = []
        self._hash, self._says, self._before, self._after = (_Grown(t) for t in (np.uint64, bool, bool, bool))
        self._tokens: dict[str, int] = {}
        self._counts, self._starts, self._whole = _Grown(np.int64), _Grown(np.int64), _Grown(bool)
        self._spelt = _Grown(np.int32)
        self.number(self._first)

    @property
    def hashes(self) -> NDArray[np.uint64]:
        """By word, 64 bits that say which it is."""
        return self._hash.values

    @property
    def says(self) -> NDArray[np.bool_]:
        """By word, whether it says something about a task (it is no stop word)."""
        return self._says.values

    @property
    def strings(self) -> Any:
        """The words themselves, as an Arrow array by number."""
        if self._new:
            self._strings = pa.concat_arrays([self._strings, pa.array(self._new, pa.string())])
            self._new = []
        return self._strings

    def number(self, words: Iterable[str]) -> list[int]:
        """The number of each of these words of the normal form."""
        found, fresh = [], []
        for word in words:
            number = self._numbers.get(word)
            if number is None:
                number = self._numbers[word] = len(self._numbers)
                fresh.append(word)
            found.append(number)
        if fresh:
            self._new += fresh
            self._hash.extend([_hash(word) for word in fresh])
            self._says.extend([word not in STOP_WORDS for word in fresh])
            self._before.extend([_BEFORE.search(word) is not None for word in fresh])
            self._after.extend([_AFTER.match(word) is not None for word in fresh])
        return found

    def read(self, texts: Any) -> Texts:
        """Texts (an Arrow array of strings without nulls) in the normal form."""
        if len(self._tokens) > LEAK_VOCABULARY:
            self._forget()
        parts = pc.ascii_split_whitespace(pc.ascii_lower(texts))
        bounds = numbers(parts.offsets)
        coded = parts.values.dictionary_encode()
        tokens = self._token_numbers(coded.dictionary.to_pylist())[numbers(coded.indices)]
        counts = self._counts.values[tokens]
        upto = np.concatenate([[0], np.cumsum(counts)])
        found = Texts(self._expanded(tokens, counts, upto), upto[bounds])
        whole = self._read_whole(found, tokens, bounds)
        return self._mended(found, whole, texts) if len(whole) else found

    def forms(self, texts: Texts) -> Any:
        """The normal forms as an Arrow array of strings; of a text without words, the empty string."""
        strings = take(self.strings, texts.words)
        return pc.binary_join(list_array(texts.offsets, strings), " ")

    def _token_numbers(self, tokens: list[str]) -> NDArray[np.int64]:
        known = self._tokens
        for token in tokens:
            if token not in known:
                known[token] = len(known)
                words = one_round(token)
                self._starts.extend([len(self._spelt)])
                self._counts.extend([len(words)])
                self._whole.extend([one_round(" ".join(words)) != words])
                self._spelt.extend(self.number(words))
        return np.array([known[token] for token in tokens], np.int64)

    def _expanded(
        self, tokens: NDArray[np.int64], counts: NDArray[np.int64], upto: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        """The words of the tokens, one after another."""
        first = self._starts.values[tokens]
        if len(counts) and counts.max() > 1:
            places = np.repeat(first - upto[:-1], counts) + np.arange(upto[-1])
        else:
            places = first[counts > 0]
        words: NDArray[np.int32] = self._spelt.values[places]
        return words

    def _read_whole(self, found: Texts, tokens: NDArray[np.int64], bounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """The texts of which a token's form is not final, or in which words meet that may be a time."""
        odd = np.flatnonzero(self._whole.values[tokens])
        meet = np.flatnonzero(self._before.values[found.words[:-1]] & self._after.values[found.words[1:]])
        of_odd = np.searchsorted(bounds, odd, "right") - 1
        of_meet = np.searchsorted(found.offsets, meet, "right") - 1
        of_meet = of_meet[found.offsets[of_meet + 1] > meet + 1]  # not the last word of one text with the next one's
        return np.unique(np.concatenate([of_odd, of_meet]))

    def _mended(self, found: Texts, whole: NDArray[np.int64], texts: Any) -> Texts:
        """The same with these texts read whole."""
        read = [self.number(normal_words(text)) for text in take(texts, whole).to_pylist()]
        counts = found.counts
        counts[whole] = 0
        stays = np.repeat(counts > 0, found.counts)
        counts[whole] = [len(words) for words in read]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        words = np.zeros(offsets[-1], np.int32)
        into = np.ones(len(words), bool)
        for text, those in zip(whole, read, strict=True):
            words[offsets[text] : offsets[text + 1]] = those
            into[offsets[text] : offsets[text + 1]] = False
        words[into] = found.words[stays]
        return Texts(words, offsets)


_QUOTES = "[\"'“«‘]"
_common = Vocabulary()


def task_keys(texts: Any) -> Any:
    """By text its task key (`task_text.task_key`): equal for the same task with the same arguments, null where nothing
    is left of the text. `texts`: an Arrow array of strings without nulls."""
    coded = texts.dictionary_encode()
    distinct = coded.dictionary
    forms = _common.forms(_common.read(distinct))
    keys = pc.if_else(pc.equal(forms, ""), pa.scalar(None, pa.string()), forms)
    having = np.flatnonzero(pc.match_substring_regex(distinct, _QUOTES).to_numpy(zero_copy_only=False))
    if len(having):
        quoting = [task_key(text) for text in take(distinct, having).to_pylist()]
        place = np.arange(len(distinct))
        place[having] = len(distinct) + np.arange(len(having))
        keys = take(pa.concat_arrays([keys, pa.array(quoting, pa.string())]), place)
    return keys.take(coded.indices)


def _hash(word: str) -> int:
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
