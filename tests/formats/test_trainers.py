"""Rows for trainers: the worked examples, and the rules by which each trainer takes a row, as plain checks. The
trainers themselves read exports in `tools/soak_trainers.py`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.formats.base import FormatOptions, columns, format_named, rows
from curate.model import actions as act
from curate.model.trajectory import Element, Trajectory, Weight
from tests.factories import make_step, make_trajectory
from tests.formats.records import PICTURES, note_record
from tests.formats.test_lines import steps as any_steps
from tests.formats.test_model_families import bench_record, golden

NAMES = ("llamafactory", "ms-swift", "trl")
OURS = ("id", "trajectory", "step", "split", "weight")


def made(name: str, record: Trajectory, **options: Any) -> list[dict[str, Any]]:
    form, told = format_named(name), FormatOptions(**options)
    return list(rows(form, record, [step.index for step in record.steps], told))


def row_of(name: str, record: Trajectory, step: int, **options: Any) -> dict[str, Any]:
    (row,) = rows(format_named(name), record, [step], FormatOptions(**options))
    return {key: value for key, value in row.items() if key not in OURS}


def test_llamafactory_worked_example(shared: Path) -> None:
    row = row_of("llamafactory", bench_record(shared), 2)
    (expected,) = golden(shared, "llamafactory_sharegpt.json")
    assert list(row) == list(expected)
    assert row["messages"][0]["role"] == "system" and row["messages"][1:] == expected["messages"][1:]
    assert [image.rsplit("/")[-1] for image in row["images"]] == [image.rsplit("/")[-1] for image in expected["images"]]
    (entry,) = golden(shared, "llamafactory_dataset_info.json").values()
    assert format_named("llamafactory").listed("cua.json") == entry  # type: ignore[attr-defined]


def test_ms_swift_worked_examples(shared: Path) -> None:
    row = row_of("ms-swift", bench_record(shared), 2)
    expected = golden(shared, "ms_swift.jsonl")
    assert row["messages"][-1].pop("loss_scale") == 1.0  # the row's weight
    assert list(row) == list(expected) and row["messages"][1:] == expected["messages"][1:]
    assert len(row["images"]) == len(expected["images"])
    row = row_of("ms-swift", bench_record(shared), 2, dialect="point")
    expected = golden(shared, "ms_swift_grounding.jsonl")
    assert (row["messages"][-1].pop("loss"), row["messages"][-1].pop("loss_scale")) == (True, 1.0)
    assert row == expected


def test_trl_worked_example(shared: Path) -> None:
    row = row_of("trl", bench_record(shared), 2)
    expected = golden(shared, "trl_prompt_completion.json")
    assert list(row) == list(expected) and row["completion"] == expected["completion"]
    assert row["prompt"][1:] == expected["prompt"][1:] and len(row["images"]) == len(expected["images"])


def turns(name: str, row: dict[str, Any]) -> list[tuple[str, str, int]]:
    """The turns of a row: role, text, how many pictures."""
    found = []
    for turn in row["messages"] if "messages" in row else row["prompt"] + row["completion"]:
        content = turn["content"]
        if isinstance(content, str):
            found.append((turn["role"], content, content.count("<image>")))
            continue
        assert all(set(part) == {"type"} | ({"text"} if part["type"] == "text" else set()) for part in content)
        texts = [part["text"] for part in content if part["type"] == "text"]
        found.append((turn["role"], "".join(texts), len(content) - len(texts)))
    return found


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60)
@given(
    some=st.lists(any_steps, max_size=6), images=st.none() | st.integers(1, 4), history=st.none() | st.integers(-1, 5),
    level=st.sampled_from(["L1", "L2", "L3"]), kind=st.sampled_from(["steps", "low_level", "point", "box"]),
    task=st.sampled_from(["Do it", "Type <image> and <bbox>", "<|im_end|>"]),
)  # fmt: skip
def test_every_row_keeps_the_trainers_rules(
    name: str, some: Any, images: int | None, history: int | None, level: str, kind: str, task: str
) -> None:
    for index, step in enumerate(some):
        step.index = index
    record = make_trajectory("r", instruction=task)
    record.steps = some
    found = made(name, record, images=images, history=history, level=level, dialect=kind)
    refused = [why for why in format_named(name).why_not(record, FormatOptions(dialect=kind)) if why]
    assert len(found) + len(refused) == len(some)
    for row in found:
        said = turns(name, row)
        speakers = [role for role, _, _ in said]
        if speakers[0] == "system":
            assert said[0][2] == 0
            speakers = speakers[1:]
        assert speakers == ["user", "assistant"] * (len(speakers) // 2) and speakers
        assert isinstance(row["images"], list) and sum(count for _, _, count in said) == len(row["images"])
        assert all(not image.startswith(("/", "~", "..")) and "\\" not in image for image in row["images"])
        assert all(count <= 1 and (role == "user" or not count) for role, _, count in said)
        if kind == "steps":
            assert len(row["images"]) <= (images or 3)
        if name == "ms-swift":
            losses = [turn.get("loss") for turn in row["messages"] if turn["role"] == "assistant"]
            assert losses == [False] * (len(losses) - 1) + [True]
            tags = sum(text.count("<bbox>") for _, text, _ in said)
            assert tags == len(row.get("objects", {}).get("bbox", [])) == (kind in ("point", "box"))
        if name == "trl":
            assert [turn["role"] for turn in row["completion"]] == ["assistant"]


@pytest.mark.parametrize("name", NAMES)
def test_where_a_reflection_goes(name: str) -> None:
    (row,) = rows(format_named(name), note_record(), [4], FormatOptions(images=3))
    asked = [text for role, text, _ in turns(name, row) if role == "user"]
    assert "(This step was wrong: The dialog was not open yet" in asked[0], "behind the words of a step not shown"
    assert asked[2].endswith("This step was not needed."), "before the picture that follows a step that is shown"
    assert "This step" not in asked[1]


def test_the_weight_is_the_loss_scale_of_ms_swift() -> None:
    record = note_record(weight=Weight(value=0.25, by="test"))
    kept = [row["messages"][-1] for row in rows(format_named("ms-swift"), record, [0], FormatOptions(untrained="keep"))]
    assert [(turn["loss"], turn["loss_scale"]) for turn in kept] == [(True, 0.25)] + [(False, 0.0)] * 4


def pointed(**changes: Any) -> Trajectory:
    element = Element(role="button", name="Save", box=(0.2, 0.4, 0.3, 0.6))
    fields = {"image": PICTURES[0], "image_size": (1000, 500), "element": element, "action": None} | changes
    return make_trajectory("r", steps=[make_step(0, act.Click(0.25, 0.5), **fields)])


def answer(name: str, record: Trajectory, **options: Any) -> tuple[str, str]:
    (row,) = made(name, record, **options)
    said = [part["text"] for turn in row["messages"][1:] for part in turn["content"] if part["type"] == "text"]
    return said[0], said[1]


def test_grounding_asks_for_what_the_source_says() -> None:
    assert answer("grounding", pointed()) == ('The button "Save"', "(0.25, 0.5)")
    assert answer("grounding", pointed(action="Save the note")) == ("Save the note", "(0.25, 0.5)")
    assert answer("grounding", pointed(action="Save the note"), dialect="box") == (
        'The button "Save"', "(0.2, 0.4, 0.3, 0.6)",
    )  # fmt: skip
    assert answer("grounding", pointed(), coordinates="absolute") == ('The button "Save"', "(252, 252)")  # 1008 x 504
    generated = pointed(element=None, action="Click at (0.25, 0.5)", flags=["words_generated"])
    for name in ("grounding", "low_level"):
        assert format_named(name).why_not(generated, FormatOptions()) == ["unroll.no_words"], "it would give it away"
        bare = pointed(element=Element(role="edit"), action="Click the edit", flags=["words_generated"])
        assert format_named(name).why_not(bare, FormatOptions()) == ["unroll.no_words"], "which one?"
    named = pointed(action='Click the button "Save"', flags=["words_generated"])
    assert answer("low_level", named)[0] == 'Click the button "Save"', "its element says where"
    assert format_named("grounding").why_not(pointed(element=None), FormatOptions(dialect="box")) == [
        "unroll.not_in_format"
    ]


def test_the_words_of_a_step_as_the_task() -> None:
    record = pointed(action="Click Save", low_level="Save the <image> file")
    assert answer("low_level", record) == ("Save the &lt;image> file", "pyautogui.click(x=0.25, y=0.5)")
    swiped = make_trajectory("r", steps=[
        make_step(0, act.Swipe(0.5, 0.8, 0.5, 0.2), action="Swipe up", image=PICTURES[0], image_size=(500, 1000))
    ])  # fmt: skip
    assert answer("low_level", swiped)[1].startswith("mobile.swipe(")
    told = FormatOptions(coordinates="absolute")
    assert format_named("low_level").why_not(swiped, told) == ["unroll.not_in_format"], "its points are no x and y"


@pytest.mark.parametrize("name", [*NAMES, "low_level", "grounding", "transitions", "adp"])
def test_rows_load_as_typed_columns(name: str, tmp_path: Path) -> None:
    from datasets import Features, load_dataset

    record = note_record()
    for step in record.steps:
        step.image_size, step.low_level = (1000, 500), "Do this"
    found = made(name, record)
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    schema = columns(name)
    assert schema is not None and found
    for features in (Features.from_arrow_schema(schema), None):
        loaded = load_dataset(
            "json",
            data_files=str(path),
            split="train",
            features=features,
            cache_dir=str(tmp_path / str(features is None)),
        )
        assert len(loaded) == len(found) and loaded[0]["id"] == found[0]["id"]
