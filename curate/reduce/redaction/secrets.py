"""The file of secrets: a literal text a line, or JSON lines with `text` or `pattern`, and `name`. Nothing here ever
shows a secret: errors name the line, replacements the name."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from curate.model.constants import MAX_SECRETS, SHORTEST_SECRET
from curate.model.errors import UsageError

DEFAULT_NAME = "redacted"
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9 _.-]{1,40}$")]


class Secret(msgspec.Struct, kw_only=True, frozen=True):
    """What is taken out: a literal `text`, or a regular expression `pattern`. `name` stands for it in what is left:
    `[name]`. `ignore_case`: it is one in any case of its letters."""

    text: str = ""
    pattern: str | None = None
    name: Name = DEFAULT_NAME
    ignore_case: bool = False

    def __repr__(self) -> str:
        return f"Secret({self.name})"  # a traceback must not show it


def read_secrets(path: Path, ignore_case: bool = False) -> list[Secret]:
    """The secrets of a file, longest first. Raises UsageError, which names the line and never its text."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise UsageError(f"The secrets file {path.name} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"The secrets file {path.name} is not UTF-8; write it as UTF-8.") from error
    found: dict[tuple[str, str | None], Secret] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            secret = _read(line.strip(), f"Line {number} of the secrets file {path.name}", ignore_case)
            found.setdefault((secret.text, secret.pattern), secret)
    if not found:
        raise UsageError(f"The secrets file {path.name} is empty: write one secret a line.")
    if len(found) > MAX_SECRETS:
        raise UsageError(f"The secrets file {path.name} holds {len(found)} secrets; at most {MAX_SECRETS} are taken.")
    return sorted(found.values(), key=lambda s: (-len(s.text), s.text, s.pattern or ""))


def _read(line: str, where: str, ignore_case: bool) -> Secret:
    secret = Secret(text=line, ignore_case=ignore_case)
    if line.startswith("{"):
        try:
            secret = msgspec.json.decode(line, type=Secret)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if re.match(r'\{\s*"(?:text|pattern|name)"', line):  # meant as JSON
                what = re.sub(r"[`'\"].*", "", str(error)) if isinstance(error, msgspec.ValidationError) else "no JSON"
                raise UsageError(
                    f"{where} is not a secret ({what.strip() or 'wrong field'}): write it as "
                    '{"text": "...", "name": "..."}.'
                ) from None
        else:
            secret = msgspec.structs.replace(secret, ignore_case=secret.ignore_case or ignore_case)
    if secret.pattern is not None:
        _check_pattern(secret.pattern, where)
    elif len(re.sub(r"[\W_]", "", secret.text)) < SHORTEST_SECRET:
        raise UsageError(
            f"{where} has fewer than {SHORTEST_SECRET} letters or digits: it would be found, and blackened, everywhere."
        )
    return secret


def _check_pattern(pattern: str, where: str) -> None:
    try:
        matches_nothing = re.compile(pattern).search("") is not None
    except (re.error, RecursionError):
        raise UsageError(f"{where} is no regular expression.") from None
    if matches_nothing:
        raise UsageError(f"{where} is a pattern that matches the empty text: it would be found everywhere.")


def fingerprint_of(path: Path) -> str:
    """What may be written of a secrets file: a hash of its bytes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
