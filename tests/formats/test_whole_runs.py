"""Transitions and the Agent Data Protocol: what a run says from its first step to its last, and what is read back."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.cli._app import run
from curate.formats.base import FormatOptions, format_named, lines, rows
from curate.model import actions as act
from curate.model.render import canonical
from curate.model.trajectory import Outcome, Trajectory, convert, encode
from curate.store.dataset import DatasetWriter
from tests.factories import make_step, make_trajectory
from tests.formats.records import note_record
from tests.formats.test_read_back import picture, record_of
from tests.model import strategies
from tests.sources.folders import read_all

DIGIRL = (
    "observation", "next_observation", "image_features", "next_image_features", "image_path", "video_path", "task",
    "reward", "done", "action", "trajectory_reward", "mc_return",
)  # fmt: skip
PHONE: list[Any] = [
    act.Click(0.25, 0.75), act.Swipe(0.5, 0.75, 0.5, 0.25), act.Write('say "hi"'), act.Enter(), act.Back(), act.Home(),
    act.Terminate("success"),
]  # fmt: skip


def transitions(record: Trajectory, **options: Any) -> list[dict[str, Any]]:
    told = FormatOptions(**options)
    return list(rows(format_named("transitions"), record, [step.index for step in record.steps], told))


@pytest.mark.parametrize(("completed", "end"), [(True, 1.0), (False, 0.0), (None, None)])
def test_the_reward_stands_at_the_end_and_only_where_the_outcome_is_known(
    completed: bool | None, end: float | None
) -> None:
    record = note_record(outcome=Outcome(completed=completed), final_image="media/ff/last.png")
    found = transitions(record)
    assert list(found[0])[:12] == list(DIGIRL)
    assert [row["reward"] for row in found] == [0.0] * 4 + [end]
    assert [row["done"] for row in found] == [False] * 4 + [True]
    assert {row["trajectory_reward"] for row in found} == {end}
    returns = [None if end is None else end * 0.95**left for left in (4, 3, 2, 1, 0)]
    assert [row["mc_return"] for row in found] == (returns if end is None else pytest.approx(returns))
    images = [step.image for step in record.steps]
    assert [row["image"] for row in found] == images
    assert (
        [row["next_image"] for row in found]
        == [row["image_path"] for row in found]
        == [*images[1:], "media/ff/last.png"]
    )
    for row, following in pairwise(found):
        assert row["next_observation"] == following["observation"]


def test_a_run_without_a_last_picture_says_so_and_a_picture_after_a_step_serves() -> None:
    assert transitions(note_record())[-1]["next_image"] is None
    record = note_record()
    record.steps[-1].image_after = "media/ee/after.png"
    assert transitions(record)[-1]["next_image"] == "media/ee/after.png"


def test_digirl_reads_its_actions_back(tmp_path: Path) -> None:
    record = record_of(tmp_path, PHONE, "android")
    record.final_image = record.steps[0].image
    found = transitions(record, dialect="digirl")
    assert len(found) == len(PHONE)
    path = tmp_path / "digirl.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in found), encoding="utf-8")
    (read,) = read_all(path, tmp_path / "read")
    assert isinstance(read, Trajectory) and read.outcome.completed is True
    assert read.instruction == record.instruction
    for one, other in zip(read.steps, record.steps, strict=True):
        assert canonical(one.actions) == canonical(other.actions)
    pictures = [step.image for step in record.steps]
    assert [step.image for step in read.steps[1:]] == pictures[1:] and read.final_image == pictures[0]


def test_what_digirls_parser_would_misread_is_no_transition() -> None:
    hard = [act.Write('a", "b'), act.Swipe(0.5, 0.5, 0.5, 0.5005), act.LongPress(0.5, 0.5), act.Click(0.5, 0.5)]
    steps = [make_step(n, one, image="media/a.png", image_size=(1000, 2000)) for n, one in enumerate(hard)]
    record = make_trajectory("r", steps=steps, platform="android")
    why = format_named("transitions").why_not(record, FormatOptions(dialect="digirl"))
    assert why == ["unroll.not_in_format"] * 3 + [None]
    record.platform = "linux"
    assert None not in format_named("transitions").why_not(record, FormatOptions(dialect="digirl"))


def test_a_record_comes_back_from_the_protocol_as_it_was(tmp_path: Path) -> None:
    record = record_of(tmp_path, [act.Click(0.25, 0.75), act.Write("<image>\n"), act.Terminate("success")], "linux")
    record.final_image, record.steps[1].correct = record.steps[0].image, False
    record.steps[1].reflection, record.scores = "No.", []
    path = tmp_path / "runs.jsonl"
    path.write_bytes(b"".join(line + b"\n" for line in lines(format_named("adp"), record, [], FormatOptions())))
    row = json.loads(path.read_bytes())
    kinds = [item["class_"] for item in row["content"]]
    assert kinds == ["text_observation", *["image_observation", "code_action"] * 3, "image_observation"]
    assert all(isinstance(value, str) for value in row["details"].values())
    (read,) = read_all(path, tmp_path / "read")
    assert isinstance(read, Trajectory) and encode(read) == encode(record)


@given(st.lists(strategies.some_actions.filter(lambda some: not re.search(r"\\ud[89a-f]", ascii(some))), max_size=4))
def test_a_row_of_the_protocol_is_of_its_type(does: list[Any]) -> None:
    record = make_trajectory("r", steps=[make_step(n, one) for n, one in enumerate(does)])
    form = format_named("adp")
    for line in lines(form, record, [], FormatOptions()):
        row = json.loads(line)
        assert convert(json.loads(row["details"]["trajectory.v1"])) == record


def test_one_set_of_files_for_each_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        shown = {"image": writer.media.add_bytes(picture(1), "png"), "image_size": (1288, 728)}
        for n, platform in enumerate(["linux", "windows", "linux", None]):
            steps = [make_step(0, "click A", **shown), make_step(1, "click B", correct=False, **shown)]
            writer.add(make_trajectory(f"made:{n}", steps=steps, platform=platform))  # type: ignore[arg-type]
    out = tmp_path / "out" / "cua.jsonl"
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "dataset_info.json").write_text('{"other": {"file_name": "other.json"}}')
    command = ["export", str(tmp_path / "ds"), "--format", "llamafactory", "--out", str(out)]
    assert run([*command, "--by", "platform", "--jpeg", "90"]) == 0
    counts = {"linux": 2, "windows": 1, "unknown": 1}
    for name, count in counts.items():
        found = (tmp_path / "out" / f"cua-{name}.jsonl").read_text("utf-8").splitlines()
        left_out = (tmp_path / "out" / f"cua-{name}.steps_left_out.jsonl").read_text("utf-8").splitlines()
        assert len(found) == len(left_out) == count
        for image in json.loads(found[0])["images"]:
            assert (tmp_path / "out" / image).is_file(), "pictures are named from where the file lies"
    assert not out.exists() and not (tmp_path / "out" / "cua-macos.jsonl").exists()
    entries = json.loads((tmp_path / "out" / "dataset_info.json").read_bytes())
    assert set(entries) == {"other", *(f"cua-{name}" for name in counts)}, "what stood there stays"
    assert entries["cua-linux"]["file_name"] == "cua-linux.jsonl"
    assert run([*command, "--by", "platform", "--jpeg", "90"]) == 0, "the same again"
    (tmp_path / "out" / "dataset_info.json").write_text("[")
    assert run([*command, "--by", "platform", "--jpeg", "90"]) == 4
    assert "dataset_info.json" in capsys.readouterr().err
    assert run([*command, "--by", "app"]) == 2


def test_pictures_after_steps_come_along(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        names = [writer.media.add_bytes(picture(n), "png") for n in range(3)]
        steps = [make_step(n, "click A", image=names[n], image_size=(1288, 728)) for n in range(2)]
        writer.add(make_trajectory("made:1", steps=steps, final_image=names[2]))
    for name in ("transitions", "adp"):
        out = tmp_path / "out" / f"{name}.jsonl"
        command = ["export", str(tmp_path / "ds"), "--format", name, "--max-pixels", "100000", "--out", str(out)]
        assert run(command) == 0
        text = out.read_text("utf-8")
        assert "media/" not in text and text.count("pictures-") >= 3
    last = json.loads((tmp_path / "out" / "transitions.jsonl").read_text("utf-8").splitlines()[-1])
    assert (tmp_path / "out" / last["next_image"]).is_file()


def test_a_run_writes_no_format_of_whole_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        writer.add(make_trajectory("made:1"))
    recipe = ["--recipe", "desktop", "--set", "unroll.format=adp"]
    assert run(["run", str(tmp_path / "ds"), *recipe, "--out", str(tmp_path / "run")]) == 2
    assert "export it as adp" in capsys.readouterr().err
