"""Single steps as rows of the `messages` format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curate.formats import base, messages, talk_single
from curate.formats.conversation import system_prompt
from curate.formats.spoken import Spoken
from curate.model.trajectory import Trajectory


class TypedRows(Spoken):
    """Rows of type `messages.Example`, for talks of a single step."""

    row = messages.Example
    only_trained = False

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        kind: talk_single.Kind = self.kind_of(options)  # type: ignore[assignment]  # these formats have no other
        start = _START % system_prompt(options, kind)
        steps, found = trajectory.steps, talk_single.tell(kind, trajectory, options)
        for position, trained in picked:
            one = found[position]
            if isinstance(one, str):
                yield base.NO_ROW
            else:
                image = base.json_text(steps[position].image)
                yield _ROW % (start, one.question, image, one.answer, b"true" if trained else b"false")

    def line(self, head: base.Head, body: bytes) -> bytes:
        return messages.FORMAT.line(head, body)


_START = b'[{"role":"system","content":[{"type":"text","text":"%b"}],"train":false},'
_ROW = (
    b'%b{"role":"user","content":[{"type":"text","text":"%b"},{"type":"image","image":%b}],"train":false},'
    b'{"role":"assistant","content":[{"type":"text","text":"%b"}],"train":%b}]'
)
