"""Reads one shard: its records become parts, and every stage measures them while they are at hand.

Pure in its inputs: the files written depend on the shard and the recipe alone. A record that cannot be read is set
aside with its reason and never stops the run. Memory: one batch, and the shard's measures."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from curate.engine.drafts import Drafting, draft_key
from curate.engine.editing.edited_reading import EditedReading, has_blurs
from curate.engine.editing.planned import ReadEdits
from curate.engine.measuring import Measuring, ToMeasure, measure_shard, to_measure, write_lines
from curate.engine.naming import Names
from curate.engine.origins import OriginsWriter
from curate.engine.plan import Shard
from curate.engine.recipe import READING, Recipe
from curate.engine.redacted_reading import RedactedReading
from curate.engine.remote_inputs import fetched
from curate.engine.rewriting import Refused, Rewriting, handfuls
from curate.engine.work import Batch, ShardFolder, ShardIndex, Unread
from curate.engine.workers import no_collecting
from curate.model.constants import AT_HAND_BYTES, BATCH_BYTES, BATCH_RECORDS
from curate.model.errors import CurateError, GateError, InputError
from curate.model.rejected import Rejected
from curate.model.trajectory import Step, Trajectory, encode
from curate.reduce.types import Stretch
from curate.sources import registry
from curate.sources.base import Input, Read, ReadContext
from curate.sources.common.trouble import in_plain_words
from curate.sources.detector.settle import read_settled
from curate.stages.base import MeasureContext
from curate.stages.measures.picture_cache import FactsCache, cache_folder
from curate.stages.measures.picture_reader import PictureReader
from curate.stages.records_table import RecordsTable
from curate.store.dataset import REDUCED, reduced_row, write_parquet
from curate.store.media import MediaStore

_DETAIL = 500  # characters of an error that a reason quotes
_FILES_AWAITED = ("read.media_missing", "read.media_damaged", "read.archive_refused")  # copied again, they may serve


class ReadJob(msgspec.Struct, kw_only=True, frozen=True):
    """One shard to read and measure, in the run folder `root`, as `key`. `limit`: at most so many records and
    unreadable lines (None: all). `keep`: whether its records are kept, as a part of the dataset and as lines (else only
    what decisions and examples need of them). `again`: read it even though it was read, for its drafts. `edits`: which
    edits are applied, if any."""

    root: Path
    shard: Shard
    recipe: Recipe
    key: str
    limit: int | None = None
    keep: bool = True
    again: bool = False
    edits: ReadEdits | None = None


class ReadDone(msgspec.Struct, kw_only=True):
    """`read`: whether it was read now; `measured`: how many stages measured it now."""

    index: ShardIndex
    read: bool
    measured: int


class _Record(msgspec.Struct):
    record: Trajectory
    line: bytes  # its canonical JSON
    stretches: list[Stretch]


def read_shard(job: ReadJob) -> ReadDone:
    """Read a shard, unless that was done before, and measure what is not measured yet."""
    folder = ShardFolder(job.root, job.key)
    index = folder.index()
    todo = to_measure(job.recipe)
    with no_collecting(), _pictures(job, todo) as pictures:
        context = MeasureContext(media_root=job.root, seed=job.recipe.seed, pictures=pictures)
        if index is None or index.missing or job.again or not (job.keep or _all_measured(folder, todo)):
            index = _Reading(job, folder, context).read()
            return ReadDone(index=index, read=True, measured=len(todo))
        return ReadDone(index=index, read=False, measured=measure_shard(folder, index, todo, context))


def _all_measured(folder: ShardFolder, todo: Sequence[ToMeasure]) -> bool:
    return all(folder.measures(one.stage.name, one.key).is_file() for one in todo)


def _pictures(job: ReadJob, todo: Sequence[ToMeasure]) -> PictureReader:
    """What reads the run's pictures, in this shard and between shards."""
    looks = any(one.stage.name == "images" for one in todo)
    cache = FactsCache(cache_folder(job.root), earlier=job.root / ".work" / "read") if looks else None
    return PictureReader(MediaStore(job.root, at_hand=AT_HAND_BYTES, deferred=True), cache)


class _Reading:
    """The state of reading one shard: a batch of records and unreadable lines, in their order."""

    def __init__(self, job: ReadJob, folder: ShardFolder, context: MeasureContext) -> None:
        self.job = job
        self.folder = folder
        self.index = ShardIndex()
        self.context = context
        self.measuring = Measuring(to_measure(job.recipe), self.context)
        apart = job.edits is not None and has_blurs(job.root, job.edits.key)
        self.redacted = RedactedReading(job.root, folder.path, job.recipe, apart)
        context = msgspec.structs.replace(self.context, media_root=self.redacted.media_root)
        self.rewriting = Rewriting(job.recipe, context)
        self.edits: EditedReading | None = None
        if job.edits is not None:
            self.edits = EditedReading(job.root, job.edits, self.redacted.media_root, self.rewriting)
        self.ids = Names()
        self.batch: list[_Record | Rejected] = []
        self.batch_bytes = 0
        self.reduced: list[dict[str, Any]] = []
        key = draft_key(job.recipe)
        self.drafting = None if key is None else (key, Drafting(job.recipe))
        self.keeps_lines = job.keep or key is None
        self.origins = OriginsWriter()
        self.content = hashlib.sha256(job.key.encode())

    def read(self) -> ShardIndex:
        self.folder.begin()
        try:
            for some in handfuls(self._items()):
                self._add(some)
            self._flush()
        finally:
            self.redacted.close()
        self.measuring.write(self.folder, durable=False)
        self.origins.write(self.folder)
        if self.edits is not None:
            self.edits.write(self.folder)
        if self.reduced:
            write_parquet(self.folder.reduced, pa.Table.from_pylist(self.reduced, schema=REDUCED), durable=False)
        for one in self.index.unread:
            self.content.update(msgspec.json.encode(one))
        self.content.update(msgspec.json.encode(self.reduced))
        self.index.content = self.content.hexdigest()
        if self.context.pictures is not None:
            self.context.pictures.media.sync()  # before the index says that they are there
        self.folder.finish(self.index)
        return self.index

    def _media(self) -> MediaStore:
        """Where the source stores pictures. What measures them finds those of the record just read in memory."""
        seen = self.context.pictures
        return MediaStore(self.redacted.media_root) if seen is None or self.redacted.is_apart else seen.media

    def _look(self, record: Trajectory) -> None:
        if self.context.pictures is not None and any(one.stage.name == "images" for one in self.measuring.todo):
            with contextlib.suppress(ValueError, TypeError, ArithmeticError):  # measuring meets it again, and says so
                self.context.pictures.look_at(record)

    def _items(self) -> Iterator[Read | Rejected]:
        """What the source reads, from a store too."""
        with fetched(self.job.shard.input, self.job.shard.part, self.folder.path / "fetched") as one:
            yield from self._items_of(one)

    def _items_of(self, one: Input) -> Iterator[Read | Rejected]:
        """What the source reads, up to the limit; what stops the input as a whole ends it with a reason."""
        shard, taken = self.job.shard, 0
        options = {name: msgspec.to_builtins(self.job.recipe.options[name]) for name in READING}
        context = ReadContext(media=self._media(), options=options, shown=shard.input.shown, part=shard.part)
        try:
            path = self.redacted.open(one)
            for item in read_settled(registry.source(shard.input.source), path, context):
                if self.job.limit is not None and taken >= self.job.limit:
                    return
                taken += 1
                yield item
        except GateError as error:
            yield self._rejected(None, "redact.not_removed", str(error))
        except InputError as error:
            if not self.redacted.is_redacted:
                raise
            yield self._rejected(None, "read.error", str(error))
        except (CurateError, MemoryError):
            raise  # a full disk is no fault of the record
        except Exception as error:
            yield self._rejected(None, "read.error", in_plain_words(error))

    def _add(self, items: Sequence[Read | Rejected]) -> None:
        """Rewrite some records, and write and measure each batch that they fill."""
        records = [item.trajectory for item in items if isinstance(item, Read)]
        if self.edits is not None:
            records = [self.edits.edited(record) for record in records]
        made = iter(self.rewriting.rewritten(records))
        for item in items:
            if isinstance(item, Rejected):
                self.batch.append(self._masked(item))
            else:
                self._take(next(made), item.stretches)
            if self.batch_bytes >= BATCH_BYTES or len(self.batch) >= BATCH_RECORDS:
                self._flush()

    def _take(self, record: Trajectory | Refused, stretches: Sequence[Stretch]) -> None:
        if isinstance(record, Refused):
            self.batch.append(self._masked(self._rejected(*record)))
            return
        self.redacted.keep(record)
        self._look(record)
        line = encode(record)
        self.batch.append(_Record(record, line, list(stretches)))
        self.batch_bytes += len(line)

    def _masked(self, row: Rejected) -> Rejected:
        """A row as it may be written: sentences about what cannot be read quote it."""
        if not self.redacted.is_redacted:
            return row
        texts = {
            name: text and self.redacted.mask(text) for name in ("id", "file", "detail") if (text := getattr(row, name))
        }
        return msgspec.structs.replace(row, **texts)

    def _rejected(self, record: Trajectory | None, reason: str, detail: str) -> Rejected:
        file = record.source.file if record else None
        line = record.source.line if record else None
        return Rejected(
            id=record.id if record else None, file=file or self.job.shard.input.shown, line=line,
            stage="validate", reason=reason, detail=detail[:_DETAIL],
        )  # fmt: skip

    def _flush(self) -> None:
        """Write and measure the batch."""
        kept: list[_Record] = []
        for item in self.batch:
            row = self.index.rows + len(kept)
            if isinstance(item, Rejected):
                self.index.missing |= item.reason in _FILES_AWAITED
                self.index.unread.append(Unread(after=row, row=item))
                continue
            before = item.record.id
            item.record.id = self.ids.unique(before)
            if item.record.id != before:
                self.index.renamed[row] = before
                item.line = encode(item.record)
            kept.append(item)
        self.batch, self.batch_bytes = [], 0
        if kept:
            self._write(kept)
        kept.clear()

    def _write(self, kept: list[_Record]) -> None:
        number = len(self.index.batches)
        records, lines = [item.record for item in kept], [item.line for item in kept]
        given = RecordsTable(records, lines)
        table = given.whole() if self.job.keep else None
        self.measuring.add(given)
        self.origins.add(records)
        if table is not None:
            write_parquet(self.folder.part(number), table, BATCH_RECORDS, durable=False)
        if self.keeps_lines:
            write_lines(self.folder.records(number), lines)
        if self.drafting is not None:
            self.drafting[1].write(self.folder.drafts(self.drafting[0], number), given.steps)
        steps = given.steps
        self.index.missing |= steps.has_flags and any("picture_missing" in flags for flags in steps.of("flags"))
        pictured = any(any(steps.of(name)) for name in ("image", "image_after", "tree"))
        for item in kept:
            self.content.update(_named_files(item.record, item.record.steps if pictured else ()))
            self.reduced.extend(reduced_row(item.record.id, stretch) for stretch in item.stretches)
        size = sum(map(len, lines)) + len(lines)
        self.index.batches.append(Batch(rows=len(kept), bytes=size))
        self.index.steps += len(steps)


def _named_files(record: Trajectory, steps: Sequence[Step]) -> bytes:
    """The stored files that a record and these of its steps name: what it depends on beside the key it was read as."""
    names = [record.final_image, record.video, record.trace]
    for step in steps:
        if step.image is not None or step.image_after is not None or step.tree is not None:
            names += (str(step.index), step.image, step.image_after, step.tree)
    return "\n".join(name or "" for name in names).encode("utf-8", "surrogatepass")
