"""`low_level`: examples of single instructions: the step's own words are the task, its code is the answer. Rows are
those of `messages`, with one picture and no earlier steps."""

from __future__ import annotations

from curate.formats import base
from curate.formats.typed_rows import TypedRows


class _LowLevel(TypedRows):
    name = "low_level"
    kind = "low_level"
    dialects = ()
    prompts = {"low_level": ()}
    about = base.About(
        trains="a model that carries out single instructions",
        loss="the turn with `train`: the last",
        history="none",
        pictures="1: the step's own",
        coordinates="fractions, or with `coordinates=absolute` pixels after Qwen2.5-VL's resize",
        reflection="no place",
        weights="`weight` in the row",
    )


FORMAT = _LowLevel()
