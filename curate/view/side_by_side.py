"""Two runs beside each other on a terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from curate.engine.pair_sample import LabelPair
from curate.model.printed import printable
from curate.store.run_folder import RunFolder
from curate.view.evidence import Line, Side, beside, load

_MARKS = {"same": "=", "only": "|", "ignored": " "}


def pair_lines(folder: Path, pairs: Sequence[LabelPair], width: int | None = None) -> Iterator[str]:
    """The pairs as lines for a terminal of that many columns: whatever was recorded is printable. `=`: both did it;
    `|`: only this one; unmarked: not compared."""
    columns = max(60, width or shutil.get_terminal_size((120, 24)).columns)
    half = (columns - 3) // 2
    run = RunFolder(folder)
    for first in range(0, len(pairs), 32):
        some = pairs[first : first + 32]
        found = load(run, {name for pair in some for name in (pair.a, pair.b)})
        for number, pair in enumerate(some, start=first + 1):
            same = {True: "the same", False: "not the same", None: "not labelled"}[pair.same]
            yield printable(f"{number}. similarity {pair.similarity:.3f}, {pair.shared} shingles shared: {same}")
            if pair.a not in found or pair.b not in found:
                yield "   (a run of this pair is not in the folder)"
                continue
            left, right = beside(found[pair.a], found[pair.b])
            yield from _columns([_head(left), *map(_line, left.steps)], [_head(right), *map(_line, right.steps)], half)
            yield ""


def _head(side: Side) -> str:
    return f"{side.id}: {side.instruction}" + (f" ({side.where})" if side.where else "")


def _line(line: Line) -> str:
    return f"{_MARKS[line.kind]} {line.text}"


def _columns(left: Sequence[str], right: Sequence[str], half: int) -> Iterator[str]:
    for one, other in zip_longest(left, right, fillvalue=""):
        yield f"{printable(one, half):<{half}}   {printable(other, half)}".rstrip()
