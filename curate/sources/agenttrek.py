"""AgentTrek: one JSON list of 1.8 GB, a row a step: `{"messages": [{"role", "content"}, ...]}`. The user's text holds
the goal, the page as a numbered tree and everything done before; the assistant's a thought and a BrowserGym call. There
are no pictures, no places and no ids: rows of one goal whose histories go on from each other are a run.

No real row of the release was at hand: this is read by its two loaders and by BrowserGym's prompt, which made it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action
from curate.model.calls import CodeError
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.actions.browser_calls import read_browser_calls
from curate.sources.base import Read, ReadContext
from curate.sources.common.chains import Told, chains
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.page_trees import element_of
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_row_file, rows_of
from curate.sources.common.step_rows import drained, mark_gaps, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine
from curate.store.media import MediaStore
from curate.store.trees import add_text_tree, read_text_tree

FACTS = Facts(
    title="AgentTrek",
    card="https://huggingface.co/datasets/xlangai/AgentTrek",
    space="none",
    scroll="plus_down",
    pictures=False,
    timing=None,
    outcome="Not told by the rows; the publisher says that a model passed every run. A run may end in an answer to the "
    "user or in `report_infeasible`.",
    licences={"": None},
    faults=(
        "Every row repeats all actions before its own: rows of one run are no copies of each other but its steps.",
        "Rows have no id: a run is named after its first row's number in the file.",
        "`scroll(dx, dy)` is in pixels, and a positive dy goes down.",
        "Tabs, going forward, files and checking have no action in a record: the step keeps its words, flagged "
        "`unsupported_action`.",
        "No licence is stated.",
    ),
)


class Row(msgspec.Struct):
    """What is kept of a row until the other rows of its goal are there. `tree`: its reference in the media."""

    goal: str
    before: list[str]
    action: str
    thought: str | None
    tree: str | None
    title: str | None
    url: str | None


class AgentTrek:
    """The source `agenttrek`."""

    name = "agenttrek"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A file of rows whose first has such messages: JSON as published, or parquet as the host converts it."""
        return is_row_file(path) and any(_is_prompt(text) for text in _texts(first_row(path), "user"))

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why a row is none of its steps."""
        conventions = Conventions(FACTS, context)
        trouble: list[Rejected] = []
        for group in grouped(_keyed(path, context, trouble), scratch(context)):
            yield from drained(trouble)
            yield from _runs(group, context, conventions)
        yield from drained(trouble)


_HEADING = re.compile(r"^#{1,3} +(\S.*)$", re.MULTILINE)
_TAB = re.compile(r"\(active tab\):?[ \t]*\n[ \t]*Title: (.*)\n[ \t]*URL: (.*)")
_ROOT = re.compile(r"^[ \t]*(?:\[\w+\] )?RootWebArea ('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", re.MULTILINE)


def _texts(row: dict[str, Any], role: str) -> list[str]:
    """The texts of a row's messages of one role; a content may be a list of parts."""
    messages = row.get("messages")
    found = []
    for message in messages if isinstance(messages, list) else []:
        if isinstance(message, dict) and message.get("role") == role:
            content = message.get("content")
            parts = content if isinstance(content, list) else [{"text": content}]
            texts = [part.get("text") for part in parts if isinstance(part, dict)]
            found.append("\n".join(text for text in texts if isinstance(text, str)))
    return found


def _is_prompt(text: str) -> bool:
    titles = [_title(found) for found in _HEADING.finditer(text)]
    return any(title.startswith("goal") for title in titles) and any(title.startswith("axtree") for title in titles)


def _keyed(path: Path, context: ReadContext, trouble: list[Rejected]) -> Iterator[Keyed]:
    for item in rows_of(path, context):
        if isinstance(item, BadLine):
            trouble.append(rejected(context.shown, item.reason, item.detail, None, item.number))
            continue
        try:
            row = _row(item.value, context.media)
        except TROUBLE as error:
            trouble.append(refused(error, context.shown, None, item.number))
            continue
        yield Keyed(row.goal, len(row.before), context.shown, item.number, msgspec.json.encode(row))


def _row(value: Any, media: MediaStore) -> Row:
    if not isinstance(value, dict):
        raise UnreadableError("validate.schema", "The row is no object with messages.")
    prompt = next((text for text in reversed(_texts(value, "user")) if _is_prompt(text)), None)
    if prompt is None:
        raise UnreadableError("import.not_gui", "No message of the row holds a goal and a page.")
    parts = _parts(prompt)
    past = next((place for place, (title, _) in enumerate(parts) if title.startswith("history of interaction")), None)
    before = _before(parts[past + 1 :]) if past is not None else []
    answer = "\n".join(_texts(value, "assistant"))
    tree = _body(parts, "axtree")
    tab, root = _TAB.search(_body(parts, "currently open tabs") or ""), _ROOT.search(tree or "")
    goal = _body(parts, "goal")
    if not goal:
        raise UnreadableError("import.no_task", "The row's goal is empty.")
    return Row(
        goal=goal,
        before=before,
        action=_last(answer, "action") or "",
        thought=_last(answer, "think"),
        tree=add_text_tree(media, tree) if tree else None,
        title=(tab[1].strip() or None) if tab else root[1][1:-1] or None if root else None,
        url=tab[2].strip() or None if tab else None,
    )


def _parts(prompt: str) -> list[tuple[str, str]]:
    """The titles of a prompt's headings, in small letters, and what stands under each."""
    found = list(_HEADING.finditer(prompt))
    ends = [one.start() for one in found[1:]] + [len(prompt)]
    return [(_title(one), prompt[one.end() : end].strip()) for one, end in zip(found, ends, strict=True)]


def _title(heading: re.Match[str]) -> str:
    return heading[1].strip().removesuffix(":").lower()


def _body(parts: list[tuple[str, str]], title: str) -> str | None:
    return next((body for known, body in parts if known.startswith(title)), None) or None


def _before(told: list[tuple[str, str]]) -> list[str]:
    """The actions that a history tells: each under a heading of its own or, as other releases of BrowserGym's agent
    write it, in the tags of its step. A heading with nothing under it is where the answer goes, not an action."""
    headed = [_in_short(body) for title, body in told if title == "action" and body]
    tagged = (_last(body, "action") for title, body in told if title.startswith("step "))
    return headed or [action for action in tagged if action]


def _in_short(text: str) -> str:
    """An action as the history and the answer write it, without blanks around it."""
    return _last(text, "action") or text.strip()


def _last(text: str, tag: str) -> str | None:
    """What the last pair of a tag holds."""
    end = text.rfind(f"</{tag}>")
    start = text.rfind(f"<{tag}>", 0, end) if end >= 0 else -1
    return text[start + len(tag) + 2 : end].strip() or None if start >= 0 else None


def _runs(group: Group, context: ReadContext, conventions: Conventions) -> Iterator[Read | Rejected]:
    rows = []
    for one in group.rows:
        row = msgspec.json.decode(one.data, type=Row)
        rows.append(Told(place=one.order, before=row.before, own=row.action, row=(one.line, row)))
    for run in chains(rows):
        line, first = run[0].row
        identity = f"agenttrek:{line}"
        try:
            steps = [_step(told.row[1], told.place, identity, context.media, conventions) for told in run]
        except TROUBLE as error:
            yield refused(error, context.shown, identity, line)
            continue
        mark_gaps(steps)
        record = Trajectory(
            id=identity,
            source=Origin(
                name="agenttrek", file=context.shown, line=line, license=conventions.license(), url=FACTS.card,
                importer="agenttrek@1",
            ),
            instruction=first.goal, actor=Actor(kind="model"), platform="web", steps=steps,
        )  # fmt: skip
        yield Read(trajectory=record)


def _step(row: Row, place: int, record: str, media: MediaStore, conventions: Conventions) -> Step:
    def scrolled(pixels: float, axis: str) -> Action:
        return conventions.scroll(pixels, axis=axis, unit="pixel", record=record, step=place, words=row.thought)

    if not row.action:
        raise UnreadableError("read.code", f"Step {place}: the answer holds no <action>.")
    try:
        meant = read_browser_calls(row.action, scrolled)
    except CodeError as error:
        error.args = (f"Step {place}: {error}",)
        raise
    tree = read_text_tree(media, row.tree) if row.tree and meant.element_id else ""
    return Step(
        index=place,
        url=row.url,
        window=row.title,
        tree=row.tree,
        thought=row.thought,
        action=row.action if meant.unsupported else None,
        actions=meant.actions,
        code=code_of(meant.actions),
        element=element_of(tree, meant.element_id) if meant.element_id else None,
        flags=["unsupported_action"] if meant.unsupported else [],
    )


SOURCE = AgentTrek()
