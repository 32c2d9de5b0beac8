"""What a model's turn says of a step, in the languages that training rows are written in:

    sections   `# Step 3:`, `## Observation:`, `## Thought:`, `## Action:`, `## Code:` and a block of Python
               (OpenCUA, and the rows of this project's formats for trainers)
    tools      `Action: ` and calls in <tool_call> marks, behind a thought in <think> marks (the Qwen models)
    tags       <think>, <operation>, <action> (ScaleCUA)
    calls      `Thought: `, `Action: ` and a call at a `<bbox>` that stands in `objects` (ms-swift's grounding)
    code       Python alone (a single step's instruction carried out)

and what a user's turn says of the task and of the steps before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from curate.formats.escaping import unescape_text
from curate.sources.common.previous import listed, plain

_STEP = re.compile(r"^# Step (\d+):?[ \t]*\n", re.MULTILINE)
_SECTION = re.compile(r"^## (Observation|Thought|Action|Code):[ \t]*\n", re.MULTILINE)
_BLOCK = re.compile(r"```[a-z]*\n(.*?)\n?```", re.DOTALL)
_TOOL = re.compile(r"<tool_call>\s*(.*?)\s*</tool_call>", re.DOTALL)
_TAG = re.compile(r"<(think|operation|action)>\s*(.*?)\s*</\1>", re.DOTALL)
_WORDS = re.compile(r"^Action:[ \t]*(.*?)\s*(?=<tool_call>|\Z)", re.MULTILINE | re.DOTALL)
_CALL = re.compile(r"\s*(?:Thought:\s*(?P<thought>.*?)\s*)?Action:\s*(?P<call>\w+\([^\n]*<bbox>[^\n]*\))\s*", re.DOTALL)
_CODE = re.compile(r"\s*(?:(?:pyautogui|mobile|browser|computer)\.\w+\(|answer\()")
_PLACE = re.compile(r"\s*[(\[][\d\s.,]+[)\]]\s*")
_TASKS = (
    re.compile(
        r"# Task Instruction:\n(?P<task>.*?)\n\n(?P<before>(?:# Step \d+.*?)?)Please generate the next move", re.DOTALL
    ),
    re.compile(r"Instruction:\s*(?P<task>.*?)\s*Previous actions:\s*(?P<before>.*)", re.DOTALL),
    re.compile(r"Task:\s*(?P<task>.*?)\s*Previous operations:\s*(?P<before>.*)", re.DOTALL),
    re.compile(r"\ATask: (?P<task>.*?)(?:\n\nEarlier steps:\n(?P<before>.*))?\Z", re.DOTALL),
)


class Answer(NamedTuple):
    """What a turn says of its step. `number`: which step it calls itself, from 1; `code`: its action as code; `tools`:
    its action as calls of a tool, each a JSON text. A step that is only told has neither."""

    number: int | None = None
    observation: str | None = None
    thought: str | None = None
    words: str | None = None
    code: str | None = None
    tools: Sequence[str] = ()

    @property
    def acts(self) -> bool:
        """Whether it says an action that is more than words."""
        return bool(self.code or self.tools)


class Task(NamedTuple):
    """The task, and the words of the steps before, as a user's turn tells them. `whole`: no prompt around it was known,
    so that all of the text is the task."""

    task: str
    before: list[str]
    whole: bool


def answers(text: str) -> list[Answer]:
    """Every step that a model's turn tells: of earlier ones there may be many in one turn."""
    marks = list(_STEP.finditer(text))
    if not marks:
        return [_answer(text, None)]
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    return [_answer(text[mark.end() : end], int(mark[1])) for mark, end in zip(marks, ends, strict=True)]


def _answer(text: str, number: int | None) -> Answer:
    tags, tools = dict(_TAG.findall(text)), _TOOL.findall(text)
    if _SECTION.search(text):
        parts = _sections(text)
        block = _BLOCK.search(parts.get("Code", ""))
        return Answer(number, parts.get("Observation"), parts.get("Thought"), parts.get("Action"), block and block[1])
    if tools:
        words = _WORDS.search(text)
        return Answer(number, None, _told(tags.get("think")), _told(words and words[1]), tools=tools)
    if "action" in tags:
        return Answer(number, None, _told(tags.get("think")), _told(tags.get("operation")), tags["action"])
    if (call := _CALL.fullmatch(text)) is not None:
        return Answer(number, None, _told(call["thought"]), None, call["call"])
    return Answer(number, code=text.strip()) if _CODE.match(text) else Answer(number, words=_told(text))


def _sections(text: str) -> dict[str, str]:
    found = list(_SECTION.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)]
    parts = {one[1]: text[one.end() : end].strip() for one, end in zip(found, ends, strict=True)}
    return {name: part if name == "Code" else unescape_text(part) for name, part in parts.items() if part}


def _told(text: str | None) -> str | None:
    return unescape_text(text.strip()) or None if text else None


def is_place(text: str) -> bool:
    """Whether an answer is a point or a box and nothing else."""
    return _PLACE.fullmatch(text) is not None


def task_of(texts: Sequence[str]) -> Task | None:
    """What the user's turns say of the task; None where they say nothing."""
    for text in texts:
        for pattern in _TASKS:
            if (found := pattern.search(text.strip("\n"))) is not None:
                return Task(unescape_text(found["task"].strip()), _before(found["before"] or ""), False)
    whole = next((text.strip() for text in texts if text.strip()), None)
    return None if whole is None else Task(unescape_text(whole), [], True)


def _before(text: str) -> list[str]:
    if _STEP.search(text):
        return [plain(one.words or "") for one in answers(text)]
    return [unescape_text(one) for one in listed(text)]
