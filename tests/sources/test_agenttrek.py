"""AgentTrek: rows that repeat everything before them are one run, and its sign of scrolling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curate.model import actions as act
from curate.sources.agenttrek import SOURCE
from curate.store.trees import read_text_tree
from tests.sources.taken import Taken, taken

TREE = "RootWebArea 'Page', focused\n\t[12] button 'Go', clickable, visible"


def row(goal: str, past: list[str], action: str, tree: str = TREE) -> dict[str, Any]:
    history = "".join(f"## step {n}\n\n### Action:\n<action>\n{one}\n</action>\n\n" for n, one in enumerate(past))
    page = f"## Goal:\n{goal}\n\n# Observation\n\n## AXTree:\n{tree}\n\n"
    user = f"{page}# History of interaction\n\n{history}# Action space:\n"
    answer = f"<think>So.</think>\n<action>\n{action}\n</action>"
    return {"messages": [{"role": "user", "content": user}, {"role": "assistant", "content": answer}]}


def read(folder: Path, rows: list[dict[str, Any]]) -> Taken:
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")
    assert SOURCE.recognise(folder / "rows.json")
    return taken(SOURCE, folder / "rows.json", folder)


def test_rows_with_the_same_beginning_are_steps_of_one_run(tmp_path: Path) -> None:
    actions = ["click('12')", "scroll(0, 10)", "click('12')", "send_msg_to_user('Done')"]
    found = read(tmp_path, [row("g", actions[:place], own) for place, own in enumerate(actions)])
    assert [len(one.steps) for one in found.records] == [4] and not found.refused


@pytest.mark.parametrize("told", ["<action>\n{}\n</action>", "<think>\nSo.\n</think>\n\n<action>\n{}\n</action>"])
def test_a_history_without_headings_tells_its_actions_in_tags(tmp_path: Path, told: str) -> None:
    """As AgentLab's agent writes it; the heading under which the answer is asked for is no action done."""
    actions = ["click('12')", "scroll(0, 10)", "send_msg_to_user('Done')"]
    rows = [row("g", actions[:place], own) for place, own in enumerate(actions)]
    for place, one in enumerate(rows):
        history = "".join(f"## step {n}\n\n{told.format(actions[n])}\n\n" for n in range(place))
        example = "# Concrete Example\n\n<action>\nclick('1')\n</action>\n"
        text = one["messages"][0]["content"].split("# History")[0]
        one["messages"][0]["content"] = (
            f"{text}# History of interaction with the task:\n\n{history}{example}### Action:\n"
        )
    found = read(tmp_path, rows)
    assert [[step.index for step in one.steps] for one in found.records] == [[0, 1, 2]]
    assert all("step_gap" not in step.flags for step in found.records[0].steps)


def test_rows_of_one_goal_in_any_order_and_mixed_with_others(tmp_path: Path) -> None:
    rows = [row("g", ["click('12')"], "noop()"), row("h", [], "noop()"), row("g", [], "click('12')")]
    found = read(tmp_path, rows)
    assert [(one.instruction, [step.index for step in one.steps]) for one in found.records] == [
        ("g", [0, 1]),
        ("h", [0]),
    ]


def test_a_positive_dy_shows_what_stands_below(tmp_path: Path) -> None:
    found = read(tmp_path, [row("g", [], "scroll(0, 240)")])
    assert found.records[0].steps[0].actions == [act.Scroll(amount=-240.0, unit="pixel")]
    assert [(seen.raw, seen.axis) for seen in found.seen.scrolls] == [(240, "y")]


def test_elements_are_named_by_the_numbers_of_the_tree_that_is_kept(tmp_path: Path) -> None:
    found = read(tmp_path, [row("g", [], "click('12', button='right')")])
    step = found.records[0].steps[0]
    assert step.actions == [act.RightClick(element_id="12")] and step.image is None
    assert step.element is not None and (step.element.role, step.element.name) == ("button", "Go")
    assert step.tree is not None and read_text_tree(found.media, step.tree) == TREE


def test_nothing_is_assumed_of_the_outcome_or_the_licence(tmp_path: Path) -> None:
    record = read(tmp_path, [row("g", [], "send_msg_to_user('Done')")]).records[0]
    assert record.outcome.completed is None and record.source.license is None


def test_the_user_states_the_licence(tmp_path: Path) -> None:
    read(tmp_path, [row("g", [], "noop()")])
    found = taken(SOURCE, tmp_path / "rows.json", tmp_path, license="CC-BY-4.0")
    assert found.records[0].source.license == "CC-BY-4.0"


def test_the_hosts_parquet_table_gives_the_same_runs(tmp_path: Path) -> None:
    """The branch that the host converts: `messages` as a list of structs, with columns of its own."""
    actions = ["click('12')", "scroll(0, 10)", "send_msg_to_user('Done')"]
    rows = [row("g", actions[:place], own) for place, own in enumerate(actions)]
    table = pa.table({
        "messages": pa.array(
            [one["messages"] for one in rows],
            pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])),
        ),
        "thumbnail": pa.array([b"x"] * 3, pa.binary()),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "0000.parquet")
    assert SOURCE.recognise(tmp_path / "0000.parquet")
    found = taken(SOURCE, tmp_path / "0000.parquet", tmp_path)
    plain = read(tmp_path, rows)
    assert not found.refused and len(found.records) == 1
    assert [step.actions for step in found.records[0].steps] == [step.actions for step in plain.records[0].steps]
    (tmp_path / "0000.parquet").write_bytes((tmp_path / "0000.parquet").read_bytes()[:-40])
    assert not SOURCE.recognise(tmp_path / "0000.parquet")
