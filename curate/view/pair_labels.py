"""What a person says of pairs, and what that says of thresholds: how many of the pairs at or above one are the same
(precision), how many of those that are the same lie at or above it (recall, among the pairs that were asked about), and
how many runs a run would keep with it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute

from curate.engine.decided_copies import read_decided
from curate.engine.pair_sample import LabelPair
from curate.model.constants import LABEL_SIMILARITIES
from curate.model.errors import InputError
from curate.model.wilson import Estimate, estimate
from curate.stages.copies.decide import settled
from curate.stages.copies.engines import solve
from curate.store.atomic import write_bytes

pc: Any = pyarrow.compute  # its stubs do not know is_in


class ThresholdRow(msgspec.Struct, kw_only=True, frozen=True):
    """What one threshold would do. `kept`: runs that the recipe would keep with it, of those that came to the stage."""

    threshold: float
    precision: Estimate
    recall: Estimate
    kept: int
    came: int

    def sentence(self) -> str:
        return (
            f"{self.threshold:9.1f}  {self.precision!s:>24}  {self.recall!s:>24}  {self.kept:,} of {self.came:,} runs"
        )


HEADER = f"{'threshold':>9}  {'precision':>24}  {'recall':>24}  kept"


def write_labels(path: Path, pairs: Sequence[LabelPair]) -> None:
    """One pair a line, for a person to fill in `same`."""
    write_bytes(path, b"".join(msgspec.json.encode(pair) + b"\n" for pair in pairs))


def read_labels(path: Path) -> list[LabelPair]:
    """The pairs of a file. Raises InputError for a line that is none, with what is wrong."""
    found = []
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error}.") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                pair = msgspec.json.decode(line, type=LabelPair)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                why = f'{error}; only "same" is to be changed: true, false or null'
                raise InputError(f"{path}, line {number}: {why}.") from error
            if not (0 < pair.similarity <= 1 and pair.stands_for > 0):
                raise InputError(f"{path}, line {number}: the similarity or what the pair stands for is out of range.")
            found.append(pair)
    return found


def check_of_run(folder: Path, labels: Path, pairs: Sequence[LabelPair]) -> None:
    """Raises InputError where the labels name runs that did not come to this run folder's near-copies: they were drawn
    from another run, and what they say of thresholds would be told of this one."""
    asked: Any = pa.array(sorted({id for pair in pairs for id in (pair.a, pair.b)}), pa.string())
    known = pc.is_in(asked, value_set=read_decided(folder).runs["id"].combine_chunks())
    strange = asked.filter(pc.invert(known)).to_pylist()
    if strange:
        named = ", ".join(strange[:3]) + (" ..." if len(strange) > 3 else "")
        raise InputError(
            f"{labels} was not drawn from {folder}: {len(strange):,} of the {len(asked):,} runs that it names did not "
            f"come to near-copies there ({named}). Give the run folder it was drawn from, or a new file to draw into."
        )


def threshold_rows(folder: Path, pairs: Sequence[LabelPair]) -> list[ThresholdRow]:
    """What the labels say of each threshold. Raises InputError for a folder without near-copies measured."""
    labelled = [pair for pair in pairs if pair.same is not None]
    decided = read_decided(folder)
    rows = []
    for threshold in LABEL_SIMILARITIES:
        judged = decided.judged(threshold=threshold)
        out = settled(judged, solve(judged.problem, decided.options))[2]
        above = [pair for pair in labelled if pair.similarity >= threshold]
        same = [pair for pair in labelled if pair.same]
        row = ThresholdRow(
            threshold=threshold,
            precision=estimate([(pair.stands_for, bool(pair.same)) for pair in above]),
            recall=estimate([(pair.stands_for, pair.similarity >= threshold) for pair in same]),
            kept=int((~out).sum()),
            came=len(out),
        )
        rows.append(row)
    return rows
