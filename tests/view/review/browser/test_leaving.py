"""What is asked of a run is stored for that run or not at all, and what has no picture says so in its place."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page, Route

from curate.store.edits import edits_folder
from tests.factories import make_step, make_trajectory
from tests.view.review.browser.conftest import Pages, Served, go, press, probe, said, settle, wait, wait_said
from tests.view.review.conftest import make_dataset


def test_a_dialog_goes_with_the_run_that_it_asks_about(page: Page, served: Served) -> None:
    """The browser's Back shows another run under a dialog; what was typed for the one is no edit of the other."""
    go(page, "#/run/1/0")
    go(page, "#/run/0/0")
    press(page, "i")
    page.get_by_role("textbox", name="Instruction").fill("Words for the first run")
    page.go_back()
    settle(page, "#/run/1")
    assert page.get_by_role("dialog").count() == 0
    wait_said(page, "The instruction stays as it was.")
    assert not list(edits_folder(served.folder).glob("*.jsonl"))


def test_what_comes_late_is_not_shown_over_another_view(page: Page) -> None:
    """A slow disk: the raw events of a step are there when the person looks at another run."""
    go(page, "#/run/0/0")
    held: list[Route] = []
    page.route("**/api/events/**", lambda route: held.append(route))
    press(page, "e")
    wait_said(page, "The raw events are being read")
    wait_held(page, held)
    go(page, "#/run/1/0")
    with page.expect_response("**/api/events/**"):
        held[0].continue_()
    page.wait_for_timeout(100)
    assert page.get_by_role("dialog").count() == 0
    go(page, "#/run/0/0")
    press(page, "e")
    page.get_by_role("dialog", name="Raw events of step 0").wait_for()


def wait_held(page: Page, held: list[Route]) -> None:
    for _ in range(200):
        if held:
            return
        page.wait_for_timeout(20)
    raise AssertionError("nothing was asked for")


def test_what_was_said_of_one_view_is_not_said_of_the_next(page: Page) -> None:
    go(page, "#/run/1/0")
    press(page, "o")
    wait_said(page, "The screen")
    go(page, "#/run/4/0")
    assert said(page) == ""


def test_a_picture_that_is_gone_is_told_where_it_would_be(pages: Pages, tmp_path: Path) -> None:
    damaged, gone = (f"media/{two}/{two * 32}.png" for two in ("ab", "cd"))
    steps = [make_step(k, image=ref, image_size=(96, 54)) for k, ref in enumerate([damaged, gone])]
    steps.append(make_step(2, image=None, image_size=None))
    root = make_dataset(tmp_path / "data", [make_trajectory("gone", steps=steps)])
    (root / damaged).parent.mkdir(parents=True)
    (root / damaged).write_bytes(b"<svg onload='window.hurt=1'>")
    served = Served(root)
    page = pages.open(served.address)
    told = ("The picture cannot be shown: the file is missing or damaged.",
            "The picture that the record names is not there.", "This step has no picture.")  # fmt: skip
    for index, words in enumerate(told):
        go(page, f"#/run/0/{index}")
        wait(page, "words => document.getElementById('no-picture').textContent === words", words)
        left, top, right, bottom = probe(page, "box", "#no-picture")
        frame = probe(page, "box", "#scroller")
        assert frame[0] < left < right < frame[2] and frame[1] < top < bottom < frame[3]
    wait(page, "() => document.querySelector('[data-step=\"0\"]').textContent.includes('cannot be shown')")
    served.stop()
