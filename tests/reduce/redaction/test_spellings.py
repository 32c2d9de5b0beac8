"""The file of secrets, and how a secret may be written."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.errors import UsageError
from curate.reduce.redaction.secrets import Secret, read_secrets
from curate.reduce.redaction.spellings import Spellings, plain
from curate.reduce.redaction.typed import Press, typed_spans

secrets = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=3, max_size=20).filter(
    lambda text: sum(char.isalnum() for char in text) >= 3 and text.strip() == text
)


@settings(max_examples=40, deadline=None)
@given(secrets, st.binary(max_size=7), st.binary(max_size=7))
def test_no_spelling_of_a_secret_is_overlooked(secret: str, before: bytes, after: bytes) -> None:
    spellings = Spellings([Secret(text=secret, name="it")])
    for form in (secret, json.dumps(secret), json.dumps(json.dumps(secret)), quote(secret), quote_plus(secret)):
        assert spellings.holds(f"a {form} b"), form
        assert not spellings.holds(spellings.mask(f"a {form} b")), form
        assert list(spellings.found_in(before + form.encode() + after))
    for encoding in ("utf-16-le", "utf-16-be"):
        assert list(spellings.found_in(before + secret.encode(encoding) + after))
    for coded in (base64.b64encode, base64.urlsafe_b64encode):
        if len(secret.encode()) >= 7:  # of fewer, no six characters are the secret's alone
            assert list(spellings.found_in(coded(before + secret.encode() + after)))


@settings(max_examples=40, deadline=None)
@given(secrets, st.text(max_size=20))
def test_masking_leaves_the_rest(secret: str, rest: str) -> None:
    spellings = Spellings([Secret(text=secret)])
    if not spellings.holds(rest):
        assert spellings.mask(rest) == rest


def test_numbers_are_found_however_they_are_grouped() -> None:
    spellings = Spellings([Secret(text="4111 1111 1111 1111", name="card")])
    for written in ("4111111111111111", "4111-1111-1111-1111", "4111 1111 1111 1111"):
        assert spellings.mask(f"card {written}.") == "card [card]."


def test_case_counts_unless_said_otherwise() -> None:
    assert not Spellings([Secret(text="Rosebud")]).holds("rosebud")
    loose = Spellings([Secret(text="Rosebud", ignore_case=True)])
    assert loose.holds("ROSEBUD") and list(loose.found_in("rOSEBUD".encode("utf-16-le")))


def test_a_pattern_is_a_secret_too() -> None:
    spellings = Spellings([Secret(pattern=r"[A-Z]{2}\d{4}", name="plate")])
    assert spellings.mask("car AB1234 here") == "car [plate] here"
    assert list(spellings.found_in(b"AB1234"))
    assert typed_spans([Press(line=i, t=i, text=c, name="") for i, c in enumerate("xab1234")], spellings)


@settings(max_examples=40, deadline=None)
@given(secrets, st.text("abc ", max_size=6), st.data())
def test_a_secret_typed_with_mistakes_taken_back_is_found(secret: str, before: str, data: st.DataObject) -> None:
    presses: list[Press] = []

    def press(text: str, name: str = "") -> None:
        presses.append(Press(line=len(presses), t=len(presses), text=text, name=name))

    for char in before:
        press(char)
    for char in secret:
        if data.draw(st.booleans()):
            press(data.draw(st.sampled_from("xyz")))
            press("", "backspace")
        press(char if char.isprintable() else "")  # as recordings are read
    spellings = Spellings([Secret(text=secret)])
    spans = typed_spans(presses, spellings)
    assert spans or not plain(secret).strip()
    left = [press for press in presses if not any(span.first <= press.line <= span.last for span in spans)]
    assert not typed_spans(left, spellings)
    assert all(one.last < other.first for one, other in pairwise(spans))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("  \n\n", "is empty"),
        ("fine-one\nab\n", "Line 2"),
        ("a-!-b", "fewer than 3"),
        ('{"text": "zz"}', "fewer than 3"),
        ('{"text": 5}', "is not a secret"),
        ('{"pattern": "("}', "no regular expression"),
        ('{"pattern": "x*"}', "matches the empty text"),
        ('{"text": "secret-one", "name": "<b>"}', "is not a secret"),
    ],
)
def test_a_file_that_is_none_is_refused_without_showing_it(tmp_path: Path, content: str, said: str) -> None:
    path = tmp_path / "secrets.txt"
    path.write_text(content, "utf-8")
    with pytest.raises(UsageError, match=said) as told:
        read_secrets(path)
    for secret in ("zz", "a-!-b", "secret-one", "fine-one"):
        assert secret not in str(told.value)


def test_lines_names_and_case_are_read(tmp_path: Path) -> None:
    path = tmp_path / "secrets.txt"
    path.write_text('\ufeff{curly\n{"text": "long secret", "name": "mail"}\n\nplain one\n', "utf-8")
    found = {secret.text: (secret.name, secret.ignore_case) for secret in read_secrets(path, ignore_case=True)}
    assert found == {"{curly": ("redacted", True), "long secret": ("mail", True), "plain one": ("redacted", True)}
    assert "long secret" not in repr(read_secrets(path))
    with pytest.raises(UsageError, match="cannot be read"):
        read_secrets(tmp_path / "none.txt")
