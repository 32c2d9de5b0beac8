"""A run beside what is held against it."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.view.review.browser.conftest import go, press, settle
from tests.view.review.browser.make_data import LEAKED


def test_a_near_copy_beside_its_witness(page: Page) -> None:
    go(page, "#/run/2")
    row = page.locator("table.verdicts tr").filter(has=page.get_by_role("rowheader", name="nearcopies"))
    assert "A near-copy of a run that is kept." in row.inner_text() and "made:first" in row.inner_text()
    press(page, "s")
    settle(page, "#/witness/2")
    heads = page.locator("table.aligned thead").inner_text()
    assert "Press the six buttons" in heads and "Press all of the six buttons" in heads
    rows = page.locator("table.aligned tbody tr")
    assert rows.count() == 6 and rows.filter(has=page.get_by_role("img", name="both did it")).count() == 6
    assert rows.nth(2).locator("td").first.inner_text().endswith("Click button 0.4")
    page.get_by_role("link", name="made:first").click()
    settle(page, "#/run/1")
    assert page.locator("#run-title").inner_text() == "Press the six buttons"
    page.go_back()
    settle(page, "#/witness/2")
    press(page, "Escape")
    settle(page, "#/run/2")


def test_a_leak_beside_its_test_task(page: Page) -> None:
    go(page, "#/run/3")
    page.locator("table.verdicts").get_by_role("link", name="side by side").click()
    settle(page, "#/witness/3")
    task, own = page.locator(".quoted").all()
    assert task.inner_text() == LEAKED + "!" and own.inner_text() == LEAKED
    marked = [mark.lower() for mark in task.locator("mark").all_inner_texts()]
    assert marked and set(marked) <= {mark.lower() for mark in own.locator("mark").all_inner_texts()} | {LEAKED.lower()}
    assert "ferry-1" in page.locator("#witness").inner_text() and "strong" in page.locator("#witness").inner_text()


def test_reasons_are_told_in_words(page: Page) -> None:
    go(page, "#/run/6")
    out = page.locator("table.verdicts tr.out")
    assert out.count() == 1 and "The run did not complete its task." in out.inner_text()
    assert page.locator("#run-head-bar .badges").inner_text().split("\n") == ["✗ failed", "dropped"]
    go(page, "#/run/0/2")
    assert "No target." in page.locator("#step-panel").inner_text()
    kept = page.locator("table.verdicts details").first
    kept.locator("summary").click()
    assert kept.locator("dt").count() > 0
