"""The bundle of the review page as files: small plain scripts, nothing inline, nothing that could run recorded text."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "curate" / "view" / "review" / "static"
SCRIPTS = sorted(STATIC.glob("*.js"))
FILES = sorted(path for path in STATIC.iterdir() if path.is_file())
UNSAFE = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setTimeout\(\s*[\"'`]|srcdoc"
    r"|createContextualFragment|DOMParser|javascript:"
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def tags() -> list[tuple[str, dict[str, str | None]]]:
    parser = Tags()
    parser.feed((STATIC / "index.html").read_text(encoding="utf-8"))
    return parser.found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_files_are_small_and_ask_nobody(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < 400
    addresses = set(re.findall(r"https?://[^\"'\s<>]+", text)) - {"http://www.w3.org/2000/svg"}
    assert not addresses and "url(" not in text and "@import" not in text


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_strict_and_make_no_markup(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith('"use strict";')
    assert not UNSAFE.findall(text)
    assert not re.search(r"^\s*(?:import|export)\b", text, re.MULTILINE)  # modules do not load from a folder


def test_nothing_is_inline() -> None:
    for tag, attributes in tags():
        assert tag != "style" and "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert tag != "script" or attributes.get("src")


def test_every_file_is_used_once() -> None:
    named = [
        value
        for tag, attributes in tags()
        if (value := attributes.get("src" if tag == "script" else "href")) and not value.startswith("#")
    ]
    assert sorted(named) == sorted(path.name for path in FILES if path.name != "index.html")
