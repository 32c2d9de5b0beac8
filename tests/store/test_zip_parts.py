"""Zip archives, whole and in parts, made by Python's zipfile and by the program zip; and hostile ones, made by hand."""

from __future__ import annotations

import random
import shutil
import struct
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.store.zip_parts import Archive, ArchiveError, DamagedError, parts_of

RNG = random.Random(3)
FILES = {f"images/{n:03}.png": RNG.randbytes(RNG.randrange(0, 3000)) for n in range(40)}
FILES["ä b.png"] = b"umlaut" * 500
FILES["folder/empty.png"] = b""


def made(path: Path, files: dict[str, bytes] = FILES, packing: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def opened(path: Path) -> Archive:
    parts = parts_of(path)
    assert parts is not None
    return Archive(parts)


def read(path: Path, name: str) -> bytes:
    archive = opened(path)
    member = archive.find(name)
    assert member is not None
    return archive.read(member)


def cut(path: Path, size: int, names: str) -> list[Path]:
    """The file cut every `size` bytes, as `split` does."""
    data = path.read_bytes()
    parts = []
    for number, at in enumerate(range(0, len(data), size)):
        end = f"{number + 1:03}" if names == "001" else "abcdefghij"[number // 26] + chr(97 + number % 26)
        parts.append(path.with_name(f"{path.name}.{end}"))
        parts[-1].write_bytes(data[at : at + size])
    path.unlink()
    return parts


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_every_file_comes_back(tmp_path: Path, packing: int) -> None:
    archive = opened(made(tmp_path / "x.zip", packing=packing))
    assert len(archive) == len(FILES)
    for name, data in FILES.items():
        member = archive.find(name)
        assert member is not None and archive.read(member) == data
    assert archive.find("images/999.png") is None and archive.find("") is None


@pytest.mark.parametrize("names", ["001", "aa"])
@pytest.mark.parametrize("size", [1000, 7777, 10_000_000])
def test_cut_anywhere(tmp_path: Path, names: str, size: int) -> None:
    parts = cut(made(tmp_path / "x[1].zip"), size, names)
    archive = opened(parts[0])
    for name, data in FILES.items():
        member = archive.find(name)
        assert member is not None and archive.read(member) == data
    assert all(parts_of(part) is None for part in parts[1:])


@pytest.mark.skipif(shutil.which("zip") is None, reason="the program zip cuts the archive")
@pytest.mark.parametrize("packing", ["-0", "-9"])
def test_cut_by_zip_itself(tmp_path: Path, packing: str) -> None:
    big = {**FILES, "images/big.png": RNG.randbytes(200_000), "images/second.png": RNG.randbytes(90_000)}
    for name, data in big.items():
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(data)
    subprocess.run(["zip", "-q", "-r", "-s", "64k", packing, "../images.zip", "."], cwd=tmp_path / "in", check=True)
    parts = parts_of(tmp_path / "images.zip")
    assert parts is not None and len(parts) > 4
    assert [part.suffix for part in parts] == [*(f".z{n:02}" for n in range(1, len(parts))), ".zip"]
    archive = Archive(parts)
    for name, data in big.items():
        member = archive.find(name)
        assert member is not None and archive.read(member) == data
    parts[1].unlink()
    with pytest.raises(ArchiveError, match=f"{len(parts)} parts, of which {len(parts) - 1}"):
        opened(tmp_path / "images.zip")


def test_zip64(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        with archive.open("a.png", "w", force_zip64=True) as file:
            file.write(b"content")
        for number in range(65_600):  # more than a directory without zip64 can count
            archive.writestr(f"{number}", b"")
    assert read(tmp_path / "x.zip", "a.png") == b"content"
    assert read(tmp_path / "x.zip", "65599") == b""


def test_something_before_the_archive_and_a_comment_behind_it(tmp_path: Path) -> None:
    with (tmp_path / "x.zip").open("wb") as file:
        file.write(b"#!/bin/sh\n" * 50)
    with zipfile.ZipFile(tmp_path / "x.zip", "a") as archive:
        archive.writestr("a.png", b"content")
        archive.comment = b"PK\x05\x06 is how an end begins" * 20
    assert read(tmp_path / "x.zip", "a.png") == b"content"


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_damaged_archive_gives_what_was_packed_or_says_what_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = made(tmp_path_factory.mktemp("z") / "x.zip")
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content[: data.draw(st.one_of(st.just(len(content)), st.integers(0, len(content))))])
    try:
        archive = opened(path)
    except ArchiveError as error:
        assert str(error).endswith(".")
        return
    for name, packed in FILES.items():
        try:
            member = archive.find(name)
            if member is not None:
                assert archive.read(member) == packed
        except ArchiveError as error:
            assert str(error).endswith(".")


def test_a_wrong_checksum_is_damage(tmp_path: Path) -> None:
    path = made(tmp_path / "x.zip", {"a.png": b"content of a picture"}, zipfile.ZIP_STORED)
    path.write_bytes(path.read_bytes().replace(b"content of", b"CONTENT of"))
    with pytest.raises(DamagedError, match="checksum"):
        read(path, "a.png")


def test_a_name_that_is_there_twice_is_nobodys(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for data in (b"one", b"other"):
            archive.writestr("a.png", data)
    with pytest.raises(ArchiveError, match="2 files named"):
        opened(tmp_path / "x.zip").find("a.png")


@pytest.mark.parametrize("name", ["../a.png", "/etc/passwd", "C:/a.png", "a/../../b", "..\\a.png", "a/.."])
def test_names_that_lead_out_refuse_the_archive(tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "x.zip", {"good.png": b"x", name: b"y"})
    with pytest.raises(ArchiveError, match="leads out"):
        opened(path)


def patched(path: Path, at: int, value: bytes) -> Path:
    """The only entry of the archive's directory, with `value` at offset `at`."""
    data = bytearray(path.read_bytes())
    entry = data.rindex(b"PK\x01\x02")
    data[entry + at : entry + at + len(value)] = value
    path.write_bytes(data)
    return path


def test_encrypted_links_and_other_methods_are_refused(tmp_path: Path) -> None:
    one = {"a.png": b"content" * 100}
    for at, value, why in (
        (8, struct.pack("<H", 1), "encrypted"),
        (10, struct.pack("<H", 14), "number 14"),
        (38, struct.pack("<L", 0o120777 << 16), "a link"),
        (24, struct.pack("<L", 300 << 20), "more than"),
        (24, struct.pack("<L", 200 << 20), "cannot be"),
        (24, struct.pack("<L", 50), "to more"),
    ):
        with pytest.raises(ArchiveError, match=why):
            read(patched(made(tmp_path / "x.zip", one), at, value), "a.png")


def test_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    """A thousandfold: what the directory states is believed only as far as a picture can be large."""
    path = made(tmp_path / "x.zip", {"a.png": bytes(300 << 20)})
    assert path.stat().st_size < 1 << 20
    with pytest.raises(ArchiveError, match="more than"):
        read(path, "a.png")


def test_another_name_where_the_file_begins(tmp_path: Path) -> None:
    path = made(tmp_path / "x.zip", {"a.png": b"content"})
    path.write_bytes(path.read_bytes().replace(b"a.png", b"b.png", 1))
    with pytest.raises(ArchiveError, match="another where it begins"):
        read(path, "a.png")


def test_what_is_no_archive(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"")
    with pytest.raises(ArchiveError, match="no zip"):
        opened(tmp_path / "x.zip")
    assert parts_of(tmp_path / "x.png") is None and parts_of(tmp_path / "x.zip.003") is None
    for first, second in (("x.zip.001", "x.zip.002"), ("y.zip.aa", "y.zip.ab")):
        assert parts_of(tmp_path / second) == [], "an archive whose first part is missing"
        (tmp_path / first).write_bytes(b"")
        assert parts_of(tmp_path / second) is None


def test_a_large_picture_costs_one_checksum(tmp_path: Path) -> None:
    data = RNG.randbytes(5_000_000)
    assert zlib.crc32(read(made(tmp_path / "x.zip", {"a": data}), "a")) == zlib.crc32(data)
