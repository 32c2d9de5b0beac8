"""Only what is on the screen is asked for, and of what comes next one picture."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.view.review.browser.conftest import Pages, go, press, settle


def sources(page: Page, position: int) -> list[str]:
    found: list[str] = page.evaluate(
        "async k => (await review.load(`run/${k}`)).steps.map(step => step.image.src)", position
    )
    return found


def asked(pages: Pages) -> set[str]:
    return {url.partition("/media/")[2] for url in pages.names("/media/")}


def test_a_long_run_loads_what_is_in_view(pages: Pages, page: Page) -> None:
    go(page, "#/run/7/0")
    page.wait_for_timeout(300)
    of = [source.partition("media/")[2] for source in sources(page, 7)]
    there = {k for k, name in enumerate(of) if name in asked(pages)}
    assert {0, 1} <= there and len(there) < 20 and max(there) < 20
    assert page.locator("#timeline .step").count() < 20
    assert sum("/api/run/" in url for url in pages.asked) == 1  # neighbours wait until they are wanted


def test_the_next_picture_is_there_before_it_is_wanted(pages: Pages, page: Page) -> None:
    go(page, "#/run/7/30")
    page.wait_for_timeout(300)
    of = [source.partition("media/")[2] for source in sources(page, 7)]
    assert of[31] in asked(pages)
    before = len(pages.names("/media/"))
    press(page, "ArrowRight")
    settle(page)
    page.wait_for_timeout(200)
    new = {url.partition("/media/")[2] for url in pages.names("/media/")[before:]}
    assert of[31] not in new  # it came from what the browser keeps
    assert len(new) <= 2  # the next one, and the timeline's next


def test_a_step_changes_little(page: Page) -> None:
    """Elements made for a step do not grow with the run or with the steps seen."""
    go(page, "#/run/7/5")
    counted = "document.getElementsByTagName('*').length"
    before = page.evaluate(counted)
    press(page, *["ArrowRight"] * 25)
    settle(page)
    assert abs(page.evaluate(counted) - before) < 60


def test_going_back_and_forth_asks_once(pages: Pages, page: Page) -> None:
    go(page, "#/run/0")
    press(page, "j")
    settle(page, "#/run/1")
    page.wait_for_timeout(200)
    press(page, "k")
    page.wait_for_timeout(200)
    settle(page, "#/run/0")
    assert len(pages.names("/api/run/0.json")) == 1 and len(pages.names("/api/list.json")) == 1
