"""Screens of runs that look like a screen of the test. Weak evidence: two people's start pages look alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from curate.model.constants import DHASH_BITS
from curate.stages.arrays import numbers, one_array
from curate.stages.leakage.evidence import Leak
from curate.stages.leakage.pack import BenchmarkTask

_BLOCK = 1 << 16  # test screens times run screens that are compared at a time


def alike(images: pa.Table, tasks: Sequence[BenchmarkTask]) -> dict[str, Leak]:
    """By run id, the first of its screens that at most DHASH_BITS bits tell from one of a test task. `images`: the
    columns id, step and dhash of the stage images."""
    listed = [(screen, task.id) for task in tasks for screen in task.screens if _shows_something(screen)]
    hashes = one_array(images["dhash"]).dictionary_encode()
    if not listed or not len(hashes.dictionary):
        return {}
    tests = _bits([screen for screen, _ in listed])
    near = _nearest(_bits(hashes.dictionary.to_pylist()), tests)
    code = numbers(hashes.indices.fill_null(-1))
    found: dict[str, Leak] = {}
    for row in np.flatnonzero((code >= 0) & (near[code] >= 0)).tolist():
        run, step, test = images["id"][row].as_py(), images["step"][row].as_py(), listed[near[code[row]]][1]
        found.setdefault(run, Leak("screen", f"step {step} shows a screen of test task {test}", test))
    return found


def _shows_something(screen: str) -> bool:
    """Whether a hash is of a screen with something on it: one colour has no bit set, as every other one colour."""
    return int(screen, 16).bit_count() > DHASH_BITS


def _bits(hashes: Sequence[str]) -> NDArray[np.uint64]:
    return np.array([int(text, 16) for text in hashes], np.uint64)


def _nearest(screens: NDArray[np.uint64], tests: NDArray[np.uint64]) -> NDArray[np.int64]:
    """By screen, the test screen that the fewest bits tell from it, if they are few enough; else -1."""
    best = np.full(len(screens), -1)
    size = max(_BLOCK // len(tests), 1)
    for first in range(0, len(screens), size):
        differ = _ones(screens[first : first + size, None] ^ tests[None, :])
        nearest = differ.argmin(axis=1)
        few = differ[np.arange(len(nearest)), nearest] <= DHASH_BITS
        best[first : first + size] = np.where(few, nearest, -1)
    return best


def _ones(values: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """How many bits are set (numpy has a function for it only from 2.0)."""
    octets = np.ascontiguousarray(values).view(np.uint8).reshape(*values.shape, 8)
    ones: NDArray[np.uint8] = _SET[octets].sum(axis=-1, dtype=np.uint8)
    return ones


_SET = np.array([value.bit_count() for value in range(256)], np.uint8)
