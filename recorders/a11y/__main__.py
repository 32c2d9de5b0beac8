"""`python -m recorders.a11y`: the process that reads accessibility for a recorder. Its language: messages.py."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import BinaryIO

import msgspec

from recorders.a11y.base import UnavailableError, backend_here
from recorders.a11y.messages import FromReader, Note, Opened, ToReader
from recorders.a11y.reader import Setup
from recorders.a11y.reading_loop import Serving
from recorders.a11y.rows import Rows

_END_S = 2.0  # what is under way when the recorder is gone may take


def main() -> int:
    """Serve until told to stop, or until the recorder is gone."""
    commands, answers = sys.stdin.buffer, sys.stdout.buffer
    encoder = msgspec.json.Encoder()

    def tell(message: FromReader) -> None:
        try:
            answers.write(encoder.encode(message) + b"\n")
            answers.flush()
        except (OSError, ValueError):
            os._exit(0)  # nobody listens: the recorder is gone

    try:
        setup = msgspec.json.decode(commands.readline(), type=Setup)
        rows, backend = Rows(setup.file), backend_here()
    except (msgspec.DecodeError, OSError, UnavailableError) as error:
        tell(Note(f"Accessibility cannot be recorded: {getattr(error, 'strerror', None) or error}."))
        tell(Opened(None))
        return 1
    serving = Serving(setup, backend, rows, tell)
    asyncio.run(_serve(serving, commands))
    return 1 if serving.broken else 0


async def _serve(serving: Serving, commands: BinaryIO) -> None:
    loop = asyncio.get_running_loop()

    def listen() -> None:
        decoder = msgspec.json.Decoder(ToReader)
        for line in iter(commands.readline, b""):
            try:
                loop.call_soon_threadsafe(serving.hear, decoder.decode(line))
            except msgspec.DecodeError:
                continue  # half a line of a recorder that was killed
            except RuntimeError:
                return  # the loop has ended
        loop.call_soon_threadsafe(serving.stop)
        timer = threading.Timer(_END_S, os._exit, [0])  # a program that does not answer must not keep this process
        timer.daemon = True
        timer.start()

    threading.Thread(target=listen, name="commands", daemon=True).start()
    await serving.run()


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the thread that listens may hold the lock of standard input, which an ordinary end waits for
