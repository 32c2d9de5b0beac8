"""Rows of a wrapped secret are found one by one, carets are no letters, and the second search finds a half."""

from __future__ import annotations

import numpy as np

from curate.reduce.redaction.drawn import Hunt, Looks
from curate.reduce.redaction.fragments import Fragments
from curate.reduce.redaction.lettering import lines_of
from tests.reduce.redaction.test_drawn import drawn, looks


def wrapped() -> Looks:
    page = drawn("Tr0ub4dor", "&3xyq")
    found = Looks()
    everything = np.ones(page.shape, np.bool_)
    found.add_lines(page, lines_of(page, everything, (0, 0, page.shape[1], page.shape[0])))
    return found


def test_each_row_of_a_wrapped_secret_is_found_alone_and_the_other_by_its_place() -> None:
    found = wrapped()
    assert found.wrapped == 1 and len(found.pieces) == 2
    scrolled = drawn("&3xyq", "nothing else")
    mask = Hunt(found).found(scrolled)
    assert mask is not None and mask[(scrolled < 120) & (np.arange(scrolled.shape[0]) < 28)[:, None]].all()


def test_a_block_caret_is_no_letter() -> None:
    page = drawn("Tr0ub4dor&3").copy()
    right = int(np.flatnonzero((page < 120).any(axis=0))[-1]) + 1
    page[6:26, right : right + 9] = 0
    [line] = lines_of(page, np.ones(page.shape, np.bool_), (0, 0, page.shape[1], page.shape[0]))
    assert line.box[2] <= right


def test_the_second_search_finds_half_of_it_and_no_other_text() -> None:
    found = looks("Tr0ub4dor&3")
    page = drawn("a line of words", "Tr0ub4dor&3", "others")
    assert Fragments(found).shows(page)
    half = page.copy()
    half[28:54, 55:] = 240
    assert Fragments(found).shows(half)
    assert not Fragments(found).shows(drawn("a line of words", "and another 4dr&3", "others"))
