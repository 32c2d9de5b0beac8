"""Recorded text is shown as what it is, and addresses stay beside the page."""

from __future__ import annotations

import unicodedata
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.view.escape import local_link, short, visible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("invoice\u202egnp.exe", "invoice⟨U+202E⟩gnp.exe"),
        ("pay\u200bpal", "pay⟨U+200B⟩pal"),
        ("a\x00b\x1b[31m", "a⟨U+0000⟩b⟨U+001B⟩[31m"),
        ("one\r\ntwo\tthree", "one ⏎ two ⇥ three"),
        ("\ud800", "⟨U+D800⟩"),
        ("Zürich 東京 عربي Việt", "Zürich 東京 عربي Việt"),
        ("e" + "\u0301" * 50 + "x", "e\u0301\u0301⟨U+0301⟩x"),
        ("\u3164", "⟨U+3164⟩"),
    ],
)
def test_hidden_characters_are_written_out(text: str, seen: str) -> None:
    assert visible(text) == seen


@given(st.text())
def test_nothing_invisible_is_left(text: str) -> None:
    seen = visible(text)
    assert not [c for c in seen if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn")]
    seen.encode()  # and it can be written to a file


@given(st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=126)))
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_short_says_how_much_is_missing() -> None:
    assert short("a" * 12, 10) == "aaaaaaaaaa… (+2 characters)"
    assert short(None) == ""


@given(
    st.one_of(st.text(max_size=30), st.sampled_from(["javascript:alert(1)", "//evil.example/x", "../../etc/passwd"]))
)
def test_links_stay_beside_the_page(name: str) -> None:
    link = local_link(name.encode(errors="replace").decode())
    parts = urlsplit(link)
    assert (parts.scheme, parts.netloc, parts.query, parts.fragment) == ("", "", "", "")
    assert ".." not in unquote(parts.path).split("/")
    assert link.startswith("./")
