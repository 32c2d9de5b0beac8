"""One recording without the secrets, the whole way: keys and rows, trees, names of files, pictures; then it is looked
through once more, and only what passes is there in the end."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec

from curate.model.errors import GateError, InputError, StoreError
from curate.model.events import RawEvent
from curate.model.trajectory import Platform
from curate.reduce.events.reducer import reduce_events
from curate.reduce.redaction.drawn import Looks
from curate.reduce.redaction.places import ShownBox, shown_boxes, shown_spans, title_spans
from curate.reduce.redaction.rows import Plain, is_judged, read_plain, rewritten
from curate.reduce.redaction.scan import TEXT_SUFFIXES, check_folder
from curate.reduce.redaction.spellings import Spellings, plain
from curate.reduce.redaction.typed import KeyLog, TypedSpan, joined, typed_spans
from curate.reduce.redaction.video import redact_video
from curate.reduce.types import ReducedStep, ReduceOptions
from curate.store.atomic import make_folder, store_error
from curate.store.recording import (
    ACCESSIBILITY,
    EVENTS,
    FRAMES,
    INFO,
    LOCK,
    RECOVERED,
    VIDEO,
    KeyRow,
    RecordingInfo,
    RedactionRow,
    read_frames,
    read_info,
    read_rows,
)

_ROUNDS = 5  # of taking out what the reducer still reads as a secret; each takes whole steps out


class Redacted(msgspec.Struct, kw_only=True, frozen=True):
    """What was done: `typed` stretches of keys taken out, `boxes` places in trees, `frames` with something black,
    `left_out` lines and files that could not be read and so could not be judged. `share`, `most`: of the area of those
    frames that is black, on average and in the worst. `released`: places that changed while it was typed but plainly
    show something else, black only at that time. `doubts`: what cannot be guaranteed."""

    folder: Path
    typed: int
    boxes: int
    frames: int
    left_out: int
    share: float = 0.0
    most: float = 0.0
    released: int = 0
    doubts: tuple[str, ...] = ()


def redact_recording(folder: Path, spellings: Spellings, out: Path) -> Redacted:
    """Write the recording of `folder` without the secrets into a new folder of `out`, whole or not at all.

    Raises InputError where it cannot be read, GateError where a secret is left, StoreError."""
    info = read_info(folder)
    if not (folder / EVENTS).is_file():
        raise InputError(f"{EVENTS} is missing: the recording holds no events.")
    target = make_folder(out) / spellings.mask(folder.resolve().name)
    if target.exists():
        raise StoreError(f"{target} is there already: a redaction never writes over anything.")
    with tempfile.TemporaryDirectory(prefix=".redacting-", dir=out) as scratch:
        making = Path(scratch) / "recording"
        making.mkdir()
        try:
            done, looks = _Redaction(folder, making, spellings, info).write()
            check_folder(making, spellings, looks, info.platform)
            making.rename(target)
        except OSError as error:
            raise store_error("write", target, error) from error
    return msgspec.structs.replace(done, folder=target)


class _Redaction:
    """One recording on its way."""

    def __init__(self, folder: Path, out: Path, spellings: Spellings, info: RecordingInfo) -> None:
        self.folder, self.out, self.spellings, self.info = folder, out, spellings, info
        self.left_out = 0

    def write(self) -> tuple[Redacted, Looks]:
        log = self._read_keys()
        spans, events = self._events(typed_spans(log.presses, self.spellings))
        boxes = self._trees()
        titles = title_spans(log.windows, self.spellings)
        shown = [*shown_spans([*spans, *log.pastes], log.acts), *titles]
        black, released, looks, blacks = 0, 0, Looks(), list[float]()
        video = self.folder / VIDEO
        if video.is_file() and video.stat().st_size:
            frames = read_frames(self.folder / FRAMES) if (self.folder / FRAMES).is_file() else []
            if not frames:
                raise InputError(f"{FRAMES} is missing: when each picture was taken is not known. Run curate recover.")
            gathered, blacks = redact_video(video, self.out / VIDEO, frames, shown, boxes)
            looks, black, released = gathered.looks, len(blacks), gathered.released
        self._others()
        done = Redacted(
            folder=self.out, typed=len(spans), boxes=len(boxes), frames=black, left_out=self.left_out,
            share=sum(blacks) / black if black else 0.0, most=max(blacks, default=0.0), released=released,
            doubts=tuple(
                doubt for doubt, is_so in (("in a title", titles), ("over more than one line", looks.wrapped)) if is_so
            ),
        )  # fmt: skip
        self._info(done, events, looks)
        return done, looks

    def _read_keys(self) -> KeyLog:
        log = KeyLog(self.spellings, self.info.platform)
        for line, row in read_rows(self.folder / EVENTS, []):
            log.add(line - 1, row)
        return log

    def _events(self, spans: list[TypedSpan]) -> tuple[list[TypedSpan], int]:
        """events.jsonl, as often as the reducer, which reads keys by more rules, still finds a secret in them. All
        spans then taken out, and how many rows are left."""
        path = self.folder / EVENTS
        for _ in range(_ROUNDS):
            kept = self._write_rows(EVENTS, rewritten(read_plain(path), spans, self.spellings))
            found = still_typed(self.out / EVENTS, self.spellings, self.info.platform)
            if not found:
                self.left_out += sum(not is_judged(row) for row in read_plain(path))
                return spans, kept
            spans = joined([*spans, *(self._span_of(since, until) for since, until in found)])
        raise GateError(f"Keys that type a secret could not be taken out of {EVENTS}.")

    def _span_of(self, since: int, until: int) -> TypedSpan:
        """The lines of the keys pressed from one time to another."""
        rows = read_rows(self.folder / EVENTS, [])
        at = [line - 1 for line, row in rows if isinstance(row, KeyRow) and row.pressed and since <= row.t <= until]
        return TypedSpan(first=min(at), last=max(at), since=since, until=until)

    def _trees(self) -> list[ShownBox]:
        path = self.folder / ACCESSIBILITY
        if not path.is_file():
            return []
        self._write_rows(ACCESSIBILITY, (self.spellings.mask_all(row) for row in read_plain(path) if row is not None))
        self.left_out += sum(row is None for row in read_plain(path))
        return shown_boxes(read_plain(path), self.spellings)

    def _write_rows(self, name: str, rows: Iterable[Plain]) -> int:
        encoder, count = msgspec.json.Encoder(), 0
        with (self.out / name).open("wb") as file:
            for count, row in enumerate(rows, 1):  # noqa: B007
                file.write(encoder.encode(row) + b"\n")
        return count

    def _others(self) -> None:
        """Every other file: texts masked, the rest as it is. A link, or a text that is none, is left out."""
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if name in (INFO, EVENTS, ACCESSIBILITY, VIDEO, LOCK) or (path.is_dir() and not path.is_symlink()):
                continue
            target = self.out / self.spellings.mask(name)
            if path.is_symlink() or not path.is_file() or name.startswith(f"{RECOVERED}/"):  # remains nobody can read
                self.left_out += 1
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix.lower() not in TEXT_SUFFIXES or name == FRAMES:  # times may look like a secret of digits
                shutil.copyfile(path, target)
                continue
            try:
                target.write_text(self.spellings.mask(path.read_text("utf-8")), "utf-8", newline="")
            except UnicodeDecodeError:
                self.left_out += 1

    def _info(self, done: Redacted, events: int, looks: Looks) -> None:
        plain_info = self.spellings.mask_all(
            msgspec.json.decode((self.folder / INFO).read_bytes().removeprefix(b"\xef\xbb\xbf"))
        )
        notes = [f"Redacted afterwards: {done.typed} stretches of keys, {done.frames} pictures."]
        if self.left_out:
            notes.append(f"{self.left_out} lines or files that could not be read were left out by the redaction.")
        if looks.left_out:
            notes.append("The secrets have more looks than are searched for in every picture.")
        plain_info["notes"] = [*plain_info.get("notes", []), *notes]
        if plain_info.get("counts"):
            plain_info["counts"]["events"] = events
        try:
            msgspec.convert(plain_info, RecordingInfo)
        except msgspec.ValidationError as error:
            raise GateError(
                "A secret is in a field of recording.json that must stay as it is, such as its id."
            ) from error
        (self.out / INFO).write_bytes(msgspec.json.format(msgspec.json.encode(plain_info)) + b"\n")


def still_typed(events: Path, spellings: Spellings, platform: Platform | None) -> list[tuple[int, int]]:
    """First and last time of the keys of which the reducer still makes a secret, as one step or across several."""
    raw: list[tuple[RawEvent, int]] = []
    for line, row in read_rows(events, []):
        if isinstance(row, KeyRow):
            event = RawEvent(
                index=line - 1, time=row.t / 1e9, kind="key", key=row.key, code=row.code, pressed=row.pressed,
                text=row.text, dead=row.dead, repeat=row.repeat, injected=row.injected,
            )  # fmt: skip
            raw.append((event, row.t))
        elif isinstance(row, RedactionRow):
            raw.append((RawEvent(index=line - 1, time=row.t / 1e9, kind="redaction"), row.t))
    text, owner = "", []
    for item in reduce_events((event for event, _ in raw), ReduceOptions(platform=platform)):
        if isinstance(item, ReducedStep):
            for action in item.actions:
                written = plain(getattr(action, "text", ""))
                text += written
                owner += [item.events] * len(written)
    times = {event.index: t for event, t in raw}
    found = []
    for first, end in spellings.typed_in(text):
        at = [times[index] for events_of in owner[first:end] for index in events_of]
        found.append((min(at), max(at)))
    return found
