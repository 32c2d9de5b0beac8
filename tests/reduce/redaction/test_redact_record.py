"""One secret taken out of a record: texts, what its actions typed, trees, pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from curate.model.actions import Hotkey, Press, Write
from curate.model.parse import parse
from curate.model.trajectory import Element, Outcome, Step, Trajectory, encode
from curate.model.tree import Node, Tree
from curate.reduce.redaction.record import redact_record
from curate.reduce.redaction.secrets import Secret
from curate.reduce.redaction.spellings import Spellings
from curate.store.media import MediaStore, read_rgb
from curate.store.trees import add_tree, read_tree
from tests.stages.factories import run, said, step

SECRET = "hunter2 it's"
SPELLINGS = Spellings([Secret(text=SECRET, name="pass")])
FONT = ImageFont.load_default(size=15)


@pytest.fixture
def media(tmp_path: Path) -> MediaStore:
    return MediaStore(tmp_path)


def screen(media: MediaStore, *texts: tuple[str, int, int], size: tuple[int, int] = (400, 240)) -> str:
    image = Image.new("RGB", size, (235, 235, 235))
    for text, x, y in texts:
        ImageDraw.Draw(image).text((x, y), text, fill=(20, 20, 20), font=FONT)
    return media.add_png(np.asarray(image, dtype=np.uint8))


def shown(media: MediaStore, ref: str | None) -> np.ndarray:
    assert ref is not None
    picture = read_rgb(media.read(ref))
    assert picture is not None
    return picture


def area(text: str, x: int, y: int) -> tuple[slice, slice]:
    left, top, right, bottom = FONT.getbbox(text)
    return slice(int(y + top), int(y + bottom)), slice(int(x + left), int(x + right))


def test_every_text_of_a_record_is_masked_and_its_code_rendered_again(media: MediaStore) -> None:
    steps = [
        step(0, Write(f"user {SECRET}\n"), action=f"Type {SECRET}", thought=f"The password is {SECRET}.",
             window=f"{SECRET} - Notes", code=f"pyautogui.write({f'user {SECRET}' + chr(10)!r})"),
        step(1, Hotkey(("ctrl", "s")), name="Save", code="pyautogui.hotkey('ctrl', 's')"),
    ]  # fmt: skip
    record = run("r", steps, f"Log in with {SECRET}", outcome=Outcome(completed=True, by="human", reason=SECRET),
                 wordings={SECRET: SECRET}, apps=["notes"])  # fmt: skip
    before = encode(record)
    out = redact_record(record, SPELLINGS, media)
    assert encode(record) == before
    assert b"hunter2" not in encode(out)
    assert out.instruction == "Log in with [pass]"
    assert out.steps[0].actions == [Write("user [pass]\n")]
    assert out.steps[0].code is not None and parse(out.steps[0].code) == out.steps[0].actions
    assert out.steps[0].flags == ["redacted"] and out.steps[1] == record.steps[1]
    assert out.lineage == ["redact: 1 steps, 0 pictures"]


def test_a_secret_typed_key_by_key_and_across_steps_is_found(media: MediaStore) -> None:
    keys = [Press("h"), Press("u"), Press("x"), Press("backspace"), Press("n")]
    record = run("r", [step(0, Write("my ")), step(1, *keys), step(2, Write("ter2 IT")), step(3, Write("'S now"))])
    out = redact_record(record, SPELLINGS, media)
    texts = "".join(action.text for s in out.steps for action in s.actions if isinstance(action, Write))
    assert texts == "my [redacted] now"
    assert not [action for s in out.steps for action in s.actions if isinstance(action, Press)]


def test_pictures_are_black_where_it_was_typed_and_where_it_shows_again(media: MediaStore) -> None:
    title = ("Sign in here", 30, 10)
    images = [
        screen(media, title),
        screen(media, title, (SECRET, 40, 80)),
        screen(media, title, (SECRET, 40, 80), ("next", 200, 120)),
        screen(media, title, (SECRET, 150, 180)),
        screen(media, title, ("other words", 40, 80)),
    ]
    steps = [step(i, *([Write(SECRET)] if i == 0 else [Press("tab")]), image=ref) for i, ref in enumerate(images)]
    out = redact_record(run("r", steps, final_image=images[2]), SPELLINGS, media)
    assert out.steps[0].image == images[0] and out.steps[4].image == images[4]
    old = shown(media, images[1])
    place = area(SECRET, 40, 80)
    for ref in (out.steps[1].image, out.steps[2].image, out.final_image):
        picture = shown(media, ref)
        assert (picture[place] == 0).all()
        assert (picture[area("Sign in here", 30, 10)] == old[area("Sign in here", 30, 10)]).all()
    assert (shown(media, out.steps[3].image)[area(SECRET, 150, 180)] == 0).all()
    dropped = redact_record(run("r", steps), SPELLINGS, media, "drop")
    assert [s.image is None for s in dropped.steps] == [False, True, True, True, False]


def test_a_picture_of_another_size_after_typing_is_black_as_a_whole(media: MediaStore) -> None:
    steps = [
        step(0, Write(SECRET), image=screen(media)),
        step(1, Press("tab"), image=screen(media, (SECRET, 9, 9), size=(300, 200))),
    ]
    out = redact_record(run("r", steps), SPELLINGS, media)
    assert not shown(media, out.steps[1].image).any()


def test_trees_and_elements_that_held_it_are_black_and_masked(media: MediaStore) -> None:
    x, y = 40, 80
    rows, columns = area(SECRET, x, y)
    box = (columns.start / 400, rows.start / 240, columns.stop / 400, rows.stop / 240)
    tree = add_tree(media, Tree(time=1.0, title=f"{SECRET} there", nodes=[
        Node(role="window", name="w"), Node(parent=0, role="label", name=SECRET, box=box, states=["focused"]),
    ]))  # fmt: skip
    steps = [
        step(0, Press("tab"), image=screen(media, (SECRET, x, y)), tree=tree),
        Step(index=1, actions=[Press("tab")], image=screen(media, (SECRET, 100, 150)),
             element=Element(role="label", name="other", box=(0.0, 0.0, 0.1, 0.1))),
    ]  # fmt: skip
    out = redact_record(run("r", steps), SPELLINGS, media)
    assert (shown(media, out.steps[0].image)[rows, columns] == 0).all()
    assert (shown(media, out.steps[1].image)[area(SECRET, 100, 150)] == 0).all()
    assert out.steps[0].tree is not None and out.steps[0].tree != tree
    left = read_tree(media, out.steps[0].tree)
    assert left.title == "[pass] there" and left.nodes[1].name == "[pass]" and left.nodes[1].states == ["focused"]


def test_a_record_without_it_comes_back_equal(media: MediaStore) -> None:
    record: Trajectory = run("r", [said(0, "open the shop"), step(1, Write("hello"), name="Go")], video="media/x")
    assert redact_record(record, SPELLINGS, media) == record
