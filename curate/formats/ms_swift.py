"""`ms-swift`: rows as ms-swift reads them.

    {"messages": [{"role", "content", "loss"?, "loss_scale"?}, ...], "images": [...], "objects"?}

Each assistant turn says whether there is a loss on it: on the target alone. Its `loss_scale` is the row's weight, which
the trainer takes with `--is_binary_loss_scale false` (without that, any weight above 0 is 1).

Two forms: chat (dialects `steps`, `low_level`), and the trainer's own grounding (`point`, `box`), where the place
stands in `objects`, in pixels of the picture as it lies, and the trainer scales it as its model wants it: the answer
holds `<bbox>`. Acts that it has no word for (a middle click, an option of a list box) have no row there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from curate.formats import base, rows, talk_single, told
from curate.formats.conversation import Talk, pictures, with_tags
from curate.formats.languages.phrases import number
from curate.formats.smart_resize import Resize
from curate.formats.spoken import Spoken
from curate.model import actions as act
from curate.model.trajectory import Step, Trajectory


class Turn(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One turn. `loss`, `loss_scale`: of the model's own."""

    role: Literal["system", "user", "assistant"]
    content: str
    loss: bool | UnsetType = UNSET
    loss_scale: float | UnsetType = UNSET


class Objects(msgspec.Struct, kw_only=True, frozen=True):
    """What `<bbox>` stands for: two numbers a point, four a box, in pixels of the picture."""

    ref: list[str]
    bbox: list[list[float]]


class Example(msgspec.Struct, kw_only=True, frozen=True, omit_defaults=True):
    """One row. `objects`: in dialects `point` and `box`."""

    messages: list[Turn]
    images: list[str]
    objects: Objects | UnsetType = UNSET
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _MsSwift(Spoken):
    name = "ms-swift"
    row = Example
    needs_sizes = True
    only_trained = False
    about = base.About(
        trains="ms-swift, any model",
        loss="the turn with `loss: true`: the last",
        history="every earlier step, its action in words",
        pictures="3: two earlier ones and the step's own, each a turn",
        coordinates="fractions, or with `coordinates=absolute` pixels after Qwen2.5-VL's resize; `point` and `box`: "
        "pixels of the picture, which the trainer scales",
        reflection="behind the words of a step that was wrong or redundant; before the next picture where it is shown",
        weights="`loss_scale` of the target (with `--is_binary_loss_scale false`), and `weight` in the row",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        grounding = self.kind_of(options) in _GROUNDING
        refused = self.why_not(trajectory, options) if grounding else []
        plain = msgspec.structs.replace(options, coordinates=None) if grounding else options
        for (position, _), (talk, _) in zip(picked, self.talks(trajectory, picked, plain), strict=True):
            if talk is None or (refused and refused[position] is not None):
                yield base.NO_ROW
            elif grounding:
                yield _grounding(talk, trajectory.steps[position])
            else:
                yield _chat(talk)

    def line(self, head: base.Head, body: bytes) -> bytes:
        messages, rest = body.split(_SCALED)
        loss = b"true" if head.trained else b"false"
        scale = base.json_text(head.weight if head.trained else 0.0)
        return b'{"messages":%b,"loss":%b,"loss_scale":%b}]%b,%b}' % (messages, loss, scale, rest, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        if self.kind_of(options) not in _GROUNDING:
            return super().why_not(trajectory, options)
        plain = msgspec.structs.replace(options, coordinates=None)
        return [
            why or _why_not(step)
            for step, why in zip(trajectory.steps, super().why_not(trajectory, plain), strict=True)
        ]

    def resize(self, options: base.FormatOptions) -> Resize | None:
        return None if self.kind_of(options) in _GROUNDING else super().resize(options)


_GROUNDING = ("point", "box")
_SCALED = b"\0"  # stands where the head's loss goes: no JSON holds it
_VERBS: dict[type, bytes] = {
    act.Click: b"click", act.DoubleClick: b"left_double", act.RightClick: b"right_single", act.LongPress: b"long_press",
}  # fmt: skip
_PAST = b',{"role":"user","content":"%b"},{"role":"assistant","content":"%b","loss":false}'
_TARGET = b',{"role":"user","content":"%b"},{"role":"assistant","content":"%b"'


def _chat(talk: Talk) -> bytes:
    turns = with_tags(talk)
    past = b"".join([_PAST % pair for pair in turns[:-1]])
    system = b'[{"role":"system","content":"%b"}' % talk.system
    return b'%b%b%b%b,"images":[%b]' % (system, past, _TARGET % turns[-1], _SCALED, pictures(talk))


def _grounding(talk: Talk, step: Step) -> bytes:
    """The system turn is left out: it would ask for another answer."""
    ((asked, _),) = with_tags(talk)
    width, height = step.image_size  # type: ignore[misc]  # `_why_not` lets no other through
    box = ",".join([_pixels(value * (height if at % 2 else width)) for at, value in enumerate(talk.box)])
    target = b"Action: %b(start_box='<bbox>')" % _VERBS[type(step.actions[0])]
    turn = b'[{"role":"user","content":"%b"},{"role":"assistant","content":"%b"' % (asked, target)
    objects = b'"objects":{"ref":[],"bbox":[[%b]]}' % box.encode()
    return b'%b%b,"images":[%b],%b' % (turn, _SCALED, pictures(talk), objects)


def _pixels(value: float) -> str:
    text = number(round(value, 1))
    return text if "." in text else f"{text}.0"  # the same type in every row


def _why_not(step: Step) -> str | None:
    seen = told.seen(step, None)
    if isinstance(seen, str):
        return seen
    return None if type(talk_single.action_of(step)) in _VERBS else "unroll.not_in_format"


FORMAT = _MsSwift()
