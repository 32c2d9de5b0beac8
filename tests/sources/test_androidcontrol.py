"""AndroidControl: pixels of each screenshot, scrolls by what is seen next, one screenshot more than actions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Click, Enter, HScroll, Scroll, Write
from curate.model.rejected import Rejected
from curate.model.trajectory import Element, Trajectory
from curate.model.tree import Node, Tree
from curate.sources.common.android_tree import acted_at
from curate.sources.recognise import find_inputs
from curate.store.media import MediaStore
from curate.store.trees import read_tree
from tests.sources.folders import read_all, read_one, rejected_one
from tests.sources.phones import picture, sample, written

FIXTURES = Path(__file__).parent / "fixtures" / "androidcontrol"


def episode(folder: Path, *actions: dict[str, Any], size: tuple[int, int] = (1000, 2000), **more: Any) -> Path:
    """An episode in a JSON file, with its pictures."""
    count = len(actions) + 1
    names = [f"3/screenshot_{number}.png" for number in range(count)]
    for number, name in enumerate(names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(picture((10, 20), number))
    row = {
        "episode_id": 3, "goal": "Do it", "screenshots": names, "screenshot_widths": [size[0]] * count,
        "screenshot_heights": [size[1]] * count, "actions": list(actions),
        "step_instructions": [f"Part {number}" for number in range(len(actions))], **more,
    }  # fmt: skip
    return written(folder / "a.json", [row])


def test_points_are_pixels_of_the_stated_size(tmp_path: Path) -> None:
    record = read_one(
        episode(tmp_path / "in", {"action_type": "click", "x": 250, "y": 1500}, size=(1000, 2000)), tmp_path
    )
    assert record.steps[0].actions == [Click(x=0.25, y=0.75)]
    assert record.outcome.completed is None  # nobody says that the demonstration succeeded


@pytest.mark.parametrize(
    ("word", "action"),
    [
        ("down", Scroll(amount=-1.0, unit="page")),  # what stands below comes; PyAutoGUI's sign
        ("up", Scroll(amount=1.0, unit="page")),
        ("left", HScroll(amount=-1.0, unit="page")),
        ("right", HScroll(amount=1.0, unit="page")),
    ],
)
def test_a_scroll_says_what_is_seen_next(tmp_path: Path, word: str, action: Scroll | HScroll) -> None:
    file = episode(tmp_path / "in", {"action_type": "scroll", "direction": word})
    assert read_one(file, tmp_path).steps[0].actions == [action]


def test_type_is_a_click_the_text_and_enter(tmp_path: Path) -> None:
    file = episode(tmp_path / "in", {"action_type": "type", "x": 500, "y": 1000, "text": "hi"})
    step = read_one(file, tmp_path).steps[0]
    assert step.actions == [Click(x=0.5, y=0.5), Write("hi"), Enter()] and "no_focus" not in step.flags


def test_the_picture_stands_before_its_action_and_the_last_is_the_end(tmp_path: Path) -> None:
    file = episode(tmp_path / "in", {"action_type": "wait"}, {"action_type": "navigate_back"})
    record, media = read_one(file, tmp_path / "out"), MediaStore(tmp_path / "out")
    shown = [media.read(name) for name in (record.steps[0].image, record.steps[1].image, record.final_image) if name]
    assert shown == [(tmp_path / "in" / f"3/screenshot_{number}.png").read_bytes() for number in range(3)]
    assert record.steps[0].image_after == record.steps[1].image and record.steps[1].image_after == record.final_image


def test_text_without_a_field_is_flagged_unless_the_tree_shows_one(tmp_path: Path) -> None:
    typed = {"action_type": "input_text", "text": "hi"}
    field = {"class_name": "android.widget.EditText", "is_editable": True, "is_focused": True}
    for number, (before, tree, flagged) in enumerate(
        [("wait", [], True), ("click", [], False), ("wait", [field], False)]
    ):
        first = {"action_type": before, **({"x": 1, "y": 1} if before == "click" else {})}
        file = episode(tmp_path / str(number), first, typed, accessibility_trees=[[], tree, []])
        assert ("no_focus" in read_one(file, tmp_path / "out").steps[1].flags) is flagged


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"action_type": "pinch"}, "import.unsupported_action"),
        ({"action_type": "click", "x": 1}, "validate.schema"),
        ({"action_type": "click", "x": True, "y": 1}, "validate.coordinate_out_of_range"),
        ({"action_type": "scroll", "direction": "sideways"}, "validate.schema"),
        ({"action_type": "open_app"}, "validate.schema"),
    ],
)
def test_what_has_no_meaning_refuses_the_episode(tmp_path: Path, action: dict[str, Any], reason: str) -> None:
    assert rejected_one(episode(tmp_path / "in", action), tmp_path).reason == reason


def test_a_pinch_into_the_middle_of_a_tfrecord_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    import gzip

    plain = gzip.decompress((FIXTURES / "tfrecord/raw/android_control-00000-of-00020").read_bytes())
    file = tmp_path / "android_control-00000-of-00020"
    file.write_bytes(plain[:300] + b"?" + plain[301:])
    bad, *others = read_all(file, tmp_path)
    assert isinstance(bad, Rejected) and (bad.reason, bad.line) == ("read.tfrecord", 1)
    assert [one.id for one in others] == [f"androidcontrol:{number}" for number in (1204, 1300, 1301, 1302)]


def test_a_forest_becomes_a_tree(tmp_path: Path) -> None:
    file = FIXTURES / "tfrecord/raw/android_control-00000-of-00020"
    record = next(one for one in read_all(file, tmp_path) if isinstance(one, Trajectory))
    first, second = (read_tree(MediaStore(tmp_path), record.steps[n].tree or "") for n in (0, 1))
    assert [(node.parent, node.role, node.name) for node in first.nodes] == [
        (None, "window", None), (None, "window", "Home"), (1, "group", None), (2, "text", "Recipes"),
        (2, "button", "Off the edge"),
    ]  # fmt: skip
    assert first.nodes[3].box == (0.0556, 0.125, 0.4444, 0.1875)  # 5, 20, 40, 30 of 90 x 160
    assert first.nodes[4].box is None  # it leaves the screen
    assert [node.name for node in second.nodes[3:5]] == [None, "Find"]  # the order in which its parent names it
    soup, secret = second.nodes[3], second.nodes[5]
    assert soup.value == "soup" and set(soup.states) == {"focused", "editable"}
    assert "password" in secret.states and secret.value is None and secret.name is None
    assert "hidden word" not in repr(second)


def test_the_element_is_the_smallest_in_the_window_in_front() -> None:
    def node(name: str | None, *box: float, parent: int | None = 0, role: str = "group", **more: Any) -> Node:
        return Node(name=name, box=(box[0], box[1], box[2], box[3]), parent=parent, role=role, **more)

    nodes = [
        node("Behind", 0, 0, 1, 1, parent=None, role="window"), node("Small and behind", 0.4, 0.4, 0.6, 0.6),
        node("In front", 0, 0.3, 1, 0.7, parent=None, role="window"), node("Row", 0.1, 0.3, 0.9, 0.6, parent=2),
        node(None, 0.3, 0.3, 0.7, 0.6, parent=3), node("Page", 0, 0, 1, 0.9),
        node("Gone", 0.45, 0.45, 0.55, 0.55, parent=3, states=["offscreen"]),
    ]  # fmt: skip
    tree = Tree(nodes=nodes)
    assert acted_at(tree, 0.5, 0.5) == Element(role="group", name="Row", box=(0.1, 0.3, 0.9, 0.6))
    assert acted_at(tree, 0.5, 0.8) is None  # a page is no target
    nodes[4] = node(None, 0.3, 0.3, 0.7, 0.6, parent=3, role="edit")
    assert acted_at(Tree(nodes=nodes), 0.5, 0.5) == Element(role="edit", box=(0.3, 0.3, 0.7, 0.6))


def test_the_public_sample(shared: Path, tmp_path: Path) -> None:
    public = shared / "data/sources/androidcontrol/adp_sample_raw.json"
    assert [one.source for one in find_inputs([public]).inputs] == ["androidcontrol"]
    assert rejected_one(public, tmp_path / "none").reason == "read.media_missing"  # it comes without its pictures
    file = sample(public, tmp_path / "in", [f"0/screenshot_{number}.png" for number in range(4)])
    record = read_one(file, tmp_path / "out")
    assert record.id == "androidcontrol:0" and record.apps == ["Zoho Meeting"] and len(record.steps) == 3
    assert record.steps[2].actions == [Click(x=0.5, y=0.1625)]  # 540, 390 of 1080 x 2400
    met = record.steps[2].element  # what the point meets is what the words of the step name
    assert record.steps[2].low_level == "Go to the Past section" and met is not None and met.name == "PAST"
    assert record.steps[2].flags == ["element_from_tree"]
    assert record.steps[0].low_level == record.steps[1].low_level == "Open the Zoho Meet app"
    assert [len(read_tree(MediaStore(tmp_path / "out"), s.tree or "").nodes) for s in record.steps] == [34, 7, 18]
    assert record.steps[0].image_size == (1080, 2400) and record.final_image is not None
