"""DigiRL: pictures after the action, y before x in a text that is no JSON, pickles that are never opened."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Action, Click, Swipe, Terminate, Write
from curate.model.trajectory import Trajectory
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore
from tests.sources.folders import read_all, read_one, rejected_one
from tests.sources.phones import picture, written

FIXTURES = Path(__file__).parent / "fixtures" / "digirl"


def decision(kind: str, touch: str = "[-1.0, -1.0]", lift: str | None = None, text: str = "") -> str:
    points = f'"touch_point": "{touch}", "lift_point": "{lift or touch}"'
    return f'Action Plan: [{kind}] ; Action Decision: "action_type": "{kind}", {points}, "typed_text": "{text}"'


def run(folder: Path, *actions: str, size: tuple[int, int] = (1000, 2000), **more: Any) -> Path:
    rows = []
    folder.mkdir(parents=True, exist_ok=True)
    for number, action in enumerate(actions, 1):
        (folder / f"9.1_{number}.png").write_bytes(picture(size, number))
        rows.append({
            "observation": f"Previous Actions: Goal: Do it</s>{number}", "action": action, "task": "Do it",
            "image_path": f"/home/x/9.1_{number}.png", "done": False, "trajectory_reward": 1, **more,
        })  # fmt: skip
    return written(folder / "a.json", [rows])


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        (decision("DUAL_POINT", "[0.7852, 0.6779]"), Click(x=0.6779, y=0.7852)),
        (decision("DUAL_POINT", "[0.5000, 0.5000]", "[0.5010, 0.5020]"), Click(x=0.5, y=0.5)),  # 2 px each way: 8 < 10
        (decision("DUAL_POINT", "[0.5000, 0.5000]", "[0.5020, 0.5000]"), Swipe(x=0.5, y=0.5, to_x=0.5, to_y=0.502)),
        (decision("TYPE", text='a, "b", c", "d'), Write('a, "b", c", "d')),
        (decision("STATUS_TASK_COMPLETE"), Terminate("success")),
        (decision("TASK_IMPOSSIBLE"), Terminate("impossible")),
    ],
)
def test_what_an_action_says(tmp_path: Path, action: str, meant: Action) -> None:
    assert read_one(run(tmp_path / "in", action), tmp_path / "out").steps[0].actions == [meant]


def test_the_picture_comes_after_the_action(tmp_path: Path) -> None:
    file = run(tmp_path / "in", *[decision("PRESS_BACK")] * 3)
    record, media = read_one(file, tmp_path / "out"), MediaStore(tmp_path / "out")
    made = {f"9.1_{n}": media.add_file(tmp_path / f"in/9.1_{n}.png") for n in (1, 2, 3)}
    assert [step.image for step in record.steps] == [None, made["9.1_1"], made["9.1_2"]]
    assert [step.image_after for step in record.steps] == list(made.values())
    assert record.final_image == made["9.1_3"]


@pytest.mark.parametrize(("reward", "completed"), [(1, True), (0, False), (0.4, None), (None, None)])
def test_the_outcome_is_the_verdict_of_a_model(tmp_path: Path, reward: float | None, completed: bool | None) -> None:
    file = run(tmp_path / "in", decision("STATUS_TASK_COMPLETE"), trajectory_reward=reward)
    outcome = read_one(file, tmp_path / "out").outcome
    assert (outcome.completed, outcome.by) == (completed, None if completed is None else "model")


def test_an_action_that_cannot_be_read_leaves_its_step_without_one(tmp_path: Path) -> None:
    step = read_one(run(tmp_path / "in", "Action Decision: nothing"), tmp_path / "out").steps[0]
    assert (step.actions, step.code, step.action) == ([], None, "Action Decision: nothing")
    assert step.flags == ["unsupported_action"]


def test_transitions_one_after_another_come_apart(tmp_path: Path) -> None:
    found = read_all(FIXTURES / "flat/raw", tmp_path)
    assert [(one.id, len(one.steps) if isinstance(one, Trajectory) else None) for one in found] == [
        ("digirl:rollouts:1", 3), ("digirl:rollouts:4", None),
    ]  # fmt: skip


class Harm:
    """What a pickle may do when it is opened."""

    def __init__(self, mark: Path) -> None:
        self._mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self._mark,)


def test_a_pickle_is_refused_unopened(tmp_path: Path) -> None:
    mark = tmp_path / "opened"
    (tmp_path / "general.pt").write_bytes(pickle.dumps(Harm(mark)))
    bad = rejected_one(tmp_path / "general.pt", tmp_path / "out")
    assert bad.reason == "read.pickle" and "JSON" in (bad.detail or "") and not mark.exists()


def test_the_public_transition_and_the_task_lists(shared: Path, tmp_path: Path) -> None:
    public = shared / "data/sources/quoted_records/digirl_issue1_transition_abridged.json"
    assert [one.source for one in find_inputs([public]).inputs] == ["digirl"]
    (row,) = json.loads(public.read_text(encoding="utf-8"))
    (tmp_path / "in").mkdir()
    (tmp_path / "in/1715155212.891637_1.png").write_bytes(picture((108, 240)))
    record = read_one(written(tmp_path / "in/a.json", [row]), tmp_path / "out")
    assert record.steps[0].actions == [Click(x=0.6779, y=0.7852)] and record.outcome.completed is True
    assert (record.steps[0].image, record.final_image) == (None, record.steps[0].image_after)
    assert "/home" not in repr(record)
    from curate.model.errors import InputError

    with pytest.raises(InputError):
        find_inputs([shared / "data/sources/digirl"])  # lists of tasks
