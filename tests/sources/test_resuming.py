"""A source that lets an exception out loses that record and no other; the row says where, in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curate.model.errors import StoreError
from curate.model.rejected import Rejected
from curate.model.trajectory import Origin, Step, Trajectory
from curate.sources.base import Part, Read, ReadContext
from curate.sources.common.reading import UnreadableError, lines_of
from curate.sources.common.row_files import rows_of
from curate.sources.resuming import read_on
from curate.store.jsonl import BadLine
from curate.store.media import MediaStore


class Careless:
    """A newcomer's source that catches nothing: `{"width": 10, "x": [5]}`."""

    name = "careless"
    raw = False
    facts = None

    def __init__(self, divisible: bool) -> None:
        self.divisible = divisible

    def recognise(self, path: Path) -> bool:
        return True

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        for item in lines_of(path, context) if self.divisible else rows_of(path, context):
            assert not isinstance(item, BadLine)
            row: Any = json.loads(item.data) if self.divisible else item.value  # type: ignore[union-attr]
            if row.get("store"):
                raise StoreError("The disk is full.")
            if row.get("why"):
                raise UnreadableError("import.no_task", "It says no task.")
            words = f"{row['x'][0] / row['width']:.2f}"
            origin = Origin(name=self.name, line=item.number)
            yield Read(trajectory=Trajectory(
                id=str(item.number), source=origin, instruction="x", steps=[Step(index=0, actions=[], action=words)]
            ))  # fmt: skip


ROWS = [
    {"width": 10, "x": [5]}, {"width": 0, "x": [5]}, {"width": 10}, {"width": 10, "x": [1]}, {"width": 10, "x": []},
    {"why": 1}, {"width": "10", "x": [1]}, {"width": 10, "x": [2]},
]  # fmt: skip


def told(path: Path, divisible: bool, part: Part | None = None) -> list[tuple[str, int | None, str]]:
    context = ReadContext(media=MediaStore(path.parent), shown="a.jsonl", part=part)
    found = []
    for item in read_on(Careless(divisible), path, context):
        if isinstance(item, Rejected):
            assert item.file == "a.jsonl" and "Traceback" not in str(item.detail)
            found.append((item.reason, item.line, item.detail or ""))
        else:
            found.append(("", item.trajectory.source.line, item.trajectory.steps[0].action or ""))
    return found


def test_reading_goes_on_with_the_next_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\ufeff" + "\n\n".join(json.dumps(row) for row in ROWS))  # no end of the last line, blank lines
    assert [(reason, line) for reason, line, _ in told(path, True)] == [
        ("", 1), ("read.error", 3), ("read.error", 5), ("", 7), ("read.error", 9), ("import.no_task", 11),
        ("read.error", 13), ("", 15),
    ]  # fmt: skip
    words = [detail for reason, _, detail in told(path, True) if reason == "read.error"]
    assert words[0].startswith("A number is 0 that the source divides by")
    assert words[1].startswith("A field that the source needs is not there: 'x'")
    assert words[2].startswith("A list is shorter")
    assert words[3].startswith("A value is of another type")


def test_a_part_of_a_file_stays_within_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [json.dumps(row).encode() + b"\n" for row in ROWS]
    path.write_bytes(b"".join(lines))
    part = Part(start=len(lines[0]), stop=sum(map(len, lines[:4])), line=2)
    assert [(reason, line) for reason, line, _ in told(path, True, part)] == [
        ("read.error", 2), ("read.error", 3), ("", 4),
    ]  # fmt: skip


def test_where_the_stream_cannot_go_on_it_says_at_which_record(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(ROWS, indent=1))
    first, last = told(path, False)
    assert first[:2] == ("", 1)
    assert last[:2] == ("read.error", 2) and last[2].endswith("What follows record 2 was not read.")


def test_a_full_disk_is_no_fault_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"store": true}\n')
    with pytest.raises(StoreError):
        told(path, True)
