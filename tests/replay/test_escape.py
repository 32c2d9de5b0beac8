"""The person's Escape is told from ours."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pytest

from curate.store.recording import KeyRow
from recorders.replay.errors import StoppedError
from recorders.replay.escape import EscapeWatch
from recorders.rows import Sink


class Keys:
    """An event source whose keys the test presses."""

    name = "test"
    fault: str | None = None

    def start(self, sink: Sink) -> None:
        self.sink = sink

    def reserve(self, chord: Sequence[str]) -> None:
        pass

    def stop(self) -> None:
        pass

    def press(self, key: str, repeat: bool = False) -> None:
        for pressed in (True, False):
            self.sink(KeyRow(seq=0, t=time.monotonic_ns(), key=key, pressed=pressed, repeat=repeat and pressed))


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture
def watch(keys: Keys) -> EscapeWatch:
    watch = EscapeWatch(keys)
    watch.start()
    return watch


def test_an_escape_that_nobody_announced_stops_the_waiting_at_once(keys: Keys, watch: EscapeWatch) -> None:
    threading.Timer(0.1, keys.press, ["esc"]).start()
    begun = time.monotonic()
    with pytest.raises(StoppedError):
        watch.wait(60)
    assert time.monotonic() - begun < 30
    with pytest.raises(StoppedError):
        watch.wait(0)


def test_our_own_escapes_stop_nothing_and_the_one_after_them_does(keys: Keys, watch: EscapeWatch) -> None:
    for _ in range(3):
        watch.ours()
    for _ in range(3):
        keys.press("esc")
        watch.wait(0)
    keys.press("esc")
    with pytest.raises(StoppedError):
        watch.wait(0)


def test_the_persons_escape_counts_while_ours_is_on_its_way(keys: Keys, watch: EscapeWatch) -> None:
    watch.ours()
    keys.press("esc")  # whichever of the two this was
    keys.press("esc")
    with pytest.raises(StoppedError):
        watch.wait(0)


def test_other_keys_and_a_held_escapes_repeats_are_nothing(keys: Keys, watch: EscapeWatch) -> None:
    for key in ("enter", "a", "f1"):
        keys.press(key)
    watch.ours()
    keys.press("esc")
    keys.press("esc", repeat=True)
    watch.wait(0)  # raises where one of them counted
    keys.press("esc")
    with pytest.raises(StoppedError):
        watch.wait(0)
