"""Names that identify a person, out of metadata; ordinary text stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.privacy import Masker

HOME = "/home"  # apart, so that no path of anybody's machine stands here


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Inbox (3) - eve.miller+x@mail.example.org - Mail", "Inbox (3) - [account] - Mail"),
        ("eve@laptop: ~/notes", "[account]: ~/notes"),
        ("müller@exämple.de", "[account]"),
        (f"{HOME}/eve/report.pdf", f"{HOME}/[user]/report.pdf"),
        ("Editing '/Users/Eve/x'", "Editing '/Users/[user]/x'"),
        (r"C:\Users\Eve\Desktop - Explorer", r"C:\Users\[user]\Desktop - Explorer"),
        (r"C:\Users\Eve Miller\Desktop - Explorer", r"C:\Users\[user]\Desktop - Explorer"),
        (f"*{HOME}/eve/notes.txt - Mousepad", f"*{HOME}/[user]/notes.txt - Mousepad"),
        (f"file://{HOME}/eve/x.html", f"file://{HOME}/[user]/x.html"),
        (f"/var{HOME}/eve/x and /mnt/c/Users/eve/y", f"/var{HOME}/[user]/x and /mnt/c/Users/[user]/y"),
        ("/run/media/eve/usb", "/run/media/[user]/usb"),
        (f"shop.example{HOME}/garden", f"shop.example{HOME}/garden"),
        (f"/srv{HOME}/index.html", f"/srv{HOME}/index.html"),
        ("wlan 00:1A:2b:3c:4D:5e up", "wlan [address] up"),
        ("00-1a-2b-3c-4d-5e", "[address]"),
        ("001a.2b3c.4d5e", "[address]"),
        ("/etc/passwd", "/etc/passwd"),
        ("at 10:20:30:40 and 12:30", "at 10:20:30:40 and 12:30"),
        ("3 @ 5 EUR, @home, a@", "3 @ 5 EUR, @home, a@"),
        ("Report.docx - Word", "Report.docx - Word"),
        ("1.2.3.4 deadbeef 2001:db8::1", "1.2.3.4 deadbeef 2001:db8::1"),
    ],
)
def test_what_goes_and_what_stays(text: str, masked: str) -> None:
    assert Masker()(text) == masked


def test_names_of_this_machine() -> None:
    masker = Masker(["EVE-LAPTOP", "eve.miller", "C", ""])
    assert masker("Share on \\\\eve-laptop by Eve.Miller: C") == "Share on \\\\[name] by [name]: C"
    assert masker.maybe(None) is None


@given(st.text(), st.lists(st.text(max_size=12), max_size=4))
def test_masking_twice_changes_nothing_more_and_never_fails(text: str, names: list[str]) -> None:
    masker = Masker(names)
    assert isinstance(masker(text), str)
    plain = Masker()
    assert plain(plain(text)) == plain(text)


@given(st.text(max_size=30), st.text(max_size=30), st.from_regex(r"[A-Za-z]{4,10}-[0-9]{2,4}", fullmatch=True))
def test_a_known_name_is_gone_wherever_it_stands(before: str, after: str, name: str) -> None:
    assert name.lower() not in Masker([name])(f"{before} {name} {after}").lower()
