"""The section `publish` of a recipe: what of a run may be published without a person saying so by name."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from curate.model.constants import PUBLISH_POINTER_POINTS, PUBLISH_UNKNOWN_OUTCOMES


class PublishLimits(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`unknown_outcomes`: the largest share of published runs of which nobody says how they ended. `pointer_points`:
    how many points of 100 the upper bound of a pointer or hover rate may lie above its floor."""

    unknown_outcomes: Annotated[float, Meta(ge=0, le=1)] = PUBLISH_UNKNOWN_OUTCOMES
    pointer_points: Annotated[float, Meta(ge=0, le=100)] = PUBLISH_POINTER_POINTS
