"""What was asked for on the command line, checked, as a plan of what is recorded how."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from curate.model.errors import UsageError
from curate.model.printed import printable, quoted
from recorders.control.chords import read_chords
from recorders.options import Options
from recorders.privacy.exclusions import read_exclusions
from recorders.session import check_ready
from recorders.terminal.consent import load_consent
from recorders.terminal.questions import ask_consent
from recorders.terminal.summary import STATUSES
from recorders.terminal.takes import RecordingPlan
from recorders.terminal.tasks import Task, interrupted_in, read_tasks, still_to_do
from recorders.terminal.terminal import Terminal


def plan_recordings(given: Mapping[str, Any], terminal: Terminal, say: Callable[[str], None]) -> RecordingPlan:
    """The plan of `curate record`'s options. Raises UsageError, InputError for a task list or consent text that cannot
    be read, RecorderError for a desktop that cannot be recorded, GateError where the person does not agree."""
    chords, exclusions = read_chords(given["keys"]), read_exclusions(given["exclude"])
    if given["reason"] and not given["outcome"]:
        raise UsageError("--reason says why a task ended as it did: give --outcome too.")
    if given["seconds"] is not None and not math.isfinite(given["seconds"]):
        raise UsageError("--seconds is no number of seconds.")
    outcome = STATUSES[given["outcome"]] if given["outcome"] else None
    tasks, total = _tasks(given, say)
    _tell_interrupted(given["out"], say)
    consent = load_consent(given["consent"])
    options = Options(
        fps=given["fps"], seconds=given["seconds"], actor=given["actor"], chords=chords, exclusions=exclusions,
        clipboard=given["clipboard"], accessibility=not given["no_a11y"],
    )  # fmt: skip
    check_ready(given["out"])  # what is missing here is said before anything is asked
    return RecordingPlan(
        out=given["out"],
        tasks=tasks,
        options=msgspec.structs.replace(options, consent=ask_consent(terminal, consent)) if tasks else options,
        total=total,
        outcome=msgspec.structs.replace(outcome, reason=given["reason"]) if outcome else None,
        keep_terminal=given["keep_terminal"],
    )


def _tasks(given: Mapping[str, Any], say: Callable[[str], None]) -> tuple[list[Task], int]:
    """The tasks to record, and how many the list has (0: no list)."""
    if given["tasks"] is None:
        instruction = given["task"].strip()
        if not instruction:
            raise UsageError('--task is empty: say what is going to be done, "Rename the report and mail it".')
        return [Task(instruction=instruction)], 0
    found = read_tasks(given["tasks"])
    for sentence in found.bad:
        say(f"Passed over: {sentence}")
    if found.comments:
        lines = "a line" if found.comments == 1 else f"{found.comments} lines"
        say(f"Passed over: {lines} of {printable(str(given['tasks']))} beginning with #.")
    left = still_to_do(found.tasks, given["out"])
    done = len(found.tasks) - len(left.tasks)
    if done:
        say(f"{done} of {len(found.tasks)} tasks are recorded in {printable(str(given['out']))} already.")
    for sentence in left.again:
        say(sentence)
    return left.tasks, len(found.tasks)


def _tell_interrupted(out: Path, say: Callable[[str], None]) -> None:
    """Recordings that nobody ended, and how they are made whole."""
    folders = interrupted_in(out)
    if folders:
        count = "A recording" if len(folders) == 1 else f"{len(folders)} recordings"
        say(
            f"{count} in {printable(str(out))} did not end ({printable(folders[0].name)}): curate recover {quoted(out)}"
        )
