"""`recover` itself: beside a recorder or another `recover`, killed at any step, on a full disk or a read-only folder,
and in a folder that wants to lead it elsewhere."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curate.model.errors import CurateError, InputError, StoreError
from recorders.errors import RecorderError
from recorders.lock import FolderLock
from recorders.recovery.recover import find_recordings, recover
from tests.recorders.interrupted import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    VIDEO,
    contents,
    copy_of,
)

ROOT = Path(__file__).resolve().parents[2]
posix = pytest.mark.skipif(os.name == "nt", reason="needs fork and limits of POSIX")


HOLD = """
import sys, time
from pathlib import Path
from recorders.lock import FolderLock
lock = FolderLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


def test_a_recording_that_is_being_made_is_refused_until_its_recorder_is_gone(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    holder = subprocess.Popen([sys.executable, "-c", HOLD, str(folder)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert holder.stdout is not None and holder.stdout.readline() == "held\n"
        before = contents(folder)
        with pytest.raises(RecorderError, match=f"still being written by process {holder.pid}"):
            recover(folder)
        assert contents(folder) == before
    finally:
        holder.kill()
        holder.wait()
    check = recover(folder)
    assert check.recovered
    assert not (folder / "recorder.lock").exists()


def test_two_recoveries_at_once_do_not_meet(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    lock = FolderLock(folder)
    with pytest.raises(RecorderError, match="still being written"):
        recover(folder)
    lock.release()
    lock.release()
    recover(folder)


def in_a_child(act: Callable[[], None]) -> int:
    """Run in a forked process; its exit code."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def dies_at(number: int, folder: Path) -> Callable[[], None]:
    """Recovery that is killed right before its nth rename or removal."""

    def act() -> None:
        seen = 0

        def hook(event: str, _: tuple[object, ...]) -> None:
            nonlocal seen
            if event in ("os.rename", "os.remove", "os.rmdir", "shutil.rmtree", "os.mkdir"):
                seen += 1
                if seen == number:
                    os.kill(os.getpid(), 9)

        sys.addaudithook(hook)
        recover(folder)

    return act


@posix
def test_killed_at_any_step_of_recovery_it_is_done_by_the_next(killed: Path, tmp_path: Path) -> None:
    torn = copy_of(killed, tmp_path, "torn")
    for name, cut in ((EVENTS, 20), (FRAMES, 70), (VIDEO, 900), (ACCESSIBILITY, 5)):
        (torn / name).write_bytes((torn / name).read_bytes()[:-cut])
    straight = copy_of(torn, tmp_path, "r")
    recover(straight)
    wanted, deaths = contents(straight), 0
    for number in range(1, 40):
        folder = copy_of(torn, tmp_path / str(number))
        code = in_a_child(dies_at(number, folder))
        if code == 0:
            break
        assert code == -9
        deaths += 1
        recover(folder)
        assert contents(folder) == wanted, f"killed at step {number}"
    assert deaths > 8


@posix
@pytest.mark.parametrize("limit", [0, 300, 5_000, 40_000])
def test_a_disk_that_is_full_while_recovering_leaves_all_as_it_was(killed: Path, tmp_path: Path, limit: int) -> None:
    folder = copy_of(killed, tmp_path)
    before = contents(folder)

    def act() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        with pytest.raises(StoreError, match="larger than the system allows"):
            recover(folder)

    assert in_a_child(act) == 0
    assert {k: v for k, v in contents(folder).items() if k != "recorder.lock"} == before
    assert recover(folder).recovered


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_is_said_and_not_changed(killed: Path, tmp_path: Path) -> None:
    folder = copy_of(killed, tmp_path)
    folder.chmod(0o555)
    try:
        with pytest.raises(StoreError, match="permission is denied"):
            recover(folder)
    finally:
        folder.chmod(0o755)
    assert contents(folder) == contents(killed)


def test_what_is_no_recording_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no recording"):
        recover(tmp_path)
    with pytest.raises(InputError, match="holds no recording"):
        list(find_recordings([tmp_path]))
    with pytest.raises(InputError, match="not there"):
        list(find_recordings([tmp_path / "no"]))


@posix
def test_links_that_lead_out_of_the_folder_are_not_followed(killed: Path, tmp_path: Path) -> None:
    folder, secret = copy_of(killed, tmp_path), tmp_path / "secret"
    secret.write_text("not yours\n" * 100, encoding="utf-8")
    (folder / EVENTS).unlink()
    (folder / EVENTS).symlink_to(secret)
    with pytest.raises(InputError, match="not touched"):
        recover(folder)
    assert secret.read_text(encoding="utf-8") == "not yours\n" * 100


def hostile_stages(folder: Path, outside: Path) -> Iterator[None]:
    stage = folder / ".tmp-recover"
    stage.mkdir()
    (stage / "complete.json").write_text(json.dumps({"aside": ["../../outside"]}), encoding="utf-8")
    yield
    shutil.rmtree(stage, ignore_errors=True)
    stage.symlink_to(outside, target_is_directory=True)
    yield


@posix
def test_a_prepared_change_moves_nothing_outside(killed: Path, tmp_path: Path) -> None:
    folder, outside = copy_of(killed, tmp_path), tmp_path / "outside"
    outside.mkdir()
    (outside / "complete.json").write_text('{"aside": []}', encoding="utf-8")
    (outside / EVENTS).write_text("theirs", encoding="utf-8")
    for _ in hostile_stages(folder, outside):
        try:
            recover(folder)
        except CurateError as error:
            assert str(folder) in str(error)
    assert sorted(p.name for p in outside.iterdir()) == ["complete.json", EVENTS]
    assert (outside / EVENTS).read_text(encoding="utf-8") == "theirs"
