"""Draws steps of a dataset or run folder on their pictures: one sheet a source, to be looked at.

    python tools/draw_steps.py DATASET OUT [--per-source 1] [--after]

OUT is a folder; it gets `<source>.png`. Steps are taken so that as many kinds of action as can be are among them."""

from __future__ import annotations

import argparse
import io
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from curate.model.actions import action_type, main_action
from curate.model.printed import printable
from curate.model.trajectory import Step, Trajectory
from curate.store.dataset import read_records
from curate.store.media import MediaStore
from curate.view.drawn_action import Point, draw, lines_of, pointer_after

CELL, LINE, MARGIN = 900, 22, 12
RECORDS = 2000  # looked at, of each source


class Chosen(NamedTuple):
    record: Trajectory
    step: Step
    pointer: Point | None


def chosen(folder: Path, per_source: int) -> dict[str, list[Chosen]]:
    """Steps by source: those of a kind of action that is not among them yet come first."""
    candidates: dict[str, dict[str, list[Chosen]]] = defaultdict(lambda: defaultdict(list))
    looked: dict[str, int] = defaultdict(int)
    for record in read_records(folder):
        name = record.source.name
        looked[name] += 1
        if looked[name] > RECORDS:
            continue
        pointer: Point | None = None
        for step in record.steps:
            action = main_action(step.actions)
            if step.image is not None and action is not None:
                alike = candidates[name][action_type(action)]
                if len(alike) < per_source:
                    alike.append(Chosen(record, step, pointer))
            pointer = pointer_after(step.actions, pointer)
    found = {}
    for name, kinds in candidates.items():
        rounds = [kind[at] for at in range(per_source) for kind in kinds.values() if at < len(kind)]
        pointed = sorted(rounds, key=lambda one: not any(hasattr(action, "x") for action in one.step.actions))
        found[name] = pointed[:per_source]
    return found


def cell(one: Chosen, media: MediaStore, after: bool) -> Image.Image:
    """A step: what it is, its picture with the action on it, and beside it the picture after."""
    assert one.step.image is not None
    pictures = [draw(_open(media, one.step.image), one.step, one.pointer)]
    if after and one.step.image_after is not None:
        pictures.append(_open(media, one.step.image_after))
    for picture in pictures:
        picture.thumbnail((CELL, CELL))
    origin = f"{one.record.id}  {one.record.source.file}:{one.record.source.line}"
    lines = [printable(origin, 140), printable(one.record.instruction, 140), *lines_of(one.step)]
    width = max(CELL, sum(picture.width + MARGIN for picture in pictures))
    top = LINE * len(lines) + MARGIN
    sheet = Image.new("RGB", (width, top + max(picture.height for picture in pictures) + MARGIN), "white")
    brush, font = ImageDraw.Draw(sheet), ImageFont.load_default(size=15)
    for number, line in enumerate(lines):
        brush.text((4, 4 + LINE * number), line, fill="black", font=font)
    x = 0
    for picture in pictures:
        sheet.paste(picture, (x, top))
        x += picture.width + MARGIN
    return sheet


def _open(media: MediaStore, reference: str) -> Image.Image:
    return Image.open(io.BytesIO(media.read(reference))).convert("RGB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--per-source", type=int, default=1)
    parser.add_argument("--after", action="store_true", help="the picture after the step beside it")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    media = MediaStore(given.dataset)
    for name, steps in chosen(given.dataset, given.per_source).items():
        cells = [cell(one, media, given.after) for one in steps]
        if not cells:
            continue
        sheet = Image.new("RGB", (max(one.width for one in cells), sum(one.height for one in cells)), "white")
        top = 0
        for one in cells:
            sheet.paste(one, (0, top))
            top += one.height
        sheet.save(given.out / f"{name}.png")
        print(given.out / f"{name}.png")


if __name__ == "__main__":
    main()
