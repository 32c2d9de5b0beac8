"""What the detector says, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from curate.model.printed import printable


class _Example(Protocol):
    @property
    def record(self) -> str: ...
    @property
    def step(self) -> int: ...
    @property
    def file(self) -> str | None: ...
    @property
    def line(self) -> int | None: ...
    @property
    def what(self) -> str: ...


class _Verdict(Protocol):
    @property
    def sentence(self) -> str: ...
    @property
    def contradicts(self) -> bool: ...
    @property
    def examples(self) -> Sequence[_Example]: ...


class _Input(Protocol):
    @property
    def input(self) -> str: ...
    @property
    def inputs(self) -> int: ...
    @property
    def source(self) -> str: ...
    @property
    def title(self) -> str | None: ...
    @property
    def read(self) -> int: ...
    @property
    def refused(self) -> int: ...
    @property
    def not_read(self) -> str | None: ...
    @property
    def verdicts(self) -> Sequence[_Verdict]: ...


def explained_lines(one: _Input) -> Iterator[str]:
    """An input: what it is, a line for each question, and the steps that tell where something is contradicted."""
    title = f" ({one.title})" if one.title else ""
    refused = f", {one.refused:,} not read" if one.refused else ""
    more = f" and {one.inputs - 1:,} more" if one.inputs > 1 else ""
    yield printable(f"{one.input}{more}: {one.source}{title}, {one.read:,} records looked at{refused}")
    if one.not_read is not None:
        yield printable(f"    Not read{', the first' if one.refused > 1 else ''}: {one.not_read}", 300)
    for verdict in one.verdicts:
        yield printable(f"  {'!' if verdict.contradicts else ' '} {verdict.sentence}")
        for example in verdict.examples if verdict.contradicts else ():
            line = f", line {example.line}" if example.line else ""
            yield printable(f"      {example.record} step {example.step} ({example.file}{line}): {example.what}", 200)
    yield ""
