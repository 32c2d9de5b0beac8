"""Trials of the recorder's own parts: half a second of pictures, one harmless event there and back, the encoder."""

from __future__ import annotations

import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from curate.store.recording import MoveRow
from recorders.checks.base import Finding, missing, ok, warning

CAPTURE_S = 0.5
ENOUGH_FPS = 20
ROUND_TRIP_S = 3.0
SLOW_S = 0.25
_MOTION = 6


def encoder() -> Finding:
    """H.264 with full colour resolution."""
    import av

    try:
        codec = av.codec.Codec("libx264", "w")
    except Exception:  # av.codec.codec.UnknownCodecError, of no public name
        return missing(f"PyAV {av.__version__} has no H.264 encoder.", "pip install --force-reinstall av")
    if "yuv444p" not in {form.name for form in codec.video_formats or ()}:
        return missing("The H.264 encoder takes no 4:4:4 pictures.", "pip install --force-reinstall av")
    return ok("H.264 4:4:4 (libx264)")


def capture() -> Finding:
    """Half a second of real pictures through the real encoder, all of the screen each time, which is the worst case."""
    from recorders.screen.grabber import Grabber
    from recorders.screen.picture import ScreenPicture
    from recorders.screen.video import VideoWriter

    grabber = Grabber()
    try:
        whole = grabber.bounds
        width, height = whole[2], whole[3]
        with tempfile.TemporaryDirectory() as folder:
            picture, video = ScreenPicture(width, height), VideoWriter(Path(folder), width, height)
            video.write_picture(picture, time.monotonic_ns())  # opening the encoder is no part of the rate
            begun = time.monotonic()
            while time.monotonic() < begun + CAPTURE_S:
                picture.show(grabber.grab(whole), 0, 0)
                video.write_picture(picture, time.monotonic_ns())
            rate = (video.frames - 1) / (time.monotonic() - begun)
            video.close()
    finally:
        grabber.close()
    said = f"{rate:.0f} whole pictures a second of {width}x{height}, taken and encoded for {CAPTURE_S:g} s"
    if rate < ENOUGH_FPS:
        do = "End what keeps the processor busy, or choose a smaller resolution. Recordings say what was too fast."
        return warning(f"{said}: fewer than the {ENOUGH_FPS} that moving things need.", do)
    return ok(said)


def events() -> Finding:
    """A move of the pointer by zero pixels, through the recorder's own back end and back."""
    from recorders.backends import event_source

    source = event_source()
    came = threading.Event()
    begun = 0
    waits: list[float] = []

    def sink(row: Any) -> None:
        if begun and isinstance(row, MoveRow):
            waits.append((time.monotonic_ns() - begun) / 1e9)
            came.set()

    source.start(sink)
    try:
        if sys.platform != "linux":
            return ok("the listener started; move the pointer while recording to see that it hears you")
        source.forget_place()
        begun = time.monotonic_ns()
        _move_by_nothing()
        arrived = came.wait(ROUND_TRIP_S)
    finally:
        source.stop()
    if source.fault:
        return missing(source.fault)
    if not arrived:
        return missing(
            f"A move of the pointer by zero pixels did not come back within {ROUND_TRIP_S:g} s.",
            "Another program may hold the display, or the X server is remote: record on the machine itself.",
        )
    said = f"a move of the pointer by zero pixels came back in {waits[0] * 1000:.0f} ms (no key was pressed)"
    return ok(said) if waits[0] <= SLOW_S else warning(f"{said}: slow, the machine is busy.")


def _move_by_nothing() -> None:
    """To where the pointer is: programs see no difference."""
    import xcffib.xtest as xtest

    from recorders.x11 import connect, root_of

    connection = connect()
    try:
        root = root_of(connection).root
        place = connection.core.QueryPointer(root).reply()
        fake = connection(xtest.key)
        fake.FakeInput(_MOTION, 0, 0, root, place.root_x, place.root_y, 0)
        connection.core.GetInputFocus().reply()  # the server has taken it
    finally:
        connection.disconnect()
