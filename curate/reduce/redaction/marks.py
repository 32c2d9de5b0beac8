"""Which recordings of a folder were redacted with which secrets, so that the same need not be done twice. Only a slow
hash with a salt is written, beside the recordings and in none of them: a secret cannot be guessed from it in bulk."""

from __future__ import annotations

import hashlib
import secrets as chance
from pathlib import Path

import msgspec

from curate.store.recording import EVENTS, INFO

NAME = ".redacted.json"
_COST = {"n": 1 << 14, "r": 8, "p": 1}  # 50 ms a guess


class Marks:
    """The marks of the folder `out` for one file of secrets."""

    def __init__(self, out: Path, secrets: Path, ignore_case: bool) -> None:
        self._path = out / NAME
        self._told = secrets.read_bytes() + bytes([ignore_case])
        try:
            self._marks = msgspec.json.decode(self._path.read_bytes(), type=dict[str, str])
        except (OSError, msgspec.DecodeError):
            self._marks = {}

    def has(self, source: Path, name: str) -> bool:
        """Whether the recording `name` of the folder was made of `source` with these secrets."""
        salt, _, mark = self._marks.get(name, "").partition(":")
        return bool(mark) and self._mark(source, salt) == mark

    def add(self, source: Path, name: str) -> None:
        """It was made just now."""
        salt = chance.token_hex(16)
        self._marks[name] = f"{salt}:{self._mark(source, salt)}"
        self._path.write_bytes(msgspec.json.format(msgspec.json.encode(self._marks)) + b"\n")

    def _mark(self, source: Path, salt: str) -> str:
        digest = hashlib.sha256(self._told)
        for name in (EVENTS, INFO):
            digest.update(hashlib.sha256((source / name).read_bytes()).digest())
        return hashlib.scrypt(digest.digest(), salt=salt.encode(), **_COST).hex()
