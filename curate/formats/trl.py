"""`trl`: rows for TRL's SFTTrainer with a vision model: `{"prompt": [...], "completion": [...], "images": [...]}`.

Turns hold typed parts, a picture's without anything but its type: TRL fills in the pictures of `images` in order (cast
that column to `datasets.Sequence(Image())`) and refuses rows where they are not as many. The loss is on the completion
by default. `max_length=None` is to be set, or a long row loses the tokens of its pictures. A step that is no target has
no row, whatever `untrained` says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from curate.formats import base, rows
from curate.formats.conversation import Given, pictures
from curate.formats.spoken import Spoken
from curate.model.trajectory import Trajectory


class Part(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """`{"type": "image"}` or `{"type": "text", "text": ...}`."""

    type: Literal["image", "text"]
    text: str | None = None


class Turn(msgspec.Struct, kw_only=True, frozen=True):
    role: Literal["system", "user", "assistant"]
    content: list[Part]


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row."""

    prompt: list[Turn]
    completion: list[Turn]
    images: list[str]
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _Trl(Spoken):
    name = "trl"
    row = Example
    about = base.About(
        trains="TRL's SFTTrainer, any vision model",
        loss="the completion",
        history="every earlier step, its action in words",
        pictures="3: two earlier ones and the step's own, each a turn",
        coordinates="fractions, or with `coordinates=absolute` pixels after Qwen2.5-VL's resize",
        reflection="behind the words of a step that was wrong or redundant; before the next picture where it is shown",
        weights="`weight` in the row; the trainer reads none",
        set_there="max_length=None, or long rows lose the tokens of their pictures",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        for talk, _ in self.talks(trajectory, picked, options):
            if talk is None:
                yield base.NO_ROW
                continue
            turns = [b'{"role":"system","content":[%b]}' % (_TEXT % talk.system)]
            for given, said in zip(talk.asked[:-1], talk.said[:-1], strict=True):
                turns += (_asked(given), _ANSWER % said)
            turns.append(_asked(talk.asked[-1]))
            yield _ROW % (b",".join(turns), _ANSWER % talk.said[-1], pictures(talk))

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b"{%b,%b}" % (body, rows.origin(head))


_ROW = b'"prompt":[%b],"completion":[%b],"images":[%b]'
_TEXT = b'{"type":"text","text":"%b"}'
_ANSWER = b'{"role":"assistant","content":[{"type":"text","text":"%b"}]}'
_IMAGE = b'{"type":"image"}'


def _asked(given: Given) -> bytes:
    image, text = given
    parts = ([] if image is None else [_IMAGE]) + ([_TEXT % text] if text else [])
    return b'{"role":"user","content":[%b]}' % b",".join(parts)


FORMAT = _Trl()
