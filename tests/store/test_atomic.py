"""Files appear whole or not at all."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.model.errors import CurateError, StoreError
from curate.store.atomic import JsonlWriter, atomic_path, remove_leftovers, write_bytes, write_json, write_jsonl
from curate.store.media import MediaStore


def everything(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*"))


def test_a_block_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    write_bytes(target, b"old")
    with pytest.raises(RuntimeError), atomic_path(target) as temporary:
        temporary.write_bytes(b"half of the n")
        raise RuntimeError("stopped")
    assert target.read_bytes() == b"old"
    assert everything(tmp_path) == ["report.json"]


def test_the_new_file_is_not_there_until_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "rows.jsonl"
    with JsonlWriter(target) as writer:
        writer.write({"a": 1})
        assert not target.exists()
        writer.write({"a": "é"})
    assert target.read_text(encoding="utf-8") == '{"a":1}\n{"a":"é"}\n'
    assert writer.lines == 2


def test_json_is_the_same_bytes_for_the_same_object(tmp_path: Path) -> None:
    write_json(tmp_path / "a", {"b": [1, 2], "a": None})
    write_json(tmp_path / "b", {"b": [1, 2], "a": None})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert write_jsonl(tmp_path / "rows", ({"n": n} for n in range(3))) == 3


@pytest.mark.parametrize("name", ["ünïcode-文件-🎉.jsonl", "x" * 240 + ".jsonl"])
def test_unusual_names(tmp_path: Path, name: str) -> None:
    write_bytes(tmp_path / name, b"ok")
    assert (tmp_path / name).read_bytes() == b"ok"


def test_a_name_of_300_characters_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as error:
        write_bytes(tmp_path / ("x" * 300), b"data")
    assert "too long" in str(error.value) and str(error.value).endswith(".") and "\n" not in str(error.value)
    assert everything(tmp_path) == []


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_writing_to_a_link_replaces_the_link_and_not_what_it_leads_to(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"theirs")
    (tmp_path / "out").symlink_to(elsewhere)
    write_bytes(tmp_path / "out", b"ours")
    assert elsewhere.read_bytes() == b"theirs" and not (tmp_path / "out").is_symlink()


def test_other_peoples_errors_keep_their_names(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), atomic_path(tmp_path / "a"):
        (tmp_path / "b" / "missing").read_bytes()


def test_leftovers_of_a_killed_process_are_removed(tmp_path: Path) -> None:
    code = f"""
        import os, sys
        from pathlib import Path
        from curate.store.atomic import atomic_path
        with atomic_path(Path({str(tmp_path)!r}) / "sub" / "data") as temporary:
            temporary.write_bytes(b"half")
            os.kill(os.getpid(), 9)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert not (tmp_path / "sub" / "data").exists()
    assert remove_leftovers(tmp_path) == 1
    assert everything(tmp_path) == ["sub"]


FULL_DISK = """
    import sys
    from pathlib import Path
    import numpy as np
    from curate.cli._app import run
    from curate.model.errors import CurateError
    from curate.model.trajectory import Origin, Trajectory
    from curate.store.atomic import write_bytes, JsonlWriter
    from curate.store.dataset import DatasetWriter
    from curate.store.media import MediaStore
    {limit}
    root = Path(sys.argv[1])
    noise = np.random.default_rng(0).integers(0, 255, (1000, 1000, 3), dtype=np.uint8)
    record = Trajectory(id="t", source=Origin(name="test"), instruction=str(noise.tobytes()), steps=[])
    def rows():
        with JsonlWriter(root / "rows.jsonl") as writer:
            for _ in range(3000):
                writer.write({{"text": "x" * 1000}})
    def dataset():
        with DatasetWriter(root / "ds") as writer:
            writer.add(record)
    def file():
        write_bytes(root / "a", noise.tobytes())
    def picture():
        MediaStore(root).add_png(noise)
    for write in (file, picture, rows, dataset):
        try:
            write()
        except CurateError as error:
            print(error)
        else:
            print("written")
"""


def check_full(folder: Path, limit: str, why: str) -> None:
    code = textwrap.dedent(FULL_DISK.format(limit=limit))
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert len(lines) == 4, done.stderr
    for line in lines:
        assert line.startswith("Cannot write ") and why in line and line.endswith(".")
    assert not [p for p in folder.rglob("*") if p.is_file()]


@pytest.mark.skipif(os.name == "nt", reason="POSIX limits")
def test_a_write_that_the_system_cuts_short_leaves_nothing(tmp_path: Path) -> None:
    limit = "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
    check_full(tmp_path, limit + "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))", "larger than")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("mounting a small disk needs root on Linux")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this system does not allow mounts")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(small_disk: Path) -> None:
    check_full(small_disk, "", "the disk is full")
    # and it can be written to again when there is room
    reference = MediaStore(small_disk).add_bytes(b"small", "txt")
    assert (small_disk / reference).read_bytes() == b"small"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(CurateError, match="permission is denied"):
        write_bytes(tmp_path / "a", b"x")
    tmp_path.chmod(0o700)
