"""What is read of any source: no record names a file outside of the media."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.model.rejected import Rejected
from curate.sources.base import Read, ReadContext
from curate.sources.detector.settle import read_settled
from curate.store.media import MediaStore
from tests.factories import make_trajectory


class _Toy:
    """A source as CONTRIBUTING shows one: it says nothing of frames and brings no picture in."""

    name, raw, divisible, facts = "toy", False, False, None

    def __init__(self, image: str) -> None:
        self._image = image

    def recognise(self, path: Path) -> bool:
        return True

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        record = make_trajectory("toy:1")
        record.steps[1].image = self._image
        yield Read(trajectory=record)
        yield Read(trajectory=make_trajectory("toy:2"))


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "C:/x.png", "https://example.org/x.png"])
def test_a_source_that_states_nothing_names_no_file_outside(tmp_path: Path, name: str) -> None:
    refused, other = read_settled(_Toy(name), tmp_path, ReadContext(media=MediaStore(tmp_path), shown="toy"))
    assert isinstance(refused, Rejected) and (refused.reason, refused.id) == ("read.path_refused", "toy:1")
    assert name in refused.detail
    assert isinstance(other, Read) and other.trajectory.id == "toy:2"
