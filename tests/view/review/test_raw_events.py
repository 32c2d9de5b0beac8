"""Raw events and video of a step, of recordings that ship with the package: held against the recording's own files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import av
import numpy as np
import pytest

from curate.engine.reduce_only import reduce_inputs
from curate.model import data as shipped
from curate.store.dataset import read_records
from curate.store.media import MediaStore, read_rgb
from curate.view.review.answers import Answers, Options
from curate.view.review.data import NotThereError, ReviewData
from tests.view.review.serving import serving


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of one shipped recording."""
    out = tmp_path_factory.mktemp("recorded") / "data"
    reduce_inputs([shipped.folder("dump") / "notes-correct"], out)
    return out


def answers(root: Path, clips: Path, **options: object) -> Answers:
    return Answers(ReviewData(root), Options(**options), clips)  # type: ignore[arg-type]


def test_the_rows_are_those_of_the_recorder(dataset: Path, tmp_path: Path) -> None:
    record = next(iter(read_records(dataset)))
    lines = (shipped.folder("dump") / "notes-correct" / "events.jsonl").read_text("utf-8").splitlines()
    raw = [json.loads(line) for line in lines]
    shown = answers(dataset, tmp_path)
    seen = 0
    for step in record.steps:
        found = shown.named(f"events/0/{step.index}")
        own = [row["index"] for row in found["rows"] if row["in_step"]]
        assert own == sorted(step.events or []) and found["of"] == len(own) and found["sentence"] is None
        seen += len(found["rows"])
        indices = [row["index"] for row in found["rows"]]
        assert indices == sorted(indices) and found["from"] == indices[0]
        for row in found["rows"]:
            written = raw[row["index"]]
            assert row["kind"] == written["kind"]
            assert row["time"] == pytest.approx((written["t"] - raw[0]["t"]) / 1e9, abs=1e-5)
            for name in ("x", "y", "button", "pressed", "key"):
                if name in written:
                    assert row[name] == written[name], (name, row, written)
            if not row["in_step"] and step.time:
                assert step.time.start - 2 <= row["time"] <= step.time.end + 1
    assert seen > 100, "the recording shows too little"


def test_a_clip_shows_the_screen_of_that_moment(dataset: Path, tmp_path: Path) -> None:
    record = next(iter(read_records(dataset)))
    media = MediaStore(dataset)
    shown = answers(dataset, tmp_path / "clips")
    compared = 0
    for step in record.steps[:4]:
        found = shown.named(f"clip/0/{step.index}")
        assert step.time and step.keyframe and step.image and found["sentence"] is None
        assert found["start"] == pytest.approx(step.time.start - 1, abs=1e-3)
        file = shown.clip_file(found["src"].removeprefix("clips/"))
        assert file is not None and file.stat().st_size < 1_000_000
        with av.open(str(file)) as video:
            stream = video.streams.video[0]
            assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
            frames = [(float(frame.time), frame.to_ndarray(format="rgb24")) for frame in video.decode(stream)]
        assert frames[0][0] < 0.05 and frames[-1][0] == pytest.approx(found["end"] - found["start"], abs=0.05)
        moment = step.keyframe.time - found["start"]
        if moment >= 0:  # the picture was chosen from what this clip shows
            frame = [pixels for time, pixels in frames if time <= moment + 0.002][-1]
            picture = read_rgb(media.read(step.image))
            assert picture is not None and picture.shape == frame.shape
            assert np.abs(picture.astype(int) - frame).mean() < 3, step.index
            compared += 1
        assert all(
            0 <= x <= 1 and 0 <= y <= 1 and 0 <= t <= found["end"] - found["start"] for t, x, y in found["pointer"]
        )
        for row in shown.named(f"events/0/{step.index}")["rows"]:
            if row["kind"] == "button" and row["in_step"]:
                at = row["time"] - found["start"]
                near = [(x * 1280, y * 720) for t, x, y in found["pointer"] if t <= at + 0.002][-1]
                assert near == pytest.approx((row["x"], row["y"]), abs=1), "the pointer is where it pressed"
    assert compared, "no clip was held against its picture"


def test_a_clip_is_served_and_made_once(dataset: Path) -> None:
    with serving(dataset) as asked:
        found = asked.json("clip/0/1")
        whole = asked(f"/{found['src']}")
        assert whole.status == 200 and whole.headers["content-type"] == "video/mp4"
        part = asked(f"/{found['src']}", Range="bytes=100-199")
        assert part.status == 206 and part.body == whole.body[100:200]
        assert asked.json("clip/0/1") == found and asked(f"/{found['src']}").body == whole.body
        scratch = Path(asked.server._scratch.name)
        assert list(scratch.rglob("*.mp4"))
    assert not scratch.exists(), "clips go with the server"


def test_a_recording_elsewhere_is_found_where_it_is_named_and_told_apart_by_its_events(tmp_path: Path) -> None:
    recordings = tmp_path / "far" / "away" / "recordings"
    shutil.copytree(shipped.folder("dump") / "notes-correct", recordings / "mine")
    path = recordings / "mine" / "events.jsonl"
    path.write_bytes(
        path.read_bytes().replace(b'"start_chord"', b'"start_chord" ').replace(b",", b", ", 1)
    )  # no shipped one
    out = tmp_path / "out" / "data"
    reduce_inputs([recordings], out)
    gone = answers(out, tmp_path / "clips")
    for name in ("events/0/1", "clip/0/1"):
        found = gone.named(name)
        assert not found.get("rows") and not found.get("src") and "--recordings" in found["sentence"]
    there = answers(out, tmp_path / "clips", recordings=(recordings.parent,))
    assert there.named("events/0/1")["rows"] and there.named("clip/0/1")["src"]
    path.write_bytes(path.read_bytes() + b"\n")  # another recording now, whatever its folder is called
    assert not answers(out, tmp_path / "clips", recordings=(recordings,)).named("events/0/1")["rows"]


def test_a_recording_that_is_damaged_or_has_no_video_is_told(dataset: Path, tmp_path: Path) -> None:
    near = tmp_path / "runs" / "mine"
    shutil.copytree(shipped.folder("dump") / "notes-correct", near)
    (near / "screen.mkv").write_bytes(b"no video at all" * 100)
    only = answers(dataset, tmp_path / "clips", recordings=(near,))
    found = only.named("clip/0/1")
    assert found["src"] is None and "video" in found["sentence"] and "Traceback" not in found["sentence"]
    assert only.named("events/0/1")["rows"], "the events are sound"
    (near / "screen.mkv").unlink()
    found = answers(dataset, tmp_path / "clips", recordings=(near,)).named("clip/0/1")
    assert found["src"] is None and found["sentence"] == "This recording has no video."
    (near / "recording.json").write_bytes(b"{")
    found = answers(dataset, tmp_path / "clips", recordings=(near,)).named("events/0/1")
    assert found["rows"] == [] and "cannot be read" in found["sentence"]


def test_what_secrets_were_taken_out_of_does_not_show_its_recording(
    run_folder: Path, dataset: Path, tmp_path: Path
) -> None:
    root = tmp_path / "run"
    shutil.copytree(run_folder, root)
    shutil.rmtree(root / "trajectories")
    shutil.copytree(dataset / "trajectories", root / "trajectories")
    said = json.loads((root / "run.json").read_text("utf-8"))
    assert answers(root, tmp_path / "clips").named("events/0/1")["rows"]
    said["recipe"]["order"] = ["redact", *said["recipe"]["order"]]
    (root / "run.json").write_text(json.dumps(said), "utf-8")
    for name in ("events/0/1", "clip/0/1"):
        found = answers(root, tmp_path / "clips").named(name)
        assert not found.get("rows") and not found.get("src") and "Secrets were taken out" in found["sentence"]


def test_records_of_other_sources_and_steps_that_are_not_there(run_folder: Path, dataset: Path, tmp_path: Path) -> None:
    found = answers(run_folder, tmp_path).named("events/0/0")
    assert found["rows"] == [] and "no raw events" in found["sentence"]
    for name in ("events/0/99", "clip/0/99", "events/1/0"):
        with pytest.raises(NotThereError):
            answers(dataset, tmp_path).named(name)


def test_a_recording_of_the_annotators_tool(shared: Path, tmp_path: Path) -> None:
    recording = shared / "data" / "agentnet-recording"
    reduce_inputs([recording], tmp_path / "data")
    shown = answers(tmp_path / "data", tmp_path / "clips", recordings=(recording,))
    record = next(iter(read_records(tmp_path / "data")))
    step = next(step for step in record.steps if step.events and step.time)
    found = shown.named(f"events/0/{step.index}")
    assert [row["index"] for row in found["rows"] if row["in_step"]] == sorted(step.events or [])
    clip = shown.named(f"clip/0/{step.index}")
    assert clip["src"] and clip["sentence"] is None
