"""How a secret may be written in files and texts: as it is, in another case, Unicode form or spacing, escaped for JSON,
HTML or an address, in base64, in UTF-16. One `Spellings` masks and finds all of them."""

from __future__ import annotations

import base64
import html
import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

from curate.reduce.redaction.secrets import Secret

_BASE64_LEAST = 6  # characters of base64 that belong to the secret alone; fewer are found by chance


class Spellings:
    """All ways to write the given secrets."""

    def __init__(self, secrets: Sequence[Secret]) -> None:
        self.secrets = list(secrets)
        self._in_text = [_pattern(secret) for secret in self.secrets]
        self._in_bytes = [_byte_pattern(secret) for secret in self.secrets]
        self._typed = [_typed_pattern(secret) for secret in self.secrets]

    def mask(self, text: str) -> str:
        """The text with every secret replaced by its name in brackets."""
        for secret, pattern in zip(self.secrets, self._in_text, strict=True):
            text = pattern.sub(f"[{secret.name}]", text)
        return text

    def mask_all(self, value: Any) -> Any:
        """The same in all texts of plain JSON data, names of fields included."""
        if isinstance(value, str):
            return self.mask(value)
        if isinstance(value, list):
            return [self.mask_all(item) for item in value]
        if isinstance(value, dict):
            return {self.mask(key): self.mask_all(item) for key, item in value.items()}
        return value

    def holds(self, text: str | None) -> bool:
        """Whether any secret is in the text."""
        return text is not None and any(pattern.search(text) for pattern in self._in_text)

    def without(self, text: str) -> str:
        """The text without any secret."""
        for pattern in self._in_text:
            text = pattern.sub("", text)
        return text

    def found_in(self, data: bytes) -> Iterator[tuple[int, int, Secret]]:
        """Offset and length of each place where a secret stands in the bytes, in whatever spelling."""
        for secret, pattern in zip(self.secrets, self._in_bytes, strict=True):
            for match in pattern.finditer(data) if pattern is not None else ():
                yield match.start(), len(match[0]), secret

    def typed_in(self, text: str) -> Iterator[tuple[int, int]]:
        """Where a secret stands in text as `plain` gives it: first and one past the last character."""
        for pattern in self._typed:
            for match in pattern.finditer(text):
                if match.end() > match.start():
                    yield match.start(), match.end()


def plain(text: str) -> str:
    """Letters without case and marks: what was typed compares so, since shift, caps lock and dead keys may not be
    known."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char)).casefold()


def _pattern(secret: Secret) -> re.Pattern[str]:
    flags = re.IGNORECASE if secret.ignore_case else 0
    if secret.pattern is not None:
        return re.compile(secret.pattern, flags)
    own = {_loose(form) for form in _forms(secret.text)}
    encoded = {f"(?i:{re.escape(form)})" for form in _address_forms(secret.text)}
    encoded |= {re.escape(form) for form in _base64_forms(secret.text)}
    return re.compile("|".join(sorted(own | encoded, key=lambda form: (-len(form), form))), flags)


def _byte_pattern(secret: Secret) -> re.Pattern[bytes] | None:
    if secret.pattern is not None:
        try:
            return re.compile(secret.pattern.encode(), re.IGNORECASE if secret.ignore_case else 0)
        except re.error:
            return None  # letters beyond ASCII in a set of characters: found by its text only
    forms = _forms(secret.text)
    if secret.ignore_case:
        forms |= {turn(form) for form in forms for turn in (str.lower, str.upper, str.title, str.casefold)}
    written = {form.encode(kind) for form in forms for kind in ("utf-8", "utf-16-le", "utf-16-be")}
    loose = {re.escape(form) for form in written}
    loose |= {b"(?i:" + re.escape(form.encode()) + b")" for form in _address_forms(secret.text)}
    loose |= {re.escape(form.encode()) for form in _base64_forms(secret.text)}
    ordered = sorted(loose, key=lambda form: (-len(form), form))
    return re.compile(b"|".join(ordered), re.IGNORECASE if secret.ignore_case else 0)


def _typed_pattern(secret: Secret) -> re.Pattern[str]:
    if secret.pattern is not None:
        return re.compile(secret.pattern, re.IGNORECASE)
    return re.compile(_loose(plain(_printable(secret.text))))


def _printable(text: str) -> str:
    return "".join(char for char in text if char.isprintable())


def _loose(form: str) -> str:
    """Any white space for white space; between the digits of a number that is long enough, spaces and dashes."""
    digits = re.sub(r"[ \u00a0-]", "", form)
    if len(digits) >= 8 and digits.isdigit():
        return "[ \u00a0-]?".join(digits)
    return r"\s+".join(re.escape(part) for part in re.split(r"\s+", form))


def _forms(text: str) -> set[str]:
    """The text itself, composed and decomposed, and escaped for JSON and HTML."""
    own = {text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)}
    escaped = {json.dumps(form, ensure_ascii=ascii_only)[1:-1] for form in own for ascii_only in (True, False)}
    twice = {json.dumps(form)[1:-1] for form in escaped}
    return own | escaped | twice | {html.escape(form, quote=quoted) for form in own for quoted in (True, False)}


def _address_forms(text: str) -> set[str]:
    """As it stands in a web address; hexadecimal digits in either case."""
    own = {text, unicodedata.normalize("NFC", text)}
    found = {quote(form, safe=safe) for form in own for safe in ("", "/", "@:/?&=+$,;~*'()!")}
    found |= {quote_plus(form) for form in own}
    found |= {quote(form, safe="") for form in list(found)}  # an address within an address
    return {form for form in found if "%" in form or "+" in form}


def _base64_forms(text: str) -> set[str]:
    """Base64 of data that holds the text at any place: what of it does not depend on its neighbours."""
    found = set()
    for encoding in ("utf-8", "utf-16-le"):
        raw = text.encode(encoding)
        for before in range(3):
            code = base64.b64encode(b"\0" * before + raw).decode().rstrip("=")
            first = (before * 8 + 5) // 6  # characters that hold a bit of what stands before
            whole = (before + len(raw)) * 8 // 6
            inner = code[first:whole]
            if len(inner) >= _BASE64_LEAST:
                found |= {inner, inner.replace("+", "-").replace("/", "_")}
    return found
