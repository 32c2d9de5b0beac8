"""What the doctor finds on real displays, good and bad, and that no check keeps the others."""

from __future__ import annotations

import shutil
import time

import pytest

from recorders.checks import doctor
from recorders.checks.base import Check, Finding, Looked, look, ok
from tools.xvfb import start_xvfb


def found_here() -> dict[str, Looked]:
    return {found.name: found for found in doctor.examine()}


def test_a_display_with_a_window_manager_can_be_recorded(display: str) -> None:
    found = found_here()
    works, sentence = doctor.verdict(found.values())
    assert works, sentence
    assert sentence.startswith("You can record here.")
    assert set(found) == {check.name for check in doctor.checks("linux")}
    assert "800x600" in found["monitors"].said
    assert found["windows"].state == "ok" and "openbox" in found["windows"].said.lower()
    assert found["events"].state != "missing" and "no key was pressed" in found["events"].said
    assert "layout us" in found["keyboard"].said


def test_the_trial_moves_nothing_and_presses_nothing(display: str) -> None:
    import xcffib
    import xcffib.xproto
    import xcffib.xtest as xtest

    from recorders.checks import trials

    connection = xcffib.Connection()
    root = connection.get_setup().roots[0].root
    connection(xtest.key).FakeInput(6, 0, 0, root, 123, 77, 0)
    assert trials.events().state in ("ok", "warning")
    place = connection.core.QueryPointer(root).reply()
    assert (place.root_x, place.root_y) == (123, 77)
    assert not any(connection.core.QueryKeymap().reply().keys)
    connection.disconnect()


def test_no_display_no_traceback_and_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "XDG_SESSION_TYPE"):
        monkeypatch.delenv(name, raising=False)
    found = found_here()
    works, sentence = doctor.verdict(found.values())
    assert not works
    assert sentence == "Nothing can be recorded here yet: see session above."
    assert "DISPLAY is not set" in found["session"].said
    assert not {"display", "events", "pictures", "replay"} & set(found)
    assert found["encoder"].state == "ok"


def test_wayland_says_what_to_do(monkeypatch: pytest.MonkeyPatch, display: str) -> None:
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    found = found_here()
    assert found["session"].state == "missing"
    assert "X11 session" in (found["session"].do or "")
    assert "events" not in found


def test_a_display_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":987654")
    monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
    found = found_here()
    assert found["display"].state == "missing" and found["display"].do
    assert "pictures" not in found


def test_too_few_colours_and_no_window_manager_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("Xvfb"):
        pytest.skip("the doctor was not tested on a display: Xvfb is not installed")
    server, name = start_xvfb("640x480x16")
    try:
        monkeypatch.setenv("DISPLAY", name)
        monkeypatch.delenv("XDG_SESSION_TYPE", raising=False)
        found = found_here()
    finally:
        server.terminate()
        server.wait(10)
    assert found["colours"].state == "missing" and "16 bits" in found["colours"].said
    assert found["windows"].state == "warning" and "window manager" in found["windows"].said
    assert "pictures" not in found, "what is missing is said once"


def test_what_is_untested_is_told_for_every_system() -> None:
    everything = doctor.untested()
    for platform, name in (("linux", "X11"), ("win32", "Windows"), ("darwin", "macOS")):
        mine, others = doctor.untested_here(platform)
        assert mine and all(name in said.partition(":")[0] for said in mine)
        assert sorted([*mine, *others]) == sorted(everything)


def broken() -> Finding:
    raise KeyError("DISPLAY")


def hangs() -> Finding:
    time.sleep(30)
    return ok("never")


def test_a_check_that_fails_or_hangs_is_a_finding() -> None:
    failed = look(Check(group="g", name="a", look=broken, needed=True))
    assert (failed.state, failed.said) == ("missing", "It could not be looked at (KeyError: 'DISPLAY').")
    assert look(Check(group="g", name="a", look=broken)).state == "warning", "recording can do without it"
    begun = time.monotonic()
    assert look(Check(group="g", name="b", look=hangs, needed=True), limit=0.2).said == (
        "It did not answer within 0.2 seconds."
    )
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize("platform", ["linux", "win32", "darwin"])
def test_every_check_comes_after_what_it_builds_upon(platform: str) -> None:
    known: list[str] = []
    for check in doctor.checks(platform):
        assert check.name not in known
        known.append(check.name)
    wanted = {name for check in doctor.checks(platform) for name in check.after}
    elsewhere = {check.name for other in ("linux", "win32") for check in doctor.checks(other)}
    assert wanted <= elsewhere
    order = {name: number for number, name in enumerate(known)}
    for check in doctor.checks(platform):
        assert all(order[name] < order[check.name] for name in check.after if name in order)
