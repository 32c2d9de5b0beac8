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

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal, get_args

import msgspec

from curate.formats import base
from curate.formats.parts import Part, image_part, text_part
from curate.model.constants import HISTORY_STEPS
from curate.model.trajectory import Step, Trajectory

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


class _Messages:
    name = "messages"
    version = 1
    needs_code = True
    row = Example

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        history = HISTORY_STEPS if options.history is None else options.history
        images = options.images or _IMAGES
        steps = trajectory.steps
        words = base.json_inside_all([step.action or base.action_words(step) for step in steps], base.escape_text)
        task = base.json_inside(base.escape_text(f"Task: {trajectory.instruction}"))
        remarks = [_inside(text) for text in base.remarks(steps)]
        told = [_told(*each) for each in zip(_numbers(len(steps)), words, remarks, strict=True)]
        targets = _targets(steps, words, options)
        prompts = {level: _system(level, options.system_prompt) for level in get_args(base.Level)}
        for position, trained in picked:
            step, start = steps[position], base.first_told(position, history)
            shown = position if images == 1 else base.picture_window(trajectory, range(start, position), images)
            pieces = [prompts[base.level_of(step, options)], task]
            if shown > start:
                pieces.append(_EARLIER)
                pieces += told[start:shown]
            pieces.append(_shown(steps[shown].image))
            for at in range(shown, position):
                pieces += (_ACTION, words[at], _NEW_LINE, _SAID, *_asked(remarks[at], steps[at + 1].image))
            pieces += targets[position]
            pieces.append(_SAID_LAST if trained else _SAID_UNTRAINED)
            yield b"".join(pieces)

    def line(self, head: base.Head, body: bytes) -> bytes:
        id, trajectory, rest = _around(head.trajectory, head.split, head.source)
        weight, train = base.json_text(head.weight), _TRUE if head.trained else _FALSE
        values = id, head.step, trajectory, head.step, rest, weight, train, body
        return b'%b%d%b%d%b%b,"train":%b,"messages":%b}' % values


_NEW_LINE = b"\\n"  # inside a JSON string
_EARLIER = b"\\n\\nEarlier steps:"
_ACTION = b"## Action:\\n"
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


def _inside(text: str | None) -> bytes | None:
    return None if text is None else base.json_inside(base.escape_text(text))


def _told(number: bytes, words: bytes, remark: bytes | None) -> bytes:
    """The line of an earlier step."""
    return number + words if remark is None else b"%b%b (%b)" % (number, words, remark)


_Pieces = tuple[bytes, ...]


def _targets(steps: Sequence[Step], words: Sequence[bytes], options: base.FormatOptions) -> list[_Pieces]:
    """What the model is to answer at each step, in pieces; sections the record does not know are left out."""
    codes = base.json_inside_all([step.code or base.target_code(step) for step in steps], base.escape_code)
    targets: list[_Pieces] = [
        (_ACTION, one, _CODE, code, _CODE_END) if code else (_ACTION, one, _NEW_LINE)
        for one, code in zip(words, codes, strict=True)
    ]
    if options.level != "L1":
        targets = _with("Thought", [step.thought or "" for step in steps], targets)
    if options.level == "L3":
        targets = _with("Observation", [step.observation or "" for step in steps], targets)
    return targets


def _with(title: str, texts: Sequence[str], targets: Sequence[_Pieces]) -> list[_Pieces]:
    """The targets with a section of recorded text before each, where there is text."""
    begin, end = b"## %b:\\n" % title.encode(), _NEW_LINE * 2
    inside = base.json_inside_all(texts, base.escape_text)
    return [(begin, text, end, *one) if text else one for text, one in zip(inside, targets, strict=True)]


FORMAT = _Messages()
