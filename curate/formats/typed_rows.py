"""Talks as rows of the `messages` format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curate.formats import base, messages
from curate.formats.conversation import Given
from curate.formats.spoken import Spoken
from curate.model.trajectory import Trajectory


class TypedRows(Spoken):
    """Rows of type `messages.Example`, for talks of one turn."""

    row = messages.Example
    only_trained = False

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        for talk, trained in self.talks(trajectory, picked, options):
            if talk is None:
                yield base.NO_ROW
            else:
                yield _ROW % (talk.system, _asked(talk.asked[0]), talk.said[0], b"true" if trained else b"false")

    def line(self, head: base.Head, body: bytes) -> bytes:
        return messages.FORMAT.line(head, body)


_ROW = (
    b'[{"role":"system","content":[{"type":"text","text":"%b"}],"train":false},'
    b'{"role":"user","content":[%b],"train":false},'
    b'{"role":"assistant","content":[{"type":"text","text":"%b"}],"train":%b}]'
)


def _asked(given: Given) -> bytes:
    image, text = given
    part = b'{"type":"text","text":"%b"}' % text
    return part if image is None else b'%b,{"type":"image","image":%b}' % (part, image)
