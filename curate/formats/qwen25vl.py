"""`qwen25vl`: Qwen2.5-VL's tool `computer_use`. Coordinates are pixels of the picture as its processor resizes it:
sides are multiples of 28, width x height is between `min_pixels` and `max_pixels`, which the trainer's processor must
be told too. `curate export` writes pictures in that size; where they stay as they are, the processor makes it.

A step on a phone, or one that the tool has no verb for (held keys, triple clicks, horizontal scrolls, an answer), has
no row. Past steps are told in words, those whose picture is shown with their calls; a reflection has no place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from curate.formats import base, qwen_rows, told
from curate.formats.languages.phrases import is_phone
from curate.formats.languages.qwen_tools import Frame, computer_use
from curate.formats.parts import LastTurn
from curate.formats.prompts import prompt
from curate.formats.qwen_rows import Said
from curate.formats.smart_resize import QWEN2_VL, SIZES, Resize
from curate.model.constants import QWEN_NOTCH
from curate.model.trajectory import Trajectory

_IMAGES = 1


class _Qwen25Vl(base.Plain):
    name = "qwen25vl"
    writes_all = False
    dialects = ("plain", qwen_rows.THINKING)
    prompts = {"computer_use": ()}
    options = qwen_rows.OPTIONS | SIZES
    row = LastTurn
    about = base.About(
        trains="Qwen2.5-VL (`computer_use`)",
        loss="the last assistant turn (`loss_on`)",
        history="every earlier step, its action in words; with its calls where its picture is shown",
        pictures="1: the step's own; with `images` also earlier ones, each a round",
        coordinates="pixels of the picture after its processor's resize (28; `min_pixels`, `max_pixels`)",
        reflection="no place",
        weights="`weight` in the row",
        prompt_file="`mm_agents/qwen25vl_agent.py` of OSWorld puts it together in code: print it into a text file "
        "(`{width}` and `{height}` stand for the picture's)",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        said = self._said(trajectory, options)
        resize = self.resize(options)
        frames = [told.seen(step, resize) for step in trajectory.steps]
        return qwen_rows.bodies(trajectory, picked, options, said, _IMAGES, frames)

    def line(self, head: base.Head, body: bytes) -> bytes:
        return qwen_rows.line(head, body)

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return [said.reason for said in self._said(trajectory, options)]

    def resize(self, options: base.FormatOptions) -> Resize:
        return QWEN2_VL.limited(options.min_pixels, options.max_pixels)

    def _said(self, trajectory: Trajectory, options: base.FormatOptions) -> list[Said]:
        resize, phone = self.resize(options), is_phone(trajectory)
        notch = options.notch_pixels or QWEN_NOTCH
        text = prompt(options, self.name, "computer_use")
        said = []
        for step in trajectory.steps:
            seen = told.seen(step, resize)
            if isinstance(seen, str):
                said.append(Said(None, "", seen))
                continue
            calls = None if phone else computer_use(step.actions, Frame(*seen, notch), more=False)
            said.append(Said(calls, _sized(text, *seen), None if calls else "unroll.not_in_format"))
        return said


_sized = lru_cache(64)(qwen_rows.sized)

FORMAT = _Qwen25Vl()
