"""Screens of 1920 x 1080 as people's desktops look: windows, bars, buttons, lists of text in several sizes, now and
then a noisy picture. Drawn, so that anybody can make the same ones; of the size that screenshots have. `steps` gives
them as runs do: many a step shows the screen of the step before, unchanged."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from curate.store.media import encode_png

SIZE = (1920, 1080)
WORDS = (
    "the report budget file open save mail sheet settings window search browser folder project task list row column"
    " invoice total network update cancel apply error warning preview insert format review view help account"
).split()
FONTS = (11, 13, 15)


def draw(seed: int) -> np.ndarray:
    """One screen, RGB."""
    pick = random.Random(seed)
    dark = pick.random() < 0.35
    ground = (pick.randint(20, 60),) * 3 if dark else tuple(pick.randint(200, 255) for _ in range(3))
    screen = Image.new("RGB", SIZE, ground)
    if pick.random() < 0.5:
        other = Image.new("RGB", SIZE, tuple(pick.randint(0, 255) for _ in range(3)))
        screen.paste(Image.composite(other, screen, Image.linear_gradient("L").resize(SIZE)))
    pen = ImageDraw.Draw(screen)
    pen.rectangle((0, 1040, *SIZE), fill=(30, 30, 34))
    for at in range(8, 536, 44):
        pen.rounded_rectangle((at, 1044, at + 36, 1076), 6, fill=tuple(pick.randint(0, 255) for _ in range(3)))
    for _ in range(pick.randint(2, 4)):
        _window(screen, pen, pick, dark)
    return np.asarray(screen)


def _window(screen: Image.Image, pen: ImageDraw.ImageDraw, pick: random.Random, dark: bool) -> None:
    x, y, w, h = pick.randint(0, 700), pick.randint(0, 300), pick.randint(700, 1200), pick.randint(450, 730)
    paper, ink = ((32, 34, 40), (220, 220, 220)) if dark else ((255, 255, 255), (20, 20, 24))
    pen.rectangle((x - 1, y - 1, x + w + 1, y + h + 1), outline=(120, 120, 120))
    pen.rectangle((x, y, x + w, y + h), fill=paper)
    pen.rectangle((x, y, x + w, y + 32), fill=tuple(pick.randint(60, 200) for _ in range(3)))
    pen.text((x + 10, y + 6), " ".join(pick.choices(WORDS, k=4)).title(), font=_font(15), fill=(255, 255, 255))
    for at in range(x + 10, x + 746, 92):
        fill = tuple(pick.randint(150, 240) for _ in range(3))
        pen.rounded_rectangle((at, y + 40, at + 86, y + 66), 5, fill=fill)
        pen.text((at + 8, y + 45), pick.choice(WORDS), font=_font(13), fill=(10, 10, 10))
    size = pick.choice(FONTS)
    for line in range(y + 80, y + h - 20, size + 6):
        if pick.random() < 0.85:
            text = " ".join(pick.choices(WORDS, k=pick.randint(4, 14)))[: int(w / size * 1.6)]
            pen.text((x + 14, line), text, font=_font(size), fill=ink)
    if pick.random() < 0.4:
        screen.paste(Image.effect_noise((240, 160), 60).convert("RGB"), (x + w - 260, y + 90))


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def changed(screen: np.ndarray, number: int) -> np.ndarray:
    """The screen after a step: a menu opened, something typed."""
    after = screen.copy()
    x, y = 40 + number * 37 % 1500, 40 + number * 53 % 800
    cv2.rectangle(after, (x, y), (x + 280, y + 160), (236, 236, 238), -1)
    for line in range(5):
        cv2.putText(after, f"entry {number} {line}", (x + 10, y + 26 + 28 * line), 0, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    return after


def encode(screen: np.ndarray, kind: str) -> bytes:
    """As screenshot programs write them: PNG with several filters, JPEG of quality 85. (Of kind `own`: see `files`.)"""
    settings = [cv2.IMWRITE_JPEG_QUALITY, 85] if kind == "jpg" else [
        cv2.IMWRITE_PNG_COMPRESSION, 3, cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_FAST_FILTERS]  # fmt: skip
    ok, data = cv2.imencode(f".{kind}", screen[:, :, ::-1], settings)
    assert ok
    return bytes(data)


def screens(count: int) -> Iterator[np.ndarray]:
    """So many screens that look different; a dozen in a row are changes of one that is drawn."""
    base = draw(0)
    for number in range(count):
        if number % 12 == 0:
            base = draw(number // 12)
        yield changed(base, number)


def files(count: int, kind: str, drawn: int = 576) -> Iterator[bytes]:
    """So many files of different bytes and at most `drawn` looks: the rest say their number in a comment, which costs
    whoever reads them as much as another picture."""
    made: list[bytes] = []
    for number, screen in enumerate(screens(min(count, drawn))):
        made.append(encode_png(screen) if kind == "own" else encode(screen, kind))
        yield made[number]
    for number in range(len(made), count):
        yield _with_comment(made[number % len(made)], f"{number:09}".encode())


def _with_comment(data: bytes, text: bytes) -> bytes:
    if data[:2] == b"\xff\xd8":
        return data[:2] + b"\xff\xfe" + struct.pack(">H", len(text) + 2) + text + data[2:]
    chunk = b"tEXtComment\0" + text
    return data[:33] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[33:]


def steps(distinct: int, count: int) -> Iterator[int]:
    """Numbers of screens, step after step: each stays for as many steps as makes `count` of `distinct`."""
    for number in range(distinct):
        yield from [number] * ((number + 1) * count // distinct - number * count // distinct)
