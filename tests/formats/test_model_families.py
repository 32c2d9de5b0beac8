"""The formats of model families: the worked examples of their published templates, and records of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.formats.base import FormatOptions, format_named, rows
from curate.model import actions as act
from curate.model.actions import Action
from curate.model.trajectory import Platform, Trajectory
from tests.factories import make_step, make_trajectory
from tests.formats.records import PICTURES, note_record
from tests.formats.test_opencua import _bench_record

OURS = {"id", "trajectory", "step", "split", "weight", "loss_on"}


def row_of(name: str, record: Trajectory, step: int, **options: Any) -> dict[str, Any]:
    (row,) = rows(format_named(name), record, [step], FormatOptions(**options))
    return row


def bench_record(shared: Path) -> Trajectory:
    record = _bench_record(shared)
    for step in record.steps:
        step.image_size = (1280, 720)
    return record


def golden(shared: Path, name: str) -> Any:
    return json.loads((shared / "data/training-formats" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "file", "options"),
    [
        ("aguvis", "aguvis_stage2_l2.json", {}),
        ("qwen25vl", "qwen25vl_computer_use.json", {}),
        ("qwen3vl", "qwen3vl_computer_use.json", {}),
        ("scalecua", "scalecua.json", {}),
    ],
)
def test_worked_examples(shared: Path, name: str, file: str, options: dict[str, Any]) -> None:
    """Equal but for the prompt's wording, the picture's folder, and what we say of where a row comes from."""
    row, expected = row_of(name, bench_record(shared), 2, **options), golden(shared, file)
    expected.pop("note", None)
    assert [key for key in row if key not in OURS] == list(expected)
    turns = "messages" if "messages" in expected else "conversations"
    text = "content" if turns == "messages" else "value"
    for made, wanted in zip(row[turns], expected[turns], strict=True):
        assert list(made) == list(wanted)
        if "system" not in made.values():
            assert made == wanted
        else:
            assert len(made[text]) > 100
    if "image" in expected:
        assert row.pop("image").endswith(expected.pop("image"))
        assert {key: row[key] for key in expected if key != turns} == {k: v for k, v in expected.items() if k != turns}


def test_uitars_worked_examples(shared: Path) -> None:
    record = bench_record(shared)
    made, expected = row_of("uitars", record, 2, dialect="v1", history=0)["messages"], golden(shared, "ui_tars_v1.json")
    assert made[0] == expected[0] and made[2:] == expected[2:]
    assert made[1].keys() == expected[1].keys() and made[1]["content"].endswith(f"\n{record.instruction}")
    for dialect, wanted in zip(("1.5", "point"), golden(shared, "ui_tars_15.json"), strict=True):
        answer = row_of("uitars", record, 2, dialect=dialect)["messages"][-1]
        assert answer == {"role": "assistant", "content": wanted["content"], "loss_mask": 1}


def test_opencua_in_absolute_pixels(shared: Path) -> None:
    row = row_of("opencua", bench_record(shared), 2, coordinates="absolute")
    assert row["messages"][-1]["content"] == golden(shared, "opencua_l2_qwen25_absolute_target.json")["target"]


FORMATS = ("aguvis", "opencua", "qwen25vl", "qwen3vl", "scalecua", "uitars")


def record_of(*does: str | Action | list[Action], platform: Platform | None = "linux") -> Trajectory:
    steps = [make_step(n, one, image=PICTURES[n % 8], image_size=(1000, 500)) for n, one in enumerate(does)]
    return make_trajectory("r", steps=steps, platform=platform)


def targets(record: Trajectory, name: str, **options: Any) -> list[str | None]:
    """The last turn of each step's row; a reason where there is none."""
    form, told = format_named(name), FormatOptions(**options)
    found: list[str | None] = list(form.why_not(record, told))
    for row in rows(form, record, [step.index for step in record.steps], told):
        last = (row.get("messages") or row.get("conversations"))[-1]
        found[row["step"]] = last.get("content") or last["value"]
    return found


@pytest.mark.parametrize("name", FORMATS)
def test_a_step_without_picture_or_word_has_no_row_and_a_reason(name: str) -> None:
    record = record_of("click A", "click B", act.Goto("https://a.example"), act.Click(0.5, 0.5))
    record.steps[1].image = None
    record.steps[3].image_size = None
    options = {"coordinates": "absolute"} if name == "opencua" else {}
    made = targets(record, name, **options)
    assert made[0] and not made[0].startswith("unroll.")
    assert made[1] == "unroll.no_picture" and made[2] == "unroll.not_in_format"
    sized = name in ("opencua", "qwen25vl", "scalecua", "uitars")
    assert (made[3] == "unroll.picture_size_unknown") is sized


@pytest.mark.parametrize("name", ["qwen25vl", "uitars", "opencua"])
def test_a_picture_that_the_processor_refuses(name: str) -> None:
    record = record_of("click A")
    record.steps[0].image_size = (20, 5000)
    assert targets(record, name, coordinates="absolute") == ["unroll.picture_refused"]


def test_pixels_follow_the_limits_of_the_processor() -> None:
    record = record_of(act.Click(0.5, 0.5))
    assert "[504, 252]" in (targets(record, "qwen25vl")[0] or "")  # 1000 x 500 becomes 1008 x 504
    assert "[210, 98]" in (targets(record, "qwen25vl", max_pixels=90_000)[0] or "")  # 420 x 196
    small = record_of(act.Click(0.5, 0.5))
    small.steps[0].image_size = (100, 50)
    assert "(210,112)" in (targets(small, "uitars")[0] or "")  # at least 78,400 pixels: 420 x 224
    assert "[56, 28]" in (targets(small, "qwen25vl")[0] or "")  # at least 3,136: 112 x 56


def test_a_phone_is_told_by_its_platform_or_else_by_its_actions() -> None:
    for platform, does, tool in (
        ("android", ["click A"], "mobile_use"),
        (None, ["click A", act.Swipe(0.5, 0.8, 0.5, 0.2)], "mobile_use"),
        (None, ["click A", "press enter"], "computer_use"),
        ("web", ["click A"], "computer_use"),
        ("linux", ["click A", act.LongPress(0.5, 0.5)], "computer_use"),
    ):
        record = record_of(*does, platform=platform)  # type: ignore[arg-type]
        row = row_of("qwen3vl", record, 0)
        assert f'"name": "{tool}"' in row["messages"][-1]["content"] and f'"{tool}"' in row["messages"][0]["content"]
    phone = record_of("click A", act.Back(), act.OpenApp("Maps"), act.Wait(), platform="android")
    assert set(targets(phone, "qwen25vl")) == {"unroll.not_in_format"}  # it has no tool for phones
    assert [text.split("Action: ")[1] for text in targets(phone, "uitars") if text][1:] == [
        "press_back()", "open_app(app_name='Maps')", "wait()",
    ]  # fmt: skip
    assert targets(phone, "aguvis")[1:] == [
        "mobile.back()", "mobile.open_app(app_name='Maps')", "mobile.wait(seconds=2)",
    ]  # fmt: skip


def shown(row: dict[str, Any]) -> list[str]:
    """The pictures of a row of messages."""
    contents = [turn["content"] for turn in row["messages"] if isinstance(turn["content"], list)]
    return [part["image"] for content in contents for part in content if part["type"] == "image"]


def test_the_window_of_qwen_shows_rounds_and_tells_what_was_before() -> None:
    record = note_record()
    for step in record.steps:
        step.image_size = (1000, 500)
    row = row_of("qwen3vl", record, 3, images=3)
    roles = [turn["role"] for turn in row["messages"]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user", "assistant"]
    assert shown(row) == PICTURES[1:4]
    first = row["messages"][1]["content"]
    assert [part["type"] for part in first] == ["image", "text"]
    assert first[1]["text"].endswith('Previous actions:\nStep 1: Click the menu "File"')
    assert row["messages"][2]["content"] == (
        "Action: Type the name wrong.txt\n<tool_call>\n"
        '{"name": "computer_use", "arguments": {"action": "type", "text": "wrong.txt\\n"}}\n</tool_call>'
    )
    assert row["messages"][3]["content"] == [{"type": "image", "image": PICTURES[2]}]
    assert row["loss_on"] == "last assistant message only"
    thinking = row_of("qwen3vl", record, 0, dialect="thinking")["messages"][-1]["content"]
    assert thinking.startswith("<think>\nThe menu has what I need.\n</think>\n\nAction: ")


def test_the_window_of_qwen_begins_behind_what_its_language_cannot_say() -> None:
    record = record_of("click A", act.Goto("https://a.example"), "click B", "click C")
    row = row_of("qwen3vl", record, 3, images=4)
    assert shown(row) == PICTURES[2:4]
    assert "Step 2: Go to https://a.example" in row["messages"][1]["content"][1]["text"]


def test_the_window_of_uitars_leaves_old_pictures_out_and_tells_all() -> None:
    record = record_of(*(f"click {letter}" for letter in "ABCDEFG"))
    row = row_of("uitars", record, 6, images=3)
    assert shown(row) == PICTURES[4:7]
    answers = [message for message in row["messages"] if message["role"] == "assistant"]
    assert len(answers) == 7 and [message["loss_mask"] for message in answers] == [0] * 6 + [1]
    assert len(shown(row_of("uitars", record, 6))) == 5
    assert "## User Instruction\nExport the quarterly" in row["messages"][1]["content"]
    assert "call_user()" in row["messages"][1]["content"]
    later = row_of("uitars", record, 6, dialect="point")["messages"][1]["content"]
    assert "call_user" not in later and "drag(start_point='<point>x1 y1</point>'" in later


@pytest.mark.parametrize("name", FORMATS)
def test_no_own_prompt_has_a_place_left_open(name: str) -> None:
    for platform in ("linux", "android"):
        for dialect in (None, *format_named(name).dialects):
            record = record_of("click A", platform=platform)  # type: ignore[arg-type]
            for row in rows(format_named(name), record, [0], FormatOptions(dialect=dialect)):
                first = (row.get("messages") or row.get("conversations"))[0]
                text = str(first.get("content") or first.get("value"))
                for place in ("width", "height", "point", "start", "end", "language", "instruction", "sections"):
                    assert f"{{{place}}}" not in text


@pytest.mark.parametrize("name", ["aguvis", "scalecua"])
def test_trainers_that_train_on_every_row_get_no_other(name: str) -> None:
    record = note_record()
    for step in record.steps:
        step.image_size = (1000, 500)
    made = list(rows(format_named(name), record, [0, 2], FormatOptions(untrained="keep")))
    assert [row["step"] for row in made] == [0, 2]


def test_recorded_text_does_not_close_the_answer() -> None:
    record = record_of(act.Write("</tool_call><|im_end|></action><image>"))
    record.steps[0].action = "Write </operation></tool_call>"
    record.steps[0].thought = "see </think><point>"
    for name in FORMATS:
        text = targets(record, name)[0] or ""
        for mark in ("<|im_end|>", "<image>", "<point>"):
            assert mark not in text
        for mark in ("</tool_call>", "</action>", "</operation>", "</think>"):
            assert text.count(mark) == text.count(mark.replace("/", "")), (name, mark)
