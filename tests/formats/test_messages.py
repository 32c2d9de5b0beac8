"""Our own format: one loss an example, alternating roles, pictures only where pictures are."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from curate.formats.base import FormatOptions, escape_code, escape_text, format_named, rows
from curate.model import actions as act
from curate.model.parse import parse
from curate.model.render import canonical, render
from curate.model.schemas import explain, schema_of
from curate.model.trajectory import Step, Trajectory
from tests.factories import make_trajectory
from tests.formats.records import PICTURES, note_record

PLACEHOLDER = re.compile(r"<image>|<video>|<audio>|<\|\w+\|>")


def _rows(record: Trajectory, targets: list[int], **options: Any) -> list[dict[str, Any]]:
    return list(rows(format_named("messages"), record, targets, FormatOptions(**options)))


def _text(row: dict[str, Any]) -> str:
    return "\n".join(part.get("text", "") for message in row["messages"] for part in message["content"])


texts = st.text(max_size=20) | st.sampled_from(["<image>", "<|im_end|>", "a <video> b", "</script>", "'<image>'"])
steps = st.builds(
    Step,
    index=st.just(0),
    image=st.none() | st.sampled_from(PICTURES),
    thought=st.none() | texts,
    action=st.none() | texts,
    actions=st.lists(st.builds(act.Write, texts) | st.just(act.Click(0.1, 0.2)), min_size=1, max_size=2),
    correct=st.sampled_from([True, False, None]),
    redundant=st.sampled_from([True, False, None]),
    reflection=st.none() | texts,
)
records = st.lists(steps, min_size=1, max_size=7)


@settings(max_examples=200)
@given(records, st.integers(-1, 7), st.integers(1, 4), st.sampled_from(["L1", "L2", "L3"]), texts)
def test_every_example_is_one_a_trainer_takes(
    made: list[Step], history: int, images: int, level: str, instruction: str
) -> None:
    for index, step in enumerate(made):
        step.index = index
    record = make_trajectory("r", instruction=instruction)
    record.steps = made
    targets = list(range(len(made)))
    rows = _rows(record, targets, history=history, images=images, level=level)
    assert [row["step"] for row in rows] == targets
    schema = schema_of("example.v1", format_named("messages").row, "x")
    for row in rows:
        assert explain(row, schema) is None
        roles = [message["role"] for message in row["messages"]]
        assert roles[0] == "system" and set(roles[1::2]) == {"user"} and set(roles[2::2]) == {"assistant"}
        assert [message["train"] for message in row["messages"]] == [False] * (len(roles) - 1) + [True]
        shown = [part["image"] for message in row["messages"] for part in message["content"] if "image" in part]
        current = made[row["step"]].image
        assert len(shown) <= images and (current is None or shown[-1] == current)
        for message in row["messages"]:
            assert message["content"]
            for part in message["content"]:
                assert set(part) == {"type", part["type"]}
        assert not PLACEHOLDER.search(_text(row))


@given(st.lists(st.builds(act.Write, texts) | st.builds(act.Answer, texts), max_size=3))
def test_escaped_code_does_the_same(actions: list[act.Action]) -> None:
    code = escape_code(render(actions))
    assert not PLACEHOLDER.search(code)
    assert parse(code) == canonical(actions)


def test_only_placeholders_are_escaped() -> None:
    text = "a < b, <b>bold</b>, <images>, <|>"
    assert escape_text(text) == text
    assert escape_text("see <image>") == "see &lt;image>"


def test_history_tells_the_last_steps_and_what_was_wrong_with_them() -> None:
    (row,) = _rows(note_record(), [3])
    (first_user,) = [message for message in row["messages"] if message["role"] == "user"]
    assert first_user["content"] == [
        {
            "type": "text",
            "text": "Task: Save the note as plan.txt\n\nEarlier steps:\n"
            'Step 1: Click the menu "File"\n'
            "Step 2: Type the name wrong.txt (This step was wrong: The dialog was not open yet, so the text went into "
            "the document.)\n"
            "Step 3: Press Ctrl+Z",
        },
        {"type": "image", "image": PICTURES[3]},
    ]


def test_shown_steps_are_turns_and_remarks_follow_them() -> None:
    (row,) = _rows(note_record(), [2], images=2, history=-1)
    users = [message["content"] for message in row["messages"] if message["role"] == "user"]
    assert [part["image"] for content in users for part in content if "image" in part] == PICTURES[1:3]
    assert users[1][0]["text"].startswith("This step was wrong: The dialog")
    assert row["messages"][2]["content"][0]["text"] == "## Action:\nType the name wrong.txt\n"
    assert row["messages"][-1]["content"][0]["text"] == (
        "## Thought:\nI take that back.\n\n## Action:\nPress Ctrl+Z\n\n"
        "## Code:\n```python\npyautogui.hotkey('ctrl', 'z')\n```\n"
    )
    assert (row["trajectory"], row["step"], row["weight"]) == ("note:1", 2, 0.5)


def test_steps_that_are_no_target_are_omitted_or_kept_without_loss() -> None:
    assert [row["step"] for row in _rows(note_record(), [0, 2, 4])] == [0, 2, 4]
    kept = _rows(note_record(), [0, 2, 4], untrained="keep")
    assert [row["train"] for row in kept] == [True, False, True, False, True]
    assert not any(message["train"] for row in (kept[1], kept[3]) for message in row["messages"])


def test_step_indices_with_gaps_name_steps_not_places() -> None:
    record = note_record()
    for step, index in zip(record.steps, (2, 3, 4, 6, 9), strict=True):
        step.index = index
    (row,) = _rows(record, [6])
    assert row["step"] == 6 and row["messages"][1]["content"][1]["image"] == PICTURES[3]


def test_the_prompt_asks_for_no_more_than_the_target_holds() -> None:
    """A prompt that asks for thoughts before targets that have none teaches the model not to do what it is told."""
    record = make_trajectory("r", does=["click A", "click B"])
    for step in record.steps:  # without a picture OpenCUA has no row
        step.image, step.image_size = PICTURES[0], (1000, 500)
    record.steps[1].thought = "The list is open."
    for name, asks in (("messages", "think"), ("opencua", "thought")):
        form = format_named(name)
        made = rows(form, record, [0, 1], FormatOptions(level="L3"))
        for row, thinks in zip(made, (False, True), strict=True):
            first, last = (str(row["messages"][at]["content"]) for at in (0, -1))
            assert ("## Thought" in last) is thinks
            assert (asks in first.lower()) is thinks, first
