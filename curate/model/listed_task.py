"""A test task as a pack lists it: a line of a JSONL file. docs/leaks.md says what each field is evidence of."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from curate.model.constants import LEAK_CANARY_CHARACTERS

DHash = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$")]
"""The difference hash of a screen as the stage images measures it: 64 bits, 16 hexadecimal digits."""


class ListedTask(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One test task; other keys are ignored. `id`: as its benchmark writes it, which need not be its own: `key` is what
    it is called by (`benchmark:set/domain/id`; the id where there is none). `instruction`: may be missing where its
    `template` (the task with `{parameters}`) is known, or where a benchmark lists ids alone. `wordings`: other ways it
    is said. `parent`: the task that it was made from. `files`: names or paths of the benchmark's own files. `canaries`:
    strings that its makers put into its data. `held_out`: no training run may touch its `apps` and `sites`. `screens`:
    what test screens look like. `solution`: a known one, steps as in a record."""

    id: str | int
    key: str | None = None
    benchmark: str | None = None
    set: str | None = None
    domain: str | None = None
    instruction: str | None = None
    wordings: dict[str, str] | list[str] | None = None
    template: str | None = None
    apps: list[str] | None = None
    sites: list[str] | None = None
    parent: str | int | None = None
    files: list[str] | None = None
    canaries: list[Annotated[str, Meta(min_length=LEAK_CANARY_CHARACTERS)]] | None = None
    held_out: bool | None = None
    screens: list[DHash] | None = None
    solution: list[dict[str, Any]] | None = None

    @property
    def path(self) -> str:
        """`set/domain/id`, as far as it is known: no two tasks of one benchmark have it."""
        return "/".join(str(part) for part in (self.set, self.domain, self.id) if part not in (None, ""))

    @property
    def says_something(self) -> bool:
        """Whether it is known what it asks for."""
        texts = (self.instruction or "", self.template or "")
        return any(text.strip() for text in texts)
