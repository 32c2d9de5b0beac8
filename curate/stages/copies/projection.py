"""What comparing needs of each run, small enough that a corpus of it fits into memory (some 300 bytes a run): what it
did as tokens, where it took place, what its task is, and what decides which copy stays. Texts that are only held for
equality are held as digests."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

from curate.model.constants import KEY_BYTES
from curate.model.steps import Steps
from curate.model.trajectory import Step, Trajectory
from curate.stages.arrays import list_array, strings
from curate.stages.copies.quality import keyframe_quality, mean_score, pixels
from curate.stages.copies.tokens import token, tokens
from curate.stages.measures.app_names import app_keys, site_keys
from curate.stages.measures.normal_forms import task_keys
from curate.stages.measures.task_text import template_key
from curate.stages.tables import schema

_WORDS: Any = pa.dictionary(pa.int32(), pa.string())  # each word of a column once, however many runs say it
WORDS: pa.DataType = pa.list_(_WORDS)
KEY: pa.DataType = pa.binary(KEY_BYTES)
FACTS: dict[str, pa.DataType] = {
    "scope": WORDS,  # apps and sites
    "task": KEY,  # of the instruction's normal form and its arguments
    "template": KEY,  # of the template and its arguments
    "content": KEY,  # of all that was recorded: two runs of one content are one run, read twice
    "instruction": pa.string(),
    "wordings": pa.list_(pa.string()),
    "people": pa.bool_(),
    "completed": pa.bool_(),
    "score": pa.float64(),
    "keyframes": pa.float64(),
    "pixels": pa.int64(),
    "first_image": KEY,
    "last_image": KEY,
    "mistakes": WORDS,  # what it did wrong and recovered from, as tokens
}
PROJECTION = schema(id=pa.string(), labels=WORDS, **FACTS)

_FIRST, _LAST = b',"instruction":', b',"outcome":{'  # what lies between them in a record's JSON was recorded
_encoder = msgspec.json.Encoder()


def projection(steps: Steps, lines: Sequence[bytes] | None = None) -> pa.Table:
    """One row for each run of these steps (see PROJECTION). `lines`: the records' canonical JSON, where the caller has
    it already."""
    records = steps.records
    tasks = task_keys(pa.array([record.instruction for record in records], pa.string())).to_pylist()
    known: Sequence[bytes | None] = [None] * len(records) if lines is None else lines
    pictured = set(steps.run[steps.holding("image") | steps.holding("image_size")].tolist())
    mistaken = set(steps.run[steps.where("correct", False)].tolist())
    rows = [
        _row(record, task, line, run in pictured, run in mistaken)
        for run, (record, task, line) in enumerate(zip(records, tasks, known, strict=True))
    ]
    plain = list(zip(*rows, strict=True)) if rows else [()] * len(PROJECTION)
    columns = [
        words_column(values) if field.type == WORDS else pa.array(values, field.type)
        for field, values in zip(PROJECTION, plain, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=PROJECTION)


def _row(record: Trajectory, task: str | None, line: bytes | None, pictured: bool, mistaken: bool) -> tuple[Any, ...]:
    """The values in PROJECTION's order. `pictured`, `mistaken`: whether any step has a picture or its size, and whether
    any is marked wrong."""
    steps = record.steps
    pictures = [step.image for step in steps if step.image] if pictured else []
    return (
        record.id,
        tokens(steps),
        scope_of(tuple(record.apps), tuple(record.sites)),
        _digest_of(task),
        _digest_of(template_key(record.template, record.instruction)) if record.template else None,
        content_key(record, line),
        record.instruction,
        list(record.wordings.values()),
        record.actor.kind == "human",
        record.outcome.completed,
        mean_score(record.scores) if record.scores else None,
        keyframe_quality(steps) if pictures else None,
        pixels(steps) if pictured else None,
        _digest_of(pictures[0]) if pictures else None,
        _digest_of(pictures[-1]) if pictures else None,
        recovered_mistakes(steps) if mistaken else [],
    )


@lru_cache(4096)
def scope_of(apps: tuple[str, ...], sites: tuple[str, ...]) -> list[str]:
    """The places of a run: its apps and sites under their one name each."""
    return [*app_keys(apps), *site_keys(sites)]


def recovered_mistakes(steps: Sequence[Step]) -> list[str]:
    """What the steps marked wrong did, as far as a later step is not wrong: a mistake and its recovery, which is
    worth keeping where the copy that stays has none of it."""
    wrong = [i for i, step in enumerate(steps) if step.correct is False]
    if not wrong:
        return []
    last_good = max((i for i, step in enumerate(steps) if step.correct is not False), default=-1)
    return sorted({token(steps[i]) or "" for i in wrong if i < last_good})


def content_key(record: Trajectory, line: bytes | None = None) -> bytes | None:
    """Equal for two records of one recording: everything from the instruction to the last picture, whatever id, source,
    judgement and lineage say. None for a run without steps. `line`: its canonical JSON."""
    if not record.steps:
        return None
    line = _encoder.encode(record) if line is None else line
    return digest(memoryview(line)[line.index(_FIRST) : line.rindex(_LAST)])


def digest(data: Any) -> bytes:
    """KEY_BYTES of SHA-256: equal for equal bytes, and in practice for no others. (Processors have instructions for
    it: it is more than twice as fast as BLAKE2.)"""
    return hashlib.sha256(data).digest()[:KEY_BYTES]


def text_key(text: str) -> bytes:
    """The digest of a text."""
    return digest(text.encode("utf-8", "surrogatepass"))


def _digest_of(text: str | None) -> bytes | None:
    return None if text is None else text_key(text)


def words_column(rows: Sequence[Sequence[str]]) -> Any:
    """Lists of words, each word of the column stored once (type WORDS)."""
    offsets = np.cumsum([0, *map(len, rows)])
    return list_array(offsets, strings(list(chain.from_iterable(rows))).dictionary_encode())
