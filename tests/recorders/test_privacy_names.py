"""Names of machine and user, and exclusions, as words."""

from __future__ import annotations

import getpass
import socket
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.store.recording import Monitor, MoveRow
from recorders.backends import excluded_areas
from recorders.boxes import inside, without
from recorders.desktop.base import PointerFiles
from recorders.desktop.x11_desktop import pointer_png
from recorders.errors import RecorderError
from recorders.privacy.excluded import MonitorAreas
from recorders.privacy.exclusions import Exclusions, read_exclusions
from recorders.privacy.gate import Gate
from recorders.privacy.hidden_input import HiddenInput
from recorders.privacy.names import Scrub, names_here
from recorders.screen.video import VideoWriter
from tests.recorders.filming import write_bgra


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("mkvogt@thinkpad-x1: ~/work", "[account]: ~/work"),
        ("*/home/" + "mkvogt/notes.txt - Mousepad", "*/home/[user]/notes.txt - Mousepad"),
        (r"C:\Users\mkvogt\Desktop\a.txt", r"C:\Users\[user]\Desktop\a.txt"),
        ("thinkpad-x1.lan - Files", "[name] - Files"),
        ("ThinkPad X1 - Files", "[name] - Files"),
        ("Inbox - m.vogt@example.org - Mail", "Inbox - [account] - Mail"),
        ("Marta Vogt - Profile", "[name] - Profile"),
        ("Letter to Marta", "Letter to [name]"),
        ("eth0 3c:22:fb:10:9a:7e up", "eth0 [address] up"),
        ("/data/people/mkv/x", "[name]/x"),
        ("Contacts, mkvogts and vogtland", "Contacts, mkvogts and vogtland"),
        ("a will of iron", "a will of iron"),
    ],
)
def test_titles_lose_the_names_and_keep_the_rest(title: str, left: str) -> None:
    names = ["thinkpad-x1.lan", "mkvogt", "Marta Vogt", "Will Iron", "/data/people/mkv"]
    assert Scrub(names)(title) == left


def test_of_no_names_nothing_is_replaced() -> None:
    title = "me@host: /home/" + "me/private - Terminal"
    assert Scrub([])(title) == title and Scrub(["x1"])(title) == "[account]: /home/[user]/private - Terminal"


def test_a_mac_is_known_by_how_it_is_written_too() -> None:
    scrub = Scrub(["annas-macbook.local"])
    assert scrub("Anna's MacBook — Finder") == "[name] — Finder"
    assert scrub("Anna’s MacBook") == "[name]"


def test_this_machine_and_this_user_are_among_the_names() -> None:
    names = names_here()
    assert socket.gethostname() in names
    assert getpass.getuser() in names
    assert str(Path.home()) in names


@given(st.text(max_size=60), st.sampled_from(["mkvogt", "Marta Vogt", "thinkpad-x1"]), st.text(max_size=60))
def test_a_name_between_spaces_is_never_left(before: str, name: str, after: str) -> None:
    left = Scrub(["thinkpad-x1.lan", "mkvogt", "Marta Vogt"])(f"{before} {name} {after}")
    assert left is not None
    assert f" {name} " not in left


def test_neither_video_nor_pointer_files_name_anybody(tmp_path: Path) -> None:
    video = VideoWriter(tmp_path, 64, 48)
    for number in range(3):
        write_bgra(video, np.full((48, 64, 4), 80 * number, np.uint8), 10**9 * (number + 1))
    video.close()
    PointerFiles(tmp_path, "pointers").keep(pointer_png(2, 2, [0xFF102030] * 4))
    told = {name for name in names_here() if len(name) > 3}
    for path in tmp_path.rglob("*"):
        if path.is_file():
            data = path.read_bytes().lower()
            assert not [name for name in told if name.lower().encode() in data], path.name
            assert str(tmp_path).encode() not in data
            assert path.suffix != ".png" or not any(kind in data for kind in (b"text", b"ztxt", b"exif", b"time"))


def test_exclusions_are_read_as_people_write_them() -> None:
    given = read_exclusions(["keepassxc", "app:signal", "title:private|incognito", "monitor:2"])
    assert given == Exclusions(apps=("keepassxc", "signal"), titles=("private|incognito",), monitors=(2,))
    assert given.as_given() == ["app:keepassxc", "app:signal", "title:private|incognito", "monitor:2"]
    assert given.hides("KeePassXC", None) and given.hides("firefox", "News (Private Browsing)")
    assert not given.hides("firefox", "News") and not given.hides(None, None)


def test_what_cannot_be_excluded_on_a_system_is_refused_there() -> None:
    monitors = [Monitor(x=0, y=0, width=800, height=600), Monitor(x=800, y=-100, width=1024, height=768)]
    with pytest.raises(RecorderError, match="X11 only"):
        excluded_areas(Exclusions(titles=("bank",)), "windows", monitors)
    with pytest.raises(RecorderError, match="Monitor 3"):
        excluded_areas(Exclusions(monitors=(3,)), "macos", monitors)
    areas = excluded_areas(Exclusions(monitors=(2,)), "windows", monitors)
    assert isinstance(areas, MonitorAreas)
    assert areas.boxes() == [(800, -100, 1824, 668)] and areas.hides_point(900, 0) and not areas.hides_point(10, 10)
    assert excluded_areas(Exclusions(), "macos", monitors) is None


_sides = st.tuples(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.integers(0, 12))


@given(_sides, _sides)
def test_what_is_left_of_a_box_is_exactly_what_is_not_covered(box: tuple[int, ...], cover: tuple[int, ...]) -> None:
    left = without(box, cover)  # type: ignore[arg-type]
    for x in range(13):
        for y in range(13):
            uncovered = inside([box], x, y) and not inside([cover], x, y)  # type: ignore[list-item]
            assert sum(inside([part], x, y) for part in left) == uncovered


def test_the_pointer_over_an_excluded_monitor_hides_what_it_does() -> None:
    gate = Gate()
    areas = MonitorAreas(
        Exclusions(monitors=(2,)),
        [Monitor(x=0, y=0, width=800, height=600), Monitor(x=800, y=0, width=800, height=600)],
    )
    hidden = HiddenInput(areas, gate)
    rows = [MoveRow(seq=0, t=t * 10**9, x=x, y=5) for t, x in enumerate((700, 900, 950, 790, 100))]
    out = []
    for row in rows:
        hidden.pointer(row.t, row.x, row.y)
        out += gate.passes(row)
    assert [row.x for row in out if isinstance(row, MoveRow)] == [700, 790, 100]
    assert gate.reckon(5, len(out)) is None


def test_names_of_machine_and_user_are_hidden_as_whole_words() -> None:
    scrub = Scrub(["annika", "build-7.lan", "build-7", "root", "x"])
    assert scrub("annika@build-7: ~/x - Annika's notes") == "[account]: ~/x - [name]'s notes"
    assert scrub("mannikas root of build-70") == "mannikas root of build-70"
    assert scrub(None) is None
    assert Scrub([])("annika") == "annika"
