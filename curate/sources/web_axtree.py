"""Runs of WebArena-style agents on accessibility trees, as NNetNav publishes them: a row a step, `{"id", "task_name",
"dataset", "messages": [system, user, assistant], "output"}`. The user's text holds the tree, the URL, the objective and
what was done before; the assistant's text thinks and ends in the action between ``` marks. There are no pictures: the
tree stays in its own text, since the actions name its numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.model.actions import Action
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Step, Trajectory
from curate.sources.actions.element_calls import read_element_call, thought_before
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
from curate.store.trees import add_text_tree

FACTS = Facts(
    title="NNetNav and other WebArena-style runs on accessibility trees",
    card="https://huggingface.co/datasets/stanfordnlp/nnetnav-wa",
    space="none",
    scroll="view",
    pictures=False,
    timing=None,
    outcome="Not told. A run may end in `stop`: its model thought that it was done, or with `stop [N/A]` that it could "
    "not be done.",
    licences={"": "Apache-2.0"},
    faults=(
        "Rows are steps, spread over the file: they are put together by `id`, and by what each says was done before it "
        "where one id has several runs.",
        "`output` repeats the answer with the marks of its model's prompt: it is passed over.",
        "`type` presses Enter unless it ends in `[0]`.",
        "Tabs and going forward have no action in a record: the step keeps its words, flagged `unsupported_action`.",
    ),
)


class Message(msgspec.Struct):
    """One message of a row."""

    role: str
    content: str


class Row(msgspec.Struct):
    """One step."""

    messages: list[Message]
    id: str | None = None
    task_name: str | None = None
    dataset: str | None = None


class Seen(msgspec.Struct, frozen=True):
    """What the user's text of a row holds. `before`: the calls that were made, None where it tells only the last."""

    tree: str
    url: str | None
    objective: str
    before: list[str] | None


class WebAxtree:
    """The source `web_axtree`."""

    name = "web_axtree"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first row has such messages."""
        return is_row_file(path) and any(_is_observation(text) for text in _texts(first_row(path)))

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Every run, or why a row is none."""
        conventions = Conventions(FACTS, context)
        trouble: list[Rejected] = []
        for group in grouped(_keyed(path, context, trouble), scratch(context)):
            yield from drained(trouble)
            yield from _runs(group, context, conventions)
        yield from drained(trouble)


def _texts(row: dict[str, Any]) -> list[str]:
    messages = row.get("messages")
    found = [one.get("content") for one in messages if isinstance(one, dict)] if isinstance(messages, list) else []
    return [text for text in found if isinstance(text, str)]


def _is_observation(text: str) -> bool:
    return text.startswith("OBSERVATION:") and "\nOBJECTIVE:" in text and "\nPREVIOUS ACTION" in text


def _keyed(path: Path, context: ReadContext, trouble: list[Rejected]) -> Iterator[Keyed]:
    for item in rows_of(path, context):
        if isinstance(item, BadLine):
            trouble.append(rejected(context.shown, item.reason, item.detail, None, item.number))
            continue
        try:
            row = msgspec.convert(item.value, Row)
            place = len(_seen(row).before or [])
        except TROUBLE as error:
            trouble.append(refused(error, context.shown, None, item.number))
            continue
        key = row.id or row.task_name or f"row {item.number}"
        yield Keyed(key, place, context.shown, item.number, msgspec.json.encode(row))


def _runs(group: Group, context: ReadContext, conventions: Conventions) -> Iterator[Read | Rejected]:
    rows = []
    for one in group.rows:
        row = msgspec.json.decode(one.data, type=Row)
        before = _seen(row).before
        told = None if before is None else [_in_short(call) for call in before]
        rows.append(Told(place=one.order, before=told, own=_in_short(_call(row)[0]), row=(one, row)))
    for number, run in enumerate(chains(rows)):
        first = run[0].row[0]
        identity = f"web_axtree:{group.key}" + (f"#{first.line}" if number else "")
        try:
            steps = [_step(row, one.order, context, conventions, identity) for one, row in (told.row for told in run)]
        except TROUBLE as error:
            yield refused(error, context.shown, identity, first.line)
            continue
        mark_gaps(steps)
        row = run[0].row[1]
        record = Trajectory(
            id=identity,
            source=Origin(
                name="web_axtree", id=row.id, file=context.shown, line=first.line, license=conventions.license(),
                url=FACTS.card, importer="web_axtree@1",
            ),
            instruction=_seen(row).objective,
            actor=Actor(kind="model"),
            platform="web",
            steps=steps,
        )  # fmt: skip
        yield Read(trajectory=record)


def _seen(row: Row) -> Seen:
    text = next((message.content for message in row.messages if _is_observation(message.content)), None)
    if text is None:
        raise UnreadableError("import.not_gui", "No message of the row holds an observation and an objective.")
    # From its end: a page may hold lines that look like the prompt's own.
    shown, _, after = text.removeprefix("OBSERVATION:").rpartition("\nOBJECTIVE:")
    tree, _, url = shown.rpartition("\nURL:")
    objective, _, done = after.rpartition("\nPREVIOUS ACTION")
    before = _listed(done.removeprefix("S:")) if done.startswith("S:") else [] if done.strip(": \n") == "None" else None
    return Seen((tree if url else shown).strip("\n"), url.strip() or None, objective.strip(), before)


_ENTRY = re.compile(r"^(\d+): ?", re.MULTILINE)


def _listed(text: str) -> list[str]:
    """The calls of a numbered list; an entry may have lines that look numbered, so numbers must go on."""
    starts: list[re.Match[str]] = []
    for found in _ENTRY.finditer(text):
        if int(found[1]) == len(starts) + 1:
            starts.append(found)
    ends = [*(found.start() for found in starts[1:]), len(text)][: len(starts)]
    entries = [text[found.end() : end].strip() for found, end in zip(starts, ends, strict=True)]
    return entries[1:] if entries and entries[0] == "None" else entries


def _in_short(call: str) -> str:
    """A call as both the list of past actions (which adds where the element is) and the answer write it: its name and
    its first argument."""
    return " ".join(re.findall(r"[a-z_]+|\[[^\[\]]*\]", call.strip())[:2])


_FENCED = re.compile(r"```(.*?)```", re.DOTALL)


def _call(row: Row) -> tuple[str, str | None]:
    """The action that a row's answer ends in, and the thought before it."""
    answer = next((message.content for message in reversed(row.messages) if message.role == "assistant"), "")
    fenced = list(_FENCED.finditer(answer))
    if not fenced:
        return "", answer.strip() or None
    return fenced[-1][1].strip(), thought_before(answer[: fenced[-1].start()])


def _step(row: Row, place: int, context: ReadContext, conventions: Conventions, record: str) -> Step:
    seen = _seen(row)
    call, thought = _call(row)

    def scrolled(way: str) -> Action:
        return conventions.scroll(way, axis="y", unit="page", record=record, step=place, words=thought)

    try:
        if not call:
            raise UnreadableError("read.code", "The answer holds no action between ``` marks.")
        meant = read_element_call(call, scrolled=scrolled)
    except UnreadableError as error:
        error.args = (f"Step {place}: {error}",)
        raise
    return Step(
        index=place,
        url=seen.url,
        window=_current_tab(seen.tree),
        tree=add_text_tree(context.media, seen.tree) if seen.tree else None,
        thought=thought,
        action=meant.unsupported,
        actions=meant.actions,
        code=code_of(meant.actions),
        element=element_of(seen.tree, meant.element_id) if meant.element_id else None,
        flags=["unsupported_action"] if meant.unsupported else [],
    )


def _current_tab(tree: str) -> str | None:
    """The title of the tab that is in front, which stands before the tree."""
    found = re.search(r"^Tab \d+ \(current\): (.*)$", tree, re.MULTILINE)
    return found[1].strip() or None if found else None


SOURCE = WebAxtree()
