"""Each key of the page, and what it does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.view.review.browser.conftest import Pages, go, press, said, settle, wait, wait_said


def step(page: Page) -> str:
    return page.locator("#step-title").inner_text().split()[1]


def test_the_help_sheet_lists_the_keys_of_the_view(page: Page) -> None:
    go(page, "#/run/0")
    press(page, "?")
    sheet = page.get_by_role("dialog", name="Keys")
    listed = sheet.locator("kbd").all_inner_texts()
    assert (
        set("jk→←gGozhvespfwrcibnu?/") <= set(listed) | set("".join(k for k in listed if len(k) == 1))
        and "Esc" in listed
    )
    press(page, "p")
    assert sheet.is_visible() and page.locator(".edits li").count() == 0  # a dialog keeps the keys to itself
    press(page, "Escape")
    assert not sheet.is_visible()
    settle(page, "#/run/0")


def test_steps_and_trajectories(page: Page) -> None:
    go(page, "#/run/0")
    assert step(page) == "0"
    press(page, "ArrowRight", "ArrowRight")
    assert step(page) == "2" and said(page) == "Step 2, 3 of 7: Open the menu"
    assert page.evaluate("location.hash") == "#/run/0/2"
    press(page, "ArrowLeft")
    assert step(page) == "1"
    press(page, "G")
    assert step(page) == "6"
    press(page, "ArrowRight")
    assert step(page) == "6" and said(page) == "This is the last step."
    press(page, "g", "ArrowLeft")
    assert step(page) == "0" and said(page) == "This is the first step."
    press(page, "j")
    settle(page, "#/run/1")
    assert page.locator("#run-title").inner_text() == "Press the six buttons"
    press(page, "k")
    settle(page, "#/run/0")
    press(page, "k")
    wait_said(page, "first trajectory of the selection")
    press(page, "Escape")
    settle(page, "#/list")
    assert page.evaluate("document.activeElement.id") == "row-0"
    page.go_back()
    settle(page, "#/run/0")
    press(page, "/")
    settle(page, "#/list")
    wait(page, "() => document.activeElement.id === 'search'")


def test_looking(page: Page) -> None:
    go(page, "#/run/0/0")
    picture = page.locator("#picture")
    before = picture.get_attribute("src")
    press(page, "o")
    settle(page)
    after = picture.get_attribute("src")
    assert after != before and "before the next step" in page.locator("#picture-note").inner_text()
    assert page.locator("#marks .mark").first.is_hidden()
    press(page, "o")
    assert picture.get_attribute("src") == before
    press(page, "ArrowRight")
    assert picture.get_attribute("src") == after  # what came after step 0 is what step 1 began with
    press(page, "h")
    assert page.locator("#marks .mark").first.is_hidden() and said(page) == "Marks hidden."
    press(page, "h")
    assert page.locator("#marks .mark").first.is_visible()
    press(page, "z")
    assert said(page) == "Zoom 1:1."
    press(page, "z", "z")
    assert page.locator("#scroller").get_attribute("data-zoom") == "fit"


def test_raw_events_and_video_say_what_there_is(page: Page) -> None:
    go(page, "#/run/0/0")
    press(page, "e")
    dialog = page.get_by_role("dialog", name="Raw events of step 0")
    dialog.wait_for()
    assert dialog.locator("p").inner_text().endswith(".")
    press(page, "Escape", "v")
    page.get_by_role("dialog", name="Video around step 0").wait_for()
    press(page, "Escape")
    assert not page.get_by_role("dialog").count()


def test_judging_keys(page: Page) -> None:
    go(page, "#/run/0/1")
    for key, words in {
        "p": "Run passed", "f": "Run failed", "w": "Step 1 flagged wrong", "r": "Step 1 flagged redundant",
        "c": "Run cut from step 1 on",
    }.items():  # fmt: skip
        press(page, key)
        wait_said(page, words)
        assert page.locator(f".judging [data-key={key}]").get_attribute("aria-pressed") == "true"
    assert page.locator(".judging [data-key=p]").get_attribute("aria-pressed") == "false"
    assert page.locator("#run-head-bar .badges").inner_text().startswith("✗ failed")
    names = [item.get_attribute("aria-label") or "" for item in page.locator("#timeline .step").all()]
    assert "wrong" in names[1] and "redundant" in names[1] and all("cut off" in name for name in names[1:])
    assert "cut off" not in names[0]
    for key, words in {"r": "Taken back: step 1 flagged redundant", "w": "Taken back: step 1 flagged wrong"}.items():
        press(page, key)
        wait_said(page, words)
        assert page.locator(f".judging [data-key={key}]").get_attribute("aria-pressed") == "false"


def test_undo_goes_back_one_by_one(page: Page) -> None:
    go(page, "#/run/0/1")
    press(page, "p")
    wait_said(page, "Run passed")
    press(page, "f")
    wait_said(page, "Run failed")
    press(page, "u")
    wait_said(page, "Taken back: your outcome")
    assert (
        page.locator(".judging [data-key=p]").get_attribute("aria-pressed") == "true"
    )  # what was said before stands again
    page.locator("#run-title").focus()
    press(page, "u")
    wait(page, "() => document.querySelector('.judging [data-key=p]').getAttribute('aria-pressed') === 'false'")
    wait(page, "() => document.querySelectorAll('.edits li').length === 4")
    press(page, "u")
    wait_said(page, "no edit of this run")
    gone = page.locator(".edits li.gone")
    assert gone.count() == 2


def test_texts_are_written_in_place(page: Page) -> None:
    go(page, "#/run/0/2")
    press(page, "i")
    field = page.get_by_role("dialog", name="Rewrite the instruction").get_by_role("textbox")
    assert field.input_value() == "Save the form and open the file"
    field.fill("   ")
    press(page, "Control+Enter")
    assert page.get_by_role("alert").inner_text() == "An instruction has words."
    field.fill("Save the form; p and w are only letters here")
    press(page, "Control+Enter")
    wait_said(page, "Instruction rewritten")
    assert page.locator("#run-title").inner_text().startswith("Save the form; p and w are only letters here")
    press(page, "n")
    page.keyboard.type("Look again")
    press(page, "Control+Enter")
    wait_said(page, "Note stored")
    assert "step 2, note: Look again" in page.locator(".edits").inner_text()
    assert page.locator(".edits li").count() == 2
    press(page, "i", "Escape")
    wait_said(page, "stays as it was")
    assert page.locator(".edits li").count() == 2


def test_a_key_without_a_meaning_here_says_so(page: Page) -> None:
    press(page, "w")
    assert said(page) == "w: nothing to do here."
    go(page, "#/run/0")
    press(page, "s")
    wait_said(page, "No stage names a witness")


@pytest.mark.parametrize("key", ["Control+f", "Alt+p", "Meta+u"])
def test_keys_of_the_browser_are_left_to_it(page: Page, key: str) -> None:
    go(page, "#/run/0")
    press(page, key)
    settle(page)
    assert page.locator(".edits li").count() == 0


def test_one_at_a_time_however_fast(page: Page, pages: Pages) -> None:
    """Keys held down: the last step shown is the last one named, and its picture is its own."""
    go(page, "#/run/7/0")
    press(page, *["ArrowRight"] * 40)
    settle(page)
    assert step(page) == "40"
    shown = page.locator("#picture").get_attribute("src")
    own = page.evaluate("async () => (await review.load('run/7')).steps[40].image.src")
    assert shown == own
