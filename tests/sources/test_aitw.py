"""Android in the Wild: y before x, a tap by the distance of two points, steps spread over shards."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Click, Swipe, Terminate
from curate.model.trajectory import Trajectory
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore, read_rgb
from curate.store.trees import read_tree
from tests.sources.folders import read_all, read_one, rejected_one
from tests.sources.phones import picture, sample, written

FIXTURES = Path(__file__).parent / "fixtures" / "aitw"
SAMPLE = [f"screenshots/12172380859428428757-{number}.png" for number in range(3)]


def step(folder: Path, number: int, kind: Any, touch: list[float], lift: list[float], **more: Any) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"5-{number}.png").write_bytes(picture((54, 96), number))
    return {
        "episode_id": "5", "step_id": number, "goal_info": "Do it", "results/action_type": kind,
        "results/yx_touch": touch, "results/yx_lift": lift, "results/type_action": "", "image/encoded": f"x/5-{number}",
        "image/width": 54, "image/height": 96, **more,
    }  # fmt: skip


def test_points_come_y_before_x(tmp_path: Path) -> None:
    file = written(tmp_path / "in/a.json", [step(tmp_path / "in", 0, 4, [0.9, 0.1], [0.9, 0.1])])
    assert read_one(file, tmp_path).steps[0].actions == [Click(x=0.1, y=0.9)]


@pytest.mark.parametrize("travel", [0.0, 0.039, 0.041, 0.3])
def test_a_tap_is_what_travels_no_more_than_a_twenty_fifth(tmp_path: Path, travel: float) -> None:
    y, x = travel * math.cos(1), travel * math.sin(1)
    file = written(tmp_path / "in/a.json", [step(tmp_path / "in", 0, 4, [0.5, 0.5], [0.5 + y, 0.5 + x])])
    (action,) = read_one(file, tmp_path).steps[0].actions
    assert isinstance(action, Click if travel <= 0.04 else Swipe)


@pytest.mark.parametrize(
    ("kinds", "completed", "reason"),
    [([6, 10], True, None), ([6, 11], False, "impossible"), ([6, 5], None, None), ([10, 5], None, None)],
)
def test_the_outcome_is_what_the_last_action_says(
    tmp_path: Path, kinds: list[int], completed: bool | None, reason: str | None
) -> None:
    rows = [step(tmp_path / "in", number, kind, [-1, -1], [-1, -1]) for number, kind in enumerate(kinds)]
    record = read_one(written(tmp_path / "in/a.json", rows), tmp_path)
    assert (record.outcome.completed, record.outcome.reason) == (completed, reason)
    assert record.outcome.by == (None if completed is None else "human")


def test_no_point_is_made_of_minus_one(tmp_path: Path) -> None:
    file = written(tmp_path / "in/a.json", [step(tmp_path / "in", 0, 4, [-1, -1], [-1, -1])])
    assert rejected_one(file, tmp_path).reason == "validate.coordinate_out_of_range"


def test_an_episode_over_two_shards_is_one_record_and_each_shard_alone_a_part_of_it(tmp_path: Path) -> None:
    found = read_all(FIXTURES / "shards/raw", tmp_path)
    timer = next(one for one in found if one.id == "aitw:700")
    assert isinstance(timer, Trajectory) and [one.index for one in timer.steps] == [0, 1, 3, 4]
    assert timer.steps[2].flags == ["step_gap"] and timer.steps[-1].actions == [Terminate("success")]
    tree = read_tree(MediaStore(tmp_path), timer.steps[0].tree or "")
    assert [(node.role, node.name, node.box) for node in tree.nodes] == [
        ("text", "Clock", (0.2, 0.1, 0.5, 0.15)),  # top 0.1, left 0.2, height 0.05, width 0.3
        ("image", None, None),  # top 0.9 and height 0.2: it leaves the screen
    ]
    alone = read_all(FIXTURES / "shards/raw/general-00000-of-00002", tmp_path)
    part = next(one for one in alone if one.id == "aitw:700")
    assert isinstance(part, Trajectory)
    assert part.lineage == ["The last step here is 3, of a run of 5 steps.", "AitW: part general"]
    assert part.outcome.completed is None


def test_raw_pixels_become_the_same_picture(tmp_path: Path) -> None:
    import gzip

    from tfrecord.example_pb2 import Example

    data = gzip.decompress((FIXTURES / "shards/raw/general-00000-of-00002").read_bytes())
    length = int.from_bytes(data[:8], "little")
    raw = Example.FromString(data[12 : 12 + length]).features.feature["image/encoded"].bytes_list.value[0]
    record = next(one for one in read_all(FIXTURES / "shards/raw", tmp_path) if isinstance(one, Trajectory))
    shown = read_rgb(MediaStore(tmp_path).read(record.steps[0].image or ""))
    assert shown is not None and shown.shape == (96, 54, 3) and shown.tobytes() == raw


def test_a_folder_with_other_data_is_no_single_input(tmp_path: Path) -> None:
    for name in ("general-00000-of-00002", "general-00001-of-00002"):
        (tmp_path / name).write_bytes((FIXTURES / "shards/raw" / name).read_bytes())
    assert [one.path for one in find_inputs([tmp_path]).inputs] == [tmp_path]
    (tmp_path / "other.jsonl").write_text('{"instruction": "x", "steps": [{"action": "tap"}]}\n', encoding="utf-8")
    assert [one.source for one in find_inputs([tmp_path]).inputs] == ["aitw", "aitw", "lesson"]


def test_seeclicks_port_is_not_turned_again(tmp_path: Path) -> None:
    weather = read_all(FIXTURES / "port/raw", tmp_path)[0]
    assert isinstance(weather, Trajectory)
    assert weather.steps[0].actions == [Click(x=0.25, y=0.75)]  # "touch": [0.25, 0.75]
    assert weather.steps[1].actions == [Swipe(x=0.5, y=0.75, to_x=0.5, to_y=0.25)]  # the finger goes up


def test_one_id_with_two_instructions_is_two_records(tmp_path: Path) -> None:
    rows = [step(tmp_path / "in", n, 6, [-1, -1], [-1, -1], goal_info=goal) for n, goal in enumerate(("One", "Two"))]
    found = read_all(written(tmp_path / "in/a.json", rows), tmp_path)
    assert [one.instruction for one in found if isinstance(one, Trajectory)] == ["One", "Two"]


def test_the_public_sample(shared: Path, tmp_path: Path) -> None:
    public = shared / "data/sources/aitw/adp_sample_raw.json"
    assert [one.source for one in find_inputs([public]).inputs] == ["aitw"]
    assert rejected_one(public, tmp_path / "none").reason == "read.media_missing"
    record = read_one(sample(public, tmp_path / "in", SAMPLE, (540, 1080)), tmp_path / "out")
    assert record.instruction == "Open a new Chrome private window" and record.apps == ["com.android.chrome"]
    assert [one.actions for one in record.steps] == [
        [Click(x=0.7089, y=0.7761)], [Click(x=0.4154, y=0.7191)], [Click(x=0.7788, y=0.7184)],
    ]  # fmt: skip
    assert record.lineage == ["The last step here is 2, of a run of 9 steps."] and record.outcome.completed is None
    assert "someone" not in repr(record)
