"""`qwen3vl`: Qwen3-VL's tools, `computer_use` and for records of phones `mobile_use`. Coordinates are of 1000 across
and 1000 down, whatever size the picture has.

A step that the tool has no verb for (held keys, a key of a phone, a list box's option) has no row. Past steps are told
in words, those whose picture is shown with their calls; a reflection has no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curate.formats import base, qwen_rows
from curate.formats.languages.phrases import is_phone
from curate.formats.languages.qwen_tools import Frame, computer_use, mobile_use
from curate.formats.parts import LastTurn
from curate.formats.prompts import prompt
from curate.formats.qwen_rows import Said
from curate.model.constants import GRID, QWEN_NOTCH
from curate.model.trajectory import Trajectory

_IMAGES = 1


class _Qwen3Vl(base.Plain):
    name = "qwen3vl"
    writes_all = False
    dialects = ("plain", qwen_rows.THINKING)
    prompts = {"computer_use": (), "mobile_use": ()}
    options = qwen_rows.OPTIONS
    row = LastTurn
    about = base.About(
        trains="Qwen3-VL (`computer_use`; phones `mobile_use`)",
        loss="the last assistant turn (`loss_on`)",
        history="every earlier step, its action in words; with its calls where its picture is shown",
        pictures="1: the step's own; `images=5` is the released agent's window, each a round",
        coordinates="of 1000, in any size of the picture",
        reflection="no place",
        weights="`weight` in the row",
        prompt_file="`mm_agents/qwen3vl_agent.py` of OSWorld and `cookbooks/utils/agent_function_call.py` of "
        "QwenLM/Qwen3-VL put it together in code: print it into a text file",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        frames = [(GRID, GRID)] * len(trajectory.steps)
        return qwen_rows.bodies(trajectory, picked, options, self._said(trajectory, options), _IMAGES, frames)

    def line(self, head: base.Head, body: bytes) -> bytes:
        return qwen_rows.line(head, body)

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return [said.reason for said in self._said(trajectory, options)]

    def _said(self, trajectory: Trajectory, options: base.FormatOptions) -> list[Said]:
        phone = is_phone(trajectory)
        frame = Frame(GRID, GRID, options.notch_pixels or QWEN_NOTCH)
        text = prompt(options, self.name, "mobile_use" if phone else "computer_use")
        said = []
        for step in trajectory.steps:
            if step.image is None:
                said.append(Said(None, text, "unroll.no_picture"))
                continue
            calls = mobile_use(step.actions, frame) if phone else computer_use(step.actions, frame, more=True)
            said.append(Said(calls, text, None if calls else "unroll.not_in_format"))
        return said


FORMAT = _Qwen3Vl()
