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
        steps, found = trajectory.steps, talk_single.tell(kind, trajectory, options).told
        for position, trained in picked:
            one = found.get(position)
            if one is None:
                yield base.NO_ROW
            else:
                question, answer = one
                image = base.json_text(steps[position].image)
                yield b"".join((start, question, _SHOWN, image, _ANSWER, answer, _TRUE if trained else _FALSE))

    def lines(self, heads: Sequence[base.Head], bodies: Sequence[bytes]) -> list[bytes]:
        return messages.FORMAT.lines(heads, bodies)


_START = (
    b'[{"role":"system","content":[{"type":"text","text":"%b"}],"train":false},'
    b'{"role":"user","content":[{"type":"text","text":"'
)
_SHOWN = b'"},{"type":"image","image":'
_ANSWER = b'}],"train":false},{"role":"assistant","content":[{"type":"text","text":"'
_TRUE, _FALSE = b'"}],"train":true}]', b'"}],"train":false}]'
