"""A staged folder is what `datasets` and `curate import` read: the same records, the same bytes and pixels."""

from __future__ import annotations

import hashlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from PIL import Image

from curate.engine.importing import import_inputs
from curate.model.trajectory import Trajectory, encode
from curate.publish.kept import kept_records
from curate.publish.staged import Staged
from curate.store.dataset import read_records
from curate.store.run_folder import RunFolder
from tests.publish.made import make_run, staged

CONFIGS = ("steps", "trajectories", "examples")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("load"))


@pytest.fixture(scope="module")
def published(run: Path) -> Staged:
    return staged(run, run.with_name("run.publish"), traces=True)


@pytest.fixture(params=[False, True], ids=["whole", "streaming"])
def loaded(published: Staged, request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Every config by name: its splits."""
    from datasets import load_dataset

    folder = str(published.folder)
    return {name: load_dataset(folder, name, streaming=request.param, cache_dir=str(tmp_path)) for name in CONFIGS}


def kept(run: Path) -> dict[str, list[Trajectory]]:
    """What the run kept, by split in its order."""
    found: dict[str, list[Trajectory]] = {}
    for one in kept_records(RunFolder(run)):
        found.setdefault(one.split, []).append(one.record)
    return found


def as_record(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the table of trajectories as the JSON of its record: maps are lists of key and value there, and an
    action has the fields of all kinds, null where its own kind has none."""
    plain = {name: value for name, value in row.items() if name not in ("split", "position", "targets")}
    plain["wordings"] = {pair["key"]: pair["value"] for pair in plain["wordings"]}
    for step in plain["steps"]:
        step["actions"] = [{k: v for k, v in action.items() if v is not None} for action in step["actions"]]
    return plain


def plain_json(record: Trajectory) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.json.decode(encode(record))
    for step in plain["steps"]:
        step["actions"] = [{k: v for k, v in action.items() if v is not None} for action in step["actions"]]
    return plain


def test_trajectories_are_the_records(run: Path, loaded: dict[str, Any]) -> None:
    expected = kept(run)
    assert set(loaded["trajectories"]) == set(expected) == {"train", "test"}
    for split, rows in loaded["trajectories"].items():
        assert [as_record(row) for row in rows] == [plain_json(record) for record in expected[split]]


def test_steps_are_the_records_steps(run: Path, loaded: dict[str, Any]) -> None:
    for split, rows in loaded["steps"].items():
        found = iter(rows)
        for record in kept(run)[split]:
            for step in record.steps:
                row = next(found)
                assert (row["id"], row["index"], row["instruction"]) == (record.id, step.index, record.instruction)
                assert (row["action"], row["code"], row["thought"]) == (step.action, step.code, step.thought)
                assert row["actions"][0]["type"] == msgspec.to_builtins(step.actions[0])["type"]
                assert row["flags"] == step.flags
        assert next(found, None) is None


def test_pictures_are_the_same_bytes_and_pixels(run: Path, loaded: dict[str, Any]) -> None:
    from datasets import Image as Picture

    seen = 0
    media = RunFolder(run).media
    for split, rows in loaded["steps"].items():
        steps = [(record, step) for record in kept(run)[split] for step in record.steps]
        raw = rows
        for name in ("image", "image_after", "final_image"):
            raw = raw.cast_column(name, Picture(decode=False))
        for row, stored, (record, step) in zip(rows, raw, steps, strict=True):
            final = record.final_image if step is record.steps[-1] else None
            wanted = {"image": step.image, "image_after": step.image_after, "final_image": final}
            for name, reference in wanted.items():
                if reference is None:
                    assert row[name] is None
                    continue
                data = media.read(reference)
                assert hashlib.sha256(stored[name]["bytes"]).hexdigest() == Path(reference).stem
                assert stored[name]["path"] == Path(reference).name
                assert stored[name]["bytes"] == data
                assert pixels(row[name]) == pixels(Image.open(io.BytesIO(data)))
                seen += 1
            tree = row["tree"]
            assert (tree and tree["bytes"]) == (media.read(step.tree) if step.tree else None)
    assert seen > 40


def pixels(picture: Image.Image) -> str:
    return hashlib.sha256(np.asarray(picture.convert("RGB")).tobytes()).hexdigest()


def test_examples_are_the_runs_own(run: Path, published: Staged, loaded: dict[str, Any]) -> None:
    for split, rows in loaded["examples"].items():
        files = RunFolder(run).example_paths(split)
        assert list(rows) == [msgspec.json.decode(line) for path in files for line in path.read_bytes().splitlines()]
        for path in files:
            assert (published.folder / "examples" / path.name).read_bytes() == path.read_bytes()


def test_features_are_those_of_the_card(published: Staged, loaded: dict[str, Any]) -> None:
    """What `datasets` finds in a file alone is what the card declares: nobody sees bytes where there is a picture."""
    from datasets import Features
    from pyarrow import parquet

    for name, splits in loaded.items():
        for file in (published.folder / "data" / name).glob("*.parquet"):
            assert Features.from_arrow_schema(parquet.read_schema(file)) == next(iter(splits.values())).features


def test_the_cards_snippet_runs(published: Staged, tmp_path: Path) -> None:
    card = (published.folder / "README.md").read_text("utf-8")
    found = re.search(r"```python\n(.*?)```", card, re.DOTALL)
    assert found is not None
    code = found[1].replace('"anna/office-runs"', repr(str(published.folder)))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120,
        env={"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1", "PATH": ""},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "pyautogui" in done.stdout and "(64, 36)" in done.stdout


def imported(folder: Path, out: Path) -> Iterator[Trajectory]:
    import_inputs("auto", [folder], out)
    return read_records(out)


def test_import_gives_the_same_records_and_media(run: Path, published: Staged, tmp_path: Path) -> None:
    expected = [one.record for one in kept_records(RunFolder(run))]
    found = list(imported(published.folder, tmp_path / "back"))
    assert [encode(record) for record in found] == [encode(record) for record in expected]
    named = set()
    for record in expected:
        named |= {record.final_image} | {ref for s in record.steps for ref in (s.image, s.image_after, s.tree)}
    files = {path.relative_to(tmp_path / "back").as_posix() for path in (tmp_path / "back/media").glob("*/*")}
    assert files == named - {None}
    for name in files:
        assert (tmp_path / "back" / name).read_bytes() == (run / name).read_bytes()


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_snapshot_of_links_is_read_too(published: Staged, tmp_path: Path) -> None:
    """As the Hub's own cache keeps a download: every file a link to a blob beside it."""
    for file in published.manifest.files:
        link = tmp_path / "snapshots" / "main" / file.path
        blob = tmp_path / "blobs" / file.sha256
        blob.parent.mkdir(exist_ok=True)
        blob.write_bytes((published.folder / file.path).read_bytes())
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(blob)
    (tmp_path / "snapshots/main/manifest.json").write_bytes((published.folder / "manifest.json").read_bytes())
    found = list(imported(tmp_path / "snapshots/main", tmp_path / "back"))
    assert len(found) == published.manifest.value("trajectories")
