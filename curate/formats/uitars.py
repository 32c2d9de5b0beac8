"""`uitars`: UI-TARS' conversations, one message a picture, each with its `loss_mask`.

    system     a helpful assistant                                          0
    user       the prompt with its action space, and the task               0
    user       picture of an earlier step   } only of the last steps        0
    assistant  its thought and calls        }                               0
    user       picture of the step                                          0
    assistant  Thought: ... Action: ...                                     1

Dialects: `1.5` (pixels of the picture as its processor resizes it: multiples of 28, 78,400 pixels at least), `v1` (of
1000) and `point` (the later tag, pixels as in 1.5). The thought is the step's, else the words of its action. Every
earlier step is told; pictures are those of the last four and the step's own. A step that the dialect has no word for
has no row, and is told by its thought where it is an earlier one. A reflection has no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import msgspec

from curate.formats import base, rows, told
from curate.formats.languages.phrases import is_phone, last_act
from curate.formats.languages.uitars_calls import Dialect, Frame, calls
from curate.formats.parts import Part, image_part
from curate.formats.prompts import prompt
from curate.formats.smart_resize import SIZES, UI_TARS, Resize
from curate.model.constants import GRID
from curate.model.trajectory import Step, Trajectory

_IMAGES = 5  # UI-TARS' paper and its agents: the last five pictures
_OPTIONS = frozenset(("history", "images", "untrained", "level", "system_prompt", "prompts", "dialect"))
_SYSTEM = b'[{"role":"system","content":"You are a helpful assistant.","loss_mask":0},{"role":"user","content":"'


class Message(msgspec.Struct, kw_only=True, frozen=True):
    """One message: text, or a picture. `loss_mask`: 1 where it is trained on."""

    role: Literal["system", "user", "assistant"]
    content: str | list[Part]
    loss_mask: Literal[0, 1]


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row."""

    messages: list[Message]
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _UiTars(base.Plain):
    name = "uitars"
    writes_all = False
    dialects = ("1.5", "v1", "point")
    prompts = {"computer": ("COMPUTER_USE_DOUBAO", "COMPUTER_USE"), "phone": ("MOBILE_USE_DOUBAO", "MOBILE_USE")}
    row = Example
    about = base.About(
        trains="UI-TARS (`dialect=1.5`, `v1`, or `point` of the later models)",
        loss="the last assistant message (`loss_mask`)",
        history="every earlier step, its thought and calls",
        pictures="5: four earlier ones and the step's own, a message each",
        coordinates="`1.5`, `point`: pixels of the picture after its processor's resize (28; `min_pixels`, "
        "`max_pixels`); `v1`: of 1000",
        reflection="no place",
        weights="`weight` in the row",
        prompt_file="`codes/ui_tars/prompt.py` of bytedance/UI-TARS (`COMPUTER_USE_DOUBAO`, `MOBILE_USE_DOUBAO`)",
    )

    def reads(self, options: base.FormatOptions) -> frozenset[str]:
        return _OPTIONS if options.dialect == "v1" else _OPTIONS | SIZES

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        steps = trajectory.steps
        said, _ = self._said(trajectory, options)
        frames = told.frames_of(steps, self.resize(options)) or [(GRID, GRID)] * len(steps)
        answers = _answers(steps, said, options, frames)
        images = [None if step.image is None else image_part(step.image) for step in steps]
        shown = [b"" if image is None else b"%b%b%b" % (_USER, image, _USER_END) for image in images]
        start = _SYSTEM + self._task(trajectory, options) + b'","loss_mask":0}'
        history = base.ALL if options.history is None else options.history
        turns = [b"%b%b%b" % (_ASSISTANT, answer, _NO_LOSS) for answer in answers]
        earlier = told.Pieces(turns)
        for position, trained in picked:
            if said[position] is None:
                yield base.NO_ROW
                continue
            first = base.first_told(position, history)
            pictured = base.first_shown(images, range(first, position), options.images or _IMAGES)  # type: ignore[arg-type]
            pieces = [start, earlier.between(first, pictured)]
            for at in range(pictured, position):
                pieces += (shown[at], turns[at])
            pieces += (shown[position], _ASSISTANT, answers[position], _LOSS if trained else _NO_LOSS, b"]")
            yield b"".join(pieces)

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b'{"messages":%b,%b}' % (body, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return self._said(trajectory, options)[1]

    def resize(self, options: base.FormatOptions) -> Resize | None:
        return None if options.dialect == "v1" else UI_TARS.limited(options.min_pixels, options.max_pixels)

    def _said(self, trajectory: Trajectory, options: base.FormatOptions) -> tuple[list[str | None], list[str | None]]:
        """The calls of each step, or why there are none."""
        dialect: Dialect = options.dialect or "1.5"  # type: ignore[assignment]  # check_options let no other through
        resize, phone, last = self.resize(options), is_phone(trajectory), last_act(trajectory.steps)
        texts: list[str | None] = []
        reasons: list[str | None] = []
        for at, step in enumerate(trajectory.steps):
            if resize is None:
                seen = (GRID, GRID) if step.image is not None else "unroll.no_picture"
            else:
                seen = told.seen(step, resize)
            text = None if isinstance(seen, str) else calls(step.actions, Frame(*seen, dialect, phone, at == last))
            texts.append(text)
            reasons.append(seen if isinstance(seen, str) else None if text else "unroll.not_in_format")
        return texts, reasons

    def _task(self, trajectory: Trajectory, options: base.FormatOptions) -> bytes:
        """The text of the first user message."""
        text = prompt(options, self.name, "phone" if is_phone(trajectory) else "computer")
        before, after = _around(text, options.dialect or "1.5")
        return before + told.inside(trajectory.instruction) + after


_USER, _USER_END = b',{"role":"user","content":[', b'],"loss_mask":0}'
_ASSISTANT = b',{"role":"assistant","content":"'
_LOSS, _NO_LOSS = b'","loss_mask":1}', b'","loss_mask":0}'
_POINTS = {
    "1.5": ("start_box='(x1,y1)'", "end_box='(x2,y2)'"),
    "v1": ("start_box='<|box_start|>(x1,y1)<|box_end|>'", "end_box='<|box_start|>(x2,y2)<|box_end|>'"),
    "point": ("point='<point>x1 y1</point>'", "end_point='<point>x2 y2</point>'"),
}


@lru_cache(16)
def _around(text: str, dialect: str) -> tuple[bytes, bytes]:
    """A prompt before and behind the task, which has a line of its own. Ours names points as the dialect does; one that
    has no place for the task has it at its end."""
    point, end = _POINTS[dialect]
    start = point if dialect != "point" else f"start_{point}"
    text = text.replace("{language}", "English").replace("{call_user}", "" if dialect == "point" else _CALL_USER)
    text = text.replace("{start}", start).replace("{point}", point).replace("{end}", end)
    before, _, after = text.partition("{instruction}")
    before = before if before.endswith("\n") else f"{before}\n"
    return base.json_inside(before), base.json_inside(after)


_CALL_USER = "call_user() # the task cannot be done, or needs its person\n"


def _answers(
    steps: Sequence[Step], said: Sequence[str | None], options: base.FormatOptions, frames: Sequence[told.Frame]
) -> list[bytes]:
    """What is said at each step: its thought (or the words of its action) and its calls."""
    words = told.words_of(steps, frames)
    thoughts = words if options.level == "L1" else told.thoughts_of(steps)
    inside = base.json_inside_all([text or "" for text in said])
    return [
        b"Thought: %b\\nAction: %b" % (thought or one, text) if text else b"Thought: %b" % (thought or one)
        for thought, one, text in zip(thoughts, words, inside, strict=True)
    ]


FORMAT = _UiTars()
