"""A raw recording, whoever made it, read as a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import msgspec

from curate.model.errors import CurateError, InputError, UsageError
from curate.model.events import RawRecording
from curate.model.rejected import Rejected
from curate.model.trajectory import Origin
from curate.reduce.types import KeyframeOptions, ReduceOptions
from curate.sources.base import Read, ReadContext
from curate.sources.common.reading import UnreadableError, is_utf8, rejected
from curate.sources.common.trouble import in_plain_words, without_paths

T = TypeVar("T", bound=msgspec.Struct)


def read_raw(opening: Callable[[], RawRecording], importer: str, context: ReadContext) -> Iterator[Read | Rejected]:
    """The record of a raw recording, or why there is none. Only a disk that cannot be written to, or wrong options,
    are raised; whatever else goes wrong is the record's own."""
    reduce = read_options(ReduceOptions, context.options.get("reduce", {}), "reduce")
    keyframes = read_options(KeyframeOptions, context.options.get("keyframes", {}), "keyframes")
    from curate.reduce.recording import reduce_recording  # it loads a video decoder, which only recordings need

    identity: str | None = None
    try:
        recording = opening()
        identity = recording.id
        trajectory, stretches = reduce_recording(recording, context.media, reduce, keyframes)
    except UnreadableError as error:
        yield rejected(context.shown, error.reason, str(error), identity)
        return
    except InputError as error:
        yield rejected(context.shown, "read.error", without_paths(str(error)), identity)
        return
    except CurateError:
        raise
    except Exception as error:
        yield rejected(context.shown, "read.error", in_plain_words(error), identity)
        return
    if not trajectory.steps:
        first = recording.unreadable[0] if recording.unreadable else None
        why = f" Line {first[0]} of its events: {first[1]}" if first else ""
        events = recording.folder / "events.jsonl"
        code = "read.empty" if is_utf8(events) else "read.encoding"
        yield rejected(context.shown, code, f"The recording holds no event that can be read.{why}", identity)
        return
    trajectory.source = Origin(name=recording.source, id=recording.id, file=context.shown, importer=importer)
    yield Read(trajectory=trajectory, stretches=stretches)


def read_options(kind: type[T], given: Any, section: str) -> T:
    """A section of a recipe as its options. Raises UsageError for a wrong name or value."""
    try:
        return msgspec.convert(given, kind, strict=False) if not isinstance(given, kind) else given
    except msgspec.ValidationError as error:
        raise UsageError(f"Section {section!r}: {error}.") from error
