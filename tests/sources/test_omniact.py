"""OmniACT: one screen, one task, one script."""

from __future__ import annotations

import shutil
from pathlib import Path

from PIL import Image

from curate.model.trajectory import Trajectory
from curate.sources.registry import sources
from curate.store.media import MediaStore
from curate.store.trees import read_tree
from tests.sources.folders import read_all


def test_the_published_paraphrases(shared: Path, tmp_path: Path) -> None:
    """Three wordings, one screen, one script: three records with the same action. The published click (1288.5, 116)
    lies in the box that is the element; points are parts of the picture's pixels."""
    source = shared / "data/sources/omniact/adp_sample_raw.json"
    assert [name for name, known in sources().items() if known.recognise(source)] == ["omniact"]
    folder = tmp_path / "in"
    picture = folder / "data/data/web/asics/screen1.png"
    picture.parent.mkdir(parents=True)
    shutil.copy(source, folder)
    Image.new("RGB", (1440, 900)).save(picture)  # the sample comes without its picture
    records = read_all(folder, tmp_path / "out")
    assert len(records) == 3
    for record in records:
        assert isinstance(record, Trajectory)
        (step,) = record.steps
        assert step.code == f"pyautogui.click(x={round(1288.5 / 1440, 4)}, y={round(116 / 900, 4)})"
        assert (record.platform, record.sites, record.outcome.completed) == ("web", ["asics"], None)
        assert step.element is not None and step.element.name and step.element.box is not None
        left, top, right, bottom = step.element.box
        assert left <= 1288.5 / 1440 <= right and top <= 116 / 900 <= bottom
        tree = read_tree(MediaStore(tmp_path / "out"), step.tree or "")
        assert len(tree.nodes) == 38 and step.element.name in {node.name for node in tree.nodes}
    assert len({record.instruction for record in records if isinstance(record, Trajectory)}) == 3


def test_without_its_picture_a_point_in_pixels_is_nothing(shared: Path, tmp_path: Path) -> None:
    shutil.copy(shared / "data/sources/omniact/adp_sample_raw.json", tmp_path)
    found = read_all(tmp_path, tmp_path / "out")
    assert {getattr(one, "reason", None) for one in found} == {"read.media_missing"}
