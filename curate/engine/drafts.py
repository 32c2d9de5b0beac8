"""What training examples will say, kept while a record is at hand. A row's body hangs on its record and the recipe
alone; what is decided later (whether it counts, its split, weight and final id) stands in the row's head. So a kept
run's examples are put together at the end without reading the run again.

    .work/read/<shard key>/drafts-<key>-000.msgpack      Drafts of one batch

Where decisions reach into the bodies there are no drafts: a step that leaves the history too, or rows of steps that are
no target. Then, and where the options of unrolling have changed since, examples are made from the records: the same
function of a format makes them, at another moment. A run removes its drafts when it is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from pathlib import Path

import msgspec

from curate.engine.fates import Fate
from curate.engine.fingerprint import fingerprint
from curate.engine.recipe import Recipe
from curate.formats.base import (
    NO_ROW,
    Format,
    FormatOptions,
    Head,
    Outlines,
    Picked,
    Wanted,
    format_named,
    options_from,
    weight_of,
)
from curate.model.errors import StoreError
from curate.model.steps import Steps
from curate.model.trajectory import Trajectory
from curate.stages.unroll import may_be_targets
from curate.store.atomic import write_bytes

_LEAVES_HISTORY = "drop_step"
_VERSION = 2  # of Drafts


class Drafts(msgspec.Struct, array_like=True):
    """Of the records of a batch: id, source, own weight, how many steps each has. Of all their steps, record by record:
    index, own weight ([]: none has one), whether it may be a target. And what their examples say: an outline of which
    the format makes rows, or else by record the body of each step (NO_ROW for one that may be no target; none at all
    for a run that the format cannot write)."""

    ids: list[str]
    sources: list[str]
    weights: list[float]
    lengths: list[int]
    steps: list[int]
    step_weights: list[float | None]
    targets: list[bool]
    outline: bytes
    bodies: list[list[bytes]]


def draft_key(recipe: Recipe) -> str | None:
    """What drafts depend on beside the records; None where decisions reach into the bodies."""
    options = recipe.options["unroll"]
    images = recipe.section("images").values() if "images" in recipe.order else ()
    if "unroll" not in recipe.order or options.untrained != "omit" or _LEAVES_HISTORY in images:
        return None
    form = format_named(options.format)
    return fingerprint(_VERSION, form.name, form.version, msgspec.to_builtins(options))[:16]


class Drafting:
    """Makes the drafts of a recipe."""

    def __init__(self, recipe: Recipe) -> None:
        section = recipe.options["unroll"]
        self._form: Format = format_named(section.format)
        self._options: FormatOptions = options_from(section)
        self._encoder = msgspec.msgpack.Encoder()

    def write(self, path: Path, steps: Steps) -> None:
        """Write the drafts of the records of a batch, whole or not at all; `ShardFolder.finish` brings them to the
        disk. Raises StoreError."""
        write_bytes(path, self._encoder.encode(self.drafts(steps)), durable=False)

    def drafts(self, steps: Steps) -> Drafts:
        """The drafts of some records."""
        records, weights, targets = steps.records, steps.of("weight"), may_be_targets(steps)
        outline, bodies = b"", []
        if isinstance(self._form, Outlines):
            outline = self._form.outline(steps, self._options)
        else:
            bodies = [self._bodies(*each) for each in zip(records, steps.parts(targets), strict=True)]
        return Drafts(
            [record.id for record in records],
            [record.source.name for record in records],
            [record.weight.value for record in records],
            steps.lengths,
            steps.of("index"),
            weights if any(weight is not None for weight in weights) else [],
            targets,
            outline,
            bodies,
        )

    def _bodies(self, record: Trajectory, targets: Sequence[bool]) -> list[bytes]:
        """The body of each step, NO_ROW for one that may be no target."""
        picked = [Picked(at, True) for at, serves in enumerate(targets) if serves]
        bodies = list(self._form.bodies(record, picked, self._options))
        if not bodies:
            return []
        found = [NO_ROW] * len(targets)
        for (at, _), body in zip(picked, bodies, strict=True):
            found[at] = body
        return found


_decoder = msgspec.msgpack.Decoder(Drafts)


def read_drafts(path: Path) -> Drafts | None:
    """The drafts of a batch; None where there are none. Raises StoreError for a file that is broken."""
    try:
        return _decoder.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise StoreError(
            f"Cannot read {path} ({error}): remove {path.parent} and run the same command again."
        ) from error


def finished(
    drafts: Drafts, form: Format, options: FormatOptions, fates: Sequence[Fate | None], ids: Mapping[int, str]
) -> Iterator[list[bytes]]:
    """By record the lines of its examples, in the order of its steps; none where it has no fate. `ids`: by row the
    final id of a record that came with another."""
    firsts = accumulate(drafts.lengths, initial=0)
    wanted = [
        None if fate is None else _wanted(drafts, row, first, ids.get(row, drafts.ids[row]), fate)
        for row, (first, fate) in enumerate(zip(firsts, fates, strict=False))
    ]
    if isinstance(form, Outlines):
        return form.outlined(drafts.outline, wanted, options)
    return (_lines(form, *each) for each in zip(drafts.bodies, wanted, strict=True))


def _wanted(drafts: Drafts, row: int, first: int, id: str, fate: Fate) -> Wanted:
    """The rows of the targets that the decisions left of a run. `first`: its first step."""
    last, out = first + drafts.lengths[row], set(fate.no_target)
    run = drafts.weights[row] if fate.weight is None else fate.weight.value
    own = drafts.step_weights[first:last]
    rows = [
        (at, step, weight_of(run, own[at] if own else None))
        for at, (step, serves) in enumerate(zip(drafts.steps[first:last], drafts.targets[first:last], strict=True))
        if serves and step not in out
    ]
    return Wanted(id, fate.split, drafts.sources[row], rows)


def _lines(form: Format, bodies: Sequence[bytes], wanted: Wanted | None) -> list[bytes]:
    """The rows of a run whose bodies (by position) were made before."""
    if wanted is None or not bodies:
        return []
    id, split, source, rows = wanted
    made = [(Head(id, step, split, weight, source, True), bodies[at]) for at, step, weight in rows if bodies[at]]
    return list(form.lines([head for head, _ in made], [body for _, body in made]))
