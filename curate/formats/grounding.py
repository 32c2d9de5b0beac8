"""`grounding`: pairs of what is to be acted on and where it is, from every step that does one thing at a point. Rows
are those of `messages`.

Dialects: `point` asks with the step's words (else its element's name) for the point it acts at, `box` with the
element's name (else the step's words) for the element's box."""

from __future__ import annotations

from curate.formats import base
from curate.formats.typed_rows import TypedRows


class _Grounding(TypedRows):
    name = "grounding"
    needs_code = False
    dialects = ("point", "box")
    prompts = {"point": (), "box": ()}
    about = base.About(
        trains="a model that finds things on a screen",
        loss="the turn with `train`: the last",
        history="none",
        pictures="1: the step's own",
        coordinates="fractions, or with `coordinates=absolute` pixels after Qwen2.5-VL's resize",
        reflection="no place",
        weights="`weight` in the row",
    )


FORMAT = _Grounding()
