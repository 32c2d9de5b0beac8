"""Data to look at in a browser, by a real run over records made here: pictures that carry a mark where the action is,
so that what is drawn over them can be measured in the pixels of a screenshot; a near-copy, a leak, hostile texts, a
phone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from curate.model.actions import Click, DoubleClick, DragTo, MoveTo, Press, RightClick, Scroll, Swipe, Terminate, Write
from curate.model.trajectory import Element, Screen, Span, Step, Trajectory
from curate.store.atomic import write_jsonl
from curate.store.dataset import DatasetWriter
from curate.store.media import MediaStore
from tests.factories import make_step, make_trajectory, write_records
from tests.runs import run_here

TARGET = (0, 255, 128)
"""The colour of the mark in the pictures; nothing else on the page has it."""
HOSTILE = '</script><img src=x onerror="window.hurt=1"><svg onload="window.hurt=2">\u202egnp.exe\u200b\x07'
DESKTOP, PHONE = (1276, 718), (360, 780)
"""Sizes of the pictures in pixels. The screens they are of are larger."""
SCREENS = {DESKTOP: (1366, 768), PHONE: (1080, 2340)}
LEAKED = "Book the harbour ferry to Hamnoy for two people"


def middle(size: tuple[int, int], x: int, y: int) -> dict[str, float]:
    """The middle of a pixel, as a record has it."""
    return {"x": round((x + 0.5) / size[0], 4), "y": round((y + 0.5) / size[1], 4)}


def picture(media: MediaStore, size: tuple[int, int], point: tuple[float, float] | None, shade: int) -> str:
    """A picture with a block of TARGET, 11 by 11 pixels, around a point (fractions)."""
    width, height = size
    image = Image.new("RGB", size, (226, 230, 236))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, width, height // 14), fill=(30 + shade, 60, 90))
    for k in range(6):
        top = height // 8 + k * height // 8
        draw.rectangle((width // 20, top, width - width // 20, top + height // 14), fill=(250, 251, 253 - shade % 40))
        draw.text((width // 16, top + 8), f"Line {k} of screen {shade}", fill=(40, 44, 52))
    if point is not None:
        x, y = int(point[0] * width), int(point[1] * height)
        draw.rectangle((x - 5, y - 5, x + 5, y + 5), fill=TARGET)
    data = io.BytesIO()
    image.save(data, "PNG")
    return media.add_bytes(data.getvalue(), "png")


def step(media: MediaStore, index: int, actions: Sequence[Any], size: tuple[int, int], **more: Any) -> Step:
    at = next(((one.x, one.y) for one in actions if isinstance(one, Click | DoubleClick | RightClick)), None)
    fields: dict[str, Any] = {
        "image": picture(media, size, at, 7 * index),
        "image_size": size,
        "screen": Screen(width=SCREENS[size][0], height=SCREENS[size][1], scale=1.0),
        "actions": list(actions),
        "time": Span(start=2.0 * index, end=2.0 * index + 0.1),
        "element": None,
    }
    return make_step(index, **(fields | more))


def _desktop(media: MediaStore, name: str, **more: Any) -> Trajectory:
    """Every kind of action once."""
    box = (0.25, 0.36, 0.35, 0.44)
    does: list[tuple[Sequence[Any], dict[str, Any]]] = [
        ([Click(**middle(DESKTOP, 383, 287))], {
            "element": Element(role="button", name="Save", box=box), "action": "Click Save",
            "thought": "The button saves.\nSo it is first.", "observation": "A form.",
        }),
        ([DoubleClick(**middle(DESKTOP, 1148, 646))], {"action": "Open the file"}),
        ([RightClick(**middle(DESKTOP, 25, 21))], {"action": "Open the menu", "correct": False}),
        ([MoveTo(x=0.2, y=0.2), DragTo(x=0.7, y=0.6)], {"action": "Drag the card"}),
        ([MoveTo(x=0.5, y=0.5), Scroll(amount=-3)], {"action": "Scroll down"}),
        ([Write(text="Straße 12"), Press(key="enter")], {"action": "Type the street"}),
        ([Terminate(status="success")], {"action": "Done"}),
    ]  # fmt: skip
    steps = [step(media, k, actions, DESKTOP, **more) for k, (actions, more) in enumerate(does)]
    return make_trajectory(name, steps=steps, **{"instruction": "Save the form and open the file", **more})


def _clicks(media: MediaStore, name: str, places: Sequence[float], **more: Any) -> Trajectory:
    steps = [step(media, k, [Click(x=at, y=0.5)], DESKTOP, action=f"Click button {at}") for k, at in enumerate(places)]
    return make_trajectory(name, steps=steps, **more)


def _phone(media: MediaStore) -> Trajectory:
    steps = [
        step(media, 0, [Click(**middle(PHONE, 180, 195))], PHONE, action="Tap the first line"),
        step(media, 1, [Swipe(x=0.5, y=0.8, to_x=0.5, to_y=0.3)], PHONE, action="Swipe up"),
        step(media, 2, [Terminate(status="success")], PHONE, action="Done"),
    ]
    return make_trajectory("made:phone", steps=steps, app="contacts", platform="android", actor="human",
                           instruction="Call the first contact")  # fmt: skip


def _hostile(media: MediaStore) -> Trajectory:
    texts = {"thought": HOSTILE * 500, "observation": HOSTILE, "reflection": HOSTILE, "action": HOSTILE,
             "window": HOSTILE, "low_level": HOSTILE}  # fmt: skip
    first = step(media, 0, [Click(x=0.4, y=0.4)], DESKTOP, element=Element(role="button", name=HOSTILE, box=None),
                 **texts)  # fmt: skip
    second = step(media, 1, [Write(text=HOSTILE)], DESKTOP, action="Type")
    return make_trajectory(f"made:{HOSTILE}", steps=[first, second], app=HOSTILE, instruction=HOSTILE * 1000)


def records_of(media: MediaStore) -> list[Trajectory]:
    """In this order: positions in the data are those of this list."""
    places = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]
    many = [0.1 + 0.01 * k for k in range(60)]
    return [
        _desktop(media, "made:desktop"),
        _clicks(media, "made:first", places, instruction="Press the six buttons", app="buttons"),
        _clicks(media, "made:copy", places, instruction="Press all of the six buttons", app="buttons"),
        _clicks(media, "made:leak", places[::-1], instruction=LEAKED, app="harbour"),
        _phone(media),
        _hostile(media),
        _clicks(media, "made:failed", places[:4], instruction="Rotate the picture", app="gallery", completed=False),
        _clicks(media, "made:long", many, instruction="Press sixty buttons", app="marathon"),
    ]


def make_reviewed_run(folder: Path) -> Path:
    """A run folder, by the real stages: its run 2 is a near-copy of 1, run 3 a test task, run 6 not completed."""
    source = folder / "source"
    media = MediaStore(source)
    records = records_of(media)
    media.sync()
    write_records(source / "records.jsonl", records)
    tests = folder / "tests.jsonl"
    write_jsonl(tests, [{"id": "ferry-1", "instruction": LEAKED + "!"}])
    sets = [f"leaks.tests={tests}", "split.test=0.2", "nearcopies.evidence=actions"]
    run_here([source / "records.jsonl"], folder / "run", sets)
    return folder / "run"


def make_many(folder: Path, count: int) -> Path:
    """A dataset of so many trajectories without pictures, quickly: three steps each, of five apps and three sources."""
    with DatasetWriter(folder, made={"test": "many"}) as writer:
        for k in range(count):
            app = f"app{k % 5}"
            record = make_trajectory(
                f"made:{k}", ("click File", f"write text{k}", "press enter"), app=app, instruction=f"Task {k} in {app}",
                completed=(True, None, False)[k % 3], actor="human" if k % 2 else "program",
            )  # fmt: skip
            writer.add(record, [])
    return folder


if __name__ == "__main__":
    import sys

    print(make_reviewed_run(Path(sys.argv[1])))
