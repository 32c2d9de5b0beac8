"""Personal data in any text: addresses, phone numbers, names of users in paths, numbers of cards and accounts, keys and
tokens. Patterns with what can be verified of each (checksums, lengths by country, number ranges); pure.

What is reserved for documentation and tests (example.com, 555-01xx, the test numbers of card companies) and what every
machine has (`C:\\Users\\Public`, `/home/user`) is nobody's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

PersonalKind = Literal["email", "phone", "card", "iban", "token", "user_name"]


class Personal(NamedTuple):
    """One find: its kind, where it stands (code points from `start` to `stop`), and what may be shown of it."""

    kind: PersonalKind
    start: int
    stop: int
    shown: str


SURE: dict[str, tuple[Literal["exact", "guess"], str]] = {
    "email": ("exact", "the form of an address; whose it is, nobody has asked"),
    "phone": ("guess", "by its form: other numbers are written so, too"),
    "card": ("guess", "its checksum is right, as that of one in ten random numbers"),
    "iban": ("exact", "its length and checksum are right, as those of one in 97 random strings"),
    "token": ("exact", "it begins as its provider's do, and has their length"),
    "user_name": ("exact", "the folder's name; common names of machines are left out"),
}
"""How sure each kind is: a word of `engine.check.types.Sure`, and why."""

_EMAIL = re.compile(
    r"(?<![\w.+%-])[A-Za-z0-9_][\w.+%-]{0,63}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,24}(?![\w@-])", re.ASCII
)
_NO_PERSONS_HOST = re.compile(
    r"(?:^|[.@])(?:example\.(?:com|net|org|edu)|[\w-]+\.(?:example|invalid|test|localhost|local)|test\.com|email\.com|"
    r"domain\.com|company\.com|yourdomain\.com|sentry\.io|2x\.png)$"
)
_IN_URL = re.compile(r"://[^\s/@]{0,64}:\Z")
_NO_PERSON = {"git", "noreply", "no-reply", "donotreply", "do-not-reply", "postmaster", "mailer-daemon", "hg", "svn"}
_FILE_ENDS = {"png", "jpg", "jpeg", "gif", "svg", "webp", "js", "css", "html", "json", "py", "md", "txt", "mp4", "zip"}

_PHONE = re.compile(
    r"(?<![\w.+/=&#-])(?:"
    r"\+[1-9]\d{0,2}[ .\-]?(?:\(\d{1,4}\)[ .\-]?)?\d{2,4}(?:[ .\-]?\d{2,4}){1,4}"  # +49 30 1234567
    r"|\(\d{3}\) ?\d{3}[ .\-]\d{4}"  # (415) 555-2671
    r"|\d{3}-\d{3}-\d{4}"  # 415-555-2671
    r")(?![\w-]|[.,]\d)"
)
_CARD = re.compile(  # in one piece, or in groups as cards print them
    r"(?<![\w.+/=&#-])(?:\d{13,19}|\d{4}(?:[ -]\d{4}){3}(?:[ -]\d{3})?|\d{4}[ -]\d{6}[ -]\d{4,5})(?![\w-]|\.\d)"
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_TOKENS = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    r"(?:AKIA|ASIA)[A-Z0-9]{16}"
    r"|gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255}|glpat-[\w-]{20}"
    r"|xox[abprs]-\d{6,}-[A-Za-z0-9-]{10,}"
    r"|AIza[\w-]{35}"
    r"|hf_[A-Za-z]{34}"
    r"|sk-ant-[\w-]{32,}|sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{32,}|[sr]k_live_[A-Za-z0-9]{20,}"
    r"|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}"
    r"|npm_[A-Za-z0-9]{36}|pypi-[\w-]{60,}"
    r")(?![A-Za-z0-9_])"
    r"|-----BEGIN (?:RSA |EC |DSA |OPENSSH |PGP )?PRIVATE KEY(?: BLOCK)?-----"
    r"|(?<![\w])[a-z][a-z0-9+.-]{1,20}://[^\s/:@'\"<>{}$]{1,64}:(?P<password>[^\s/:@'\"<>{}$]{4,64})@[\w.-]+",
    re.ASCII,
)
_HOMES = ("/home/", "Users", "Documents and Settings", "/run/media/")
"""What every match of `_HOME` holds: looked for first, since most texts hold none."""
_HOME = re.compile(
    r"(?<![\w.~%-])(?:[A-Za-z]:[\\/]+(?:Users|Documents and Settings)[\\/]+"
    r"|(?:/var|/mnt/[a-z])?/(?:home|Users)/|/run/media/)"
    r"(?P<name>[^/\\:*?\"<>|\s,;)\]'`]{2,64})(?=[/\\]|\s|$|[\"'`),;:\]])"
)
_NO_USER = {
    "user", "users", "username", "user_name", "your_name", "yourname", "your-username", "your_username", "admin",
    "administrator", "public", "default", "shared", "all", "guest", "root", "runner", "ubuntu", "debian", "ec2-user",
    "vagrant", "docker", "oai", "me", "name", "test", "student", "owner", "pc", "desktop", "home", "you", "example",
    "someone", "somebody", "anyone",
    "computeruse", "kasm-user", "azureuser", "app", "node", "jovyan", "linuxbrew",
}  # fmt: skip
_TEST_CARDS = {
    "4111111111111111", "4242424242424242", "4012888888881881", "4000056655665556", "5555555555554444",
    "5105105105105100", "5200828282828210", "378282246310005", "371449635398431", "6011111111111117",
    "6011000990139424", "3530111333300000", "30569309025904", "4222222222222",
}  # fmt: skip
_IBAN_LENGTH = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18,
    "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23,
    "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27,
    "MD": 24, "ME": 22, "MK": 19, "MT": 31, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PT": 25, "QA": 29, "RO": 24,
    "RS": 22, "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VG": 24, "XK": 20,
}  # fmt: skip
"""Characters of an account number by country (the IBAN registry of SWIFT)."""
_TEST_IBANS = {
    "GB82WEST12345698765432", "DE89370400440532013000", "FR1420041010050500013M02606", "GB29NWBK60161331926819",
}  # fmt: skip


def find(text: str) -> list[Personal]:
    """What of the text is personal, in its order; no two overlap."""
    found: list[Personal] = []
    for kind in (_tokens, _emails, _homes, _ibans, _cards, _phones):
        for one in kind(text):
            if not any(one.start < other.stop and other.start < one.stop for other in found):
                found.append(one)
    return sorted(found, key=lambda one: one.start)


def masked(text: str) -> str:
    """The text as it may be shown: of what is personal only its form."""
    found = find(text)
    for one in reversed(found):
        text = text[: one.start] + one.shown + text[one.stop :]
    return text


def _emails(text: str) -> Iterator[Personal]:
    if "@" not in text:
        return
    for match in _EMAIL.finditer(text):
        name, _, host = match[0].rpartition("@")
        host = host.lower()
        stop = match.end()
        if host.rsplit(".", 1)[-1] in _FILE_ENDS:  # a file that is named after an address; or `icon@2x.png`
            host = host.rsplit(".", 1)[0]
            stop = match.start() + len(name) + 1 + len(host)
        end = host.rsplit(".", 1)[-1]
        if "." not in host or not end.isalpha() or name.lower() in _NO_PERSON or _NO_PERSONS_HOST.search(host):
            continue
        if _IN_URL.search(text, max(0, match.start() - 80), match.start()):  # a password there (see _TOKENS)
            continue
        yield Personal("email", match.start(), stop, f"{name[0]}…@{host[0]}….{end}")


def _phones(text: str) -> Iterator[Personal]:
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not 8 <= len(digits) <= 15 or "55501" in digits or len(set(digits)) < 4 or digits.endswith("1234567890"):
            continue
        if match[0].startswith("+1"):  # North America: ten digits follow
            digits = digits[1:]
        if (match[0][0] != "+" or match[0].startswith("+1")) and (
            len(digits) != 10 or digits[0] in "01" or digits[3] in "01"  # no such area code or exchange
        ):
            continue
        yield Personal("phone", *match.span(), f"{match[0][:2]}…{digits[-2:]}")


def _cards(text: str) -> Iterator[Personal]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if digits in _TEST_CARDS or len(set(digits)) < 4 or not (_is_issued(digits) and luhn(digits)):
            continue
        yield Personal("card", *match.span(), f"{digits[0]}…{digits[-2:]}")


def _is_issued(digits: str) -> bool:
    """Whether a company issues cards of this beginning and length (ISO/IEC 7812)."""
    two, four, length = int(digits[:2]), int(digits[:4]), len(digits)
    return (
        (digits[0] == "4" and length in (13, 16, 19))
        or (length == 16 and (51 <= two <= 55 or 2221 <= four <= 2720 or 3528 <= four <= 3589))
        or (length == 16 and (four == 6011 or two == 65))
        or (length == 15 and two in (34, 37))
        or (length == 14 and two in (36, 38, 39))
        or (16 <= length <= 19 and two == 62)
    )


def luhn(digits: str) -> bool:
    """Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B)."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _ibans(text: str) -> Iterator[Personal]:
    for match in _IBAN.finditer(text):
        number = match[0].replace(" ", "")
        length = _IBAN_LENGTH.get(number[:2])
        if length is not None and len(number) > length:  # words in capitals may follow it
            number = number[:length]
        if length is None or len(number) != length or number in _TEST_IBANS or not iban_is_sound(number):
            continue
        stop = match.start() + _reach(match[0], length)
        yield Personal("iban", match.start(), stop, f"{number[:2]}…{number[-2:]}")


def _reach(text: str, count: int) -> int:
    """How far the first `count` characters reach that are no blanks."""
    for place, char in enumerate(text):
        count -= char != " "
        if count == 0:
            return place + 1
    return len(text)


def iban_is_sound(number: str) -> bool:
    """Whether its remainder by 97 is 1 (ISO 13616, ISO/IEC 7064)."""
    return int("".join(str(int(char, 36)) for char in number[4:] + number[:4])) % 97 == 1


def _tokens(text: str) -> Iterator[Personal]:
    for match in _TOKENS.finditer(text):
        if match["password"] is not None:
            if match["password"].lower() in ("password", "pass", "xxxx", "****", "secret", "token"):
                continue
            yield Personal("token", *match.span("password"), "…")
        elif match[0].startswith("-----"):
            yield Personal("token", *match.span(), match[0])
        elif len(set(match[0])) > 8:  # sk-xxxxxxxx stands for one
            yield Personal("token", *match.span(), f"{match[0][:4]}…")


def _homes(text: str) -> Iterator[Personal]:
    if not any(part in text for part in _HOMES):
        return
    for match in _HOME.finditer(text):
        name = match["name"].rstrip(".")  # the end of a sentence
        if name.lower().rstrip("0123456789") in _NO_USER or len(name) < 2 or name[0] in "[<{$%*.~" or "…" in name:
            continue
        start = match.start("name")
        yield Personal("user_name", start, start + len(name), f"{name[0]}…")
