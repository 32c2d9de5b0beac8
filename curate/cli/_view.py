"""The server of `curate view`, from its first line to its last."""

from __future__ import annotations

import asyncio
import os
import sys
import webbrowser
from pathlib import Path

from curate.cli._say import result, say, verbosity
from curate.engine.progress import Shown
from curate.store.spare_pandas import spare_pandas
from curate.view.review.answers import Options
from curate.view.review.export import ExportOptions, export
from curate.view.review.files import INDEX
from curate.view.review.server import ReviewServer


def serve(folder: Path, port: int, options: Options, open_browser: bool) -> None:
    """Serve until the person ends it, which is no error. Raises InputError, StoreError."""
    spare_pandas()
    try:
        asyncio.run(_serve(ReviewServer(folder, options), port, open_browser and _has_display()))
    except KeyboardInterrupt:
        say("The review page is closed; what was edited is stored.")


async def _serve(server: ReviewServer, port: int, open_browser: bool) -> None:
    await server.start(port)
    try:
        result(server.address)
        sys.stdout.flush()
        say("Open this address in a browser of this computer. Ctrl-C ends it.")
        if open_browser:
            await asyncio.to_thread(webbrowser.open, server.address_once)
        await asyncio.Event().wait()
    finally:
        await server.stop()


def write_export(folder: Path, out: Path, options: Options, wanted: ExportOptions) -> None:
    """Write the pages as files, and say what was written. Raises CurateError."""
    spare_pandas()
    with Shown(quiet=verbosity() < 0) as progress:
        done = export(folder, out, options, wanted, progress)
    clips = f", {done.clips:,} clips" if wanted.clips else ""
    missing = f" {done.missing:,} pictures are named and not there." if done.missing else ""
    say(f"{done.trajectories:,} trajectories, {done.pictures:,} pictures{clips}.{missing}")
    result(str(out / INDEX))
    say("Open it in a browser as it is, or put the folder on any static host.")


def _has_display() -> bool:
    """Whether a browser could open a window here (without one, Python would open one in the terminal)."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
