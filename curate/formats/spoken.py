"""What formats of talks share (`conversation`): which steps have one, and in which form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from curate.formats import base, talk_single, talk_steps
from curate.formats.conversation import KINDS, Talk, resize_of
from curate.formats.smart_resize import SIZES, Resize
from curate.model.trajectory import Trajectory

_OPTIONS = frozenset(("system_prompt", "prompts", "coordinates"))
_OF_STEPS = frozenset(("history", "images", "level", "colon"))
"""What talks of whole steps read besides."""


class Spoken(base.Plain):
    """A format of talks. `dialects` are their kinds; a format that has no dialects is of one `kind`. `only_trained`:
    its trainer has a loss on every row, so a step that is no target has none."""

    writes_all = False
    prompts: Mapping[str, tuple[str, ...]] = dict.fromkeys(KINDS, ())
    dialects: tuple[str, ...] = KINDS
    kind = "steps"
    only_trained = True

    def talks(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[tuple[Talk | None, bool]]:
        """The talk of each step that was picked, and whether it is trained on."""
        kind = self.kind_of(options)
        if kind == "steps":
            found = talk_steps.talks(trajectory, picked, options)
        else:
            found = talk_single.talks(kind, trajectory, picked, options)  # type: ignore[arg-type]
        for (_, trained), talk in zip(picked, found, strict=True):
            yield (None if self.only_trained and not trained else talk), trained

    def kind_of(self, options: base.FormatOptions) -> str:
        """The kind of talks that the options ask for."""
        return options.dialect or (self.dialects[0] if self.dialects else self.kind)

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        kind = self.kind_of(options)
        if kind == "steps":
            return talk_steps.why_not(trajectory, options)
        return talk_single.why_not(kind, trajectory, options)  # type: ignore[arg-type]

    def reads(self, options: base.FormatOptions) -> frozenset[str]:
        here = _OPTIONS | (_OF_STEPS if self.kind_of(options) == "steps" else frozenset())
        here |= SIZES if options.coordinates == "absolute" else frozenset()
        return here | {*(["dialect"] if self.dialects else []), *([] if self.only_trained else ["untrained"])}

    def resize(self, options: base.FormatOptions) -> Resize | None:
        return resize_of(options)
