"""An audit by keyboard alone, in a real browser: pairs, outcomes and pictures; a reload comes back to the same item."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from curate.engine.auditing.evaluating import audit_labels
from curate.engine.auditing.sampling import draw_sample, write_sample
from curate.model.audit_label import ABOUT, ANSWERS, About
from curate.store.edits import edits_folder, read_labels
from tests.view.review.browser.conftest import Pages, Served, press, settle, wait, wait_said

QUESTIONS = {
    "verdicts": "Was the task completed?",
    "pairs": "Are these two the same run, so that one of them is too many?",
    "keyframes": "Is this the screen as it was before the action, with what it acts on, neither lit up nor pointed at?",
}


def at_item(page: Page, number: int) -> None:
    """Until the item of that number (from 1) is shown whole."""
    wait(page, "n => document.querySelector('.where')?.textContent.startsWith(`item ${n} of`)", number)
    wait(page, "() => document.getElementById('audit-body')?.childElementCount > 0")
    settle(page)


@pytest.mark.parametrize("about", ABOUT)
def test_a_sample_is_answered_by_keyboard_alone(about: About, run_folder: Path, pages: Pages, tmp_path: Path) -> None:
    sample = draw_sample(run_folder, about, 4, 0)
    count = len(sample.items)
    write_sample(tmp_path / "sample.jsonl", sample)
    served = Served(run_folder, audit=tmp_path / "sample.jsonl")
    try:
        page = pages.open(served.address)
        at_item(page, 1)
        assert page.locator("#audit-question").inner_text() == QUESTIONS[about]
        assert page.locator("#places a").all_inner_texts() == ["Audit"]
        given = [("y", "n", "d")[k % 3] for k in range(count)]
        for number, key in enumerate(given, start=1):
            at_item(page, number)
            press(page, key)
            told = f"{number} of {count} answered"
            wait(page, "told => document.getElementById('answered').textContent === told", told)
        wait_said(page, "All is answered.")
        assert "curate audit RUN --labels" in page.locator("#audit-state").inner_text()
        answers = dict(zip("ynd", ANSWERS[about], strict=True))
        stored = {label.item: label.answer for label in read_labels([edits_folder(run_folder)])}
        assert stored == {item.item: answers[key] for item, key in zip(sample.items, given, strict=True)}
        (found,) = audit_labels(run_folder, [edits_folder(run_folder)])
        assert (found.missing, found.unsure) == (0, given.count("d"))
        blind = ("/list.json", "/text.json", "/witness/", "/events/")
        assert not [url for url in pages.asked if any(part in url for part in blind)], "not even asked for"
    finally:
        served.stop()


def test_a_reload_keeps_the_place_and_an_answer_can_be_changed(run_folder: Path, pages: Pages, tmp_path: Path) -> None:
    sample = draw_sample(run_folder, "verdicts", 5, 1)
    write_sample(tmp_path / "sample.jsonl", sample)
    served = Served(run_folder, audit=tmp_path / "sample.jsonl")
    try:
        page = pages.open(served.address)
        at_item(page, 1)
        press(page, "y")
        at_item(page, 2)
        press(page, "j")
        at_item(page, 3)
        page.reload()
        at_item(page, 3)
        assert page.locator("#answered").inner_text() == f"1 of {len(sample.items)} answered"
        press(page, "k")
        at_item(page, 2)
        press(page, "k")
        at_item(page, 1)
        assert page.locator('[aria-pressed="true"][data-answer]').get_attribute("data-answer") == "success"
        press(page, "n")
        wait_said(page, "Stored: No, not completed.")
        assert page.locator(".where").inner_text().startswith("item 1 of"), "a changed answer stays where it is"
        assert [label.answer for label in read_labels([edits_folder(run_folder)])] == ["failure"]
        press(page, "ArrowRight")
        wait_said(page, "Step 1")
        press(page, "Escape")
        page.evaluate("() => { location.hash = '#/run/0'; }")
        at_item(page, 1)
        assert page.locator("#run-title").count() == 0, "no other view is to be had"
        page.goto(served.address.split("#")[0])  # opened anew: the first that has no answer
        at_item(page, 2)
    finally:
        served.stop()


def test_a_pair_is_seen_to_its_end_by_keyboard(run_folder: Path, pages: Pages, tmp_path: Path) -> None:
    """The two runs of the sample's pair side by side; the last picture of both is the one in which they end."""
    write_sample(tmp_path / "sample.jsonl", draw_sample(run_folder, "pairs", 1, 0))
    served = Served(run_folder, audit=tmp_path / "sample.jsonl")
    try:
        page = pages.open(served.address, size=(1000, 520))
        at_item(page, 1)
        assert page.get_by_role("region", name="Run A").count() == page.get_by_role("region", name="Run B").count() == 1
        press(page, "G")
        wait(page, "() => { const b = document.getElementById('audit-pair'); return b.scrollTop > 0 && "
             "b.scrollTop + b.clientHeight >= b.scrollHeight - 1; }")  # fmt: skip
        press(page, "g")
        wait(page, "() => document.getElementById('audit-pair').scrollTop === 0")
        press(page, "ArrowRight")
        wait(page, "() => document.getElementById('audit-pair').scrollTop > 0")
    finally:
        served.stop()


@pytest.mark.parametrize("about", ABOUT)
def test_everything_has_a_name_for_readers(about: About, run_folder: Path, pages: Pages, tmp_path: Path) -> None:
    write_sample(tmp_path / "sample.jsonl", draw_sample(run_folder, about, 3, 0))
    served = Served(run_folder, audit=tmp_path / "sample.jsonl")
    try:
        page = pages.open(served.address)
        at_item(page, 1)
        for name in ("Yes,", "No,", "Cannot be told", "Previous item", "Next item"):
            assert page.get_by_role("button", name=name).count() == 1, name
        assert page.get_by_role("heading", name=QUESTIONS[about]).count() == 1
        assert page.get_by_role("progressbar", name="Answered").count() == 1
        nameless = page.evaluate(
            "() => [...document.querySelectorAll('button, a, [tabindex=\"0\"]')].filter(one => "
            "one.checkVisibility() && !(one.textContent.trim() || one.getAttribute('aria-label'))).length"
        )
        assert nameless == 0
        press(page, "?")
        sheet = page.get_by_role("dialog").inner_text()
        assert "next item" in sheet and "yes" in sheet and "flag the step wrong" not in sheet
    finally:
        served.stop()
