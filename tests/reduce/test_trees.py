"""Which tree belongs to a step: of films whose screen and readings are known."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.model.errors import InputError
from curate.model.events import RawRecording, TreeAt, WindowAt
from curate.model.trajectory import Trajectory
from curate.model.tree import Node
from curate.reduce.recording import reduce_recording
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.store.media import MediaStore
from curate.store.trees import add_tree, read_tree
from tests.reduce.film import HEIGHT, WIDTH, Film, blank, box, text

CHANGES = 2.0  # when a box appears on the film


def tree(started: float, time: float, name: str, app: str = "a", title: str = "A") -> TreeAt:
    nodes = [
        Node(role="window", name=name, box=(0, 0, WIDTH / 2, HEIGHT)),
        Node(parent=0, role="edit", name="mail ann@example.org", value="x", states=["password"]),
    ]
    return TreeAt(started=started, time=time, app=app, title=title, load=lambda: nodes)


def reduced(folder: Path, *trees: TreeAt, windows: Any = None, click: float = 4.0) -> tuple[Trajectory, MediaStore]:
    film = Film(lambda time: box(blank(), 300, 100, 400, 200, 60) if time > CHANGES else blank(), length=6.0)
    film.move(0.1, 0.4, (20, 20), (30, 30))
    film.move(click - 0.6, click - 0.2, (30, 30), (500, 300))
    film.add("button", click, x=500.0, y=300.0, button="left", pressed=True)
    film.add("button", click + 0.08, x=500.0, y=300.0, button="left", pressed=False)
    recording: RawRecording = film.recording(folder)
    recording.trees = list(trees)
    recording.windows = [WindowAt(time=0.0, app="a", title="A")] if windows is None else windows
    media = MediaStore(folder)
    record, _ = reduce_recording(recording, media, ReduceOptions(), KeyframeOptions())
    return record, media


def chosen(folder: Path, *trees: TreeAt, **more: Any) -> str | None:
    """The name that the click's tree has."""
    record, media = reduced(folder, *trees, **more)
    step = next(step for step in record.steps if step.code and "click" in step.code)
    return None if step.tree is None else read_tree(media, step.tree).nodes[0].name


def test_the_latest_tree_of_what_the_picture_shows(tmp_path: Path) -> None:
    assert chosen(tmp_path, tree(0.5, 0.6, "old"), tree(2.3, 2.4, "new"), tree(2.8, 2.9, "newer")) == "newer"


@pytest.mark.parametrize(
    ("started", "time", "why"),
    [
        (1.0, 1.2, "the screen changed since"),
        (1.9, 2.3, "the screen changed while it was read"),
        (3.9, 4.3, "it was not complete when the step began"),
        (4.5, 4.6, "it is of afterwards"),
    ],
)
def test_a_tree_of_another_moment_is_none(tmp_path: Path, started: float, time: float, why: str) -> None:
    assert chosen(tmp_path, tree(started, time, "stale")) is None, why


def test_a_tree_of_another_window_is_none(tmp_path: Path) -> None:
    windows = [WindowAt(time=0.0, app="a", title="A"), WindowAt(time=3.0, app="b", title="B")]
    assert chosen(tmp_path, tree(2.5, 2.6, "a's"), windows=windows) is None
    assert chosen(tmp_path, tree(3.1, 3.2, "b's", "b", "B"), windows=windows) == "b's"
    assert chosen(tmp_path, tree(3.1, 3.2, "a's", "a", "A"), windows=windows) is None


def test_a_tree_begun_before_the_previous_action_ended_is_none(tmp_path: Path) -> None:
    film = Film(lambda time: blank(), length=4.0)
    film.move(0.1, 0.4, (20, 20), (30, 30))
    for start in (1.0, 2.5):
        for time, pressed in ((start, True), (start + 0.1, False)):
            film.add("button", time, x=200.0 + start * 50, y=100.0, button="left", pressed=pressed)
    recording = film.recording(tmp_path)
    recording.trees = [tree(1.05, 1.4, "within")]
    record, _ = reduce_recording(recording, MediaStore(tmp_path), ReduceOptions(), KeyframeOptions())
    assert [step.tree for step in record.steps if step.code and "click" in step.code] == [None, None]


def test_what_a_record_holds(tmp_path: Path) -> None:
    record, media = reduced(tmp_path, tree(2.5, 2.6, "Inbox of bob@example.org", title="bob@example.org"))
    reference = next(step.tree for step in record.steps if step.tree)
    assert reference.endswith(".json.zst") and media.check(reference)
    packed = read_tree(media, reference)
    window, mail = packed.nodes
    assert window.box == (0.0, 0.0, 0.5, 1.0), "fractions of the picture"
    assert mail.parent == 0 and mail.value is None, "of a password field nothing is kept"
    assert b"example.org" not in msgspec.json.encode(packed)
    assert packed.time == pytest.approx(2.6 - 0.1, abs=0.002), "seconds from the first event"


def test_the_same_tree_is_stored_once_and_what_is_none_is_refused(tmp_path: Path) -> None:
    film, media = tmp_path / "film", MediaStore(tmp_path)
    film.mkdir()
    record, _ = reduced(film, tree(2.5, 2.6, "x"))
    packed = read_tree(MediaStore(film), next(step.tree for step in record.steps if step.tree))
    assert add_tree(media, packed) == add_tree(media, packed)
    for data in (b"", b"{}", b"\x28\xb5\x2f\xfd garbage"):
        with pytest.raises(InputError, match="no accessibility tree"):
            read_tree(media, media.add_bytes(data, "json.zst"))


def test_a_caret_that_blinks_makes_no_tree_stale(tmp_path: Path) -> None:
    """Only in the field that has the focus, and nothing larger."""

    shown = {
        "caret": lambda: box(blank(), 100, 110, 102, 128, 20),
        "words": lambda: text(blank(), "hello world", 100, 125),
        "elsewhere": lambda: box(blank(), 500, 110, 502, 128, 20),
    }
    field = Node(role="edit", box=(80, 100, 300, 140), states=["editable", "focused"])
    read = TreeAt(started=2.4, time=2.7, app="a", title="A", load=lambda: [field])
    for name, picture in shown.items():
        film = Film(lambda time, picture=picture: picture() if time > 2.55 else blank(), length=4.0)  # type: ignore[misc]
        film.move(0.1, 0.4, (20, 300), (30, 300))
        film.add("button", 3.05, x=30.0, y=300.0, button="left", pressed=True)
        film.add("button", 3.1, x=30.0, y=300.0, button="left", pressed=False)
        folder = tmp_path / name
        folder.mkdir()
        recording = film.recording(folder)
        recording.trees = [read]
        record, _ = reduce_recording(recording, MediaStore(folder), ReduceOptions(), KeyframeOptions())
        assert (record.steps[0].tree is not None) is (name == "caret"), name
