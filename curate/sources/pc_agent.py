"""PC Tracker's recordings, as PC-Agent publishes them: `<run>.jsonl` with a row an action, `<run>.md` with the task
(`**Description:**`), pictures in `screenshot/`. Points are pixels of the picture, which was taken before the action;
the `_marked` pictures have the action drawn on them and are not read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from curate.model.actions import Action
from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Span, Step, Trajectory
from curate.sources.actions.pc_tracker import read_action
from curate.sources.base import Read, ReadContext
from curate.sources.common.alternatives import told
from curate.sources.common.coded import Around, Coded
from curate.sources.common.conventions import Box, Conventions, Size
from curate.sources.common.facts import Facts
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside
from curate.sources.common.pictures import Carrier
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_json_rows, row_lines
from curate.sources.common.targets import target
from curate.sources.common.trouble import TROUBLE, refused
from curate.store.jsonl import BadLine
from curate.store.paths import own_file

_DESCRIPTION = re.compile(r"\*\*Description:\*\*\s*(.+?)\s*(?:\n\s*\n|\n\*\*|\Z)", re.DOTALL)
_TASK_BYTES = 1 << 20  # of a run's .md that are looked at: the description stands at its top
_UNKNOWN = frozenset({"", "unknown", "none"})

FACTS = Facts(
    title="PC-Agent (PC Tracker)",
    card="https://github.com/GAIR-NLP/PC-Agent",
    space="picture_pixel",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="None: `finish` and `fail` are what the person said at the end.",
    licences={"": "MIT"},
    faults=(
        "`rect` may leave the screen (a window's overhang): the element is then null, its box in `raw_box`.",
        "`element` is `Unknown` where the tracker could not tell.",
        "The unit of `scroll` is called a pixel offset.",
        "`boost_responses` of PC-Agent-E, other actions for the same picture that a model thought up, stand in "
        "`lineage` (the action, without its thought), and their step is flagged `alternatives`. Whether they would do "
        "is not known.",
    ),
)


class Rect(msgspec.Struct):
    left: float
    top: float
    right: float
    bottom: float


class Row(msgspec.Struct):
    """One action."""

    action: str
    screenshot: str | None = None
    timestamp: str | None = None
    element: str | None = None
    rect: Rect | None = None
    thought: str | None = None
    action_description: str | None = None
    boost_responses: list[str | None] | None = None


class PCAgent:
    """The source `pc_agent`."""

    name = "pc_agent"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """JSON or JSONL whose first row is such an action."""
        row = first_row(path) if is_json_rows(path) else {}
        return row.keys() >= {"timestamp", "action", "screenshot"} and ("rect" in row or "marked_screenshot" in row)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """The run of the file."""
        identity = f"pc_agent:{path.stem}"
        rows: list[Row] = []
        decoder = msgspec.json.Decoder(Row)
        for line in row_lines(path, context):
            if isinstance(line, BadLine):
                yield rejected(context.shown, line.reason, line.detail, identity, line.number)
                return
            try:
                rows.append(decoder.decode(line.data))
            except TROUBLE as error:
                yield refused(error, context.shown, identity, line.number)
                return
        try:
            pictures, conventions = Carrier(path.parent, context), Conventions(FACTS, context)
            yield Read(trajectory=pictures.carry(_record(rows, path, context.shown, conventions, pictures)))
        except TROUBLE as error:
            yield refused(error, context.shown, identity)


def _record(rows: Sequence[Row], path: Path, shown: str, conventions: Conventions, pictures: Carrier) -> Trajectory:
    coded = Coded(conventions, path.stem, conventions.options.platform or "windows")
    names = [beside(path.parent, row.screenshot, within=("screenshot",)) for row in rows]
    sizes = [pictures.size(name) for name in names]
    known = next((size for size in sizes if size is not None), None)  # one machine, one screen
    times = _times(rows)
    steps = [
        _step(row, index, names[index], sizes[index], sizes[index] or known, times[index], coded)
        for index, row in enumerate(rows)
    ]
    final = set_moments(steps, conventions)
    others = [
        line
        for row, step, size in zip(rows, steps, sizes, strict=True)
        for line in _others(row, step, size or known, coded)
    ]
    return Trajectory(
        id=f"pc_agent:{path.stem}",
        source=Origin(
            name="pc_agent", id=path.stem, file=shown, license=conventions.license(), url=FACTS.card,
            importer="pc_agent@1",
        ),
        instruction=_task(path),
        actor=Actor(kind="human"),
        platform=coded.platform,  # the tracker runs on Windows alone
        steps=steps,
        final_image=final,
        lineage=others,
    )  # fmt: skip


_SAID = re.compile(r"(?:\A|\n)[^\w\n]*Action[^\w\n]*:[^\w\n]*(.+?)[^\w)]*\Z", re.DOTALL | re.IGNORECASE)


def _others(row: Row, step: Step, size: Size | None, coded: Coded) -> list[str]:
    """Lines about the actions that a model thought up for a step's picture."""
    texts = [text.strip() for text in row.boost_responses or [] if text]
    said = [found[1] if (found := _SAID.search(text)) else text.rsplit("\n", 1)[-1] for text in texts]
    around = Around(picture=size, screen=size)

    def read(text: str) -> Sequence[Action]:
        return coded.read_aside(read_action(text, coded.platform), step.index, around)

    return told("pc_agent", step, said, read, "a model would")


def _step(
    row: Row, index: int, image: str | None, own: Size | None, size: Size | None, time: Span | None, coded: Coded
) -> Step:
    box: Box | None = None if row.rect is None else (row.rect.left, row.rect.top, row.rect.right, row.rect.bottom)
    around = Around(picture=size, screen=size, box=box, box_space="picture_pixel" if box else None)
    try:
        actions = read_action(row.action, coded.platform)
    except UnreadableError as error:
        raise UnreadableError(error.reason, f"Step {index}: {error}") from error
    acted = coded.acted(actions, index, around)
    name = None if (row.element or "").strip().lower() in _UNKNOWN else row.element
    believed = target(box, size, acted.actions, name=name)
    return Step(
        index=index,
        image=image,
        image_size=own,
        thought=row.thought or None,
        action=row.action_description or None,
        actions=acted.actions,
        code=code_of(acted.actions),
        element=believed.element,
        raw_box=believed.raw_box,
        time=time,
        flags=acted.flags,
    )


def _task(path: Path) -> str:
    """The description in the run's `.md`. Raises UnreadableError."""
    file, text = own_file(path.parent, f"{path.stem}.md"), ""
    try:
        if file is not None:
            with file.open("rb") as content:
                text = content.read(_TASK_BYTES).decode("utf-8", "ignore")  # cut within a character
    except OSError as error:
        raise UnreadableError("read.error", f"{path.stem}.md cannot be read: {error.strerror or error}.") from error
    found = _DESCRIPTION.search(text)
    if found is None:
        raise UnreadableError("import.no_task", f"There is no {path.stem}.md with a `**Description:**` beside it.")
    return found[1]


def _times(rows: Sequence[Row]) -> list[Span | None]:
    """The moment of each action, from that of the first."""
    moments = [_moment(row.timestamp) for row in rows]
    first = moments[0] if moments else None
    if first is None:
        return [None] * len(rows)
    seconds = [None if moment is None else (moment - first).total_seconds() for moment in moments]
    return [None if second is None else Span(start=second, end=second) for second in seconds]


def _moment(text: str | None) -> datetime.datetime | None:
    try:
        return datetime.datetime.strptime(text or "", "%Y-%m-%d_%H:%M:%S")
    except ValueError:
        return None


SOURCE = PCAgent()
