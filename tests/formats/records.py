"""Records that the tests of formats share: made here, from nobody's data."""

from __future__ import annotations

from typing import Any

from curate.model import actions as act
from curate.model.trajectory import Element, Step, Trajectory, Weight
from tests.factories import make_trajectory

PICTURES = [f"media/{n:02x}/{n:064x}.png" for n in range(8)]


def note_record(**changes: Any) -> Trajectory:
    """Five steps in a text editor: the second was wrong, the fourth was not needed, the last ends the run."""
    steps = [
        Step(index=0, image=PICTURES[0], actions=[act.Click(0.25, 0.1)], element=Element(role="menu", name="File"),
             observation="An empty editor.", thought="The menu has what I need."),
        Step(index=1, image=PICTURES[1], actions=[act.Write("wrong.txt\n")], action="Type the name wrong.txt",
             correct=False, reflection="The dialog was not open yet, so the text went into the document."),
        Step(index=2, image=PICTURES[2], actions=[act.Hotkey(("ctrl", "z"))], thought="I take that back.",
             correct=True, redundant=False, reflection=""),
        Step(index=3, image=PICTURES[3], actions=[act.MoveTo(0.5, 0.5), act.Scroll(-3.0)], redundant=True),
        Step(index=4, image=PICTURES[4], actions=[act.Terminate("success")], action="Finish: the task is done"),
    ]  # fmt: skip
    fields: dict[str, Any] = {"steps": steps, "weight": Weight(value=0.5, by="test")}
    record = make_trajectory("note:1", instruction="Save the note as plan.txt")
    for name, value in (fields | changes).items():
        setattr(record, name, value)
    return record
