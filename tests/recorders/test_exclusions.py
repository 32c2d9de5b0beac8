"""Which words keep what out, and which are refused because they would keep out nothing."""

from __future__ import annotations

import fnmatch
import re
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from curate.model.errors import UsageError
from recorders.privacy.exclusions import Exclusions, read_exclusions


@pytest.mark.parametrize(
    ("word", "app", "title", "hidden"),
    [
        ("keepassxc", "KeePassXC", None, True),
        ("app:keepassxc", "keepassxc-proxy", None, False),
        ("app:keepass*", "KeePassXC", None, True),
        ("APP: org.gnome.* ", "org.gnome.Nautilus", "x", True),
        ("app:a:b", "a:b", None, True),
        ("app:slack|discord", "Discord", None, True),
        ("title:private|incognito", "firefox", "Shop - PRIVATE browsing", True),
        ("Title:private|incognito", "firefox", "Shop", False),
        ("title:*bank*", "firefox", "My Bank: account", True),
        ("title:bank*account", "firefox", "My Bank: account", True),
        ("title:account*bank", "firefox", "My Bank: account", False),
        ("title:straße", "editor", "STRASSE", True),
        ("title:C++", "editor", "c++ notes", True),
        ("title:bank", "bank", None, False),
    ],
)
def test_what_a_word_keeps_out(word: str, app: str, title: str | None, hidden: bool) -> None:
    assert read_exclusions([word]).hides(app, title) is hidden


def test_monitors_whatever_the_case() -> None:
    assert read_exclusions(["MONITOR:1", "monitor: 2"]) == Exclusions(monitors=(1, 2))
    assert read_exclusions(["MONITOR:1", "App:x"]).as_given() == ["app:x", "monitor:1"]


@pytest.mark.parametrize(
    "word",
    [
        "", " ", "app:", "title:", "monitor:", "foo:bar", ":", ":x", "app:*", "*", "title:**", "title:a|", "title:|a",
        "app:a| ", "monitor:0", "monitor:-1", "monitor:two", "monitor:²", "monitor:" + "9" * 5000, "title:^(a+)+$",
        "title:.*bank.*", "title:(private|incognito)", "title:\\bbank", "app:^firefox$", "app:chrom?",
    ],
)  # fmt: skip
def test_words_that_keep_nothing_out_are_refused_in_one_sentence(word: str) -> None:
    with pytest.raises(UsageError) as refused:
        read_exclusions([word])
    assert "--exclude" in str(refused.value) and "\n" not in str(refused.value)


@settings(max_examples=300)
@given(st.text("ab*", min_size=1, max_size=8), st.text("ab", max_size=12))
@example("a*a", "a")
@example("*ab*ab", "ab")
def test_stars_mean_what_they_mean_to_a_shell(pattern: str, text: str) -> None:
    assert Exclusions(apps=(pattern,)).hides(text, None) is fnmatch.fnmatchcase(text, pattern)
    anywhere = re.search(".*".join(map(re.escape, pattern.split("*"))), text) is not None
    assert Exclusions(titles=(pattern,)).hides(None, text) is anywhere


def test_no_title_makes_it_slow() -> None:
    hostile = Exclusions(titles=("*a" * 200 + "*b",))
    begun = time.perf_counter()
    assert not hostile.hides(None, "a" * 100_000 + "X")
    assert time.perf_counter() - begun < 1.0
