"""Room that is kept for the last word: on a disk that is really full, recording.json still says so."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from recorders.errors import RecorderError
from recorders.lock import RESERVE_BYTES, FolderLock

_ON_A_SMALL_DISK = """
import os, sys
from pathlib import Path
from curate.model.errors import StoreError
from curate.store.recording import RecordingInfo, read_info, write_info
from recorders.lock import FolderLock
folder = Path(sys.argv[1])
info = RecordingInfo(id="x", recorder="x11@2", platform="linux", instruction="x" * 500, screen=None)
lock = FolderLock(folder)
lock.reserve()
write_info(folder, info)
with (folder / "events.jsonl").open("wb", buffering=0) as file:
    try:
        while True:
            file.write(os.urandom(4096))
    except OSError:
        pass
info.faults = ["Cannot write events.jsonl: the disk is full."] * 100
try:
    write_info(folder, info)
    sys.exit("the disk was not full")
except StoreError as error:
    assert "the disk is full" in str(error)
lock.give_room()
write_info(folder, info)
lock.release()
assert read_info(folder).faults == info.faults and not (folder / "recorder.lock").exists()
"""


def test_a_lock_that_takes_up_room_still_says_who_holds_it(tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    lock.reserve()
    assert (tmp_path / "recorder.lock").stat().st_size > RESERVE_BYTES
    for _ in range(2):
        with pytest.raises(RecorderError, match=r"by process \d+"):
            FolderLock(tmp_path)
        lock.give_room()
    assert (tmp_path / "recorder.lock").stat().st_size < 4096
    lock.release()
    assert not list(tmp_path.iterdir())


def test_a_full_disk_has_room_for_the_last_word(tmp_path: Path) -> None:
    if not shutil.which("unshare"):
        pytest.skip("no full disk was tried: making a small one needs unshare")
    script = 'mount -t tmpfs -o size=512k small "$1" && exec "$2" -c "$3" "$1"'
    command = ["unshare", "-rm", "sh", "-c", script, "sh", str(tmp_path), sys.executable, _ON_A_SMALL_DISK]
    done = subprocess.run(command, capture_output=True, text=True)
    if "unshare" in done.stderr or "mount:" in done.stderr:
        pytest.skip("no full disk was tried: this user may not mount one")
    assert done.returncode == 0, done.stderr
