"""Raw recordings to a dataset folder, without the stages of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

import curate
from curate.engine.fingerprint import fingerprint, hash_files
from curate.engine.progress import Silent, Tells
from curate.engine.recipe import read_settings
from curate.model.errors import InputError
from curate.model.rejected import Rejected
from curate.sources.base import Input, ReadContext
from curate.sources.recognise import find_inputs
from curate.sources.registry import source
from curate.store.dataset import DatasetWriter, Manifest

_SECTIONS = ("reduce", "keyframes")


class Reduced(msgspec.Struct, kw_only=True):
    """What came of it. `others`: inputs that are no raw recordings, and were passed over."""

    manifest: Manifest
    rejected: list[Rejected]
    others: list[str]


def reduce_inputs(paths: Sequence[Path], out: Path, sets: Sequence[str] = (), progress: Tells | None = None) -> Reduced:
    """Reduce every raw recording at or below the paths into the dataset folder `out`.

    `sets`: `reduce.option=value` and `keyframes.option=value`. A recording that cannot be read is told in
    rejected.jsonl and stops nothing. Raises InputError when there is no raw recording or none can be read, UsageError
    for a wrong option, StoreError."""
    options = read_settings(sets, _SECTIONS)
    found = find_inputs(paths)
    inputs = [entry for entry in found.inputs if source(entry.source).raw]
    others = [entry.shown for entry in found.inputs if not source(entry.source).raw]
    if not inputs:
        raise InputError(f"There are no raw recordings in {', '.join(map(str, paths))}; `curate run` reads records.")
    made = {"by": "curate reduce", "version": curate.__version__, "options": options, "inputs": _identities(inputs)}
    tells = progress or Silent()
    tells.phase("recordings reduced", len(inputs))
    rejected: list[Rejected] = []
    seen: set[str] = set()
    with DatasetWriter(out, made) as writer:
        for entry in inputs:
            context = ReadContext(media=writer.media, options=options, shown=entry.shown)
            for item in source(entry.source).read(entry.path, context):
                row = item if isinstance(item, Rejected) else _repeated(item.trajectory.id, entry, seen)
                if row is not None:
                    rejected.append(row)
                    writer.reject(row)
                elif not isinstance(item, Rejected):
                    writer.add(item.trajectory, item.stretches)
            tells.advance()
        if not seen:
            raise InputError(f"No recording could be read; {rejected[0].file}: {rejected[0].detail}")
    assert writer.manifest is not None
    return Reduced(manifest=writer.manifest, rejected=rejected, others=[*others, *found.unknown])


def _identities(inputs: Sequence[Input]) -> list[dict[str, str]]:
    """What the dataset is made from: contents, not names (a video may be named after its person)."""
    return [
        {"input": entry.shown, "sha256": fingerprint(sorted(file.sha256 for file in hash_files(entry.path)))}
        for entry in inputs
        if entry.source != "refused"
    ]


def _repeated(identity: str, entry: Input, seen: set[str]) -> Rejected | None:
    """A row for a record whose id was there before: the same recording, copied."""
    if identity not in seen:
        seen.add(identity)
        return None
    return Rejected(
        id=identity, file=entry.shown, line=None, stage="validate", reason="read.duplicate_id",
        detail="The same events were read before.",
    )  # fmt: skip
