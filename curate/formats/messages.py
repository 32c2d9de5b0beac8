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
from itertools import accumulate
from operator import add
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
    version = 2
    needs_code = True
    row = Example
    options = frozenset(("history", "images", "untrained", "level", "system_prompt"))
    about = base.About(
        trains="any trainer of chat messages with pictures (our default)",
        loss="the turn with `train`: the last",
        history="3 earlier steps, their actions in words",
        pictures="1: the step's own; with `images` also earlier ones, each a turn",
        coordinates="fractions",
        reflection="behind the words of a step that was wrong or redundant; before the next picture where it is shown",
        weights="`weight` in the row",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        told = _Told(_decode(self.outline(Steps([trajectory]), options)), options)
        of_run = told.run(0)
        for position, trained in picked:
            yield b"".join(of_run.behind([], position, _SAID_LAST if trained else _SAID_UNTRAINED))

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
        self, outline: bytes, wanted: Iterable[base.Wanted | None], options: base.FormatOptions
    ) -> Iterator[list[bytes]]:
        told = _Told(_decode(outline), options)
        for number, of_run in enumerate(wanted):
            yield [] if of_run is None else told.run(number).lines(of_run)

    def lines(self, heads: Sequence[base.Head], bodies: Sequence[bytes]) -> list[bytes]:
        if not heads:
            return []
        id, trajectory, rest = _around(heads[0].trajectory, heads[0].split, heads[0].source)
        found = []
        for (_, step, _, weight, _, trained), body in zip(heads, bodies, strict=True):
            number = b"%d" % step
            end = _TRUE_BEHIND if trained else _FALSE_BEHIND
            found.append(b"".join((id, number, trajectory, number, rest, base.json_text(weight), end, body, b"}")))
        return found


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
_TRUE_BEHIND, _FALSE_BEHIND = b',"train":true,"messages":', b',"train":false,"messages":'
_SAID_LAST_OF = _SAID_LAST + b"}"


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
    """What an outline says, as rows say it."""

    def __init__(self, parts: _Outline, options: base.FormatOptions) -> None:
        count = sum(parts.lengths)
        self.tasks = base.parted(parts.tasks)
        self.firsts = [0, *accumulate(parts.lengths)]
        self.words = base.parted(parts.words)
        self.pictures = parts.pictures or [None] * count
        self.remarks = {at: base.json_inside(text) for at, text in parts.remarks.items()}
        self.history = HISTORY_STEPS if options.history is None else options.history
        self.images = options.images or _IMAGES
        self.thoughts = base.parted(parts.thoughts) or [b""] * count
        self.observations = base.parted(parts.observations) or [b""] * count
        self.codes = base.parted(parts.codes)
        self.options = options
        self.prompts = {level: _system(level, options.system_prompt) for level in get_args(base.Level)}

    def run(self, number: int) -> _Run:
        """The run with this number."""
        return _Run(self, self.tasks[number], self.firsts[number], self.firsts[number + 1])


def _answer(observation: bytes, thought: bytes, words: bytes, code: bytes) -> tuple[bytes, ...]:
    """What the model is to answer at a step, in pieces; sections that the record does not know are left out."""
    said = (_ACTION, words, _CODE, code, _CODE_END) if code else (_ACTION, words, _NEW_LINE)
    if thought:
        said = (_THOUGHT, thought, _END, *said)
    return (_OBSERVATION, observation, _END, *said) if observation else said


class _Run:
    """The steps of one run of an outline, `first` to before `last` of all of them."""

    def __init__(self, told: _Told, task: bytes, first: int, last: int) -> None:
        self.told, self.task, self.first = told, task, first
        self.words, self.pictures = told.words[first:last], told.pictures[first:last]
        self.earlier = list(map(add, _numbers(last - first), self.words))
        self.remarks: dict[int, bytes] = {}
        if told.remarks:
            self.remarks = {at - first: text for at in range(first, last) if (text := told.remarks.get(at)) is not None}
            for at, text in self.remarks.items():
                self.earlier[at] = b"%b (%b)" % (self.earlier[at], text)

    def lines(self, wanted: base.Wanted) -> list[bytes]:
        """The rows wanted."""
        id, trajectory, rest = _around(wanted.trajectory, wanted.split, wanted.source)
        found = []
        for position, step, weight in wanted.rows:
            number = b"%d" % step
            head = [id, number, trajectory, number, rest, base.json_text(weight), _TRUE_BEHIND]
            found.append(b"".join(self.behind(head, position, _SAID_LAST_OF)))
        return found

    def behind(self, pieces: list[bytes], position: int, end: bytes) -> list[bytes]:
        """These pieces of a row, the body of the step in this position behind them, in pieces, and its end."""
        told, place = self.told, self.first + position
        thought, observation = told.thoughts[place], told.observations[place]
        start = base.first_told(position, told.history)
        shown = position
        if told.images > 1:
            shown = base.first_shown(self.pictures, range(start, position), told.images)
        pieces += (told.prompts[base.level_told(thought, observation, told.options)], self.task)
        if shown > start:
            pieces.append(_EARLIER)
            pieces += self.earlier[start:shown]
        pieces.append(_shown(self.pictures[shown]))
        for at in range(shown, position):
            asked = _asked(self.remarks.get(at), self.pictures[at + 1])
            pieces += (_ACTION, self.words[at], _NEW_LINE, _SAID, *asked)
        pieces += _answer(observation, thought, self.words[position], told.codes[place])
        pieces.append(end)
        return pieces


FORMAT = _Messages()
