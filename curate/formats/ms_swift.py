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

from curate.formats import base, rows, talk_single
from curate.formats.conversation import Talk, pictures, with_tags
from curate.formats.smart_resize import Resize
from curate.formats.spoken import Spoken
from curate.model import actions as act
from curate.model.trajectory import Trajectory


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
        if (kind := self.kind_of(options)) in _GROUNDING:
            yield from _groundings(kind, trajectory, picked, options)  # type: ignore[arg-type]  # one of the two
            return
        for talk, _ in self.talks(trajectory, picked, options):
            yield base.NO_ROW if talk is None else _chat(talk)

    def line(self, head: base.Head, body: bytes) -> bytes:
        messages, rest = body.split(_SCALED)
        loss = b"true" if head.trained else b"false"
        scale = base.json_text(head.weight if head.trained else 0.0)
        return b'{"messages":%b,"loss":%b,"loss_scale":%b}]%b,%b}' % (messages, loss, scale, rest, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        if self.kind_of(options) not in _GROUNDING:
            return super().why_not(trajectory, options)
        found = _grounded(self.kind_of(options), trajectory, options)  # type: ignore[arg-type]  # one of the two
        return [one if isinstance(one, str) else None for one in found]

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


def _groundings(
    kind: talk_single.Kind, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
) -> Iterator[bytes]:
    """The trainer's own form. It has no system turn, which would ask for another answer."""
    found = _grounded(kind, trajectory, options)
    for position, _ in picked:
        one, step = found[position], trajectory.steps[position]
        if isinstance(one, str):
            yield base.NO_ROW
            continue
        width, height = step.image_size  # type: ignore[misc]  # `_grounded` lets no other through
        box = [_pixels(value * (height if at % 2 else width)) for at, value in enumerate(one.box)]
        verb = _VERBS[type(step.actions[0])]
        yield _PAIR % (one.question, verb, base.json_text(step.image), ",".join(box).encode())


_PAIR = (
    b'[{"role":"user","content":"<image>%b"},{"role":"assistant","content":"Action: %b(start_box=\'<bbox>\')"'
    b'\0,"images":[%b],"objects":{"ref":[],"bbox":[[%b]]}'
)


def _grounded(
    kind: talk_single.Kind, trajectory: Trajectory, options: base.FormatOptions
) -> list[talk_single.Told | str]:
    """Each step as the trainer's own form tells it, or the reason code why it does not."""
    plain = msgspec.structs.replace(options, coordinates=None)
    found = talk_single.tell(kind, trajectory, plain)
    for at, step in enumerate(trajectory.steps):
        if not isinstance(found[at], str):
            if step.image_size is None:
                found[at] = "unroll.picture_size_unknown"
            elif type(step.actions[0]) not in _VERBS:
                found[at] = "unroll.not_in_format"
    return found


def _pixels(value: float) -> str:
    """With one decimal: the same type in every row."""
    return f"{value:.1f}"


FORMAT = _MsSwift()
