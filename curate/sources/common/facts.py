"""What is known of a source before a row of it is read: in which frame its points stand, which way its scrolls go,
whether its pictures come before or after the action, how it tells the outcome, under which licence it is.

A source states it once, in its `FACTS`; reading, docs, the detector and `curate check` all take it from there. None
is "not documented": then the data decides, or the user (`ImportOptions`), or the record is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

Space = Literal["fraction", "permille", "picture_pixel", "screen_pixel", "page_pixel", "none"]
"""What a point's numbers are parts of: 1, 1000, the picture's pixels, the recorded screen's pixels (the picture may
have another size), the pixels of a whole page; none: the source names elements, not points."""

Order = Literal["xy", "yx"]

Scroll = Literal["plus_up", "plus_down", "view", "finger"]
"""What a positive number or a word means: the wheel's sign (PyAutoGUI: plus is up), its opposite, or a direction: of
what is seen next (`view`: down shows what stands below) or of the finger (up shows what stands below)."""

Timing = Literal["before", "after"]
"""When a step's picture was taken: before its action or after it."""


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What a source's documentation or its real records say.

    `title`: its name as people know it. `card`: where it is published. `outcome`: how it tells that a run succeeded,
    in one sentence. `licences`: SPDX name by part ("": all of it), None where nothing is stated. `faults`: known faults
    of the published data and what becomes of them, one sentence each. `timing` None also for sources without
    pictures (`pictures` False). `companions`: files that lie beside the records and are read with them, as patterns of
    `fnmatch` for their path: they are no inputs of their own, and not unknown."""

    title: str
    card: str
    space: Space | None
    order: Order | None = "xy"
    scroll: Scroll | None = None
    pictures: bool = True
    timing: Timing | None = "before"
    outcome: str
    licences: Mapping[str, str | None]
    faults: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()


class ImportOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the user states about a source; null leaves it to the source's own facts and to the data. `space`,
    `order`, `scroll`, `timing`: as in `Facts`. `license`: the licence of what is read. `platform`: where the data
    does not say it. `pictures`: `required` refuses records none of whose pictures is there, `optional` reads them and
    flags their steps, which a run's `images.missing` then decides about; null is `optional` for an import, which says
    how many are missing, and `required` for a run."""

    space: Space | None = None
    order: Order | None = None
    scroll: Scroll | None = None
    timing: Timing | None = None
    license: str | None = None
    platform: Literal["windows", "macos", "linux", "android", "ios", "web"] | None = None
    pictures: Literal["required", "optional"] | None = None

    @property
    def needs_pictures(self) -> bool:
        """Whether a record is refused when none of the pictures it names is there: unless said otherwise."""
        return self.pictures != "optional"


def stated(facts: Facts, options: ImportOptions) -> Facts:
    """The facts with what the user states in their place."""
    said = {
        name: value for name in ("space", "order", "scroll", "timing") if (value := getattr(options, name)) is not None
    }
    return msgspec.structs.replace(facts, **said)
