"""Personal data in texts: what has a checksum or a form is found, what is reserved for examples is nobody's, and what
is shown does not say it."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.stages.measures.personal_data import find, iban_is_sound, luhn, masked

HOME = "/" + "home"


def kinds(text: str) -> list[str]:
    return [one.kind for one in find(text)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("write to erika.mustermann@posteo.de.", "email"),
        ("mailto:e_m+news@mail.uni-koeln.de?subject=x", "email"),
        ("Call (415) 782-2671 now", "phone"), ("tel 415-782-2671", "phone"), ("+49 30 901820 is Berlin", "phone"),
        ("+44 20 7946 0958", "phone"), ("+8613912345678", "phone"),
        ("pay with 4539 1488 0343 6467", "card"), ("371144371144376", "card"), ("6011-0009-9301-0978", "card"),
        ("to DE44 5001 0517 5407 3249 31 today", "iban"), ("GB33BUKB20201555555555", "iban"),
        ("NO93 8601 1117 947", "iban"),
        ("export X=ghp_" + "a1B2c3D4e5F6" * 3, "token"), ("AKIAIOSFODNN7EXAMPLQ", "token"),
        ("-----BEGIN OPENSSH PRIVATE KEY-----", "token"), ("postgres://app:Tr0ub4dor@db.host.net/x", "token"),
        ("C:\\Users\\emustermann\\Desktop\\a.txt", "user_name"), ('"C:\\\\Users\\\\emustermann\\\\a"', "user_name"),
        (f"{HOME}/erika/notes.txt", "user_name"), ("file:///Users/erika/x", "user_name"),
        (f"/var{HOME}/erika/x", "user_name"), ("/mnt/c/Users/erika/x", "user_name"),
        ("/run/media/erika/disk", "user_name"),
    ],
)  # fmt: skip
def test_found(text: str, kind: str) -> None:
    assert kinds(text) == [kind]
    (one,) = find(text)
    secret = text[one.start : one.stop]
    assert secret not in masked(text) or secret.startswith("-----")


@pytest.mark.parametrize(
    "text",
    [
        "user@example.com and a@b.test", "git@github.com:x/y.git", "icon@2x.png", "noreply@service.com", "@someone",
        "x=0.4111, y=0.1229", "2024-11-05 18:56:31", "20241106114028_2c05", "1234567890123456", "4111 1111 1111 1111",
        "4539 1488 0343 6468", "(212) 555-0142", "123-456-7890 ext", "order 415-782-267", "192.168.178.1:8080",
        "DE44 5001 0517 5407 3249 32", f"{HOME}/user/x and /Users/Shared/x", "C:\\Users\\Public\\Desktop",
        f"https://site.org{HOME}/erika/x", "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "3.141592653589793",
        "http://user:password@host.net/", "[12, 345, 678, 901]", "bounds=\"[0,1131][1080,1263]\"", f"{HOME}/<name>/x",
    ],
)  # fmt: skip
def test_nobodys(text: str) -> None:
    assert kinds(text) == []


@given(st.text(), st.sampled_from(["erika@posteo.de", "4539148803436467", "DE44500105175407324931", "+49 30 901820"]))
def test_masking_twice_is_masking_once_and_spans_are_sound(around: str, secret: str) -> None:
    text = f"{around} {secret} {around}"
    found = find(text)
    assert all(0 <= one.start < one.stop <= len(text) for one in found)
    assert all(one.stop <= other.start for one, other in pairwise(found))
    assert secret not in masked(text)
    assert masked(masked(text)) == masked(text)


@given(st.integers(10**14, 10**15 - 1))
def test_exactly_one_last_digit_is_the_check_digit(number: int) -> None:
    assert sum(luhn(f"{number}{digit}") for digit in range(10)) == 1


@given(st.integers(0, 10**18 - 1), st.integers(0, 17), st.integers(1, 9))
def test_a_wrong_digit_of_an_account_is_noticed(account: int, place: int, by: int) -> None:
    """Check digits as ISO 13616 computes them, and one digit changed: 97 is prime, and notices every one."""
    body = f"{account:018}"
    check = 98 - int(f"{body}131400") % 97  # DE is 1314
    assert iban_is_sound(f"DE{check:02}{body}")
    changed = body[:place] + str((int(body[place]) + by) % 10) + body[place + 1 :]
    assert not iban_is_sound(f"DE{check:02}{changed}")


def test_what_stands_behind_a_long_hostile_text_is_found() -> None:
    """No pattern goes back over what it saw: that takes minutes, and a test has five."""
    draw = random.Random(3)
    pieces = [
        "".join(draw.choice("ab1@./-+ ") for _ in range(300_000)),
        *("a@" * 50_000, "1 " * 60_000, "+1" * 60_000, "/home/" * 30_000, "eyJ" * 40_000, "AB12 " * 30_000),
    ]
    for piece in pieces:
        assert any(one.kind == "email" for one in find(f"{piece} ; write to kim.larsen@nordmail.dk"))
