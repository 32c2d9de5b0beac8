"""Figures that a person gives beside a run, with what follows from them: `planning.json` in the run folder, from which
the page takes them. The run itself stays as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import msgspec

from curate.engine.planning.costs import Costs, costs, read_prices
from curate.engine.planning.scores import ScalingRow, read_scores, scaling
from curate.engine.report.types import SourceRow
from curate.model.errors import InputError
from curate.store.atomic import write_json
from curate.store.run_folder import RunFolder

NAME = "planning.json"


class GivenFile(msgspec.Struct, kw_only=True):
    """A file that figures were given in: its name alone, and its sha256."""

    name: str
    sha256: str


class Figures(msgspec.Struct, kw_only=True):
    """`planning.json`. Null: nobody gave these figures."""

    schema: Literal["planning.v1"] = "planning.v1"
    prices_from: GivenFile | None = None
    costs: Costs | None = None
    scores_from: GivenFile | None = None
    scaling: list[ScalingRow] = []


def figures(sources: Sequence[SourceRow], prices: Path | None, scores: Path | None) -> Figures:
    """What follows from the files. Raises InputError and UsageError, which name file and line."""
    spent = costs(read_prices(prices), sources) if prices else None
    each = spent.rows[-1].per_kept if spent and spent.rows else None
    return Figures(
        prices_from=_given(prices) if prices else None,
        costs=spent,
        scores_from=_given(scores) if scores else None,
        scaling=scaling(read_scores(scores), each) if scores else [],
    )


def _given(path: Path) -> GivenFile:
    return GivenFile(name=path.name, sha256=hashlib.sha256(path.read_bytes()).hexdigest())


def write_figures(run: RunFolder, found: Figures) -> None:
    """Beside report.json. Raises StoreError."""
    write_json(run.root / NAME, msgspec.to_builtins(found))


def read_figures(run: RunFolder) -> Figures:
    """What stands beside report.json; empty where nothing does. Raises InputError."""
    path = run.root / NAME
    if not path.is_file():
        return Figures()
    try:
        return msgspec.json.decode(path.read_bytes(), type=Figures)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}: {error}. `curate report --costs ... --scores ...` writes it.") from error
