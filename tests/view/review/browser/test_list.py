"""The list over ten thousand trajectories: what is drawn, what is asked for, and that filters count what they say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.view.review.browser.conftest import MANY, Pages, Served, press, settle, wait

ON_SCREEN = 40
"""Rows that fit a window of 720 pixels, and some beyond."""


@pytest.fixture(scope="module")
def served_many(many: object, chromium: Browser) -> Iterator[Served]:
    server = Served(many)  # type: ignore[arg-type]
    yield server
    server.stop()


@pytest.fixture
def listed(pages: Pages, served_many: Served) -> Page:
    return pages.open(served_many.address)


def matches(page: Page) -> str:
    return page.locator("#matches").inner_text()


def titles(page: Page) -> list[str]:
    return page.locator("#rows .row .title").all_inner_texts()


def test_only_what_is_seen_is_there(pages: Pages, listed: Page) -> None:
    assert matches(listed) == "10,000 trajectories"
    assert 5 < listed.locator("#rows .row").count() < ON_SCREEN
    assert listed.evaluate("document.getElementsByTagName('*').length") < 1500
    apart = [url for url in pages.asked if "/api/" in url]
    assert sorted(url.rpartition("/")[2] for url in apart) == ["about.json", "edits.json", "list.json"]
    assert not pages.names("/media/")


def test_scrolling_and_keys_reach_every_row(listed: Page) -> None:
    press(listed, "G")
    assert listed.locator("#rows .row.current .title").inner_text() == f"Task {MANY - 1} in app4"
    assert listed.locator("#rows .row").count() < ON_SCREEN
    assert listed.evaluate("document.activeElement.id") == f"row-{MANY - 1}"
    press(listed, "k", "k", "j")
    assert listed.locator("#rows .row.current .title").inner_text() == f"Task {MANY - 2} in app3"
    press(listed, "g", "ArrowDown", "ArrowDown", "PageDown")
    current = listed.locator("#rows .row.current")
    assert int(current.get_attribute("aria-posinset") or "0") > 8 and current.get_attribute("aria-setsize") == str(MANY)
    listed.evaluate("() => { document.getElementById('rows').scrollTop = 58 * 5000; }")
    settle(listed)
    assert any(title.startswith("Task 500") for title in titles(listed))
    assert listed.locator("#rows .row").count() < ON_SCREEN


def test_filters_count_what_they_show(listed: Page) -> None:
    """Trajectory k is of app k % 5, completed if k % 3 is 0, of a person if k is odd."""
    group = listed.get_by_role("group", name="App")
    group.get_by_role("checkbox", name="app1").check()
    expected = sum(k % 5 == 1 for k in range(MANY))
    assert matches(listed) == f"{expected:,} of 10,000"
    outcome = listed.get_by_role("group", name="Outcome")
    shown = outcome.locator("label").filter(has_text="completed").locator(".count").inner_text()
    both = sum(k % 5 == 1 and k % 3 == 0 for k in range(MANY))
    assert shown == f"{both:,}"
    outcome.get_by_role("checkbox", name="completed").check()
    assert matches(listed) == f"{both:,} of 10,000"
    group.get_by_role("checkbox", name="app2").check()
    assert matches(listed) == f"{sum(k % 5 in (1, 2) and k % 3 == 0 for k in range(MANY)):,} of 10,000"
    listed.get_by_role("button", name="Take off the filter App: app1").click()
    assert matches(listed) == f"{sum(k % 5 == 2 and k % 3 == 0 for k in range(MANY)):,} of 10,000"
    assert all("app2" in title for title in titles(listed))
    listed.get_by_role("button", name="Clear all").click()
    assert matches(listed) == "10,000 trajectories"


def test_a_search_looks_at_all_texts(pages: Pages, listed: Page) -> None:
    """What was typed in step 1 of trajectory 4321 is in no title."""
    assert not pages.names("api/text")
    press(listed, "/")
    listed.keyboard.type("TEXT4321 app1")
    press(listed, "Enter")
    wait(listed, "() => document.getElementById('matches').textContent === '1 of 10,000'")
    assert titles(listed) == ["Task 4321 in app1"]
    assert listed.evaluate("document.activeElement.id") == "row-0"
    assert listed.locator("#rows mark").all_inner_texts() == ["app1"]


def test_a_link_shows_the_same(pages: Pages, listed: Page, served_many: Served) -> None:
    listed.get_by_role("group", name="App").get_by_role("checkbox", name="app3").check()
    listed.get_by_role("group", name="Actor").get_by_role("checkbox", name="human").check()
    listed.get_by_label("Order").select_option("instruction")
    before, link = titles(listed), listed.evaluate("location.hash")
    assert "token" not in listed.evaluate("location.href")
    again = pages.open(served_many.address + link)
    assert titles(again) == before and matches(again) == matches(listed)
    press(again, "j", "Enter")
    settle(again, "#/run/")
    assert again.locator("#run-title").inner_text() == before[0]
    press(again, "j")
    wait(again, "words => document.getElementById('run-title').textContent === words", before[1])
    assert "2 of 1,000" in again.locator(".where").inner_text()
    press(again, "Escape")
    settle(again, "#/list")
    assert again.locator("#rows .row.current .title").inner_text() == before[1]
    assert again.evaluate("document.activeElement.id") == "row-1"


def test_nothing_found_says_so(listed: Page) -> None:
    listed.get_by_label("Search in all texts").fill("zebra crossing")
    wait(listed, "() => document.getElementById('matches').textContent === '0 of 10,000'")
    assert "take a filter off" in listed.locator("#rows").inner_text()


@pytest.mark.parametrize("size", [(1280, 720), (800, 600), (360, 640)], ids=["720p", "small", "phone"])
def test_fits_its_window(pages: Pages, served_many: Served, size: tuple[int, int]) -> None:
    page = pages.open(served_many.address, size=size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    assert page.locator("#rows .row").count() > 3
    page.evaluate("() => { location.hash = '#/run/17'; }")
    settle(page, "#/run/17")
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
