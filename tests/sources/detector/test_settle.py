"""What neither a source nor the user states is decided from the file's own head, wherever in the file one reads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.model.actions import Click
from curate.model.rejected import Rejected
from curate.model.trajectory import Origin, Step, Trajectory
from curate.sources.base import Part, Read, ReadContext
from curate.sources.common.conventions import Conventions
from curate.sources.common.facts import Facts
from curate.sources.common.reading import UnreadableError, lines_of, rejected
from curate.sources.detector.settle import read_settled
from curate.sources.detector.survey import survey
from curate.sources.registry import sources
from curate.store.jsonl import BadLine
from curate.store.media import MediaStore

FACTS = Facts(
    title="Made up", card="", space=None, order="xy", scroll=None, timing="before", outcome="none", licences={"": None}
)


class MadeUp:
    """JSONL of `{"taps": [[x, y], ...], "scrolls": [[n, words], ...]}` on pictures of 1080 x 2400, whose numbers nobody
    documents."""

    name = "made_up"
    raw = False
    divisible = True
    facts: Facts | None = FACTS

    def recognise(self, path: Path) -> bool:
        return path.suffix == ".jsonl"

    def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
        conventions = Conventions(FACTS, context)
        for line in lines_of(path, context):
            assert not isinstance(line, BadLine)
            row = json.loads(line.data)
            try:
                yield Read(trajectory=self._record(row, f"made_up:{line.number}", line.number, conventions))
            except UnreadableError as error:
                yield rejected("made.jsonl", error.reason, str(error), f"made_up:{line.number}", line.number)

    def _record(self, row: dict[str, Any], identity: str, line: int, by: Conventions) -> Trajectory:
        steps = []
        for number, raw in enumerate(row.get("taps", [])):
            at = by.point(raw, record=identity, step=number, picture=(1080, 2400))
            steps.append(Step(index=number, actions=[Click(x=at.x, y=at.y)]))
        for number, (raw, words) in enumerate(row.get("scrolls", []), start=len(steps)):
            scroll = by.scroll(raw, axis="y", unit="notch", record=identity, step=number, words=words)
            steps.append(Step(index=number, actions=[scroll]))
        origin = Origin(name="made_up", file="made.jsonl", line=line)
        return Trajectory(id=identity, source=origin, instruction="Do it", steps=steps)


def written(tmp_path: Path, *rows: dict[str, Any]) -> Path:
    path = tmp_path / "made.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(path: Path, tmp_path: Path, part: Part | None = None, **said: Any) -> list[Read | Rejected]:
    context = ReadContext(
        media=MediaStore(tmp_path / "media"), options={"import": said}, shown="made.jsonl", part=part
    )  # fmt: skip
    return list(read_settled(MadeUp(), path, context))


def points(items: list[Read | Rejected]) -> list[tuple[float | None, float | None]]:
    return [
        (action.x, action.y)
        for item in items
        if isinstance(item, Read)
        for step in item.trajectory.steps
        for action in step.actions
        if isinstance(action, Click)
    ]


@pytest.mark.parametrize(
    ("taps", "first", "space"),
    [
        ([[0.25, 0.5], [0.1, 0.9], [0.7, 0.31]], (0.25, 0.5), "fraction"),
        ([[540, 1200], [1060, 2300], [33, 12], [500, 2000]], (0.5, 0.5), "picture_pixel"),
    ],
)
def test_the_frame_is_decided_and_the_record_says_so(
    tmp_path: Path, taps: list[list[float]], first: tuple[float, float], space: str
) -> None:
    items = read(written(tmp_path, {"taps": taps}, {"taps": taps}), tmp_path)
    assert points(items)[0] == first and len(points(items)) == 2 * len(taps)
    for item in items:
        assert isinstance(item, Read)
        (note,) = item.trajectory.lineage
        assert f"space {space}" in note and "decided from the data" in note


def test_what_the_data_does_not_decide_is_refused_with_the_setting_that_states_it(tmp_path: Path) -> None:
    path = written(tmp_path, {"taps": [[300, 400]]})
    (row,) = read(path, tmp_path)
    assert isinstance(row, Rejected) and row.reason == "import.undecided"
    assert "--set import.space=" in str(row.detail)
    assert points(read(path, tmp_path, space="permille")) == [(0.3, 0.4)]
    (stated,) = read(path, tmp_path, space="permille")
    assert isinstance(stated, Read) and stated.trajectory.lineage == []


def test_every_part_of_a_file_is_read_alike(tmp_path: Path) -> None:
    """A part whose own numbers say nothing is read by what the head of the file says."""
    telling = {"taps": [[1000, 2300], [1050, 1900], [20, 2100], [900, 1500]]}
    path = written(tmp_path, telling, {"taps": [[108, 240]]})
    start = len(path.read_bytes().splitlines(keepends=True)[0])
    alone = read(path, tmp_path, Part(start=start, stop=path.stat().st_size, line=2))
    assert points(alone) == [(0.1, 0.1)] == points(read(path, tmp_path))[-1:]


@pytest.mark.parametrize(("word", "sign"), [("down", 1), ("up", -1)])
def test_the_sign_of_scrolls_is_decided_by_the_steps_words(tmp_path: Path, word: str, sign: int) -> None:
    """Positive numbers whose steps say `down` are down; of each file by itself."""
    items = read(written(tmp_path, {"scrolls": [[3, f"Scroll {word} the page"]] * 6}), tmp_path)
    (item,) = items
    assert isinstance(item, Read)
    assert {msgspec.to_builtins(step.actions[0])["amount"] for step in item.trajectory.steps} == {-3.0 * sign}


def test_words_that_contradict_each_other_decide_nothing(tmp_path: Path) -> None:
    (row,) = read(written(tmp_path, {"scrolls": [[3, "Scroll down"], [3, "Scroll up"]] * 4}), tmp_path)
    assert isinstance(row, Rejected) and row.reason == "import.undecided" and "import.scroll" in str(row.detail)


def test_a_survey_meets_every_point_of_a_record_that_will_be_refused(tmp_path: Path) -> None:
    path = written(tmp_path, {"taps": [[0.1, 0.2], [5000, 0.4], [0.5, 0.6]]})
    sample = survey(MadeUp(), path, "made.jsonl", {"import": {"space": "fraction"}})
    (run,) = sample.runs
    assert [step.points[0].raw for step in run.steps] == [(0.1, 0.2), (5000, 0.4), (0.5, 0.6)]
    assert sample.declared.space == "fraction" and (run.file, run.line) == ("made.jsonl", 1)


def test_a_survey_is_bounded(tmp_path: Path) -> None:
    path = written(tmp_path, *[{"taps": [[0.1, 0.2]]}] * 50)
    assert survey(MadeUp(), path, "made.jsonl", {}, records=7).records == 7
    assert survey(MadeUp(), path, "made.jsonl", {}).records == 50


def test_a_source_that_may_ask_the_data_is_read_in_one_piece() -> None:
    """What a part of a file becomes may depend on that part alone, by whose content it is found again."""
    for one in sources().values():
        if one.divisible and one.facts is not None:
            stated = (one.facts.space, one.facts.order, one.facts.scroll, one.facts.timing)
            assert None not in stated, one.name


def test_a_name_that_leads_out_is_refused_whoever_forgot_to_look(tmp_path: Path) -> None:
    """A source that hands on the names of its pictures instead of bringing them in."""

    class Careless:
        name, raw, divisible = "careless", False, False
        facts = Facts(title="Careless", card="", space="fraction", outcome="", licences={"": None})

        def recognise(self, path: Path) -> bool:
            return True

        def read(self, path: Path, context: ReadContext) -> Iterator[Read | Rejected]:
            for number, image in enumerate(("a.png", "../x.png", "/etc/x.png", "C:\\x.png"), 1):
                steps = [Step(index=0, image=image, actions=[])]
                origin = Origin(name=self.name, line=number)
                yield Read(trajectory=Trajectory(id=f"c:{number}", source=origin, instruction="x", steps=steps))

    context = ReadContext(media=MediaStore(tmp_path), shown="c")
    first, *rest = read_settled(Careless(), tmp_path, context)
    assert isinstance(first, Read)
    assert [(one.id, one.line, one.reason) for one in rest if isinstance(one, Rejected)] == [
        (f"c:{number}", number, "read.path_refused") for number in (2, 3, 4)
    ]
