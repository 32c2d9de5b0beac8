"""`messages`, our own training format: chat messages in typed parts, one example a line, loss on the target only.

    system     the prompt
    user       task, words of the earlier steps that are not shown, picture of the first shown step
    assistant  its action in words                          } for each earlier step
    user       remark on it if it was wrong, next picture   } whose picture is shown
    assistant  the target: thought, action, code            `train` true, here only

Roles alternate, so trainers that insist on it take every line; each part has only its own key, so chat templates
find the pictures and nothing else. A step's reflection stands behind its words when the step was wrong or redundant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, get_args

import msgspec

from curate.formats import base
from curate.formats.parts import Part, image_part, text_part
from curate.model.constants import HISTORY_STEPS
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory

SCHEMA = "example.v1"
_IMAGES = 1


class Message(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One turn. `train`: the loss is on this turn."""

    role: Literal["system", "user", "assistant"]
    content: list[Part]
    train: bool


class Example(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One training example: the step `step` (its index) of the record `trajectory`. `weight`: the run's weight times
    the step's. `train`: whether any turn has a loss (false only for steps kept with `untrained: keep`)."""

    schema: Literal["example.v1"] = "example.v1"
    id: str
    trajectory: str
    step: int
    split: str
    source: str
    weight: float
    train: bool
    messages: list[Message]


class _Messages(base.Plain):
    name = "messages"
    version = 1
    needs_code = True
    row = Example

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        return iter(*self.outlined(self.outline(Steps([trajectory]), options), [picked], options))

    def outline(self, steps: Steps, options: base.FormatOptions) -> bytes:
        together, pictures = base.inside_together, steps.of("image")
        remarks = base.remarks(steps.all)
        return _encoded(
            _Outline(
                steps.lengths,
                together([f"Task: {record.instruction}" for record in steps.records], base.escape_text),
                together([step.action or base.action_words(step) for step in steps.all], base.escape_text),
                together([step.code or base.target_code(step) for step in steps.all], base.escape_code),
                _texts(steps, "thought") if options.level != "L1" else b"",
                _texts(steps, "observation") if options.level == "L3" else b"",
                {at: base.escape_text(text) for at, text in enumerate(remarks) if text is not None},
                pictures if any(pictures) else [],
            )
        )

    def outlined(
        self, outline: bytes, picked: Iterable[Sequence[base.Picked]], options: base.FormatOptions
    ) -> Iterator[list[bytes]]:
        parts = _decode(outline)
        told = _Told(parts, options)
        first = 0
        for task, count, of_run in zip(base.parted(parts.tasks), parts.lengths, picked, strict=True):
            yield told.bodies(task, first, count, of_run) if of_run else []
            first += count

    def line(self, head: base.Head, body: bytes) -> bytes:
        id, trajectory, rest = _around(head.trajectory, head.split, head.source)
        weight, train = base.json_text(head.weight), _TRUE if head.trained else _FALSE
        values = id, head.step, trajectory, head.step, rest, weight, train, body
        return b'%b%d%b%d%b%b,"train":%b,"messages":%b}' % values


_NEW_LINE = b"\\n"  # inside a JSON string
_EARLIER = b"\\n\\nEarlier steps:"
_ACTION = b"## Action:\\n"
_THOUGHT, _OBSERVATION, _END = b"## Thought:\\n", b"## Observation:\\n", b"\\n\\n"
_CODE, _CODE_END = b"\\n\\n## Code:\\n```python\\n", b"\\n```\\n"
_TEXT = b'{"type":"text","text":"'
_ANSWER = b'],"train":false},{"role":"assistant","content":[' + _TEXT
_SAID = b'"}],"train":false},{"role":"user","content":['
_SAID_LAST, _SAID_UNTRAINED = b'"}],"train":true}]', b'"}],"train":false}]'
_UNSEEN = b'"}' + _ANSWER
_NO_PICTURE = b"There is no picture of the screen at this step."
_TRUE, _FALSE = b"true", b"false"


@lru_cache(4)
def _around(trajectory: str, split: str, source: str) -> tuple[bytes, bytes, bytes]:
    """What the rows of one run say around the numbers of their heads."""
    id, of_split, of_source = base.json_text(trajectory), base.json_of_few(split), base.json_of_few(source)
    start = b'{"schema":"%b","id":%b/' % (SCHEMA.encode(), id[:-1])
    return start, b'","trajectory":%b,"step":' % id, b',"split":%b,"source":%b,"weight":' % (of_split, of_source)


@lru_cache(8)
def _system(level: base.Level, prompt: str | None) -> bytes:
    """How a row begins, as far as the text of its first user turn."""
    text = text_part(base.json_inside(prompt or _prompt(level)))
    return b'[{"role":"system","content":[%b],"train":false},{"role":"user","content":[%b' % (text, _TEXT)


def _shown(image: str | None) -> bytes:
    """From the end of a user turn's text, over its picture, to where the text of the answer begins."""
    return _UNSEEN if image is None else b'"},%b%b' % (image_part(image), _ANSWER)


def _asked(text: bytes | None, image: str | None) -> tuple[bytes, ...]:
    """A user turn, to where the text of the answer begins: a text, a picture, or both."""
    if text is None and image is not None:
        return image_part(image), _ANSWER
    return _TEXT, _NO_PICTURE if text is None else text, _shown(image)


def _prompt(level: base.Level) -> str:
    """The prompt asks for what the target holds, no more."""
    ask = {"L1": "Name", "L2": "Say what you think, name", "L3": "Say what you see and what you think, name"}[level]
    return base.template("messages").replace("{ask}", ask)


@lru_cache(64)
def _numbers(count: int) -> list[bytes]:
    """How the lines of so many earlier steps begin."""
    return [b"\\nStep %d: " % (at + 1) for at in range(count)]


class _Outline(msgspec.Struct, array_like=True):
    """Of some records: how many steps each has, its task, and of all their steps, one record's after another's, the
    texts as they stand inside JSON strings (`base.inside_together`; b"": of none), `remarks` and `pictures` where there
    are any."""

    lengths: list[int]
    tasks: bytes
    words: bytes
    codes: bytes
    thoughts: bytes
    observations: bytes
    remarks: dict[int, str]
    pictures: list[str | None]


_encoded = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_Outline).decode


def _texts(steps: Steps, name: str) -> bytes:
    """A text of each step, "" where it is not known; b"" where it is known of none."""
    texts = steps.of(name)
    return base.inside_together([text or "" for text in texts], base.escape_text) if any(texts) else b""


class _Told:
    """The steps of an outline, as bodies tell of them."""

    def __init__(self, parts: _Outline, options: base.FormatOptions) -> None:
        count = sum(parts.lengths)
        self.words = base.parted(parts.words)
        self.codes = base.parted(parts.codes)
        self.thoughts = base.parted(parts.thoughts) or [b""] * count
        self.observations = base.parted(parts.observations) or [b""] * count
        self.pictures = parts.pictures or [None] * count
        self.remarks = {at: base.json_inside(text) for at, text in parts.remarks.items()}
        self.options = options
        self.history = HISTORY_STEPS if options.history is None else options.history
        self.images = options.images or _IMAGES
        self.prompts = {level: _system(level, options.system_prompt) for level in get_args(base.Level)}

    def bodies(self, task: bytes, first: int, count: int, picked: Sequence[base.Picked]) -> list[bytes]:
        """The bodies of the run whose `count` steps begin at `first`."""
        words = self.words[first : first + count]
        pictures = self.pictures[first : first + count]
        remarks = [self.remarks.get(at) for at in range(first, first + count)] if self.remarks else [None] * count
        earlier = list(map(_earlier, _numbers(count), words, remarks))
        bodies = []
        for position, trained in picked:
            at, start = first + position, base.first_told(position, self.history)
            shown = position
            if self.images > 1:
                shown = base.first_shown(pictures, range(start, position), self.images)
            thought, observation, code = self.thoughts[at], self.observations[at], self.codes[at]
            pieces = [self.prompts[base.level_told(thought, observation, self.options)], task]
            if shown > start:
                pieces.append(_EARLIER)
                pieces += earlier[start:shown]
            pieces.append(_shown(pictures[shown]))
            for one in range(shown, position):
                pieces += (_ACTION, words[one], _NEW_LINE, _SAID, *_asked(remarks[one], pictures[one + 1]))
            if observation:
                pieces += (_OBSERVATION, observation, _END)
            if thought:
                pieces += (_THOUGHT, thought, _END)
            pieces += (_ACTION, words[position], *((_CODE, code, _CODE_END) if code else (_NEW_LINE,)))
            pieces.append(_SAID_LAST if trained else _SAID_UNTRAINED)
            bodies.append(b"".join(pieces))
        return bodies


def _earlier(number: bytes, words: bytes, remark: bytes | None) -> bytes:
    """The line of an earlier step."""
    return number + words if remark is None else b"%b%b (%b)" % (number, words, remark)


FORMAT = _Messages()
