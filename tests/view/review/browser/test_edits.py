"""What a person says reaches the edits file, by keyboard alone; two reviewers; an exported page."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page

from curate.engine.editing.in_force import in_force
from curate.model.edits import Edit, fingerprint
from curate.store.dataset import read_records
from curate.store.edits import EditsFile, edits_folder, read_edits
from tests.view.review.browser.conftest import Pages, Served, go, press, said, settle, wait, wait_said


def stored(folder: Path) -> list[Edit]:
    return read_edits([edits_folder(folder)])


def test_from_the_list_to_a_stored_edit_by_keyboard(pages: Pages, served: Served) -> None:
    """Tab, letters and Enter; the mouse is never used."""
    page = pages.open(served.address)
    press(page, "Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    press(page, "Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    press(page, "j", "j", "Enter")
    settle(page, "#/run/")
    assert page.locator("#run-title").inner_text() == "Press the six buttons"
    press(page, "ArrowRight", "w")
    wait_said(page, "Step 1 flagged wrong. u takes it back.")
    [edit] = stored(served.folder)
    record = next(record for record in read_records(served.folder) if record.id == "made:first")
    assert (edit.id, edit.step, edit.kind, edit.value, edit.by) == ("made:first", 1, "correct", False, "anna")
    assert edit.of == fingerprint(record)
    for _ in range(30):  # to a button, by Tab alone
        press(page, "Tab")
        if page.evaluate("document.activeElement.dataset.key") == "r":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    press(page, "Enter")
    wait_said(page, "Step 1 flagged redundant")
    assert page.evaluate("document.activeElement.dataset.key") == "r"  # the focus stays where it was
    assert [one.kind for one in stored(served.folder)] == ["correct", "redundant"]


def test_a_region_is_blurred_with_the_mouse_and_with_keys(page: Page, served: Served) -> None:
    go(page, "#/run/0/0")
    picture = page.locator("#picture").bounding_box()
    assert picture is not None

    def at(x: float, y: float) -> tuple[float, float]:
        return picture["x"] + x * picture["width"], picture["y"] + y * picture["height"]

    press(page, "b")
    wait_said(page, "Blur:")
    page.mouse.move(*at(0.75, 0.6))
    page.mouse.down()
    page.mouse.move(*at(0.5, 0.3))
    page.mouse.up()
    wait_said(page, "A region of step 0 will be blurred")
    press(page, "b")
    wait_said(page, "Blur:")
    press(page, "ArrowLeft", "ArrowLeft", "Shift+ArrowDown", "Alt+ArrowUp", "Enter")
    wait(page, "() => document.querySelectorAll('#marks .blur.stored').length === 2")
    mouse, keys = stored(served.folder)
    assert mouse.value == pytest.approx((0.5, 0.3, 0.75, 0.6), abs=2 / picture["width"])
    assert keys.value == pytest.approx((0.3, 0.39, 0.5, 0.64), abs=0.0002)
    press(page, "b", "Escape")
    wait_said(page, "Nothing blurred")
    press(page, "b", "ArrowRight", "ArrowRight", "j", "Escape")  # while a box is made, other keys wait
    settle(page, "#/run/0")
    assert len(stored(served.folder)) == 2 and page.evaluate("location.hash") == "#/run/0/0"


def test_a_box_that_is_being_made_is_not_left_in_silence(page: Page, served: Served) -> None:
    go(page, "#/run/0/0")
    press(page, "b")
    wait_said(page, "Blur:")
    page.locator("#timeline button").nth(1).click()
    wait_said(page, "Nothing was blurred: another step is shown.")
    assert page.locator("#marks .blur").count() == 0


def test_two_reviewers_who_differ(pages: Pages, run_folder: Path) -> None:
    """The page lists what the engine lists."""
    other = EditsFile(edits_folder(run_folder) / "ben.jsonl")
    common = {"id": "made:desktop", "by": "ben", "at": "2026-01-02T03:04:05Z", "number": 1}
    for more in (
        {"kind": "outcome", "value": False}, {"kind": "correct", "step": 1, "value": False}, {"kind": "cut", "step": 4},
        {"kind": "redundant", "step": 2, "value": True},
    ):  # fmt: skip
        other.append(msgspec.convert(common | more, Edit))
    server = Served(run_folder)
    try:
        page = pages.open(server.address)
        assert page.get_by_role("checkbox", name="reviewed by others").count() == 1
        go(page, "#/run/0/1")
        for key, words in {"p": "passed", "w": "wrong", "c": "cut"}.items():
            press(page, key)
            wait_said(page, words)
        shown = page.locator("#edits-panel .note").all_inner_texts()
    finally:
        server.stop()
    expected = in_force(stored(run_folder)).disagreements
    assert {one.kind for one in expected} == {"outcome", "cut"} and len(shown) == len(expected)
    assert any("outcome" in line and "anna says pass" in line and "ben says fail" in line for line in shown)
    assert any("cut" in line and "anna says from step 1" in line and "ben says from step 4" in line for line in shown)


def test_a_folder_that_cannot_be_written_is_read_only(pages: Pages, run_folder: Path) -> None:
    """The edits' folder is in the way as a file: what cannot be stored is said, and nothing is pretended."""
    edits_folder(run_folder).write_text("in the way")
    server = Served(run_folder)
    pages.expected.append("Failed to load resource")
    try:
        page = pages.open(server.address)
        go(page, "#/run/0")
        press(page, "p")
        wait(page, "() => document.getElementById('said').classList.contains('trouble')")
        assert said(page).endswith(".")
        assert page.locator(".edits li").count() == 0
    finally:
        server.stop()
        edits_folder(run_folder).unlink()


def test_a_server_that_is_gone_is_told(pages: Pages, served: Served) -> None:
    pages.expected.append("Failed to load resource")
    pages.expected.append("ERR_CONNECTION_REFUSED")
    page = pages.open(served.address)
    go(page, "#/run/0")
    page.route("**/api/edits", lambda route: route.abort())
    press(page, "p")
    wait_said(page, "nothing was stored")
    assert page.locator(".judging [data-key=p]").get_attribute("aria-pressed") == "false"
    assert said(page).startswith("curate view does not answer")
    assert not edits_folder(served.folder).exists() or not stored(served.folder)


def test_an_export_keeps_edits_and_gives_them_out(pages: Pages, run_folder: Path, tmp_path: Path) -> None:
    """Opened from a folder, without any server: name, edits, a reload, the file."""
    out = exported(run_folder, tmp_path / "pages")
    page = pages.open((out / "index.html").as_uri())
    go(page, "#/run/0/1")
    assert page.evaluate("document.getElementById('picture').naturalWidth") > 0
    press(page, "p")
    name = page.get_by_role("dialog", name="Who reviews?").get_by_role("textbox")
    name.fill("Carla Q.")
    press(page, "Enter")
    assert "a to z" in page.get_by_role("alert").inner_text()
    name.fill("carla")
    press(page, "Enter")
    wait_said(page, "Run passed")
    press(page, "w")
    wait_said(page, "flagged wrong")
    page.reload()
    settle(page, "#/run/")
    assert page.locator(".judging [data-key=p]").get_attribute("aria-pressed") == "true"
    press(page, "u")
    wait_said(page, "Taken back: your correct")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download 3 edits").click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    assert path.name == "carla.jsonl"
    edits = read_edits([path])
    assert [(one.kind, one.by, one.number) for one in edits] == [
        ("outcome", "carla", 1),
        ("correct", "carla", 2),
        ("undo", "carla", 3),
    ]
    assert [one.kind for one in in_force(edits).edits] == ["outcome"]
    go(page, "#/list")
    page.get_by_label("Search in all texts").fill("Straße")
    wait(page, "() => document.getElementById('matches').textContent === '1 of 8'")
    go(page, "#/witness/2")
    assert "similarity" in page.locator("#witness").inner_text().lower()


def exported(folder: Path, out: Path) -> Path:
    from curate.view.review.answers import Options
    from curate.view.review.export import ExportOptions, export

    shutil.rmtree(out, ignore_errors=True)
    export(folder, out, Options(mode="export"), ExportOptions())
    return out
