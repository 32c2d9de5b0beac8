"""Rows of formats that are also sources are read back as the steps they were made of, pictures and all. What a row does
not say (its run, its element) is not asked for."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from curate.formats.base import FormatOptions, format_named, lines
from curate.model import actions as act
from curate.model.render import canonical
from curate.model.trajectory import Step, Trajectory
from curate.sources.registry import sources
from curate.store.media import MediaStore
from tests.factories import make_step, make_trajectory
from tests.sources.folders import read_all

DESKTOP: list[Any] = [
    act.Click(0.5276, 0.2694), act.DoubleClick(0.25, 0.75), act.RightClick(0.1, 0.9), act.Write("it's \"so\"\n"),
    act.Hotkey(("ctrl", "shift", "s")), act.Press("down", 3), [act.MoveTo(0.5, 0.5), act.DragTo(0.75, 0.25)],
    act.Wait(5.0), act.Terminate("success"),
]  # fmt: skip
PHONE: list[Any] = [
    act.Click(0.5, 0.25), act.LongPress(0.25, 0.75), act.Write("maps"), act.Swipe(0.5, 0.75, 0.5, 0.25), act.Home(),
    act.Back(), act.OpenApp("Maps"), act.Wait(5.0), act.Terminate("success"),
]  # fmt: skip
SCROLLS: list[Any] = [[act.MoveTo(0.5, 0.5), act.Scroll(-5.0)], act.Scroll(5.0)]


WAYS = {str(one): f" and scroll {way}" for one, way in zip(SCROLLS, ("down", "up"), strict=True)}
"""ScaleCUA's own scrolls contradict each other, so that its words decide."""


def picture(number: int) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (1288, 728), (20 * number, 90, 90)).save(data, "PNG")
    return data.getvalue()


def record_of(folder: Path, does: list[Any], platform: str) -> Trajectory:
    """A record whose pictures lie under `folder`, one for each step."""
    media = MediaStore(folder)
    steps = [
        make_step(
            n, one, image=media.add_bytes(picture(n), "png"), image_size=(1288, 728), element=None,
            action=f"Do number {n}{WAYS.get(str(one), '')}", thought=f"I think of {n}.",
        )
        for n, one in enumerate(does)
    ]  # fmt: skip
    return make_trajectory("r", steps=steps, platform=platform)  # type: ignore[arg-type]


def read_back(folder: Path, record: Trajectory, name: str, **options: Any) -> list[Step]:
    form = format_named(name)
    told = FormatOptions(**options)
    assert set(form.why_not(record, told)) == {None}
    path = folder / f"{name}.jsonl"
    made = lines(form, record, [step.index for step in record.steps], told)
    path.write_bytes(b"".join(line + b"\n" for line in made))
    assert [known for known, source in sources().items() if source.recognise(path)] == [name]
    read = read_all(path, folder / "read")
    assert all(isinstance(one, Trajectory) for one in read), read
    steps = [step for one in read if isinstance(one, Trajectory) for step in one.steps]
    return sorted(steps, key=lambda step: int((step.thought or "").removeprefix("I think of ").rstrip(".")))


@pytest.mark.parametrize(
    ("name", "options", "places"),
    [
        ("aguvis", {}, 4), ("scalecua", {}, 4), ("uitars", {"dialect": "v1"}, 2), ("uitars", {"dialect": "point"}, 2),
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("platform", ["linux", "android"])
def test_steps_come_back(tmp_path: Path, name: str, options: dict[str, Any], places: int, platform: str) -> None:
    record = record_of(
        tmp_path, (SCROLLS if platform == "linux" else []) + (DESKTOP, PHONE)[platform == "android"], platform
    )
    read = read_back(tmp_path, record, name, **options)
    assert len(read) == len(record.steps)
    for made, step in zip(read, record.steps, strict=True):
        assert made.thought == step.thought
        assert name == "uitars" or made.action == step.action
        assert made.image == step.image, "the same picture, by its content"
        wanted = canonical(step.actions)
        if name == "uitars" and isinstance(wanted[-1], act.Swipe):  # a finger's way and a drag are one call
            continue
        if name == "uitars" and isinstance(wanted[0], act.Press):
            wanted = [act.Press("down")] * 3
        for one, other in zip(made.actions, wanted, strict=True):
            assert type(one) is type(other)
            if isinstance(one, act.Pointed):
                assert (one.x, one.y) == pytest.approx((other.x, other.y), abs=10**-places)  # type: ignore[union-attr]
            else:
                assert one == other
