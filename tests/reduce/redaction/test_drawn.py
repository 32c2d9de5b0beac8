"""How a secret looks, and where it is found again."""

from __future__ import annotations

import random
import string

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from curate.reduce.redaction.drawn import Hunt, Looks
from curate.reduce.redaction.places import shown_spans
from curate.reduce.redaction.typed import TypedSpan

MS = 1_000_000


def drawn(*lines: str, size: int = 14, ink: int = 10, ground: int = 240) -> np.ndarray:
    image = Image.new("L", (420, 12 + 24 * len(lines)), ground)
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((10, 6 + 24 * number), line, fill=ink, font=ImageFont.load_default(size=size))
    return np.asarray(image, dtype=np.uint8)


def looks(text: str) -> Looks:
    found = Looks()
    found.add(drawn(text))
    assert found.all
    return found


def test_the_same_text_is_found_in_either_polarity_and_fainter_and_only_there() -> None:
    page = drawn("a line of words", "then Tr0ub4dor&3 in it", "and another line")
    mask = Hunt(looks("Tr0ub4dor&3")).found(page)
    assert mask is not None
    rows = np.flatnonzero(mask.any(axis=1))
    assert rows[0] >= 28 and rows[-1] <= 54
    ink = (page < 120) & mask
    assert ink.sum() > 100
    for changed in (255 - page, (page // 3 + 150).astype(np.uint8)):
        again = Hunt(looks("Tr0ub4dor&3")).found(changed)
        assert again is not None and (again == mask).mean() > 0.98


def test_half_of_it_is_found() -> None:
    page = drawn("nothing", "Tr0ub4dor&3 shown")[:, :60]
    mask = Hunt(looks("Tr0ub4dor&3")).found(page)
    assert mask is not None and mask[30:52, 10:55].mean() > 0.5


def test_other_text_of_the_same_font_is_not_it() -> None:
    random.seed(7)
    letters = string.ascii_letters + string.digits

    def words(count: int) -> str:
        return "".join(random.choice(letters) for _ in range(count))

    wrong = sum(Hunt(looks(words(10))).found(drawn(*(words(30) for _ in range(4)))) is not None for _ in range(40))
    assert wrong <= 1


def test_only_what_changed_is_searched_again_with_the_same_answer() -> None:
    hunt = Hunt(looks("Tr0ub4dor&3"))
    pages = [
        drawn("x", "y", "z"),
        drawn("x", "Tr0ub4dor&3", "z"),
        drawn("x", "Tr0ub4dor&3", "new"),
        drawn("x", "", "z"),
    ]
    for page in pages:
        alone, following = Hunt(looks("Tr0ub4dor&3")).found(page), hunt.found(page)
        assert (alone is None) == (following is None)
        assert alone is None or following is None or (alone == following).all()


def test_a_caret_a_frame_and_a_blank_are_no_text() -> None:
    found = Looks()
    caret, frame, blank = (np.full((20, 60), 240, np.uint8) for _ in range(3))
    caret[2:18, 30] = 0
    frame[0], frame[-1], frame[:, 0], frame[:, -1] = 0, 0, 0, 0
    for picture in (caret, frame, blank, blank[:0]):
        found.add(picture)
    assert found.all == []


def test_a_span_of_typing_lasts_until_the_screen_has_drawn_it() -> None:
    typed = TypedSpan(first=0, last=9, since=1000 * MS, until=2000 * MS)
    [alone] = shown_spans([typed], [1000 * MS, 2000 * MS])
    assert (alone.since, alone.drawn, alone.until) == (1000 * MS, 3000 * MS, 3000 * MS)
    [quick] = shown_spans([typed], [1000 * MS, 2000 * MS, 2040 * MS])
    assert quick.drawn == 2040 * MS and quick.until == 2150 * MS
    [calm] = shown_spans([typed], [1000 * MS, 2000 * MS, 2400 * MS])
    assert calm.drawn == calm.until == 2400 * MS


def test_the_frame_of_a_field_is_no_part_of_its_text() -> None:
    field = drawn("Tr0ub4dor&3").copy()
    field[1], field[-2], field[:, 1], field[:, -2] = 0, 0, 0, 0
    framed = Looks()
    framed.add(field)
    empty = np.full(field.shape, 240, np.uint8)
    empty[1], empty[-2], empty[:, 1], empty[:, -2] = 0, 0, 0, 0
    assert Hunt(framed).found(drawn("Tr0ub4dor&3")) is not None
    assert Hunt(framed).found(empty) is None
