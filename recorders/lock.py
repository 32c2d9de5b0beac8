"""Who writes to a recording: the recorder holds `recorder.lock` in its folder, and the system lets go of it when that
process ends, however it ends. So a recording that is being made can be told from one that was killed, without
believing a process number, which another process may have by now."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

import msgspec

from curate.store.atomic import store_error
from curate.store.recording import LOCK
from recorders.errors import RecorderError

_NO_LOCKS_HERE = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}
RESERVE_BYTES = 1 << 16
"""Room on the disk that the lock's file takes up while it is held: enough for recording.json to say that the disk is
full when it is."""
_NUMBER_BYTES = 200
_BYTE = 1 << 30  # Windows locks bytes and keeps others from reading them: one far beyond what is written


class FolderLock:
    """The right to write to a recording's folder, held from the call on until `release`. The file holds the process's
    number, for the sentence only. Children that are started by exec do not inherit it. Raises RecorderError where
    another process holds it, StoreError where the folder cannot be written to. A file system without locks
    lets everybody pass."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / LOCK
        try:
            self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise store_error("write", self._path, error) from error
        try:
            held = not _try_to_hold(self._file)
            owner = _number(self._file) if held else None
            if not held:
                os.ftruncate(self._file, 0)
                os.write(self._file, msgspec.json.encode({"pid": os.getpid()}))
        except OSError as error:
            os.close(self._file)
            raise store_error("write", self._path, error) from error
        if held:
            os.close(self._file)
            by = f"process {owner}" if owner is not None else "another process"
            raise RecorderError(f"{folder} is still being written by {by}: end that recording first.")

    def reserve(self) -> None:
        """Take up RESERVE_BYTES. Raises StoreError where they are not there."""
        try:
            os.lseek(self._file, 0, os.SEEK_END)
            os.write(self._file, b" " * _NUMBER_BYTES + os.urandom(RESERVE_BYTES))  # what no disk stores in less
            os.fsync(self._file)
        except OSError as error:
            raise store_error("write", self._path, error) from error

    def give_room(self) -> None:
        """What `reserve` took is free for other files."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._file, _NUMBER_BYTES)
            os.fsync(self._file)

    def release(self) -> None:
        """Let go, and take the file away. Calling it again does nothing."""
        if self._file < 0:
            return
        if os.name != "nt":  # there an open file cannot be removed
            self._path.unlink(missing_ok=True)
        os.close(self._file)
        self._file = -1
        if os.name == "nt":
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)


def is_held(folder: Path) -> bool:
    """Whether a process is writing to a recording's folder. On a file system without locks nobody is known to."""
    try:
        file = os.open(folder / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        return not _try_to_hold(file)
    except OSError:
        return False
    finally:
        os.close(file)  # which lets go of it, if it was free


def _try_to_hold(file: int) -> bool:
    """Whether this process holds the lock now."""
    try:
        if os.name == "nt":
            import msvcrt

            os.lseek(file, _BYTE, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
            os.lseek(file, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in _NO_LOCKS_HERE:
            return True
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


def _number(file: int) -> int | None:
    """The number of the process that holds the lock, as it says."""
    os.lseek(file, 0, os.SEEK_SET)
    with contextlib.suppress(OSError, msgspec.DecodeError, KeyError):
        return int(msgspec.json.decode(os.read(file, _NUMBER_BYTES), type=dict[str, int])["pid"])
    return None
