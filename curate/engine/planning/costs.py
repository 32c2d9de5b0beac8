"""What a kept run costs: prices that a person states, over the runs that were made and those that gave examples.

A file of prices is YAML:

    currency: USD
    prices:
      - {what: replay, source: agenttrek, price: 0.215, per: run}
      - {what: judge,  source: agenttrek, price: 0.003, per: run}
      - {what: tagging, source: agenttrek, price: 0.000886, per: kept, passing: 0.275}
      - {what: pay, source: recording, price: 8.84, per: hour, hours: 2262.5}

`per`: `run` (every run that was read, kept or not), `step` (every step that was read), `kept` (every run that gave an
example), `hour` (of `hours`), `all` (a sum for everything). `passing`: of what was paid for, the share that went on to
become runs at all: the price is divided by it. A price without `source` is spread over all sources by their runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml

from curate.engine.report.types import SourceRow
from curate.model.errors import InputError, UsageError
from curate.model.near import did_you_mean

Per = Literal["run", "step", "kept", "hour", "all"]


class Price(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One price. `price`: in the file's currency, at least 0; `passing`: above 0 and at most 1."""

    what: str
    price: float
    per: Per
    source: str | None = None
    passing: float | None = None
    hours: float | None = None


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A file of prices."""

    prices: list[Price]
    currency: str = "USD"


class CostRow(msgspec.Struct, kw_only=True):
    """What the runs of one source cost (`source` null: all of them). `parts`: by what was paid for. `per_attempt`:
    over the runs read; `per_kept`: over those that gave an example, null where none did."""

    source: str | None
    attempts: int
    kept: int
    spent: float
    per_attempt: float | None
    per_kept: float | None
    parts: dict[str, float]


class Costs(msgspec.Struct, kw_only=True):
    """`rows`: the sources with a price, most spent first; the last row is all of them together, where there are
    several. `unpriced`: sources that no price speaks of."""

    currency: str
    rows: list[CostRow]
    unpriced: list[str] = []


def read_prices(path: Path) -> Prices:
    """A file of prices. Raises InputError where it cannot be read, UsageError for what it must not say."""
    try:
        plain: Any = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError(f"Cannot read the prices {path}: {' '.join(str(error).split())}.") from error
    try:
        prices = msgspec.convert(plain, Prices)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"The prices {path} are not as they must be: {error} (docs/report.md shows a file)."
        ) from error
    for number, price in enumerate(prices.prices, start=1):
        if wrong := _wrong(price):
            raise UsageError(f"The prices {path}, price {number} ({price.what}): {wrong}")
    return prices


def _wrong(price: Price) -> str | None:
    if not 0 <= price.price < float("inf"):
        return "`price` is a sum of at least 0."
    if price.passing is not None and not 0 < price.passing <= 1:
        return "`passing` is a share above 0 and at most 1."
    if (price.per == "hour") != (price.hours is not None):
        return "`hours` goes with `per: hour`, and that with `hours`."
    if price.hours is not None and not 0 <= price.hours < float("inf"):
        return "`hours` is at least 0."
    return None


def costs(prices: Prices, sources: Sequence[SourceRow]) -> Costs:
    """What the runs of a report cost. Raises UsageError for a price of a source that the run has not."""
    known = {row.source: row for row in sources}
    for price in prices.prices:
        if price.source is not None and price.source not in known:
            near = did_you_mean(price.source, known)
            raise UsageError(f"A price is for the source {price.source!r}, of which the run has nothing.{near}")
    runs = sum(row.runs for row in sources)
    rows = []
    for row in sources:
        parts: dict[str, float] = {}
        for price in prices.prices:
            if price.source in (None, row.source):
                share = 1.0 if price.source else row.runs / runs if runs else 0.0
                parts[price.what] = parts.get(price.what, 0.0) + _spent(price, row, share)
        if parts:
            rows.append(_row(row.source, row.runs, row.trained, parts))
    rows.sort(key=lambda row: (-row.spent, row.source or ""))
    priced = {row.source for row in rows}
    if len(rows) > 1:
        together: dict[str, float] = {}
        for one in rows:
            for what, spent in one.parts.items():
                together[what] = together.get(what, 0.0) + spent
        rows.append(_row(None, sum(r.attempts for r in rows), sum(r.kept for r in rows), together))
    unpriced = [name for name in known if name not in priced]
    return Costs(currency=prices.currency, rows=rows, unpriced=unpriced)


def _spent(price: Price, row: SourceRow, share: float) -> float:
    """`share`: of a sum that is for all sources, the part of this one."""
    each = price.price / (price.passing or 1.0)
    match price.per:
        case "run":
            return each * row.runs
        case "step":
            return each * row.steps
        case "kept":
            return each * row.trained
        case "hour":
            return each * (price.hours or 0.0) * share
        case "all":
            return each * share


def _row(source: str | None, attempts: int, kept: int, parts: dict[str, float]) -> CostRow:
    spent = sum(parts.values())
    return CostRow(
        source=source,
        attempts=attempts,
        kept=kept,
        spent=round(spent, 6),
        per_attempt=round(spent / attempts, 6) if attempts else None,
        per_kept=round(spent / kept, 6) if kept else None,
        parts={what: round(value, 6) for what, value in parts.items()},
    )
