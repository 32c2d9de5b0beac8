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
        set_there="--is_binary_loss_scale false, or every weight above 0 is 1",
        weights="`loss_scale` of the target (with `--is_binary_loss_scale false`), and `weight` in the row",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        if (kind := self.kind_of(options)) in _GROUNDING:
            return _groundings(kind, trajectory, picked)  # type: ignore[arg-type]  # one of the two
        talks = self.talks(trajectory, picked, options)
        return (base.NO_ROW if talk is None else _chat(talk) for talk, _ in talks)

    def lines(self, heads: Sequence[base.Head], bodies: Sequence[bytes]) -> list[bytes]:
        losses, found = _Losses(), []
        for (_, _, _, weight, _, trained), body, origin in zip(heads, bodies, rows.origins(heads), strict=True):
            messages, _, rest = body.partition(_SCALED)
            loss = losses[weight] if trained else _NO_LOSS
            found.append(b"".join((_MESSAGES, messages, loss, rest, b",", origin, b"}")))
        return found

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        if self.kind_of(options) not in _GROUNDING:
            return super().why_not(trajectory, options)
        why = _grounded(self.kind_of(options), trajectory).why  # type: ignore[arg-type]  # one of the two
        return [why.get(at) for at in range(len(trajectory.steps))]

    def reads(self, options: base.FormatOptions) -> frozenset[str]:
        return _OF_GROUNDING if self.kind_of(options) in _GROUNDING else super().reads(options)

    def resize(self, options: base.FormatOptions) -> Resize | None:
        return None if self.kind_of(options) in _GROUNDING else super().resize(options)


_GROUNDING = ("point", "box")
_OF_GROUNDING = frozenset(("dialect", "untrained"))
_SCALED = b"\0"  # stands where the head's loss goes: no JSON holds it
_VERBS: dict[type, bytes] = {
    act.Click: b"click", act.DoubleClick: b"left_double", act.RightClick: b"right_single", act.LongPress: b"long_press",
}  # fmt: skip
_ANSWERS = {
    kind: b'"},{"role":"assistant","content":"Action: %b(start_box=\'<bbox>\')"\0,"images":[' % verb
    for kind, verb in _VERBS.items()
}
"""From the end of a question to its picture."""
_PAST = b',{"role":"user","content":"%b"},{"role":"assistant","content":"%b","loss":false}'
_TARGET = b',{"role":"user","content":"%b"},{"role":"assistant","content":"%b"'


def _chat(talk: Talk) -> bytes:
    turns = with_tags(talk)
    past = b"".join([_PAST % pair for pair in turns[:-1]])
    system = b'[{"role":"system","content":"%b"}' % talk.system
    return b'%b%b%b%b,"images":[%b]' % (system, past, _TARGET % turns[-1], _SCALED, pictures(talk))


_MESSAGES = b'{"messages":'
_LOSS = b',"loss":%b,"loss_scale":%b}]'
_NO_LOSS = _LOSS % (b"false", b"0.0")


class _Losses(dict[float, bytes]):
    """By weight what a target's turn says of its loss, and the ends of the turn and of all turns."""

    def __missing__(self, weight: float) -> bytes:
        text = self[weight] = _LOSS % (b"true", base.json_text(weight))
        return text


def _groundings(kind: talk_single.Kind, trajectory: Trajectory, picked: Sequence[base.Picked]) -> Iterator[bytes]:
    """The trainer's own form. It has no system turn, which would ask for another answer."""
    found, steps = _grounded(kind, trajectory).told, trajectory.steps
    for position, _ in picked:
        one = found.get(position)
        if one is None:
            yield base.NO_ROW
            continue
        (question, where), step = one, steps[position]
        width, height = step.image_size  # type: ignore[misc]  # `_grounded` lets no other through
        if len(where) == 2:
            place = b"%.1f,%.1f" % (where[0] * width, where[1] * height)  # a decimal: the same type in every row
        else:
            left, top, right, bottom = where
            place = b"%.1f,%.1f,%.1f,%.1f" % (left * width, top * height, right * width, bottom * height)
        answer, image = _ANSWERS[type(step.actions[0])], base.json_text(step.image)
        yield b"".join((_ASKED, question, answer, image, _PLACED, place, b"]]}"))


_ASKED = b'[{"role":"user","content":"<image>'
_PLACED = b'],"objects":{"ref":[],"bbox":[['


def _grounded(kind: talk_single.Kind, trajectory: Trajectory) -> talk_single.Sorted[talk_single.Asked]:
    """The steps as the trainer's own form tells them."""
    return talk_single.ask(kind, trajectory.steps, _VERBS, sized=True)


FORMAT = _MsSwift()
