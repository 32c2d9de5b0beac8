"""`manifest.json`: every file of a publication with its SHA-256, size and rows, and every number that the card and the
Croissant file say, each beside the name of the file that it comes from."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from curate.store.published import MANIFEST, MANIFEST_VERSION

__all__ = ["MANIFEST", "MANIFEST_VERSION", "Manifest", "Number", "PublishedFile"]


class PublishedFile(msgspec.Struct, kw_only=True, frozen=True):
    """A file by its path in the repository. `rows`: of a table or of JSONL; null for other files."""

    path: str
    bytes: int
    sha256: str
    rows: int | None = None


class Number(msgspec.Struct, kw_only=True, frozen=True):
    """Something that the card says. `value`: plain JSON, null where it is not known. `of`: the file it comes from (of
    the run, or what the person gave), and where in it."""

    value: Any
    of: str


class Manifest(msgspec.Struct, kw_only=True, frozen=True):
    """`repo`, `version`: what is published. `files`: all but this one, by path. `numbers`: by name."""

    schema: Literal["publish.v1"] = "publish.v1"
    repo: str
    version: str | None = None
    files: list[PublishedFile] = []
    numbers: dict[str, Number] = {}

    def value(self, name: str) -> Any:
        """The value of a number."""
        return self.numbers[name].value
