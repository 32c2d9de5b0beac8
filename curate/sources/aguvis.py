"""Aguvis: rows of `{"image", "conversations"}` in JSON lists of up to two gigabytes.

Stage 2 rows are steps: the human text holds the instruction and the actions before, one answer (`recipient` all) the
thought and the words of the action, another (`recipient` os) its code. A run is the rows of one episode (by the
picture's name) and instruction that go on with each other. Stage 1 rows are single commands, several on one picture:
each is a run of one step. Code is in fractions of the picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.model.rejected import Rejected
from curate.model.render import code_of
from curate.model.trajectory import Actor, Origin, Platform, Step, Trajectory
from curate.sources.base import Read, ReadContext
from curate.sources.common.chains import Told, chains
from curate.sources.common.coded import Around, Coded, Framed
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.grouping import Group, Keyed, grouped
from curate.sources.common.moments import set_moments
from curate.sources.common.picture_names import beside, local_name
from curate.sources.common.pictures import Carrier
from curate.sources.common.previous import listed, plain
from curate.sources.common.reading import UnreadableError, rejected
from curate.sources.common.row_files import first_row, is_row_file, rows_of
from curate.sources.common.step_rows import drained, mark_gaps, scratch
from curate.sources.common.trouble import TROUBLE, refused
from curate.sources.detector.scroll import direction_in
from curate.store.jsonl import BadLine

_STEP = re.compile(r"Instruction:\s*(.*?)\s*Previous actions:\s*(.*)", re.DOTALL)
_SECTION = re.compile(r"^(Observation|Thought|Action):\s*", re.MULTILINE)
_CODE = re.compile(r"\s*(?:(?:pyautogui|mobile|browser|computer)\.\w+\(|answer\()")
_WAYLESS = re.compile(r"(?:pyautogui\.)?scroll\(\s*\)")
_EPISODE = re.compile(r"(.*?)[_-]?\d+")
_PLATFORMS: dict[str, Platform] = {
    "aitw": "android", "aitz": "android", "amex": "android", "android_control": "android", "coat": "android",
    "gui-odyssey": "android", "guiodyssey": "android", "ricosca": "android", "ricoig16k": "android",
    "ui_refexp": "android", "widget_captioning": "android", "mind2web": "web", "miniwob": "web", "guiact-web": "web",
    "guienv": "web", "seeclick": "web", "webui350k": "web",
}  # fmt: skip

FACTS = Facts(
    title="Aguvis (stage 1 and 2)",
    card="https://huggingface.co/datasets/xlangai/aguvis-stage2",
    space="fraction",
    order="xy",
    scroll="plus_up",
    timing="before",
    outcome="None beyond what a final `terminate(status=...)` claims; some parts have none.",
    licences={"": None, "mind2web": "CC-BY-4.0", "gui-odyssey": "CC-BY-4.0", "android_control": "Apache-2.0",
              "omniact": "MIT"},
    faults=(
        "`scroll(page=...)` of the GUIAct part has GUIAct's own sign, which is in doubt: the step's words decide "
        "(`scroll_from_words`), else the data, else the run is refused. Elsewhere + is up.",
        "`scroll()` of the part `guide` names no way: the words do, and scroll one page; without words the run is "
        "refused.",
        "`doubleClick()` without a point is where the pointer was left (`point_inferred`), or has none "
        "(`point_unknown`).",
        "Some runs begin with actions done before them: `step_gap`.",
        "Many rows share one picture: several commands of stage 1, all episodes of a MiniWoB page. They are no copies.",
        "Levels l1, l2, l3 of a part are the same steps with more words: import one of them.",
        "Points of the AitW part are x, y already.",
    ),
)  # fmt: skip


class Turn(msgspec.Struct):
    """One message."""

    value: str
    sender: str = msgspec.field(name="from", default="")
    recipient: str | None = None


class Row(msgspec.Struct):
    """One row."""

    conversations: list[Turn]
    image: str | list[str] | None = None
    trajectory: str | None = None  # of rows that this project wrote


class Said(msgspec.Struct, frozen=True):
    """What a row of stage 2 says. `before`: the actions done before."""

    instruction: str
    before: list[str]
    observation: str | None
    thought: str | None
    action: str | None
    code: str
    image: str | None
    line: int


class Aguvis:
    """The source `aguvis`."""

    name = "aguvis"
    raw = False
    divisible = False
    facts = FACTS

    def recognise(self, path: Path) -> bool:
        """A file of rows of which the first is one of the two kinds."""
        turns = first_row(path).get("conversations") if is_row_file(path) else None
        return isinstance(turns, list) and any(_is_answer(turn) for turn in turns)

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        """Single commands as they come; of steps, the runs that they make up."""
        file = _File(path, context)
        if not file.steps:
            yield from file.commands()
            return
        for group in grouped(file.keyed(), scratch(context)):
            yield from file.drained()
            yield from file.runs_of(group)
        yield from file.drained()


def _is_answer(turn: Any) -> bool:
    if not isinstance(turn, dict) or turn.get("from") != "gpt":
        return False
    return "recipient" in turn or (isinstance(turn.get("value"), str) and _CODE.match(turn["value"]) is not None)


class _File:
    """One file."""

    def __init__(self, path: Path, context: ReadContext) -> None:
        self._path, self._context = path, context
        self._part = _part(path)
        self._within = _folders(path)
        facts = FACTS if "guiact" not in path.stem.lower() else msgspec.structs.replace(FACTS, scroll=None)
        self._in_doubt = facts.scroll is None
        self._conventions = Conventions(facts, context)
        self._pictures = Carrier(path.parent, context)
        self._trouble: list[Rejected] = []
        self._platform = self._conventions.options.platform or _PLATFORMS.get(self._part)
        turns = first_row(path).get("conversations")
        texts = [turn.get("value") for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
        self.steps = any(_is_step_text(text) for text in texts)

    def drained(self) -> Iterator[Rejected]:
        """What has gone wrong so far."""
        yield from drained(self._trouble)

    def _rows(self) -> Iterator[tuple[Row, int]]:
        for item in rows_of(self._path, self._context):
            if isinstance(item, BadLine):
                self._trouble.append(rejected(self._context.shown, item.reason, item.detail, None, item.number))
                continue
            try:
                yield msgspec.convert(item.value, Row), item.number
            except TROUBLE as error:
                self._trouble.append(refused(error, self._context.shown, None, item.number))

    def keyed(self) -> Iterator[Keyed]:
        """Each step under its episode and instruction."""
        for row, line in self._rows():
            try:
                said = _step_said(row, line)
            except TROUBLE as error:
                self._trouble.append(refused(error, self._context.shown, None, line))
                continue
            key = f"{row.trajectory or _episode(said.image)}\n{said.instruction}"
            yield Keyed(key, len(said.before), self._context.shown, line, msgspec.json.encode(said))

    def commands(self) -> Iterator[Read | Rejected]:
        """Each pair of question and answer as a run of one step."""
        for row, line in self._rows():
            yield from self.drained()
            try:
                found = list(_commands(row))
            except TROUBLE as error:
                yield refused(error, self._context.shown, None, line)
                continue
            for number, (command, code, image) in enumerate(found):
                said = Said(command, [], None, None, None, code, image, line)
                yield self._read([said], f"aguvis:{self._path.stem}/{line}" + (f".{number}" if len(found) > 1 else ""))
        yield from self.drained()

    def runs_of(self, group: Group) -> Iterator[Read | Rejected]:
        """The runs that the rows of one key make up."""
        rows = [msgspec.json.decode(row.data, type=Said) for row in group.rows]
        own = {plain(row.action or "") for row in rows}
        tell = any(text in own for row in rows for text in map(plain, row.before))
        tellings = [
            Told(len(row.before), [plain(text) for text in row.before] if tell else None, plain(row.action or ""), row)
            for row in rows
        ]
        name = group.key.split("\n", 1)[0] or f"row {group.rows[0].line}"
        for number, run in enumerate(chains(tellings)):
            first = run[0].row.line
            identity = f"aguvis:{self._path.stem}/{name}" + (f"#{first}" if number else "")
            yield self._read([told.row for told in run], identity)

    def _read(self, rows: Sequence[Said], identity: str) -> Read | Rejected:
        try:
            return Read(trajectory=self._pictures.carry(self._record(rows, identity)))
        except TROUBLE as error:
            return refused(error, self._context.shown, identity, rows[0].line)

    def _record(self, rows: Sequence[Said], identity: str) -> Trajectory:
        coded = Coded(self._conventions, identity, self._platform)
        steps = [self._step(row, coded) for row in rows]
        mark_gaps(steps)
        final = set_moments(steps, self._conventions)
        return Trajectory(
            id=identity,
            source=Origin(
                name="aguvis", id=identity.removeprefix("aguvis:"), file=self._context.shown, line=rows[0].line,
                license=self._conventions.license(self._part), url=FACTS.card, importer="aguvis@1",
            ),
            instruction=rows[0].instruction,
            actor=Actor(),
            platform=self._platform,
            steps=steps,
            final_image=final,
        )  # fmt: skip

    def _step(self, row: Said, coded: Coded) -> Step:
        number = len(row.before)
        way = direction_in(row.action)
        if _WAYLESS.fullmatch(row.code.strip()):
            acted = self._wayless(row, number, way, coded)
        else:
            acted = coded.step(row.code, number, Around(words=row.action, way=way if self._in_doubt else None))
        return Step(
            index=number,
            image=beside(self._path.parent, row.image, within=self._within),
            observation=row.observation,
            thought=row.thought,
            action=row.action,
            actions=acted.actions,
            code=code_of(acted.actions),
            flags=acted.flags,
        )

    def _wayless(self, row: Said, number: int, way: str | None, coded: Coded) -> Framed:
        """`scroll()`, whose way only the words tell."""
        if way is None:
            raise UnreadableError("import.undecided", f"Step {number}: neither scroll() nor its words name a way.")
        action = self._conventions.scroll(
            way, axis="y", unit="page", record=coded.record, step=number, words=row.action, meaning="view"
        )
        return Framed([action], ["scroll_from_words"])


def _part(path: Path) -> str:
    """The part of the dataset that a file is, by its name; empty for one that is not known."""
    name = path.stem.lower().replace("_", "-")
    return next((part for part in (*_PLATFORMS, "omniact", "guide") if part.replace("_", "-") in name), "")


_LEVEL = re.compile(r"[-_]l[123]$", re.IGNORECASE)


def _folders(path: Path) -> tuple[str, ...]:
    """Where a part's pictures lie when its archive is unpacked: the levels of a part share one folder (`mind2web` for
    `mind2web-l1.json`), which stands beside the rows or among other parts' in `images`."""
    names = dict.fromkeys((path.stem, _LEVEL.sub("", path.stem)))
    return ("images", *names, *(f"images/{name}" for name in names))


def _is_step_text(text: Any) -> bool:
    return isinstance(text, str) and _STEP.search(text) is not None


def _step_said(row: Row, line: int) -> Said:
    humans = (_STEP.search(turn.value) for turn in row.conversations if turn.sender == "human")
    human = next((found for found in humans if found is not None), None)
    if human is None:
        raise UnreadableError("import.no_task", "No message names an instruction with its previous actions.")
    answers = [turn for turn in row.conversations if turn.sender == "gpt"]
    code = next((turn.value for turn in answers if turn.recipient == "os"), answers[-1].value if answers else "")
    told = next((turn.value for turn in answers if turn.recipient == "all"), "")
    parts = _sections(told)
    images = row.image if isinstance(row.image, list) else [row.image]
    return Said(
        human[1], listed(human[2]), parts.get("Observation"), parts.get("Thought"), parts.get("Action"), code,
        images[-1] if images else None, line,
    )  # fmt: skip


def _sections(text: str) -> dict[str, str]:
    found = list(_SECTION.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)][: len(found)]
    parts = {one[1]: text[one.end() : end].strip() for one, end in zip(found, ends, strict=True)}
    return {name: part for name, part in parts.items() if part}


def _commands(row: Row) -> Iterator[tuple[str, str, str | None]]:
    """Command, code and picture of each pair of a row of stage 1."""
    turns = [turn for turn in row.conversations if turn.sender in ("human", "gpt")]
    pairs = list(zip(turns[::2], turns[1::2], strict=False))
    if not pairs or any(one.sender != "human" or other.sender != "gpt" for one, other in pairs) or len(turns) % 2:
        raise UnreadableError("validate.schema", "Questions and answers do not take turns.")
    images = row.image if isinstance(row.image, list) else [row.image] if row.image else []
    for number, (human, answer) in enumerate(pairs):
        image = images[min(number, len(images) - 1)] if images else None
        yield human.value.replace("<image>", "", 1).strip(), answer.value, image


def _episode(image: str | None) -> str:
    """A picture's name without its number: `<episode>_<step>.jpg`."""
    name = local_name(image or "").rpartition(".")[0]
    found = _EPISODE.fullmatch(name)
    return found[1] if found and found[1] else name


SOURCE = Aguvis()
