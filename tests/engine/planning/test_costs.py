"""What kept runs cost: the printed figures of the vectors, files that are wrong, sums that must add up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.planning.costs import Price, Prices, costs, read_prices
from curate.engine.report.types import SourceRow
from curate.model.errors import InputError, UsageError


def source(name: str, runs: int, trained: int, steps: int = 0) -> SourceRow:
    return SourceRow(source=name, runs=runs, trained=trained, steps=steps, targets=0)


def test_replayed_tutorials_cost_what_is_printed() -> None:
    """t/w + (p + j)/s, a thousand kept runs: .886 tagging, .275 of pages, 215.359 replay, 3.104 judge, .399 pass."""
    prices = Prices(
        prices=[
            Price(what="tagging", price=0.886 / 1000, per="kept", passing=0.275),
            Price(what="replay", price=215.359 / 1000, per="run"),
            Price(what="judge", price=3.104 / 1000, per="run"),
        ]
    )
    row = costs(prices, [source("agenttrek", 100_000, 39_900)]).rows[0]
    assert row.per_kept == pytest.approx(550.75 / 1000, abs=6e-6)
    assert row.parts["tagging"] / row.kept == pytest.approx(3.22 / 1000, abs=1e-5)
    better = costs(prices, [source("agenttrek", 100_000, 52_000)]).rows[0]
    assert better.per_kept == pytest.approx(423.34 / 1000, abs=6e-6)


def test_explored_runs_cost_what_is_printed() -> None:
    """k*n + a + v, over the share that passes: 7.7 steps of .0128, .02581 to summarise, .02381 to verify, .531."""
    prices = Prices(
        prices=[
            Price(what="steps", price=0.0128, per="step"),
            Price(what="summary", price=0.02581, per="run"),
            Price(what="check", price=0.02381, per="run"),
        ]
    )
    row = costs(prices, [source("explorer", 1000, 531, 7700)]).rows[0]
    assert row.per_attempt == pytest.approx(0.148, abs=6e-4)
    assert row.per_kept == pytest.approx(0.279, abs=6e-4)


def test_people_cost_what_is_printed() -> None:
    """22,625 tasks, 2,262.5 hours at 8.84: .88 a task."""
    prices = Prices(prices=[Price(what="pay", price=8.84, per="hour", hours=2262.5)])
    assert costs(prices, [source("people", 22_625, 22_625)]).rows[0].per_kept == pytest.approx(0.88, abs=5e-3)


def test_the_last_row_is_all_sources_together_and_what_has_no_price_is_said() -> None:
    prices = Prices(
        prices=[Price(what="a", price=2, per="run", source="one"), Price(what="b", price=3, per="kept", source="two")]
    )
    found = costs(prices, [source("one", 10, 4), source("two", 20, 5), source("three", 7, 7)])
    assert [row.source for row in found.rows] == ["one", "two", None]
    assert (found.rows[-1].spent, found.rows[-1].attempts, found.rows[-1].kept) == (35, 30, 9)
    assert found.unpriced == ["three"]


def test_a_kept_run_of_nothing_kept_has_no_price() -> None:
    row = costs(Prices(prices=[Price(what="a", price=2, per="run")]), [source("one", 10, 0)]).rows[0]
    assert row.per_kept is None and row.spent == 20


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50), st.integers(0, 200)), min_size=1, max_size=5))
def test_a_sum_for_everything_is_spent_once_over_all_sources(counts: list[tuple[int, int, int]]) -> None:
    sources = [source(f"s{k}", runs, min(kept, runs), steps) for k, (runs, kept, steps) in enumerate(counts)]
    found = costs(Prices(prices=[Price(what="all", price=1000, per="all")]), sources)
    assert found.rows[-1].spent == pytest.approx(1000, abs=1e-3)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("prices: [{what: a, price: -1, per: run}]", "price 1 (a): `price` is a sum of at least 0"),
        ("prices: [{what: a, price: 1, per: hour}]", "`hours` goes with"),
        ("prices: [{what: a, price: 1, per: run, hours: 3}]", "`hours` goes with"),
        ("prices: [{what: a, price: 1, per: run, passing: 0}]", "`passing` is a share"),
        ("prices: [{what: a, price: 1, per: week}]", "are not as they must be"),
        ("prices: [{what: a, prise: 1, per: run}]", "are not as they must be"),
        ("prices: 3", "are not as they must be"),
    ],
)
def test_wrong_prices_are_told_where_they_are(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "prices.yaml").write_text(text, "utf-8")
    with pytest.raises(UsageError) as raised:
        read_prices(tmp_path / "prices.yaml")
    assert says in str(raised.value) and "prices.yaml" in str(raised.value)


@pytest.mark.parametrize("data", [b"prices: [", b"\xff\xfe\x00", None])
def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path: Path, data: bytes | None) -> None:
    if data is not None:
        (tmp_path / "prices.yaml").write_bytes(data)
    with pytest.raises(InputError):
        read_prices(tmp_path / "prices.yaml")


def test_a_price_of_a_source_that_is_not_there_is_refused_with_the_nearest() -> None:
    prices = Prices(prices=[Price(what="a", price=2, per="run", source="agentrek")])
    with pytest.raises(UsageError, match="Did you mean 'agenttrek'"):
        costs(prices, [source("agenttrek", 10, 4)])
