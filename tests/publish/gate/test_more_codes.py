"""The rest of what the gate refuses for: hover, places in pictures, names of files, pictures that the source never had;
weak leaks are told; and what is nobody's is let pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from curate.engine.packs import add_pack
from curate.model.trajectory import Keyframe, Trajectory
from curate.publish.gate.found import Found, Gate
from curate.publish.gate.gate import Looking
from curate.publish.gate.leaks import Leaks
from curate.publish.gate.personal import look_at_names
from curate.publish.options import PublishOptions
from curate.store.run_folder import RunFolder
from tests.publish.runs import finished

_GPS, _LATITUDE = 0x8825, {1: "N", 2: (52.0, 31.0, 12.0), 3: "E", 4: (13.0, 24.0, 18.0)}


@pytest.fixture(autouse=True)
def own_packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs of this machine's user are not looked at."""
    monkeypatch.setenv("CURATE_HOME", str(tmp_path / "packs"))


def looked(run: Path, **more: Any) -> Gate:
    options = PublishOptions(**{"repo": "user/traj", "license": "mit", "accept": ("leak.unchecked",), **more})
    return Looking(run, options, ocr=0).at_run()


def places(gate: Gate, code: str) -> list[tuple[str | None, int | None]]:
    return [(row.id, row.step) for one in gate.findings if one.code == code for row in one.rows]


def refused(gate: Gate) -> list[str]:
    return [one.code for one in gate.refusing]


def test_targets_that_are_lit_up(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        for number, step in enumerate(step for record in made for step in record.steps):
            step.keyframe = Keyframe(
                time=0.0, rule="latest_away", pointer=(0.1, 0.1), pointer_on_target=False, hover=number in (7, 8),
                floor_on_target=False,
            )  # fmt: skip

    run = finished(tmp_path, change)
    gate = looked(run, accept=("leak.unchecked", "pointer.unsure"))
    assert refused(gate) == ["pointer.hover"] and places(gate, "pointer.hover") == [("made:1", 2), ("made:1", 3)]
    assert refused(looked(run, accept=("leak.unchecked", "pointer.unsure", "pointer.hover"))) == []


def test_a_photo_that_says_where_it_was_taken(tmp_path: Path) -> None:
    def change(made: list[Trajectory], data: Path) -> None:
        for step, place in ((made[2].steps[1], True), (made[2].steps[2], False)):
            assert step.image is not None
            image = Image.open(data / step.image)
            exif = image.getexif()
            exif[0x0110] = "Camera"
            if place:
                exif[_GPS] = _LATITUDE
            image.save(data / f"{step.index}.jpg", exif=exif)
            step.image = f"{step.index}.jpg"

    run = finished(tmp_path, change)
    gate = looked(run)
    assert refused(gate) == ["personal.place"] and places(gate, "personal.place") == [("made:2", 1)]
    assert refused(looked(run, accept=("leak.unchecked", "personal.place"))) == []


def test_names_of_files() -> None:
    found = Found(None)
    look_at_names(found, ["README.md", "data/steps/train-00000.parquet", "media/ab/" + "4" * 64 + ".png"])
    assert found.gate().findings == []
    look_at_names(found, ["traces/train/jane.roe@zetalab.org/1.jsonl"])
    (one,) = found.gate().findings
    assert one.code == "personal.file_name" and "jane.roe" not in str(one) and one.refuses


def test_pictures_that_the_source_never_had(tmp_path: Path) -> None:
    def change(made: list[Trajectory], _: Path) -> None:
        made[3].steps[2].image = "pictures/never-there.png"

    run = finished(tmp_path, change)
    gate = looked(run)
    assert refused(gate) == ["pictures.lost"] and places(gate, "pictures.lost") == [("made:3", 2)]
    assert "1 step whose picture" in gate.findings[0].sentence
    assert refused(looked(run, accept=("leak.unchecked", "pictures.lost"))) == []


def test_weak_evidence_is_told_and_refuses_nothing(tmp_path: Path) -> None:
    """Runs that fit a test task's template with other arguments; the one with the same was dropped by the run."""
    tasks = tmp_path / "bench.jsonl"
    tasks.write_text(
        '{"id": "t1", "instruction": "Rename the folder number 4 to plan 4", '
        '"template": "Rename the folder number {x} to plan {y}"}\n'
    )
    add_pack("bench", tasks)
    gate = looked(finished(tmp_path, sets=["leaks.tests=bench"]), accept=())
    assert [(one.code, one.weight) for one in gate.findings] == [("leak.weak", "note")] and refused(gate) == []
    assert {id for id, _ in places(gate, "leak.weak")} == {f"made:{k}" for k in (0, 1, 2, 3, 5)}


def test_without_runs_nothing_is_said_of_leaks(tmp_path: Path) -> None:
    found, run = Found(None), finished(tmp_path)
    import pyarrow as pa

    Leaks(found, RunFolder(run), {}).finish(pa.array([], pa.string()))
    assert found.gate().findings == []


NOBODYS = [
    "Write to help@example.com, root@localhost or team@firm.test", "git@github.com:some/one.git", "noreply@github.com",
    "Version 10.0.19045.3570 of 2024-11-30 12:30:45", "Bus 192.168.100.200, port 8080-8443", "Call 555-0123",
    "Saved as 2024-11-30-12-30-45.png and shot@2x.png", "Card 4242 4242 4242 4242", "Order 1234-5678-9012-3456",
    "cd /home/user. Then /home/test1 and /Users/someone/data", "ISBN 978-3-16-148410-0",
    "+1039864525342 and +10575792165",
    "https://site.org/a/1234567890123456?x=415-555-0100", "0.4155552671 0.1898 1280-720-1024", "token=hf_...",
]  # fmt: skip


@pytest.mark.parametrize("text", NOBODYS, ids=range(len(NOBODYS)))
def test_what_is_nobodys_passes(text: str, tmp_path: Path) -> None:
    from curate.publish.gate.personal import look_at_text

    found = Found(None)
    look_at_text(found, "README.md", text)
    assert [row.what for one in found.gate().findings for row in one.rows] == []
