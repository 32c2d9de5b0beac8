"""ScaleCUA's navigation rows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from curate.model.actions import OpenApp, Scroll
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import ReadContext
from curate.sources.registry import source, sources
from curate.store.media import MediaStore
from tests.factories import png
from tests.sources.folders import read_all, read_one


def row(operation: str, action: str, before: list[str], picture: str = "run/images/a.png") -> dict[str, Any]:
    history = "\n".join(f'Step {number}: "{text}"' for number, text in enumerate(before, start=1)) or "None"
    human = f"<image>\nPlease generate the next move.\n\nTask: Look\n\nPrevious operations:\n{history}"
    answer = f"<operation>\n{operation}\n</operation>\n<action>\n{action}\n</action>"
    turns = [{"from": "human", "value": human}, {"from": "gpt", "value": answer}]
    return {"image": picture, "conversations": turns, "width": 100, "height": 100}


def write(folder: Path, *rows: dict[str, Any], name: str = "rows.jsonl") -> Path:
    (folder / "run/images").mkdir(parents=True, exist_ok=True)
    (folder / "run/images/a.png").write_bytes(png())
    (folder / name).write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return folder / name


def test_the_published_rows_are_one_run(shared: Path, tmp_path: Path) -> None:
    """Two rows of one folder, the second with the first's operation in its history."""
    path = tmp_path / "readme_rows.jsonl"
    shutil.copy(shared / "data/sources/scalecua/readme_rows.jsonl", path)
    assert [name for name, known in sources().items() if known.recognise(path)] == ["scalecua"]
    for line in path.read_text(encoding="utf-8").splitlines():
        picture = tmp_path / json.loads(line)["image"]
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(png())
    record = read_one(path, tmp_path / "out")
    opened, tapped = record.steps
    assert record.id == "scalecua:android_lab_data_Cantook/cantook_5"
    assert record.instruction == "Could you check my reading progress for War and Peace?"
    assert opened.actions == [OpenApp("Cantook")] and tapped.code == "pyautogui.click(x=0.3674, y=0.9192)"
    assert (opened.thought or "").startswith("Based on the second image") and opened.image and tapped.image
    assert tapped.flags == [] and record.outcome.completed is None and record.platform is None


def test_the_published_windows_row(shared: Path, tmp_path: Path) -> None:
    path = tmp_path / "scalecua_windows_navigation.jsonl"
    shutil.copy(shared / "data/sources/quoted_records/scalecua_windows_navigation.jsonl", path)
    picture = tmp_path / "settings/free_task_20250605_101622/images/20250605_101625_1.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(png())
    record = read_one(path, tmp_path / "out")
    assert (record.platform, record.steps[0].code) == ("windows", "pyautogui.click(x=0.0099, y=0.9833)")


def test_a_sign_that_contradicts_the_words(tmp_path: Path) -> None:
    """Part D, case 8: `clicks=5` with "Scroll down" goes down, as measured on the data, and so does `clicks=-5`, as the
    publisher's agent would do it; a row whose words say nothing refuses its run."""
    for clicks in (5, -5):
        record = read_one(write(tmp_path / f"in{clicks}", row("Scroll down a bit", f"scroll(clicks={clicks})", [])),
                          tmp_path / "out")  # fmt: skip
        assert record.steps[0].actions == [Scroll(-5)] and record.steps[0].flags == ["scroll_from_words"]
    (found,) = read_all(write(tmp_path / "mute", row("Look at more", "scroll(clicks=5)", [])), tmp_path / "out")
    assert isinstance(found, Rejected) and found.reason == "import.undecided"


def test_what_the_user_states_counts_for_more_than_words(tmp_path: Path) -> None:
    path = write(tmp_path / "in", row("Scroll down a bit", "scroll(clicks=5)", []))
    context = ReadContext(media=MediaStore(tmp_path / "out"), options={"import": {"scroll": "plus_up"}})
    (item,) = source("scalecua").read(path, context)
    assert not isinstance(item, Rejected)
    assert item.trajectory.steps[0].actions == [Scroll(5)] and item.trajectory.steps[0].flags == []


def test_rows_of_a_run_may_lie_anywhere(tmp_path: Path) -> None:
    done = ["Press A", "Press B", "Press C"]
    rows = [row(text, f"press('{text[-1].lower()}')", done[:place]) for place, text in enumerate(done)]
    other = row("Press Z", "press('z')", [], picture="other/images/a.png")
    (tmp_path / "in/other/images").mkdir(parents=True)
    (tmp_path / "in/other/images/a.png").write_bytes(png())
    one, two = read_all(write(tmp_path / "in", rows[2], other, rows[0], rows[1]), tmp_path / "out")
    assert isinstance(one, Trajectory) and isinstance(two, Trajectory)
    assert [step.action for step in one.steps] == done and [step.action for step in two.steps] == ["Press Z"]
    assert one.source.line == 3  # where its first step stands


def test_a_finger_goes_against_the_view(tmp_path: Path) -> None:
    """A.2: `swipe(direction='up')` shows what stands below."""
    for way, amount in (("up", -1.0), ("down", 1.0)):
        record = read_one(write(tmp_path / way, row("Go on", f"swipe(direction='{way}')", [])), tmp_path / "out")
        assert record.steps[0].actions == [Scroll(amount, "page")]


def test_a_run_that_asks_its_user_is_kept(tmp_path: Path) -> None:
    """`call_user()` is one of the published actions, and there is none like it in a record."""
    rows = [row("Open", "press(keys='o')", []), row("Ask for the password", "call_user()", ["Open"])]
    record = read_one(write(tmp_path, *rows), tmp_path / "out")
    asked = record.steps[1]
    assert asked.action == "Ask for the password" and asked.actions == [] and asked.code is None
    assert asked.flags == ["unsupported_action"]
