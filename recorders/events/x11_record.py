"""RECORD's data, taken off the wire as fast as they come.

The server writes a small reply for almost every event. Where the recording client does not read in time (about 300 of
them fill the socket) the server loses up to 32 KB in silence, or hangs: its FlushClient runs RECORD's own flush with
its counts already taken. (Seen on Xvfb 21.1.7 when 20,000 events came at once: 2 to 50 % of them gone.) A thread of
this process reads too late, because it shares the interpreter with all others. So `cat` reads, which does nothing else,
into a pipe that holds ten thousand events."""

from __future__ import annotations

import contextlib
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import IO, Any

FROM_SERVER, FROM_CLIENT, START_OF_DATA, END_OF_DATA = 0, 1, 4, 5
_ERROR, _REPLY, _GENERIC_EVENT = 0, 1, 35
_HEADER = 32
_READ_BYTES = 1 << 18
GATHER_S = 0.02
"""How long events gather in the pipe before they are looked at: woken for each one, this process would take turns from
the programs that they are meant for."""
_BEHIND_BYTES = 200 * 64
"""Two thirds of what fills the socket when events come one by one."""
_PIPE_BYTES = 1 << 20
"""The most a process may ask for without privileges (/proc/sys/fs/pipe-max-size)."""


class StreamEndedError(Exception):
    """The server closed the connection, or answered with an error."""


class RecordStream:
    """The replies to one EnableContext. The connection belongs to it from then on: libxcb is asked nothing more."""

    def __init__(self, connection: Any, context: int) -> None:
        import xcffib.record as record

        connection(record.key).EnableContext(context)
        connection.flush()
        descriptor = connection.get_file_descriptor()
        os.set_blocking(descriptor, True)
        self._descriptor = descriptor
        self._pump: subprocess.Popen[bytes] | None = None
        cat = shutil.which("cat")
        if cat is None:
            self._source: IO[bytes] = os.fdopen(os.dup(descriptor), "rb", buffering=0)
            return
        self._pump = subprocess.Popen(  # in a session of its own: Ctrl-C in the terminal is not for it
            [cat],
            stdin=descriptor,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
        stand_back(self._pump.pid)
        assert self._pump.stdout is not None
        self._source = self._pump.stdout
        with contextlib.suppress(OSError, ImportError, AttributeError):
            import fcntl

            fcntl.fcntl(self._source.fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)

    def replies(self) -> Iterator[tuple[int, bytes, int]]:
        """Category, data and when they were read (monotonic ns), until the end of the data. Raises StreamEndedError
        where the server breaks off."""
        waiting = b""
        while True:
            piece = os.read(self._source.fileno(), _READ_BYTES)
            now = time.monotonic_ns()
            if not piece:
                raise StreamEndedError("the connection was closed")
            whole, waiting = split(waiting + piece)
            for category, data in whole:
                yield category, data, now
                if category == END_OF_DATA:
                    return
            if self._pump is not None:
                time.sleep(GATHER_S)

    def behind(self) -> bool:
        """Whether more lies in the socket than a reader that keeps up leaves there: the server may have lost some."""
        with contextlib.suppress(OSError, ImportError):
            import fcntl
            import termios

            waiting = fcntl.ioctl(self._descriptor, termios.FIONREAD, b"\0" * 4)
            return int.from_bytes(waiting, sys.byteorder) > _BEHIND_BYTES
        return False

    def close(self) -> None:
        """After the end of the data."""
        if self._pump is not None:
            self._pump.kill()
            self._pump.wait()
        self._source.close()


def stand_back(process: int = 0) -> None:
    """Never wake up before a program that waits for the same event (Linux' batch scheduling; 0: the calling thread)."""
    with contextlib.suppress(OSError, AttributeError):
        os.sched_setscheduler(process, os.SCHED_BATCH, os.sched_param(0))


def split(stream: bytes) -> tuple[list[tuple[int, bytes]], bytes]:
    """The whole replies in a stretch of the server's stream, as category and data, and the beginning of the next one.
    Events that the server sends to every client (a changed keymap) are passed over. Raises StreamEndedError for an
    error."""
    found, at = [], 0
    while at + _HEADER <= len(stream):
        kind, category, words = stream[at], stream[at + 1], struct.unpack_from("=I", stream, at + 4)[0]
        if kind == _ERROR:
            raise StreamEndedError(f"X error {category}")
        end = at + _HEADER + (words * 4 if kind in (_REPLY, _GENERIC_EVENT) else 0)
        if end > len(stream):
            break
        if kind == _REPLY:
            found.append((category, stream[at + _HEADER : end]))
        at = end
    return found, stream[at:]
