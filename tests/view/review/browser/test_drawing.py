"""What is drawn lies on the pixel that the record names: measured in screenshots, against a mark in the picture."""

from __future__ import annotations

import io
import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

from tests.view.review.browser.conftest import Pages, Served, go, press, probe, settle
from tests.view.review.browser.make_data import DESKTOP, TARGET

RING = (194, 24, 91)  # #c2185b, as in trajectory.css


def centre(found: NDArray[np.uint8], colour: tuple[int, int, int], slack: int = 24) -> tuple[float, float]:
    """The middle of all pixels of about that colour."""
    near = (np.abs(found.astype(np.int16) - colour).max(axis=2) <= slack).nonzero()
    assert len(near[0]) >= 9, f"nothing of {colour}"
    return (near[1].min() + near[1].max() + 1) / 2, (near[0].min() + near[0].max() + 1) / 2


def seen(page: Page, colour: tuple[int, int, int]) -> tuple[float, float]:
    """The middle of what has a colour in the picture's place, in pixels of the window."""
    left, top, right, bottom = probe(page, "box", "#scroller")
    left, top = math.ceil(left), math.ceil(top)
    box: Any = {"x": left, "y": top, "width": math.floor(right) - left, "height": math.floor(bottom) - top}
    x, y = centre(np.asarray(Image.open(io.BytesIO(page.screenshot(clip=box))).convert("RGB")), colour)
    ratio = page.evaluate("devicePixelRatio")
    return x + left * ratio, y + top * ratio


def near(one: tuple[float, float], other: tuple[float, float], by: float = 1.0) -> bool:
    return abs(one[0] - other[0]) <= by and abs(one[1] - other[1]) <= by


@pytest.mark.parametrize("ratio", [1, 2])
def test_rings_lie_on_the_pixel(pages: Pages, served: Served, ratio: int) -> None:
    """The pictures' sizes differ from those of their screens, and the picture is scaled by the zoom and the display."""
    page = pages.open(served.address, ratio=ratio, size=(1000, 640))
    for place in ("#/run/0/0", "#/run/0/1", "#/run/4/0"):
        go(page, place)
        for zoom in ("fit", "one", "two"):
            assert page.locator("#scroller").get_attribute("data-zoom") == zoom
            settle(page)
            [drawn] = probe(page, "dots")
            page.evaluate("() => document.querySelectorAll('.label, .label-ground').forEach(one => one.remove())")
            ring = seen(page, RING)
            press(page, "h")
            settle(page)
            target = seen(page, TARGET)
            assert near(drawn, target, ratio) and near(ring, target, ratio), (place, zoom)
            press(page, "h", "z")


def test_sizes_of_the_zooms(page: Page) -> None:
    def width() -> float:
        found: float = page.evaluate("document.getElementById('picture').getBoundingClientRect().width")
        return found

    go(page, "#/run/0/0")
    fit = width()
    room = page.evaluate("document.getElementById('scroller').clientWidth")
    assert 0 < fit <= room
    page.get_by_role("button", name="1:1").click()
    assert width() == DESKTOP[0]
    page.get_by_role("button", name="2×").click()
    assert width() == 2 * DESKTOP[0]
    page.get_by_role("button", name="Fit", exact=True).click()
    assert width() == fit


def geometry(page: Page, kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = probe(page, "geometry", kind)
    return found


def test_every_kind_of_action_is_drawn(page: Page) -> None:
    go(page, "#/run/0/0")
    [box] = geometry(page, "box")
    assert box["box"] == pytest.approx([0.25, 0.36, 0.1, 0.08], abs=0.001)
    [click] = geometry(page, "ring")
    assert (click["rings"], click["half"]) == (1, 0)
    go(page, "#/run/0/1")
    assert geometry(page, "ring")[0]["rings"] == 2 and geometry(page, "ring")[0]["words"] == "double click"
    go(page, "#/run/0/2")
    assert geometry(page, "ring")[0]["half"] == 1
    go(page, "#/run/0/3")
    [drag] = geometry(page, "arrow")
    assert [*drag["from"], *drag["to"]] == pytest.approx([0.2, 0.2, 0.7, 0.6], abs=0.001)
    go(page, "#/run/0/4")
    [scroll] = geometry(page, "arrow")
    assert (
        scroll["from"] == pytest.approx([0.5, 0.5], abs=0.001) and scroll["to"][1] > 0.55
    )  # towards what comes into view
    assert scroll["words"] == "scroll down 3" and "scrolls down 3 notches" in page.locator("#caption").inner_text()
    go(page, "#/run/0/5")
    caption = page.locator("#caption")
    assert "Straße 12" in caption.inner_text() and caption.locator("kbd").inner_text() == "enter"
    go(page, "#/run/4/1")
    [swipe] = geometry(page, "arrow")
    assert [*swipe["from"], *swipe["to"]] == pytest.approx([0.5, 0.8, 0.5, 0.3], abs=0.001)


def test_labels_stay_on_the_picture(page: Page) -> None:
    """Beside a point in each corner."""
    for place in ("#/run/0/1", "#/run/0/2"):
        go(page, place)
        assert probe(page, "labelsInside")


def test_a_narrow_screen_shows_what_is_pressed_and_labels_that_fit(page: Page) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    go(page, "#/run/0/5")
    assert page.locator("#caption kbd").is_visible() and not page.locator("#marks-button kbd").is_visible()
    for place in ("#/run/0/0", "#/run/0/1", "#/run/0/2", "#/run/0/4"):
        go(page, place)
        assert probe(page, "labelsInside")
    right = page.evaluate("document.querySelector('#step-title').getBoundingClientRect().right")
    assert right <= page.evaluate("document.querySelector('[data-zoom=fit]').getBoundingClientRect().left")
