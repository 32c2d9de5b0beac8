"""JSONL of records: every line a record or a reason, pictures brought along, nothing read from elsewhere."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.reasons import REASONS
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory, encode
from curate.sources.base import Part, ReadContext
from curate.sources.registry import source
from curate.store.media import MediaStore
from tests.factories import make_trajectory, png, write_records
from tests.sources.folders import read_all, read_one, rejected_one


def pictured(*images: str | None, **changes: Any) -> Trajectory:
    record = make_trajectory(does=["click A"] * len(images), **changes)
    for step, image in zip(record.steps, images, strict=True):
        step.image = image
    return record


def test_records_come_back_as_they_were(tmp_path: Path) -> None:
    records = [make_trajectory(f"made:{n}") for n in range(5)]
    path = write_records(tmp_path / "r.jsonl", records)
    found = read_all(path, tmp_path / "out")
    for line, (record, read) in enumerate(zip(records, found, strict=True), start=1):
        assert isinstance(read, Trajectory)
        assert (read.source.file, read.source.line) == ("r.jsonl", line)
        record.source.file, record.source.line = "r.jsonl", line
        assert encode(read) == encode(record)


BROKEN: list[tuple[bytes, str]] = [
    (b"{", "read.json"),
    (b"null", "validate.schema"),
    (b"[1]", "validate.schema"),
    (b'{"schema": "trajectory.v1"}', "validate.schema"),
    (b'{"a": "caf\xe9"}', "read.encoding"),
    (encode(make_trajectory()).replace(b'"x":', b'"x":1', 1), "validate.coordinate_out_of_range"),
    (encode(make_trajectory()).replace(b'"x":', b'"x":NaN,"xx":', 1), "validate.coordinate_out_of_range"),
    (encode(make_trajectory()).replace(b'"index":0', b'"index":true', 1), "validate.schema"),
    (b"[" * 50_000, "read.json"),
    (b"\x00\x01\x02", "read.json"),
]


@pytest.mark.parametrize(("line", "reason"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_line_has_a_reason_and_its_number(tmp_path: Path, line: bytes, reason: str) -> None:
    path = write_records(tmp_path / "r.jsonl", [make_trajectory("made:1"), line, make_trajectory("made:3")])
    first, bad, last = read_all(path, tmp_path / "out")
    assert isinstance(first, Trajectory) and isinstance(last, Trajectory)
    assert isinstance(bad, Rejected)
    assert (bad.file, bad.line, bad.reason) == ("r.jsonl", 2, reason)
    assert bad.detail and len(bad.detail) < 500 and bad.reason in REASONS


def test_a_rejected_line_keeps_its_id(tmp_path: Path) -> None:
    line = encode(make_trajectory("made:7")).replace(b'"x":', b'"x":1', 1)
    assert rejected_one(write_records(tmp_path / "r.jsonl", [line]), tmp_path / "out").id == "made:7"


def test_a_last_line_that_is_cut_off_is_named_as_such(tmp_path: Path) -> None:
    whole = encode(make_trajectory("made:1")) + b"\n" + encode(make_trajectory("made:2"))
    (tmp_path / "r.jsonl").write_bytes(whole[:-100])
    _, bad = read_all(tmp_path / "r.jsonl", tmp_path / "out")
    assert isinstance(bad, Rejected) and bad.line == 2 and "ends within this line" in (bad.detail or "")
    (tmp_path / "r.jsonl").write_bytes(whole)  # without the last line end it is still a whole record
    assert len([r for r in read_all(tmp_path / "r.jsonl", tmp_path / "out") if isinstance(r, Trajectory)]) == 2


def test_a_line_of_200_mb(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with path.open("wb") as file:
        file.write(encode(make_trajectory("made:1")) + b'\n{"instruction": "')
        file.seek(200_000_000, 1)
        file.write(b'"}\n' + encode(make_trajectory("made:3")) + b"\n")
    first, bad, last = read_all(path, tmp_path / "out")
    assert isinstance(bad, Rejected) and (bad.line, bad.reason) == (2, "read.too_long")
    assert isinstance(first, Trajectory) and isinstance(last, Trajectory) and last.source.line == 3


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "read.empty"),
        (b"\n\n", "read.empty"),
        (encode(make_trajectory()).decode().encode("utf-16"), "read.encoding"),
    ],
)
def test_a_file_of_nothing_readable(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "r.jsonl").write_bytes(content)
    bad = rejected_one(tmp_path / "r.jsonl", tmp_path / "out")
    assert (bad.file, bad.line, bad.reason) == ("r.jsonl", None, reason)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([line for line, _ in BROKEN[:7]])), max_size=8))
def test_whatever_a_file_holds_every_line_is_told(tmp_path_factory: pytest.TempPathFactory, rows: list[bytes]) -> None:
    tmp = tmp_path_factory.mktemp("r")
    (tmp / "r.jsonl").write_bytes(encode(make_trajectory("made:1")) + b"\n" + b"\n".join(rows))
    content = (tmp / "r.jsonl").read_bytes()
    found = read_all(tmp / "r.jsonl", tmp / "out")
    assert isinstance(found[0], Trajectory)
    numbers = [r.line if isinstance(r, Rejected) else r.source.line for r in found]
    assert numbers == [n for n, line in enumerate(content.split(b"\n"), start=1) if line.strip()]
    assert all(r.reason in REASONS for r in found if isinstance(r, Rejected))


def test_parts_give_what_the_whole_gives(tmp_path: Path) -> None:
    lines = [encode(make_trajectory(f"made:{n}")) for n in range(9)]
    lines[4] = b"{broken"
    path = write_records(tmp_path / "r.jsonl", lines)
    cut = sum(len(line) + 1 for line in lines[:5])
    parts = [Part(start=0, stop=cut, line=1), Part(start=cut, stop=path.stat().st_size, line=6)]
    media = MediaStore(tmp_path / "out")
    read = [
        item
        for part in parts
        for item in source("records").read(path, ReadContext(media=media, shown="r.jsonl", part=part))
    ]
    whole = list(source("records").read(path, ReadContext(media=media, shown="r.jsonl")))
    assert read == whole and len(whole) == 9


def test_packed(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl.gz").write_bytes(gzip.compress(encode(make_trajectory()) + b"\n"))
    assert read_one(tmp_path / "r.jsonl.gz", tmp_path / "out").source.file == "r.jsonl.gz"


# --- pictures -----------------------------------------------------------------------------------------------------


def test_pictures_beside_the_file_become_media(tmp_path: Path) -> None:
    data = png()
    (tmp_path / "in" / "images").mkdir(parents=True)
    (tmp_path / "in" / "images" / "Bild ä 1.PNG").write_bytes(data)
    path = write_records(tmp_path / "in" / "r.jsonl", [pictured("images/Bild ä 1.PNG", "./images/Bild ä 1.PNG")])
    record = read_one(path, tmp_path / "out")
    assert record.steps[0].image is not None and record.steps[0].image == record.steps[1].image
    assert MediaStore(tmp_path / "out").read(record.steps[0].image) == data


def test_media_of_a_dataset_are_found_beside_its_records(tmp_path: Path) -> None:
    reference = MediaStore(tmp_path / "in").add_bytes(png(), "png")
    path = write_records(tmp_path / "in" / "r.jsonl", [pictured(reference)])
    assert read_one(path, tmp_path / "out").steps[0].image == reference


def test_a_missing_picture_leaves_a_flag(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    record = read_one(write_records(tmp_path / "r.jsonl", [pictured("a.png", "b.png", None)]), tmp_path / "out")
    assert [step.image is not None for step in record.steps] == [True, False, False]
    assert ["picture_missing" in step.flags for step in record.steps] == [False, True, False]


def test_a_record_whose_pictures_are_all_missing_is_no_record_of_words(tmp_path: Path) -> None:
    bad = rejected_one(write_records(tmp_path / "r.jsonl", [pictured("a.png", "b.png")]), tmp_path / "out")
    assert bad.reason == "read.media_missing" and "'a.png'" in (bad.detail or "")


@pytest.mark.parametrize(
    "image",
    ["/etc/passwd", "../secret.png", "a/../../secret.png", "C:\\secret.png", "\\\\host\\x.png", "file:///etc/passwd",
     "https://example.org/x.png", "..\\secret.png", ""],
)  # fmt: skip
@pytest.mark.parametrize("field", ["image", "image_after", "tree", "final_image", "video", "trace"])
def test_paths_that_lead_out_are_refused(tmp_path: Path, image: str, field: str) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    record = json.loads(encode(make_trajectory()))
    holder = record if field in record else record["steps"][0]
    holder[field] = image
    path = write_records(tmp_path / "in" / "r.jsonl", [json.dumps(record)])
    assert rejected_one(path, tmp_path / "out").reason == "read.path_refused"
    assert not list((tmp_path / "out").rglob("*.png"))


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_that_lead_out_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "in" / "folder").symlink_to(tmp_path)
    for image in ("a.png", "folder/secret.png"):
        path = write_records(tmp_path / "in" / "r.jsonl", [pictured(image)])
        assert rejected_one(path, tmp_path / "out").reason == "read.path_refused"
    (tmp_path / "in" / "a.png").unlink()
    (tmp_path / "in" / "b.png").write_bytes(png())
    (tmp_path / "in" / "a.png").symlink_to(tmp_path / "in" / "b.png")  # inside the input: fine
    path = write_records(tmp_path / "in" / "r.jsonl", [pictured("a.png")])
    assert read_one(path, tmp_path / "out").steps[0].image is not None


@pytest.mark.parametrize("image", ["x" * 300 + ".png", "é" * 300, "x/" * 3000 + "y.png", "folder"])
def test_names_that_cannot_be_files_are_missing(tmp_path: Path, image: str) -> None:
    (tmp_path / "folder").mkdir()
    bad = rejected_one(write_records(tmp_path / "r.jsonl", [pictured(image)]), tmp_path / "out")
    assert bad.reason == "read.media_missing" and len(bad.detail or "") < 500
