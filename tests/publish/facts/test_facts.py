"""Numbers of the manifest that need a corpus of their own."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.packs import add_pack
from curate.engine.report.types import PointerRow, Share
from curate.publish.facts.census import Census, Distinct
from curate.publish.facts.run import pointer_rows
from curate.publish.kept import Kept
from tests.factories import make_step, make_trajectory, write_records
from tests.publish.made import staged
from tests.runs import run_here

WORDS = "amber birch cedar delta ember frost grove hazel indigo juniper kelp lotus maple north ocean pine".split()


def test_leaks_of_an_installed_pack_by_benchmark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two benchmarks in one pack: of one a run says the task itself and is dropped, of the other two kept runs share
    a rare phrase with one task."""
    monkeypatch.setenv("CURATE_HOME", str(tmp_path / "home"))
    tasks = [
        {"id": "d1", "instruction": "Rotate the scanned letter by ninety degrees", "benchmark": "deskbench"},
        {"id": "d2", "instruction": "Mute every notification of the calendar", "benchmark": "deskbench"},
        {"id": "w1", "instruction": "Find the cheapest ferry to the northern islands in July", "benchmark": "webbench"},
    ]
    (tmp_path / "list.jsonl").write_bytes(b"".join(msgspec.json.encode(task) + b"\n" for task in tasks))
    add_pack("both", tmp_path / "list.jsonl")
    paint = [f"Paint {one} beside {other}" for one, other in zip(WORDS, WORDS[3:], strict=False)]
    ferries = ["Write a poem on the cheapest ferry to northern Crete", "Draw the cheapest ferry to northern Malta"]
    said = [str(tasks[0]["instruction"]), *ferries, *paint]
    records = [
        make_trajectory(f"made:{n}", [f"click {WORDS[n % 16]} {n}", *(f"click {w} {n}" for w in WORDS[:5])],
                        instruction=text, app=f"app{n}")
        for n, text in enumerate(said)
    ]  # fmt: skip
    write_records(tmp_path / "runs.jsonl", records)
    run_here([tmp_path / "runs.jsonl"], tmp_path / "run", ["leaks.tests=both"])
    manifest = staged(tmp_path / "run", tmp_path / "out").manifest
    (pack,) = manifest.value("leak_packs")
    assert (pack["name"], pack["tasks"]) == ("both", {"deskbench": 2, "webbench": 1})
    assert [(row["reason"], row["count"]) for row in manifest.value("leaks_dropped")] == [("leaks.same_task", 1)]
    left = {(row["benchmark"], row["kind"]): (row["tasks"], row["runs"]) for row in manifest.value("leaks_left")}
    assert left.pop(("webbench", "phrase")) == (1, 2)
    assert set(left.values()) == {(0, 0)} and {benchmark for benchmark, _ in left} == {"deskbench", "webbench"}
    card = (tmp_path / "out/README.md").read_text("utf-8")
    assert "2 tasks of `deskbench` and 1 tasks of `webbench`" in card
    assert "| `webbench` | it shares a rare phrase with the test task | weak | 1 | 2 |" in card
    assert "northern islands" not in card


def test_near_copies_that_stay_are_counted(tmp_path: Path) -> None:
    """A person did the same twice: both stay, with less weight."""
    does = [f"click {word}" for word in WORDS[:8]]
    records = [
        make_trajectory(f"made:{n}", [*does, f"click last {n}"], actor="human", instruction="Sort the photos by year")
        for n in range(3)
    ]
    write_records(tmp_path / "runs.jsonl", records)
    run_here([tmp_path / "runs.jsonl"], tmp_path / "run", ["nearcopies.action_people=weight"])
    copies = staged(tmp_path / "run", tmp_path / "out").manifest.value("near_copies")
    assert (copies["compared"], copies["dropped"], copies["kept"], copies["threshold"]) == (3, 0, 2, 0.5)


def _share(yes: int, known: int) -> Share:
    return Share(yes=yes, known=known, share=yes / known if known else None)


def _pointer(source: str, steps: int, on_target: Share, hover: Share, floor: Share) -> PointerRow:
    return PointerRow(source=source, action="click", steps=steps, on_target=on_target, hover=hover, floor=floor)


def test_pointer_rates_stand_beside_their_floors() -> None:
    rows = [
        _pointer("a", 100, _share(3, 90), _share(0, 0), _share(9, 90)),
        _pointer("b", 10, _share(1, 10), _share(1, 4), _share(1, 10)),
    ]
    *each, together = pointer_rows(rows)
    assert [row["of"] for row in each] == ["a: click", "b: click"]
    assert (together["of"], together["steps"]) == ("all", 110)
    assert (together["on_target"]["yes"], together["on_target"]["known"]) == (4, 100)
    assert (together["hover"]["share"], together["floor"]["share"]) == (0.25, 0.1)
    assert pointer_rows([]) == [] and len(pointer_rows(rows[:1])) == 1


@given(st.lists(st.text(max_size=4)))
def test_distinct_counts_as_a_set_does(texts: list[str]) -> None:
    found = Distinct()
    for text in texts:
        found.add(text)
    assert len(found) == len(set(texts))


_runs = st.lists(st.tuples(st.sampled_from(["train", "test"]), st.sampled_from("abcd"), st.sampled_from("xyz")))


@given(_runs)
def test_what_is_new_in_the_test(runs: list[tuple[str, str, str]]) -> None:
    census = Census()
    apps: dict[str, set[str]] = {"train": set(), "test": set()}
    for at, (split, app, actor) in enumerate(runs):
        record = make_trajectory(f"made:{at}", steps=[make_step(0)], app=app)
        record.actor.name = actor
        census.add(Kept(position=at, split=split, record=record, targets=[0]))
        apps[split].add(app)
    found: dict[str, Any] | None = census.unseen()
    if not apps["test"]:
        assert found is None
        return
    assert found is not None
    assert found["apps"] == {"test": len(apps["test"]), "unseen": len(apps["test"] - apps["train"])}
    assert census.different("apps") == len(apps["train"] | apps["test"])
    assert census.trajectories == Counter(split for split, _, _ in runs)
