"""Takes secrets out of records and recordings as they are read (see reduce.redaction). Optional: a recipe has it where
it names `redact.secrets`. What is read, and the pictures that belong to it, come into the run only without them."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

import msgspec
import pyarrow as pa

from curate.model.trajectory import Trajectory
from curate.reduce.redaction.secrets import fingerprint_of, read_secrets
from curate.reduce.redaction.spellings import Spellings
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.tables import schema
from curate.stages.verdicts import Verdicts
from curate.store.media import MediaStore


class RedactOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`secrets`: a file with one secret a line, or JSON lines with `text` or `pattern`, and `name`; off: nothing is
    taken out. `pictures`: those that show one are black there (`box`) or left out (`drop`). `ignore_case`: a secret is
    one in any case of its letters."""

    secrets: str | None = None
    pictures: Literal["box", "drop"] = "box"
    ignore_case: bool = False


MEASURES = schema(
    id=pa.string(),
    steps=pa.int64(),  # that lost something
    without_picture=pa.int64(),  # of these
)


@lru_cache(maxsize=4)
def _spellings(path: str, digest: str, ignore_case: bool) -> Spellings:
    return Spellings(read_secrets(Path(path), ignore_case))


def spellings_of(options: RedactOptions) -> Spellings | None:
    """The secrets of a recipe, None for none. Raises UsageError for a file that holds none."""
    if options.secrets is None:
        return None
    path = Path(options.secrets)
    digest = fingerprint_of(path) if path.is_file() else ""
    return _spellings(options.secrets, digest, options.ignore_case)


class _Redact:
    name = "redact"
    version = 1
    scope: Literal["shard"] = "shard"
    options = RedactOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def files(self, options: RedactOptions) -> list[Path]:
        """The file of secrets; only its hash goes anywhere."""
        return [Path(options.secrets)] if options.secrets is not None else []

    def mask(self, text: str, options: RedactOptions) -> str:
        """A name of a file, or a sentence about one, as it may be shown."""
        spellings = spellings_of(options)
        return text if spellings is None else spellings.mask(text)

    def open_input(self, path: Path, source: str, options: RedactOptions, scratch: Path) -> Path:
        """What is read instead of an input: of a recording, one without the secrets, in `scratch`."""
        spellings = spellings_of(options)
        if spellings is None or source != "recording":
            return path
        from curate.reduce.redaction.recording import redact_recording  # and with it the libraries of video

        return redact_recording(path, spellings, scratch).folder

    def rewrite(self, record: Trajectory, options: RedactOptions, context: MeasureContext) -> Trajectory:
        """The record without the secrets."""
        spellings = spellings_of(options)
        if spellings is None:
            return record
        from curate.reduce.redaction.record import redact_record  # and with it the libraries of video

        return redact_record(record, spellings, MediaStore(context.media_root), options.pictures)

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: the steps that lost something (see MEASURES)."""
        from curate.reduce.redaction.record import FLAG

        rows = []
        for record in context.records(trajectories):
            changed = [step for step in record.steps if FLAG in step.flags]
            rows.append({
                "id": record.id, "steps": len(changed), "without_picture": sum(s.image is None for s in changed)
            })  # fmt: skip
        return pa.Table.from_pylist(rows, schema=MEASURES)

    def decide(self, given: DecisionInput, options: Any) -> pa.Table:
        """Keeps every run: one that a secret could not be taken out of was not read."""
        return Verdicts(given.alive).table()


STAGE = _Redact()
