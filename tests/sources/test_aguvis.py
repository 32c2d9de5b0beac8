"""Aguvis stage 1 and 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Action, Scroll
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.registry import sources
from tests.factories import png
from tests.sources.folders import read_all, read_one


def step(action: str, code: str, before: tuple[str, ...] = (), picture: str = "e_0.png") -> dict[str, Any]:
    history = "\n".join(f"Step {number}: {text}" for number, text in enumerate(before, start=1)) or "None"
    human = f"<image>\nPlease generate the next move.\n\nInstruction: Look\n\nPrevious actions:\n{history}"
    answers = [("all", f"Action: {action}\n"), ("os", code)]
    turns = [{"from": "gpt", "value": value, "recipient": recipient} for recipient, value in answers]
    return {"image": picture, "conversations": [{"from": "human", "value": human}, *turns]}


def write(folder: Path, *rows: dict[str, Any], name: str = "mind2web-l1.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for picture in {row["image"] for row in rows}:
        (folder / picture).write_bytes(png())
    (folder / name).write_text(json.dumps(rows), encoding="utf-8")
    return folder / name


@pytest.mark.parametrize(
    ("part", "words", "code", "expected"),
    [
        ("android_control", "Scroll down", "pyautogui.scroll(page=-0.1)", Scroll(-0.1, "page")),  # + is up
        ("omniact", "Scroll", "pyautogui.scroll(-10)", Scroll(-10)),  # clicks
        ("guiact-web-single", "Scroll down", "pyautogui.scroll(page=0.3)", Scroll(-0.3, "page")),  # the words decide
        ("guiact-web-single", "Scroll down", "pyautogui.scroll(page=-0.3)", Scroll(-0.3, "page")),
        ("guiact-web-single", "See more", "pyautogui.scroll(page=0.3)", None),
        ("guide", "Scroll up to see more", "pyautogui.scroll()", Scroll(1, "page")),
        ("guide", "See more", "pyautogui.scroll()", None),
    ],
)
def test_scrolls_of_each_part(tmp_path: Path, part: str, words: str, code: str, expected: Action | None) -> None:
    """A.2, and case 8 of part D."""
    (found,) = read_all(write(tmp_path / "in", step(words, code), name=f"{part}.json"), tmp_path / "out")
    if expected is None:
        assert isinstance(found, Rejected) and found.reason == "import.undecided"
    else:
        assert isinstance(found, Trajectory) and found.steps[0].actions == [expected]


@pytest.mark.parametrize("folder", [".", "images", "mind2web", "mind2web-l1", "images/mind2web"])
def test_pictures_lie_where_the_archive_of_the_part_was_unpacked(tmp_path: Path, folder: str) -> None:
    """Levels of a part share its pictures: `mind2web-l1.json` and `mind2web-l2.json` those of `mind2web`."""
    rows = write(tmp_path / "in", step("Open", "pyautogui.press('o')"))
    (tmp_path / "in" / folder).mkdir(parents=True, exist_ok=True)
    (tmp_path / "in" / "e_0.png").rename(tmp_path / "in" / folder / "e_0.png")
    record = read_one(rows, tmp_path / "out")
    assert record.steps[0].image is not None and record.steps[0].flags == []


def test_episodes_that_share_one_picture_are_no_copies(tmp_path: Path) -> None:
    """Part D, case 15: 161 records of one MiniWoB page share a screenshot; each is a run of its own."""
    rows = [step(f"Click {n}", f"pyautogui.click(x=0.{n}, y=0.5)", picture="click-shades.png") for n in range(1, 6)]
    found = read_all(write(tmp_path / "in", *rows, name="miniwob-l1.json"), tmp_path / "out")
    assert [one.steps[0].action for one in found if isinstance(one, Trajectory)] == [f"Click {n}" for n in range(1, 6)]
    assert len({one.id for one in found}) == 5


def test_the_rows_of_an_episode_are_one_run(tmp_path: Path) -> None:
    words = ("Open", "Press", "Close")
    rows = [step(word, f"pyautogui.press('{word[0].lower()}')", words[:place], f"ep_{place}.png")
            for place, word in enumerate(words)]  # fmt: skip
    record = read_one(write(tmp_path / "in", rows[1], rows[2], rows[0]), tmp_path / "out")
    assert [one.action for one in record.steps] == list(words) and [one.index for one in record.steps] == [0, 1, 2]


def test_a_history_in_other_words_still_joins_a_run(tmp_path: Path) -> None:
    """Some parts tell the actions before in words that no row uses for its own action."""
    rows = [step("Open", "pyautogui.press('o')", (), "ep_0.png"),
            step("Press", "pyautogui.press('p')", ("CLICK on it",), "ep_1.png")]  # fmt: skip
    assert len(read_one(write(tmp_path / "in", *rows), tmp_path / "out").steps) == 2


def test_the_published_form_of_a_row(shared: Path, tmp_path: Path) -> None:
    """The row of the training formats, which was made from a real step by Aguvis' templates, reads back as it."""
    row = json.loads((shared / "data/training-formats/aguvis_stage2_l2.json").read_text(encoding="utf-8"))
    rows = row if isinstance(row, list) else [row]
    path = write(tmp_path / "in", *rows)
    assert [name for name, known in sources().items() if known.recognise(path)] == ["aguvis"]
    (one,) = read_one(path, tmp_path / "out").steps
    assert one.code == "pyautogui.click(x=0.5276, y=0.2694)" and one.index == 2 and one.flags == ["step_gap"]
    assert (one.action or "").startswith("Click the 'Search' button") and (one.thought or "").startswith("So far")
