"""One session: a person does it while our recorder records, the recording is reduced, the program reset, and the
record replayed. The program must end in the same state, and the reduced actions must be the person's."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curate.engine.reduce_only import reduce_inputs
from curate.store.dataset import read_records
from curate.store.recording import Outcome
from recorders import Options, Session
from tests.replay import stage as stages
from tests.replay.compare import differences
from tests.replay.desk import LIMIT_S, SIZE, desk, wait_for
from tests.replay.dump_tools import ROOT, Look
from tests.replay.person import Person
from tests.replay.web import Web

SETTLED_S = 0.4
AT_ITS_PACE = ("slow pages", "hover menus", "Unicode")
"""Kinds of sessions in which something loads, opens or is read in its own time."""


@dataclass
class Outcomes:
    """What came of one session; `wrong` is empty where all is right."""

    name: str
    wrong: list[str] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    steps: int = 0


@contextlib.contextmanager
def open_stage() -> Iterator[stages.Stage]:
    """A desk with everything that sessions need."""
    web = Web()
    try:
        with desk() as made:
            yield stages.Stage(made, Look(), web)
    finally:
        web.close()


def run_session(session: stages.Session, stage: stages.Stage, out: Path, seed: int, speed: float = 1.0) -> Outcomes:
    """Record, reduce, reset, replay, compare. `speed`: of the replay, where nothing has to load or open meanwhile."""
    outcomes = Outcomes(session.name)
    clock = _Clock(outcomes.seconds)
    program = session.program(stage)
    stage.desk.layout()
    try:
        person = Person(stage.desk, seed)
        _ready(program, person, stage)
        clock("prepare")
        recording = _record(session, program, person, out)
        recorded = _recorded_end(session, program)
        clock("record")
        done = reduce_inputs([recording], out / "dataset")
        outcomes.wrong += [f"not read: {row.detail}" for row in done.rejected]
        record = next(iter(read_records(out / "dataset")))
        outcomes.steps = len(record.steps)
        clock("reduce")
        outcomes.wrong += differences(person.expected, [action for step in record.steps for action in step.actions])
        stage.desk.layout()
        _ready(program, Person(stage.desk, seed), stage)
        clock("reset")
        replayed = _replay(
            out / "dataset", session, program, recorded, outcomes, 1.0 if session.kind in AT_ITS_PACE else speed
        )
        clock("replay")
    finally:
        program.close()
    if session.end is not None and session.of(recorded) != session.end:
        outcomes.wrong.append(f"the script itself ended in {session.of(recorded)}, not in {session.end}")
    if replayed != recorded:
        outcomes.wrong.append(f"recorded end: {json.dumps(recorded, ensure_ascii=False)}")
        outcomes.wrong.append(f"replayed end: {json.dumps(replayed, ensure_ascii=False)}")
    return outcomes


def _recorded_end(session: stages.Session, program: stages.Program) -> Any:
    """The program's state once it has done all it was told; a busy machine's browser may take seconds to."""
    if session.end is not None:
        with contextlib.suppress(RuntimeError):  # where it never gets there, what it is instead is told
            wait_for("the script's end", lambda: session.of(program.state()) == session.end, 8)
    return settled(program.state)


def settled(state: Callable[[], Any], limit: float = LIMIT_S) -> Any:
    """A program's state once it has stayed the same for a while."""
    last, since, end = state(), time.monotonic(), time.monotonic() + limit
    while time.monotonic() < min(since + SETTLED_S, end):
        time.sleep(0.05)
        now = state()
        if now != last:
            last, since = now, time.monotonic()
    return last


def _ready(program: stages.Program, person: Person, stage: stages.Stage) -> None:
    """The program reset, the pointer at its start."""
    person.hand.move_to(*stages.START)
    program.reset()
    if isinstance(program, stages.Page):
        person.hand.move_to(SIZE[0] // 2, SIZE[1] // 2)
        wait_for("the page knows its place", stage.web.knows_place)
        person.hand.move_to(*stages.START)
    stage.look.settled(0.3)


def _record(session: stages.Session, program: stages.Program, person: Person, out: Path) -> Path:
    recorder = Session(out, session.name, Options(name="recording", accessibility=False))  # no field is a password here
    recorder.start()
    try:
        person.look(0.2)
        session.script(person, program)
        person.look(0.2)
    finally:
        info = recorder.stop("asked", Outcome(status="success"))
    if info.faults:
        raise RuntimeError(f"the recorder said: {info.faults}")
    return recorder.folder


def _replay(
    dataset: Path,
    session: stages.Session,
    program: stages.Program,
    recorded: Any,
    outcomes: Outcomes,
    speed: float,
) -> Any:
    countdown = "4" if session.kind == "Unicode" else "0"  # a busy machine's browser is slow to read a changed keymap
    done = subprocess.run(
        [sys.executable, "-m", "curate", "replay", str(dataset), "--yes", "--countdown", countdown, "--json", "--speed",
         str(speed)],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=10 * LIMIT_S,
    )  # fmt: skip
    if done.returncode:
        outcomes.wrong.append(f"replay left with {done.returncode}: {done.stderr.strip()}")
    with contextlib.suppress(RuntimeError):  # where it never gets there, what it is instead is told
        wait_for("the same end", lambda: program.state() == recorded, 8)
    return settled(program.state)


class _Clock:
    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds, self._last = seconds, time.monotonic()

    def __call__(self, name: str) -> None:
        now = time.monotonic()
        self._seconds[name], self._last = round(now - self._last, 1), now
