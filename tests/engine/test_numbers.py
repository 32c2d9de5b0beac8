"""The numbers of a run, against a second count in plain Python and against figures from elsewhere."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.engine.report.numbers import report_numbers
from curate.engine.report.rows import share
from curate.engine.report.types import Numbers
from curate.model.actions import Action, Click, DragTo, MoveTo, Press, Scroll, Write, action_type, main_action
from curate.model.flags import FLAGS
from curate.model.rejected import Rejected, StepLeftOut
from curate.model.trajectory import Element, Keyframe, Origin, Screen, Step, Trajectory, Weight
from curate.reduce.types import Stretch
from curate.store.atomic import write_jsonl
from curate.store.dataset import DatasetWriter
from curate.store.run_folder import RunFolder
from tests.factories import make_step, make_trajectory


def numbers(
    root: Path,
    records: list[Trajectory],
    rejected: list[Rejected] | None = None,
    left_out: list[StepLeftOut] | None = None,
    part_rows: int = 256,
    stretches: list[Stretch] | None = None,
) -> Numbers:
    with DatasetWriter(root, part_rows=part_rows) as writer:
        for record in records:
            writer.add(record, stretches or ())
    run = RunFolder(root)
    write_jsonl(run.rejected, rejected or [])
    write_jsonl(run.steps_left_out, left_out or [])
    return msgspec.convert(report_numbers(root, {"examples": {}}), Numbers)


def out(run: str | None, reason: str = "outcome.not_completed") -> Rejected:
    return Rejected(id=run, file=None, line=None, stage=reason.split(".")[0], reason=reason)


def clicks(*points: tuple[float, float], **changes: Any) -> list[Step]:
    return [
        make_step(k, Click(x=x, y=y), screen=Screen(width=1000, height=1000), **changes)
        for k, (x, y) in enumerate(points)
    ]


_fraction = st.integers(0, 10000).map(lambda n: n / 10000)
_point = st.builds(Click, x=_fraction, y=_fraction)
_acts: st.SearchStrategy[list[Action]] = st.one_of(
    _point.map(lambda a: [a]),
    st.builds(lambda a, b: [MoveTo(x=a.x, y=a.y), DragTo(x=b.x, y=b.y)], _point, _point),
    st.builds(lambda a, n: [MoveTo(x=a.x, y=a.y), Scroll(amount=n)], _point, st.integers(1, 3)),
    st.sampled_from([[Write(text="a")], [Press(key="enter")], []]),
)
_known = st.sampled_from([None, True, False])


@st.composite
def _record(draw: st.DrawFn, number: int) -> Trajectory:
    steps = []
    for k, acts in enumerate(draw(st.lists(_acts, max_size=6))):
        frame = draw(st.booleans())
        keyframe = Keyframe(time=0.0, rule="latest_away", pointer_on_target=draw(_known)) if frame else None
        flags = draw(st.lists(st.sampled_from(sorted(FLAGS)[:4]), max_size=2, unique=True))
        steps.append(make_step(k, acts, keyframe=keyframe, flags=flags, correct=draw(_known)))
    source = Origin(name=draw(st.sampled_from(["a", "b"])))
    return make_trajectory(f"r:{number}", steps=steps, source=source, weight=Weight(value=draw(st.integers(0, 4))))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_counts_are_those_of_a_plain_count(data: st.DataObject) -> None:
    records = [data.draw(_record(k)) for k in range(data.draw(st.integers(1, 5)))]
    gone = {r.id for r in records if data.draw(st.booleans())}
    left = {(r.id, s.index) for r in records for s in r.steps if data.draw(st.integers(0, 3)) == 0}
    rows = [StepLeftOut(id=i, step=s, file=None, line=None, stage="unroll", reason="unroll.no_action") for i, s in left]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        found = numbers(root / "one", records, [out(i) for i in sorted(gone)], rows)
        assert numbers(root / "many", records, [out(i) for i in sorted(gone)], rows, part_rows=1) == found

    steps: Counter[tuple[str, str]] = Counter()
    targets: Counter[tuple[str, str]] = Counter()
    flags: Counter[str] = Counter()
    pointer: Counter[tuple[str, str, bool | None]] = Counter()
    for record in records:
        for step in record.steps:
            flags.update(step.flags)
            main = main_action(step.actions)
            if main is None:
                continue
            key = (record.source.name, action_type(main))
            steps[key] += 1
            targets[key] += record.id not in gone and (record.id, step.index) not in left
            if any(getattr(a, "x", None) is not None for a in step.actions):
                pointer[*key, step.keyframe.pointer_on_target if step.keyframe else None] += 1
    assert {(r.source, r.action): (r.steps, r.targets) for r in found.actions} == {
        key: (count, targets[key]) for key, count in steps.items()
    }
    assert {r.flag: r.steps for r in found.flags} == dict(flags)
    for row in found.pointer.read:
        yes, no, unknown = (pointer[row.source, row.action, value] for value in (True, False, None))
        assert (row.on_target.yes, row.on_target.known, row.on_target.unknown) == (yes, yes + no, unknown)
        assert row.steps == yes + no + unknown
    assert sum(r.steps for r in found.pointer.read) == sum(pointer.values())
    assert Counter({r.steps: r.runs for r in found.steps}) == Counter(len(r.steps) for r in records)
    judged = [s.correct for r in records for s in r.steps if s.correct is not None]
    assert (found.weakest_link.steps.yes, found.weakest_link.steps.known) == (sum(judged), len(judged))
    weights = [r.weight.value for r in records if r.id not in gone]
    assert found.weights.runs == len(weights)
    if any(weights):
        assert found.weights.effective == pytest.approx(sum(weights) ** 2 / sum(w * w for w in weights), abs=0.01)
    assert sum(map(sum, (line for c in found.clicks for line in c.grid))) == sum(c.points for c in found.clicks)
    assert [sum(c.x) for c in found.clicks] == [c.points for c in found.clicks]


@pytest.mark.parametrize(
    ("yes", "known", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_interval_is_wilsons(yes: int, known: int, low: float, high: float) -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    found = share(yes, known, known)
    assert (found.low, found.high) == (low, high)


def test_nothing_known_is_no_share() -> None:
    found = share(0, 0, 7)
    assert (found.share, found.low, found.unknown) == (None, None, 7)


def test_floor_is_clicking_where_the_action_before_ended(tmp_path: Path) -> None:
    # Within 24 px of the point before; then 30 px off; an element box that holds it; a first step knows no floor.
    steps = clicks((0.5, 0.5), (0.52, 0.52), (0.55, 0.52))
    steps.append(make_step(3, Write(text="typing does not move the pointer")))
    big = Element(role="list", name="big", box=(0.3, 0.3, 0.9, 0.9))
    steps.append(make_step(4, Click(x=0.8, y=0.8), element=big, screen=Screen(width=1000, height=1000)))
    row = numbers(tmp_path, [make_trajectory("a:1", steps=steps)]).pointer.read[0]
    assert (row.floor.yes, row.floor.known, row.floor.unknown) == (2, 3, 1)
    assert row.on_target.known == 0 and row.on_target.share is None


def test_floor_starts_where_a_drag_ended_and_never_in_another_run(tmp_path: Path) -> None:
    drag = [MoveTo(x=0.1, y=0.1), DragTo(x=0.7, y=0.7)]
    first = make_trajectory("a:1", steps=[make_step(0, drag), make_step(1, Click(x=0.7, y=0.7))])
    second = make_trajectory("a:2", steps=[make_step(0, Click(x=0.7, y=0.7))])
    rows = {row.action: row for row in numbers(tmp_path, [first, second]).pointer.read}
    assert (rows["click"].floor.yes, rows["click"].floor.unknown) == (1, 1)
    assert rows["dragTo"].floor.unknown == 1


def test_pointer_off_the_picture_hits_nothing(tmp_path: Path) -> None:
    steps = [
        *clicks((0.5, 0.5)),
        make_step(1, Click(raw_point=(500.0, 1010.0)), screen=Screen(width=1000, height=1000)),
        make_step(2, Click(x=0.5, y=0.5), screen=Screen(width=1000, height=1000)),
    ]
    found = numbers(tmp_path, [make_trajectory("a:1", steps=steps)])
    assert (found.pointer.read[0].floor.yes, found.pointer.read[0].floor.known) == (0, 1)
    assert found.clicks[0].off_picture == {"below": 1}
    assert found.clicks[0].off_range == (500.0, 1010.0, 500.0, 1010.0)
    assert found.clicks[0].points == 2


def test_unread_lines_do_not_count_against_the_record_of_the_same_id(tmp_path: Path) -> None:
    rejected = [out("a:1", "read.duplicate_id"), out(None, "read.json"), out("a:2")]
    found = numbers(tmp_path, [make_trajectory("a:1"), make_trajectory("a:2")], rejected)
    assert [(row.runs, row.trained) for row in found.sources] == [(2, 1)]
    assert {row.reason: row.count for row in found.rejected_by_reason} == Counter(row.reason for row in rejected)


def test_two_scales_show_as_two_piles(tmp_path: Path) -> None:
    right = make_trajectory("a:1", steps=clicks(*((k / 100, 0.5) for k in range(100))))
    small = make_trajectory("b:1", steps=clicks(*((k / 200, 0.25) for k in range(100))), source=Origin(name="scaled"))
    ranges = {row.source: row.x_range for row in numbers(tmp_path, [right, small]).clicks}
    assert ranges["made"] == pytest.approx((0.0, 0.98), abs=0.001)
    assert ranges["scaled"] == pytest.approx((0.0, 0.49), abs=0.001)


def test_weakest_link_of_the_lesson(tmp_path: Path) -> None:
    """.715 a step over five steps is .187 of the runs."""
    steps = [make_step(k, correct=k < 143) for k in range(200)]
    found = numbers(tmp_path, [make_trajectory("a:1", steps=steps)]).weakest_link
    assert found.steps.share == 0.715
    assert {row.steps: row.success for row in found.chain}[5] == pytest.approx(0.187, abs=0.0005)


def test_raw_events_are_counted_in_events_not_in_stretches(tmp_path: Path) -> None:
    stretches = [
        Stretch(first=0, last=9, reason="reduce.pointer_motion"),
        Stretch(first=10, last=11, step=0),
        Stretch(first=12, last=12, reason="reduce.pointer_motion"),
    ]
    found = numbers(tmp_path, [make_trajectory()], stretches=stretches).raw_events
    assert [(row.reason, row.events, row.stretches) for row in found] == [
        ("reduce.pointer_motion", 11, 2),
        (None, 2, 1),
    ]


def test_an_empty_run_has_numbers(tmp_path: Path) -> None:
    found = numbers(tmp_path, [], [out(None, "read.json")])
    assert found.sources == [] and found.samples == [] and found.weights.effective is None
