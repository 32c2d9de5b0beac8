"""The stage redact: nothing of a secret is in a run folder, whatever was read."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from PIL import Image, ImageDraw, ImageFont

from curate.engine.recipe import load_recipe
from curate.model.actions import Click, Press, Write
from curate.model.errors import UsageError
from curate.model.trajectory import Trajectory, encode
from curate.store.media import MediaStore
from curate.store.run_folder import RunFolder
from tests.reduce.redaction.desk import Desk
from tests.runs import run_here
from tests.stages.factories import run, step

SECRET = "Tr0ub4dor&3"


@pytest.fixture
def secrets(tmp_path: Path) -> Path:
    path = tmp_path / "secrets.txt"
    path.write_text(f'{{"text": "{SECRET}", "name": "pass"}}\n', "utf-8")
    return path


def picture(media: MediaStore, *lines: str) -> str:
    image = Image.new("RGB", (360, 200), (240, 240, 240))
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((20, 20 + 40 * number), line, fill=(9, 9, 9), font=ImageFont.load_default(size=15))
    return media.add_png(np.asarray(image, dtype=np.uint8))


def record(media: MediaStore, id: str, text: str) -> Trajectory:
    images = [picture(media, "Sign in", id), picture(media, "Sign in", id, text), picture(media, "Done", id)]
    acts = [Write(text), Press("enter"), Click(x=0.4, y=0.4)]
    steps = [
        step(i, act, image=ref, image_size=(360, 200)) for i, (act, ref) in enumerate(zip(acts, images, strict=True))
    ]
    return run(id, steps, f"Sign in as {id} with {text}", completed=True)


def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    media = MediaStore(folder)
    records = [record(media, f"r{n}", SECRET if n % 2 else "open sesame") for n in range(4)]
    lines = [encode(one) for one in records] + [b'{"id": "broken ' + SECRET.encode() + b'", "schema": 5}']
    (folder / f"runs-{SECRET}.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    desk = Desk(folder / "recording")
    desk.types(SECRET, 40, 100)
    desk.click(60, 200)
    desk.put("welcome", 40, 200)
    desk.show(300)
    desk.finish(instruction=f"Use {SECRET}")
    return folder


def told(folder: Path) -> bytes:
    """Every byte that a run wrote, tables as their values."""
    parts = []
    for path in sorted(folder.rglob("*")):
        parts.append(path.relative_to(folder).as_posix().encode())
        if path.suffix == ".parquet":
            parts.append(str(pq.read_table(path).to_pylist()).encode())
        elif path.is_file():
            parts.append(path.read_bytes())
    return b"\n".join(parts)


def test_nothing_of_a_secret_is_in_the_run(tmp_path: Path, secrets: Path) -> None:
    folder = corpus(tmp_path)
    originals = {path.name for path in (folder / "media").rglob("*.png")}
    out = tmp_path / "out"
    run_here([folder], out, [f"redact.secrets={secrets}", "validate.min_steps=1"])
    everything = told(out)
    assert SECRET.encode() not in everything and b"Tr0ub4" not in everything
    assert b"secrets.txt" in everything and str(secrets.parent).encode() not in everything
    assert hashlib.sha256(secrets.read_bytes()).hexdigest().encode() in everything
    kept = {path.name for path in (out / "media").rglob("*.png")}
    shown = {name for name in originals if name not in kept}
    assert len(shown) == 2, "the two pictures that showed it, and no other"
    assert not list(out.rglob("not_redacted"))
    numbers = json.loads((out / "report.json").read_bytes())
    stages = [entry["name"] for entry in numbers["stages"]]
    assert stages.index("redact") + 1 == stages.index("images")
    assert numbers["read"] == 6
    rows = [row for row in RunFolder(out).read_rejected() if row.file and "runs" in row.file]
    assert [row.file for row in rows] == ["runs-[pass].jsonl"]


def test_the_same_with_more_workers_and_again(tmp_path: Path, secrets: Path) -> None:
    folder = corpus(tmp_path)
    sets = [f"redact.secrets={secrets}", "redact.pictures=drop"]
    one, two = tmp_path / "one", tmp_path / "two"
    run_here([folder], one, sets)
    run_here([folder], two, sets, workers=2)
    for name in ("trajectories", "media", "examples"):
        assert told(one / name) == told(two / name)
    assert not [name for name in told(one).split(b"\n") if b"Tr0ub4" in name]
    secrets.write_text("open sesame\n", "utf-8")
    run_here([folder], one, sets, resume_anyway=True)
    assert b"open sesame" not in told(one / "trajectories") and SECRET.encode() in told(one / "trajectories")


def test_a_recipe_that_takes_out_names_what(tmp_path: Path, secrets: Path) -> None:
    assert "redact" not in load_recipe("desktop").order
    order = load_recipe("desktop", [f"redact.secrets={secrets}"]).order
    assert order[order.index("redact") + 1] == "images"
    with pytest.raises(UsageError, match="names no file"):
        load_recipe("desktop", ["order=[redact, unroll]"])
    (tmp_path / "empty.txt").write_text("ab\n", "utf-8")
    with pytest.raises(UsageError, match="fewer than 3"):
        run_here([corpus(tmp_path)], tmp_path / "no", [f"redact.secrets={tmp_path / 'empty.txt'}"])
    assert not (tmp_path / "no").exists()
