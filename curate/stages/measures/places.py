"""Apps and sites that runs touch, of a whole table at once: those a record names first, then those of its steps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute
from numpy.typing import NDArray

from curate.stages.arrays import flags, lists_of, numbers, one_array, strings, take
from curate.stages.measures.app_names import app_keys, site_keys
from curate.stages.records_table import RecordsTable, of_steps

pc: Any = pyarrow.compute  # its stubs know neither tables' columns nor nulls

Keys = Callable[[Iterable[str]], list[str]]


def apps_of(trajectories: pa.Table) -> Any:
    """By run, the apps that it touches under their one name, each once, its main one first (Arrow list of strings)."""
    return _once(trajectories, "apps", lambda: _places(trajectories, "apps", "app", app_keys))


def sites_of(trajectories: pa.Table) -> Any:
    """By run, the sites that it touches by their registrable domain; of steps, what their address says."""
    return _once(trajectories, "sites", lambda: _places(trajectories, "sites", "url", site_keys, _is_address))


def _once(trajectories: Any, what: str, make: Callable[[], Any]) -> Any:
    return trajectories.once(what, make) if isinstance(trajectories, RecordsTable) else make()


def _places(trajectories: pa.Table, named: str, of_step: str, keys: Keys, counts: Callable[[str], bool] = bool) -> Any:
    own = one_array(trajectories[named])
    steps = of_steps(trajectories, of_step)
    at_step = pc.list_flatten(steps)
    found_runs, found_keys, names = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], _Names()
    for lists, texts, taken in ((own, pc.list_flatten(own), None), (steps, at_step, counts)):
        if texts.null_count == len(texts):  # nothing at all
            continue
        run, column = _parents(lists), texts.dictionary_encode()
        codes = numbers(pc.fill_null(column.indices, -1))
        new = codes >= 0
        new[1:] &= (codes[1:] != codes[:-1]) | (run[1:] != run[:-1])
        distinct = column.dictionary.to_pylist()
        key = [names.number(_key(keys, text)) if taken is None or taken(text) else -1 for text in distinct]
        at = np.array(key, np.int64)[codes[new]] if key else np.zeros(0, np.int64)
        found_runs.append(run[new][at >= 0])
        found_keys.append(at[at >= 0])
    return names.lists(np.concatenate(found_runs), np.concatenate(found_keys), trajectories.num_rows)


class _Names:
    """Numbers for names."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, name: str | None) -> int:
        """The number of the name; -1 for none."""
        return -1 if name is None else self._numbers.setdefault(name, len(self._numbers))

    def lists(self, rows: NDArray[np.int64], named: NDArray[np.int64], count: int) -> Any:
        """By row its names, each once, in the order they came."""
        if not len(rows):
            return lists_of(rows, strings([]), count)
        _, first = np.unique(rows * max(len(self._numbers), 1) + named, return_index=True)
        order = np.sort(first)
        order = order[np.argsort(rows[order], kind="stable")]
        return lists_of(rows[order], take(strings(list(self._numbers)), named[order]), count)


@lru_cache(maxsize=1 << 14)
def _key(keys: Keys, text: str) -> str | None:
    """The one name of an app or site; None where it is none."""
    return next(iter(keys([text])), None)


def members(lists: Any, wanted: Collection[str]) -> Any:
    """By row, those of a list's strings that are wanted."""
    flat = pc.list_flatten(lists)
    if not wanted or not len(flat):
        return lists_of(np.zeros(0, np.int64), flat[:0], len(lists))
    chosen = flags(pc.is_in(flat, value_set=strings(sorted(wanted))))
    return lists_of(_parents(lists)[chosen], take(flat, np.flatnonzero(chosen)), len(lists))


def _parents(lists: Any) -> NDArray[np.int64]:
    return numbers(pc.list_parent_indices(lists))


def _is_address(url: str) -> bool:
    return url.lower().startswith(("http://", "https://"))
