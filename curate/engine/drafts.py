"""Bodies of training examples, made while a record is at hand: what a row says of its record hangs on the record and
the recipe alone, what is decided later (whether it counts, its split, weight and final id) stands in the row's head. So
a kept run's examples are put together at the end without reading the run again.

    .work/read/<shard key>/drafts-<key>-000.msgpack      of one batch: a Draft for each record, in order

Where decisions reach into the bodies there are no drafts: a step that leaves the history too, or rows of steps that are
no target. Then, and where the options of unrolling have changed since, examples are made from the records: the same
function of a format makes them, at another moment. A run removes its drafts when it is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.fingerprint import fingerprint
from curate.engine.recipe import Recipe
from curate.formats.base import NO_ROW, Format, FormatOptions, Head, Picked, format_named, options_from, weight_of
from curate.model.errors import StoreError
from curate.model.trajectory import Trajectory
from curate.stages.unroll import may_be_target
from curate.store.atomic import write_bytes

_LEAVES_HISTORY = "drop_step"


class Draft(msgspec.Struct, array_like=True):
    """The bodies of one record's examples: its id and source, its own weight, how many steps it has; by body the index
    of its step and the step's own weight (None: no step has one)."""

    id: str
    source: str
    weight: float
    count: int
    steps: list[int]
    weights: list[float | None] | None
    bodies: list[bytes]


def draft_key(recipe: Recipe) -> str | None:
    """What drafts depend on beside the records; None where decisions reach into the bodies."""
    options = recipe.options["unroll"]
    images = recipe.section("images").values() if "images" in recipe.order else ()
    if "unroll" not in recipe.order or options.untrained != "omit" or _LEAVES_HISTORY in images:
        return None
    form = format_named(options.format)
    return fingerprint(form.name, form.version, msgspec.to_builtins(options))[:16]


class Drafting:
    """Makes the drafts of a recipe."""

    def __init__(self, recipe: Recipe) -> None:
        section = recipe.options["unroll"]
        self._form: Format = format_named(section.format)
        self._options: FormatOptions = options_from(section)
        self._encoder = msgspec.msgpack.Encoder()

    def write(self, path: Path, drafts: Sequence[Draft]) -> None:
        """Write the drafts of a batch, whole or not at all. Raises StoreError."""
        write_bytes(path, self._encoder.encode(drafts))

    def draft(self, record: Trajectory) -> Draft:
        """The draft of a record. Soon after it was read this costs half of what it costs later: its many small objects
        are still in the processor's caches."""
        steps = record.steps
        picked = [Picked(at, True) for at, step in enumerate(steps) if may_be_target(step)]
        weights = [steps[at].weight for at, _ in picked]
        return Draft(
            record.id,
            record.source.name,
            record.weight.value,
            len(steps),
            [steps[at].index for at, _ in picked],
            weights if any(weight is not None for weight in weights) else None,
            list(self._form.bodies(record, picked, self._options)),
        )


_decoder = msgspec.msgpack.Decoder(list[Draft])


def read_drafts(path: Path) -> list[Draft] | None:
    """The drafts of a batch; None where there are none. Raises StoreError for a file that is broken."""
    try:
        return _decoder.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(
            f"Cannot read {path} ({error}): remove {path.parent} and run the same command again."
        ) from error


def finished(draft: Draft, form: Format, id: str, fate: Any) -> Iterator[bytes]:
    """The lines of a draft's record under its final id and its fate (`fates.Fate`), in the order of its steps."""
    run = draft.weight if fate.weight is None else fate.weight.value
    out = set(fate.no_target)
    steps = draft.steps if draft.bodies else []  # a run that the format cannot write
    for at, (step, body) in enumerate(zip(steps, draft.bodies, strict=True)):
        if step not in out and body != NO_ROW:
            weight = weight_of(run, None if draft.weights is None else draft.weights[at])
            yield form.line(Head(id, step, fate.split, weight, draft.source, True), body)
