"""DigiData: calls in a frame that nobody documents, holes that it tells of itself."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from curate.model.actions import Action, Back, Click, Enter, Home, Swipe, Terminate, Write
from curate.model.trajectory import Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.detector.settle import read_settled
from curate.sources.digidata import SOURCE
from curate.store.media import MediaStore
from curate.store.trees import read_text_tree
from tests.sources.phones import picture

FIXTURES = Path(__file__).parent / "fixtures" / "digidata"


def steps(folder: Path, *actions: str, size: tuple[int, int] = (100, 200), **more: Any) -> Path:
    rows = []
    folder.mkdir(parents=True, exist_ok=True)
    for number, action in enumerate(actions):
        (folder / f"e_{number}.png").write_bytes(picture(size, number))
        rows.append({
            "episode_id": "e", "step_id": number, "episode_len": len(actions), "app": "A", "action": action,
            "goal": "Do it", "image": f"e_{number}.png", "complete": True, **more,
        })  # fmt: skip
    path = folder / "digidata_train.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path, media: Path, space: str | None = "picture_pixel") -> list[Any]:
    stated = {"import": {"space": space}} if space else {}
    context = ReadContext(media=MediaStore(media), options=stated, shown=path.name)
    return [one.trajectory if isinstance(one, Read) else one for one in read_settled(SOURCE, path, context)]


@pytest.mark.parametrize(
    ("action", "meant"),
    [
        ("tap(25, 150)", Click(x=0.25, y=0.75)),
        ("swipe(50,180,50,20)", Swipe(x=0.5, y=0.9, to_x=0.5, to_y=0.1)),
        ("type(a (b), c)", Write("a (b), c")),
        ("navigate({back})", Back()),
        ("navigate(home)", Home()),
        ("navigate( {enter} )", Enter()),
        ("status({complete})", Terminate("success")),
        ("status(impossible)", Terminate("impossible")),
    ],
)
def test_what_an_action_says(tmp_path: Path, action: str, meant: Action) -> None:
    (record,) = read(steps(tmp_path / "in", action), tmp_path / "out")
    assert record.steps[0].actions == [meant] and record.steps[0].flags == []


@pytest.mark.parametrize("text", ['"a"', "'a'", "<a>", "{a}"])
def test_text_in_marks_is_kept_and_not_known(tmp_path: Path, text: str) -> None:
    (record,) = read(steps(tmp_path / "in", f"type({text})"), tmp_path / "out")
    assert record.steps[0].actions == [Write(text)] and record.steps[0].flags == ["text_unverified"]


@pytest.mark.parametrize(
    ("action", "reason"),
    [("tap(1)", "validate.coordinate_out_of_range"), ("tap(x, 1)", "validate.coordinate_out_of_range"),
     ("press(1)", "import.unsupported_action"), ("tap", "read.code"), ("navigate({up})", "import.unsupported_action")],
)  # fmt: skip
def test_what_has_no_meaning_refuses_the_episode(tmp_path: Path, action: str, reason: str) -> None:
    (bad,) = read(steps(tmp_path / "in", action), tmp_path / "out")
    assert bad.reason == reason


def test_the_data_decides_its_frame(tmp_path: Path) -> None:
    some = random.Random(3)
    places = [(some.random(), some.random()) for _ in range(40)]
    for number, (w, h) in enumerate([(1080, 2400), (1, 1)]):
        taps = [f"tap({x * w:.4f},{y * h:.4f})" for x, y in places]
        (record,) = read(steps(tmp_path / str(number), *taps, size=(1080, 2400)), tmp_path / "out", None)
        assert isinstance(record, Trajectory), record
        for (x, y), step in zip(places, record.steps, strict=True):
            (action,) = step.actions
            assert isinstance(action, Click) and action.x == pytest.approx(x, abs=2e-4)
            assert action.y == pytest.approx(y, abs=2e-4)
        assert any("decided from the data" in line for line in record.lineage)


def test_few_points_are_refused_with_the_setting_that_states_the_frame(tmp_path: Path) -> None:
    (bad,) = read(steps(tmp_path / "in", "tap(45, 50)"), tmp_path / "out", None)
    assert bad.reason == "import.undecided" and "import.space" in (bad.detail or "")


def test_its_xml_is_the_tree_and_its_chains_of_thought_have_their_licence(tmp_path: Path) -> None:
    (file,) = (FIXTURES / "stated/raw").glob("*.jsonl")
    record = read(file, tmp_path)[0]
    assert read_text_tree(MediaStore(tmp_path), record.steps[0].tree).startswith("<hierarchy>")
    cot = steps(tmp_path / "in", "navigate(back)").rename(tmp_path / "in/cot_digidata_train.jsonl")
    assert read(cot, tmp_path)[0].source.license == "LicenseRef-Llama-4-Community"
    assert record.source.license == "CC-BY-4.0"
