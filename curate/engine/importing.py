"""Other people's data, and our own, to a dataset folder, as `curate import` does it: every record of every input, with
what it came with; nothing is judged or dropped here but what cannot be read.

One pass, one record in memory at a time, beside the ids that were given out. The folder is finished or it is none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import curate
from curate.engine.fingerprint import HashedFile, fingerprint, hash_files
from curate.engine.naming import Names, rename_record
from curate.engine.progress import Silent, Tells
from curate.engine.recipe import read_settings
from curate.engine.remote_inputs import fetched, find_inputs, remote_parts
from curate.model.arrow import too_wide
from curate.model.constants import SHARD_BYTES
from curate.model.errors import CurateError, InputError, UsageError
from curate.model.near import did_you_mean
from curate.model.rejected import Rejected
from curate.model.schemas import problem
from curate.model.trajectory import Trajectory, encode
from curate.sources.base import Input, Read, ReadContext
from curate.sources.common.trouble import in_plain_words
from curate.sources.detector.settle import read_settled
from curate.sources.registry import source, sources
from curate.stages.normalise import normalise_record
from curate.store.dataset import DatasetWriter, Manifest
from curate.store.media import MediaStore

AUTO = "auto"
_DETAIL = 500  # characters of an error that a reason quotes
_REFUSED_SHOWN = 20  # of the refused, so many are kept to be told; rejected.jsonl has all


class SourceCounts(msgspec.Struct, kw_only=True):
    """What came of the inputs of one source. `pictures`: steps with the picture they were done on; `missing`: steps
    that name a picture which is not there; `damaged`: steps whose picture is none or is cut short; `without`: steps
    that name none. `refused`: records that were not read, by reason; `flags`: steps by flag; `renamed`: records whose
    id an earlier one has."""

    source: str
    inputs: int = 0
    trajectories: int = 0
    steps: int = 0
    pictures: int = 0
    missing: int = 0
    damaged: int = 0
    without: int = 0
    refused: dict[str, int] = {}
    flags: dict[str, int] = {}
    renamed: int = 0

    def add(self, record: Trajectory) -> None:
        """Count a record."""
        self.trajectories += 1
        self.steps += len(record.steps)
        for step in record.steps:
            here, damaged = step.image is not None, "picture_damaged" in step.flags
            missing = "picture_missing" in step.flags and not damaged
            self.pictures += here
            self.missing += missing
            self.damaged += damaged
            self.without += not (here or missing or damaged)
            for flag in step.flags:
                self.flags[flag] = self.flags.get(flag, 0) + 1


class Imported(msgspec.Struct, kw_only=True):
    """What came of it. `rejected`: the first of what was refused; `unknown`: files that no source recognises."""

    manifest: Manifest
    sources: list[SourceCounts]
    rejected: list[Rejected] = []
    unknown: list[str] = []


def import_inputs(
    name: str, paths: Sequence[Path | str], out: Path, *, sets: Sequence[str] = (), limit: int | None = None,
    progress: Tells | None = None,
) -> Imported:  # fmt: skip
    """Read every input at or below the paths into the dataset folder `out`.

    `name`: the one source that reads, or AUTO: each input is read by the source that recognises it. `sets`: options of
    reading, such as `import.license=MIT`. `limit`: at most so many records and refused ones, over all inputs. Raises
    InputError where nothing is recognised or nothing can be read, UsageError, StoreError."""
    options = with_optional_pictures(read_settings(sets))
    found = find_inputs(paths, only_source(name))
    made = {
        "by": "curate import", "version": curate.__version__, "options": options, "limit": limit,
        "inputs": _identities(found.inputs),
    }  # fmt: skip
    counts: dict[str, SourceCounts] = {}
    for one in found.inputs:
        counts.setdefault(one.source, SourceCounts(source=one.source)).inputs += 1
    told: list[Rejected] = []
    with DatasetWriter(out, made) as writer:
        names = Names()
        scratch = out / ".fetched"
        for one, item in read_inputs(found.inputs, options, writer.media, scratch, limit=limit, progress=progress):
            count = counts[one.source]
            if isinstance(item, Read):
                count.renamed += _name(item.trajectory, names)
                count.add(item.trajectory)
                writer.add(item.trajectory, item.stretches)
            else:
                count.refused[item.reason] = count.refused.get(item.reason, 0) + 1
                told += [item] if len(told) < _REFUSED_SHOWN else []
                writer.reject(item)
        if not any(count.trajectories for count in counts.values()):
            raise InputError(_nothing(told, counts.values()))
    assert writer.manifest is not None
    found_sources = [counts[source] for source in sorted(counts)]
    return Imported(manifest=writer.manifest, sources=found_sources, rejected=told, unknown=found.unknown)


def with_optional_pictures(options: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """The options of reading, in which records without any of their pictures are read unless the user states else: an
    import shows how many are missing, and trains nothing."""
    return {**options, "import": {**options["import"], "pictures": options["import"]["pictures"] or "optional"}}


def only_source(name: str) -> str | None:
    """The source that a user names; None for AUTO. Raises UsageError for one there is none of."""
    named = [known for known, one in sources().items() if known != "refused"]
    if name == AUTO:
        return None
    if name not in named:
        raise UsageError(f"There is no source {name!r}.{did_you_mean(name, named)} The sources are {', '.join(named)}.")
    return name


def read_inputs(
    inputs: Sequence[Input], options: dict[str, dict[str, Any]], media: MediaStore, scratch: Path, *,
    limit: int | None = None, progress: Tells | None = None,
) -> Iterator[tuple[Input, Read | Rejected]]:  # fmt: skip
    """Every record of the inputs in their order, as it may stand in a dataset, and a row for each that may not.
    `options`: the sections of reading; `scratch`: a folder for what is fetched from a store meanwhile."""
    tells = progress or Silent()
    tells.phase("inputs read", len(inputs))
    left = limit
    for one in inputs:
        context = ReadContext(media=media, options=options, shown=one.shown)
        for item in _items(one, context, left, scratch):
            left = None if left is None else left - 1
            yield one, item if isinstance(item, Rejected) else _finished(item)
        tells.advance()


def _items(one: Input, context: ReadContext, limit: int | None, scratch: Path) -> Iterator[Read | Rejected]:
    """What an input's source reads, up to the limit; what stops the input as a whole ends it with a reason."""
    if limit is not None and limit <= 0:
        return
    taken = 0
    try:
        with fetched(one, None, scratch) as here:
            for item in read_settled(source(one.source), here.path, context):
                yield item
                taken += 1
                if taken == limit:
                    return
    except InputError as error:
        yield _refused(context.shown, str(error))
    except (CurateError, MemoryError):
        raise  # a full disk is no fault of the data
    except Exception as error:
        yield _refused(context.shown, in_plain_words(error))


def _refused(file: str, detail: str) -> Rejected:
    return Rejected(id=None, file=file, line=None, stage="validate", reason="read.error", detail=detail[:_DETAIL])


def _finished(item: Read) -> Read | Rejected:
    """A record as it stands in a dataset, whatever source it comes from: in the normal form that a run gives it too
    (four decimals, code from its actions, words where it has none); or why it cannot."""
    unsound = _unsound(item.trajectory)
    return unsound or msgspec.structs.replace(item, trajectory=normalise_record(item.trajectory))


def _unsound(record: Trajectory) -> Rejected | None:
    """Why a record that was read may not stand in a dataset: a number that is no place, or a type that no table
    holds."""
    found: tuple[str, str] | None = None
    if too_wide(record):
        found = ("validate.schema", "A whole number is beyond 64 bits, which no table holds.")
    else:
        try:
            found = problem(encode(record))
        except UnicodeEncodeError:
            found = ("validate.schema", "A text holds half a character, which no file of UTF-8 can.")
    if found is None:
        return None
    return Rejected(
        id=record.id, file=record.source.file, line=record.source.line, stage="validate", reason=found[0],
        detail=found[1][:_DETAIL],
    )  # fmt: skip


def _name(record: Trajectory, names: Names) -> bool:
    """Give the record an id of its own; whether that is another one than it came with."""
    came, final = record.id, names.unique(record.id)
    if came != final:
        rename_record(record, final, came)
    return came != final


def _nothing(told: Sequence[Rejected], counts: Iterable[SourceCounts]) -> str:
    if not told:
        return "There is no record in the inputs."
    row, refused = told[0], sum(sum(count.refused.values()) for count in counts)
    line = f", line {row.line}" if row.line else ""
    return (
        f"No record could be read of {refused:,}, so nothing was written; the first: {row.file}{line}: {row.reason}: "
        f"{row.detail or ''}"
    ).rstrip(": ")


def _identities(inputs: Sequence[Input]) -> list[dict[str, str]]:
    """What the dataset is made from: contents, not names, which may be those of people."""
    return [
        {"input": one.shown, "source": one.source, "sha256": fingerprint(sorted(file.sha256 for file in _files(one)))}
        for one in inputs
        if one.source != "refused"
    ]


def _files(one: Input) -> list[HashedFile]:
    return hash_files(one.path) if one.origin is None else remote_parts(one, False, SHARD_BYTES)[0]


def plain(done: Imported, out: Path) -> dict[str, Any]:
    """The result for machines."""
    return {
        "out": str(out), "trajectories": done.manifest.trajectories, "steps": done.manifest.steps,
        "media": done.manifest.media, "sources": msgspec.to_builtins(done.sources), "unknown": done.unknown,
    }  # fmt: skip
