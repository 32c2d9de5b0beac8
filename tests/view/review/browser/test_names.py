"""What a screen reader is told, and what eyes can tell apart."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.view.review.browser.conftest import Pages, Served, go, press, probe, said, wait_said

PLACES = ["#/list", "#/run/0/0", "#/run/5/0", "#/witness/2", "#/witness/3"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out(pages: Pages, served: Served, scheme: str) -> None:
    """WCAG 2 AA: 4.5 to 1, computed from what the browser computed."""
    page = pages.open(served.address, scheme=scheme)
    for place in PLACES:
        go(page, place)
        if place == "#/run/0/0":
            for key in "pwrf":
                press(page, key)
                page.wait_for_timeout(150)
        assert probe(page, "faint") == [], place
    press(page, "?")
    assert probe(page, "faint") == []


def test_everything_that_acts_has_a_name(page: Page) -> None:
    for place in PLACES:
        go(page, place)
        assert probe(page, "unnamed") == [], place
        assert probe(page, "twice") == [], place


def test_landmarks_and_headings(page: Page) -> None:
    for place in PLACES:
        go(page, place)
        for role in ("banner", "main", "navigation", "status"):
            assert page.get_by_role(role).count() >= 1, (place, role)  # type: ignore[arg-type]
        assert page.get_by_role("main").count() == 1
        levels = probe(page, "headings")
        assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels)), place
    assert page.evaluate("document.documentElement.lang") == "en"


def test_the_tree_that_a_reader_gets(page: Page) -> None:
    """Roles and names as Chromium computes them for assistive technology."""
    go(page, "#/run/0/0")
    tree = page.locator("body").aria_snapshot()
    for line in (
        'heading "Save the form and open the file" [level=2]', 'toolbar "Your judgement"', 'group "This run"',
        'group "This step"', 'button "Pass"', 'button "Rewrite the instruction"', 'button "Wrong"',
        'region "Picture of the step"', 'group "Steps"', 'button "Step 0: Click Save"',
        'complementary "About the step and the run"', 'rowheader "nearcopies"', "status",
    ):  # fmt: skip
        assert line in tree, f"{line} is not in\n{tree}"
    image = page.locator("#picture")
    assert image.get_attribute("alt") == "The screen at step 0. Click Save"
    go(page, "#/list")
    rows = page.get_by_role("listbox").get_by_role("option")
    assert (
        rows.count() == 8
        and "completed" in rows.first.aria_snapshot()
        and rows.first.get_attribute("aria-selected") == "true"
    )


def test_the_live_region_says_every_result(page: Page) -> None:
    go(page, "#/run/0/0")
    region: Any = page.locator("#said")
    assert region.get_attribute("aria-live") == "polite" and region.get_attribute("role") == "status"
    told = []
    for key, part in (
        ("ArrowRight", "Step 1, 2 of 7: Open the file"),
        ("p", "Run passed"),
        ("o", "The screen before the next step"),
        ("z", "Zoom 1:1"),
        ("u", "Taken back"),
    ):
        press(page, key)
        wait_said(page, part)
        told.append(said(page))
    assert len(set(told)) == len(told)


def test_motion_and_focus(page: Page) -> None:
    """Each thing that Tab reaches shows it."""
    go(page, "#/run/0/0")
    seen = set()
    for _ in range(40):
        press(page, "Tab")
        found = probe(page, "focus")
        if found[0] in ("BODY",):
            break
        assert found[1] == "solid" and found[2] >= 2, found
        seen.add(found[0])
    assert len(seen) > 10
