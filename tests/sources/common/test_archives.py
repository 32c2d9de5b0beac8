"""Records whose pictures are in archives beside them."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from curate.model.trajectory import Trajectory
from curate.store.media import MediaStore
from tests.factories import make_trajectory, png, write_records
from tests.sources.folders import read_all, read_one, rejected_one


def pictured(*images: str | None, identity: str = "made:1") -> Trajectory:
    record = make_trajectory(identity, does=["click A"] * len(images))
    for step, image in zip(record.steps, images, strict=True):
        step.image = image
    return record


def archive(path: Path, **files: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in files.items():
            made.writestr(name.replace("__", "/") + ".png", data)
    return path


def in_parts(path: Path, size: int) -> None:
    data = path.read_bytes()
    for number, at in enumerate(range(0, len(data), size), start=1):
        path.with_name(f"{path.name}.{number:03}").write_bytes(data[at : at + size])
    path.unlink()


NAMES = [
    ("a", "a"), ("a", "images/a"), ("images__a", "images/a"), ("images__a", "a"), ("images__a", "./images/a"),
    ("images__shots__a", "shots/a"), ("shots__a", "images/shots/a"),
]  # fmt: skip


@pytest.mark.parametrize(("kept", "named"), NAMES)
@pytest.mark.parametrize("where", ["images.zip", "ubuntu_images/images.zip"])
def test_a_picture_is_found_in_the_archive(tmp_path: Path, kept: str, named: str, where: str) -> None:
    archive(tmp_path / "in" / where, **{kept: png()})
    path = write_records(tmp_path / "in" / "r.jsonl", [pictured(f"{named}.png", f"{named}.png")])
    record = read_one(path, tmp_path / "out")
    assert record.steps[0].image == record.steps[1].image
    assert MediaStore(tmp_path / "out").read(record.steps[0].image or "") == png()
    inside = [one.relative_to(tmp_path / "in").as_posix() for one in (tmp_path / "in").rglob("*") if one.is_file()]
    assert sorted(inside) == sorted(["r.jsonl", where]), "nothing is unpacked"


def test_parts(tmp_path: Path) -> None:
    pictures = {f"p{n}": png(shade=n) for n in range(20)}
    in_parts(archive(tmp_path / "in" / "images.zip", **pictures), 500)
    records = [pictured(f"images/p{n}.png", f"p{n}.png", identity=f"made:{n}") for n in range(20)]
    found = read_all(write_records(tmp_path / "in" / "r.jsonl", records), tmp_path / "out")
    for n, record in enumerate(found):
        assert isinstance(record, Trajectory)
        assert MediaStore(tmp_path / "out").read(record.steps[1].image or "") == png(shade=n)


@pytest.mark.parametrize("missing", [1, 2])
def test_a_part_that_is_missing_is_said(tmp_path: Path, missing: int) -> None:
    in_parts(archive(tmp_path / "in" / "images.zip", **{f"p{n}": png(shade=n) for n in range(20)}), 500)
    (tmp_path / "in" / f"images.zip.{missing:03}").unlink()
    bad = rejected_one(write_records(tmp_path / "in" / "r.jsonl", [pictured("p1.png")]), tmp_path / "out")
    assert bad.reason == "read.archive_refused" and "part" in (bad.detail or "")


def test_a_damaged_picture_is_flagged_and_a_record_of_none_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "in" / "images.zip", a=png(shade=1), b=png(shade=2))
    data = bytearray(path.read_bytes())
    data[data.index(b"b.png") + 20] ^= 255
    path.write_bytes(data)
    records = [pictured("a.png", "b.png", "c.png"), pictured("b.png", "c.png", identity="made:2")]
    mixed, bad = read_all(write_records(tmp_path / "in" / "r.jsonl", records), tmp_path / "out")
    assert isinstance(mixed, Trajectory)
    assert [step.image is not None for step in mixed.steps] == [True, False, False]
    damaged = [[f for f in step.flags if f.startswith("picture")] for step in mixed.steps]
    assert damaged == [[], ["picture_damaged", "picture_missing"], ["picture_missing"]]
    assert not isinstance(bad, Trajectory) and bad.reason == "read.media_damaged" and "images.zip" in (bad.detail or "")


def test_hostile_archives_refuse_the_record_with_a_reason(tmp_path: Path) -> None:
    archive(tmp_path / "in" / "images.zip", a=png(), **{"..__..__evil": b"x"})
    bad = rejected_one(write_records(tmp_path / "in" / "r.jsonl", [pictured("a.png", None)]), tmp_path / "out")
    assert bad.reason == "read.archive_refused" and "leads out" in (bad.detail or "")
    assert not list(tmp_path.rglob("evil*"))


def test_two_archives_that_disagree_are_refused_and_two_that_agree_serve(tmp_path: Path) -> None:
    archive(tmp_path / "in" / "one.zip", a=png(shade=1), same=png())
    archive(tmp_path / "in" / "two.zip", a=png(shade=2), same=png())
    records = [pictured("a.png"), pictured("same.png", identity="made:2")]
    bad, good = read_all(write_records(tmp_path / "in" / "r.jsonl", records), tmp_path / "out")
    assert not isinstance(bad, Trajectory) and bad.reason == "read.archive_refused"
    assert isinstance(good, Trajectory) and good.steps[0].image


def test_a_broken_archive_beside_a_good_one_is_no_trouble(tmp_path: Path) -> None:
    archive(tmp_path / "in" / "good.zip", a=png())
    (tmp_path / "in" / "bad.zip").write_bytes(b"PK")
    records = [pictured("a.png"), pictured("gone.png", identity="made:2")]
    good, bad = read_all(write_records(tmp_path / "in" / "r.jsonl", records), tmp_path / "out")
    assert isinstance(good, Trajectory) and good.steps[0].image
    assert not isinstance(bad, Trajectory) and bad.reason == "read.archive_refused"  # it may be in the broken one


def test_files_beside_come_first_and_names_that_lead_out_are_refused(tmp_path: Path) -> None:
    archive(tmp_path / "in" / "images.zip", a=png(shade=1))
    (tmp_path / "in" / "a.png").write_bytes(png(shade=2))
    records = [pictured("a.png"), pictured("../a.png", identity="made:2")]
    good, bad = read_all(write_records(tmp_path / "in" / "r.jsonl", records), tmp_path / "out")
    assert isinstance(good, Trajectory)
    assert MediaStore(tmp_path / "out").read(good.steps[0].image or "") == png(shade=2)
    assert not isinstance(bad, Trajectory) and bad.reason == "read.path_refused"
