"""A notch of the wheel in PyAutoGUI's numbers, on each platform."""

from __future__ import annotations

import pytest

from curate.model.actions import HScroll, Scroll
from curate.model.trajectory import Platform
from recorders.replay.errors import NotPerformableError
from recorders.replay.units import mac_hscroll, wheel_calls


def mac_lines(clicks: int) -> int:
    """How far PyAutoGUI 0.9.54 scrolls sideways on macOS for this argument: the sum of the events of its _hscroll,
    whose source cannot be run elsewhere."""
    tens = abs(clicks) // 10 * (10 if clicks >= 0 else -10)
    return tens + ((clicks % 10) if clicks >= 0 else (-1 * clicks % 10))


def test_a_notch_is_one_on_x11_and_macos_and_120_on_windows() -> None:
    assert wheel_calls(Scroll(3.0), "linux") == [1, 1, 1]
    assert wheel_calls(Scroll(-2.0), "linux") == [-1, -1]
    assert wheel_calls(HScroll(-2.0), "linux") == [-1, -1]
    assert wheel_calls(Scroll(-2.0), "macos") == [-1, -1]
    assert wheel_calls(Scroll(2.0), "windows") == [120, 120]
    assert wheel_calls(HScroll(-1.5), "windows") == [-120, -60]
    assert wheel_calls(Scroll(0.25), "windows") == [30]


@pytest.mark.parametrize("lines", range(-9, 10))
def test_sideways_on_macos_goes_the_way_it_should(lines: int) -> None:
    assert mac_lines(mac_hscroll(lines)) == lines
    if -9 <= lines < 0:
        assert mac_lines(lines) != lines, "PyAutoGUI has mended it: this detour is no longer needed"


@pytest.mark.parametrize("platform", ["linux", "macos", "windows"])
def test_what_a_wheel_cannot_do_is_refused(platform: Platform) -> None:
    for action in (Scroll(1.0, unit="page"), Scroll(20.0, unit="pixel"), Scroll(1e6)):
        with pytest.raises(NotPerformableError):
            wheel_calls(action, platform)
    if platform != "windows":
        with pytest.raises(NotPerformableError):
            wheel_calls(Scroll(0.5), platform)
