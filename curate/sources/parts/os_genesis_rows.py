"""OS-Genesis' training rows: one step each, a conversation of a prompt and an answer. The prompt holds the instruction,
what was done before and the screen's elements, in the order of either kind (phones, web); the answer a thought and the
action: JSON as AndroidControl writes it, or a call as WebArena does.

What is decided here: rows of one instruction that follow each other are a run; a history that is not longer than the
one before begins another. Past actions are counted, not read: on the web they are numbered from 2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from curate.sources.actions.element_calls import thought_before
from curate.sources.common.reading import UnreadableError


class Turn(msgspec.Struct):
    """One turn of a conversation."""

    value: str


class Row(msgspec.Struct):
    """One row."""

    conversations: list[Turn]
    image: str | None = None
    id: str | int | None = None


class Read(msgspec.Struct):
    """What a row says. `place`: how many actions came before; `action`: JSON or a call, as it stands; `low_level`:
    words for this step alone; `tree`: the screen's elements in the row's own text."""

    row: Row
    number: int
    web: bool
    instruction: str
    place: int
    tree: str | None
    action: str
    thought: str | None
    low_level: str | None


_INSTRUCTION = re.compile(r"^(?:high-level )?instruction:[ \t]*", re.MULTILINE | re.IGNORECASE)
_LOW_LEVEL = re.compile(r"^low-level instruction:[ \t]*(.*)$", re.MULTILINE | re.IGNORECASE)
_HISTORY = re.compile(r"^action history:[ \t]*", re.MULTILINE | re.IGNORECASE)
_TREE = re.compile(r"^accessibility tree:[ \t]*", re.MULTILINE | re.IGNORECASE)
_END = re.compile(r"^please generate\b", re.MULTILINE | re.IGNORECASE)
_PAST = re.compile(r"(?:^|\s)step\s*(\d+)\s*:", re.IGNORECASE)
_NOTHING = ("", "none", "null", "[]", "n/a")
_JSON = re.compile(r"\bactions?:\s*(\{.*\})\s*$", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```(.*?)```", re.DOTALL)
_LABEL = re.compile(r"^\s*(?:low-level )?(thoughts?|instructions?):\s*", re.IGNORECASE)


def is_prompt(text: Any) -> bool:
    """Whether the first turn of a conversation is such a prompt."""
    return isinstance(text, str) and all(part.search(text) for part in (_HISTORY, _TREE)) and (
        _INSTRUCTION.search(text) is not None or _LOW_LEVEL.search(text) is not None
    )  # fmt: skip


def read_row(value: Any, number: int) -> Read:
    """A row, the `number`-th of its file. Raises UnreadableError, msgspec.ValidationError."""
    row = msgspec.convert(value, Row)
    if len(row.conversations) < 2 or not is_prompt(row.conversations[0].value):
        raise UnreadableError("import.not_gui", "The conversation is no instruction, history and elements of a screen.")
    prompt, answer = (turn.value for turn in row.conversations[:2])
    parts = _parts(prompt)
    low_level = _LOW_LEVEL.search(prompt)
    own = low_level[1].strip() if low_level else None
    history = parts.get("history", "")
    fenced, said = list(_FENCED.finditer(answer)), _JSON.search(answer)
    if said is None and not fenced:
        raise UnreadableError("read.code", "The answer holds no action.")
    action, before = (said[1], answer[: said.start()]) if said else (fenced[-1][1], answer[: fenced[-1].start()])
    thought, words = _thought(before)
    instruction = parts.get("instruction", "") or own or ""
    if not instruction:
        raise UnreadableError("import.no_task", "The row says no instruction.")
    return Read(
        row, number, said is None, instruction, _past(history), parts.get("tree") or None, action.strip(),
        thought, own or words,
    )  # fmt: skip


def _parts(prompt: str) -> dict[str, str]:
    """The text behind each label. A page may hold the labels too: of the instruction and the tree the first counts, of
    the history the first before the tree, else the last."""
    marks: list[tuple[int, int, str]] = []
    tree = _TREE.search(prompt)
    histories = list(_HISTORY.finditer(prompt))
    history = next((one for one in histories if tree is None or one.start() < tree.start()), histories[-1])
    ends = list(_END.finditer(prompt))
    for name, found in (
        ("instruction", _INSTRUCTION.search(prompt)), ("tree", tree), ("history", history),
        ("end", ends[-1] if ends else None),
    ):  # fmt: skip
        if found is not None:
            marks.append((found.start(), found.end(), name))
    marks.sort()
    stops = [start for start, _, _ in marks[1:]] + [len(prompt)]
    return {name: prompt[end:stop].strip() for (_, end, name), stop in zip(marks, stops, strict=True)}


def _past(history: str) -> int:
    """How many actions a history tells: numbered ones that go on by one (from whatever number), else lines."""
    if history.lower().rstrip(".") in _NOTHING:
        return 0
    last = count = 0
    for number in map(int, _PAST.findall(history)):
        if not count or number == last + 1:
            last, count = number, count + 1
    return count or sum(bool(line.strip()) for line in history.splitlines())


def _thought(text: str) -> tuple[str | None, str | None]:
    """The words before an action as thought, or as the step's own instruction where they say that they are that."""
    label = _LABEL.match(text)
    plain = thought_before(text[label.end() :] if label else text)
    return (None, plain) if label and label[1].lower().startswith("instruction") else (plain, None)


def runs(rows: Iterable[Read]) -> Iterator[list[Read]]:
    """Rows as runs. A row of the step before it (the same picture and action, told for training in another way) adds
    its words to that step."""
    run: list[Read] = []
    for row in rows:
        last = run[-1] if run else None
        if last is not None and row.instruction == last.instruction and _same_step(row, last):
            last.low_level = last.low_level or row.low_level
            last.thought = last.thought or row.thought
            continue
        if last is not None and (row.instruction != last.instruction or row.place <= last.place):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def _same_step(row: Read, last: Read) -> bool:
    return (row.place, row.row.image, row.action) == (last.place, last.row.image, last.action) and row.web == last.web
