"""Our recording on disk, `recording.v1`: a folder that can be moved.

    recording.json   RecordingInfo: written at the start, written again whole at the end (`ended`, `counts`)
    events.jsonl     append-only, one EventRow a line, in the order of `seq`
    screen.mkv       the screen without the pointer, a frame where something changed
    frames.jsonl     one FrameRow a frame of the video, in its order
    a11y.jsonl       append-only: trees, elements under the pointer, changes of focus (store/accessibility.py)
    pointers/*.png   pointer shapes, named by `pointer` rows
    recorder.lock    there while a recorder writes, locked; left behind, not locked, by one that was killed
    recovered/       what `curate recover` cut off and could be more than half a row

All `t` are nanoseconds of one monotonic clock. Points are physical pixels of the recorded region, origin top left.
A recording that was killed lacks the second writing of recording.json and may end in half a row; all else is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, NamedTuple

import msgspec
from msgspec import Meta

from curate.model.constants import MAX_ROW_BYTES
from curate.model.errors import InputError
from curate.model.trajectory import Platform, Screen
from curate.store.atomic import write_json

SCHEMA = "recording.v1"
INFO, EVENTS, VIDEO, FRAMES, POINTERS = "recording.json", "events.jsonl", "screen.mkv", "frames.jsonl", "pointers"
ACCESSIBILITY = "a11y.jsonl"
LOCK, RECOVERED = "recorder.lock", "recovered"

Nanoseconds = Annotated[int, Meta(ge=0, description="nanoseconds of the recording's monotonic clock")]
Pixel = int | float
Status = Literal["success", "failure", "impossible"]


class Monitor(msgspec.Struct, kw_only=True, frozen=True):
    """One monitor in pixels of the recorded region (left and above of it: negative)."""

    x: int
    y: int
    width: Annotated[int, Meta(ge=1)]
    height: Annotated[int, Meta(ge=1)]
    scale: float | None = None
    primary: bool | None = None


class Outcome(msgspec.Struct, kw_only=True, frozen=True):
    """How the task ended, as the person says; null where nobody was asked."""

    status: Status | None = None
    reason: str | None = None


class Consent(msgspec.Struct, kw_only=True, frozen=True):
    """What the person agreed to before recording."""

    version: str
    text: str


class Counts(msgspec.Struct, kw_only=True, frozen=True):
    """What was written, and what the recorder knows it could not keep up with. `late_frames`: pictures
    that took longer than 1/fps to grab, blacken and encode."""

    events: Annotated[int, Meta(ge=0)]
    frames: Annotated[int, Meta(ge=0)]
    late_frames: Annotated[int, Meta(ge=0)] = 0
    trees: Annotated[int, Meta(ge=0)] = 0
    elements: Annotated[int, Meta(ge=0)] = 0


class RecordingInfo(msgspec.Struct, kw_only=True):
    """recording.json. `id` is random and says nothing about who, where or when. `started` is UTC to the second.
    `task`: by which id the task list knows it. `actor` is a pseudonym. `control_chords`: shortcuts of the recorder
    beside start and stop (pause, private).
    `excluded`: what the person took out of the recording beforehand, as given (`app:NAME`, `title:PATTERN`,
    `monitor:N`). `accessibility`: the back end that read trees, null for none. `faults`: sentences about what went
    wrong while recording; `notes`: what is worth knowing and no fault (a program repainted all the time). `recovered`:
    the recorder never ended it; `curate recover` made it whole from what was on the disk. `recorder`, `platform`,
    `instruction` and `screen` are null only where a recovered recording had lost them."""

    schema: Literal["recording.v1"] = "recording.v1"
    id: Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
    recorder: str | None
    platform: Platform | None
    instruction: str | None
    task: str | None = None
    started: str | None = None
    clock: Literal["monotonic"] = "monotonic"
    screen: Screen | None
    monitors: list[Monitor] = []
    pointer_in_video: bool = False
    start_chord: list[str] | None = None
    stop_chord: list[str] | None = None
    control_chords: list[list[str]] = []
    excluded: list[str] = []
    accessibility: str | None = None
    outcome: Outcome | None = None
    actor: str | None = None
    consent: Consent | None = None
    ended: bool = False
    recovered: bool = False
    counts: Counts | None = None
    faults: list[str] = []
    notes: list[str] = []


class EventRow(msgspec.Struct, kw_only=True, tag_field="kind", frozen=True):
    """One row of events.jsonl. `seq` counts from 0 without gaps; `t` may step back only on rows that are no input."""

    seq: Annotated[int, Meta(ge=0)]
    t: Nanoseconds


class MoveRow(EventRow, kw_only=True, tag="move", frozen=True):
    """The pointer is at a new place."""

    x: Pixel
    y: Pixel


class ButtonRow(EventRow, kw_only=True, tag="button", frozen=True):
    """A mouse button: left, middle, right, x1, x2, button10 ..."""

    x: Pixel
    y: Pixel
    button: str
    pressed: bool
    injected: bool | None = None


class ScrollRow(EventRow, kw_only=True, tag="scroll", frozen=True):
    """The wheel, in notches (fractions where the device has them): `dx` > 0 right, `dy` > 0 up."""

    x: Pixel
    y: Pixel
    dx: float
    dy: float
    injected: bool | None = None


class KeyRow(EventRow, kw_only=True, tag="key", frozen=True):
    """A key. `key` names it without modifiers (`a`, `ctrl_l`, `enter`, `dead_acute`; `unknown` where it has no
    name), `code` is the physical key. `text`: what a press typed under the modifiers, lock keys and layout of that
    moment: '' nothing, null not known (and on every release). `dead`: a dead key. `repeat`: a press that the keyboard
    made because the key was held."""

    key: str
    code: int | None = None
    pressed: bool
    text: str | None = None
    dead: bool = False
    repeat: bool = False
    injected: bool | None = None


class PauseRow(EventRow, kw_only=True, tag="pause", frozen=True):
    """Recording was suspended: nothing between this and `resume` was kept."""


class ResumeRow(EventRow, kw_only=True, tag="resume", frozen=True):
    """Recording goes on."""


class ScreenRow(EventRow, kw_only=True, tag="screen", frozen=True):
    """The screen changed: its size, scale or monitors. The video goes on with the size it began with."""

    width: Annotated[int, Meta(ge=1)]
    height: Annotated[int, Meta(ge=1)]
    scale: float | None = None
    monitors: list[Monitor] = []


class WindowRow(EventRow, kw_only=True, tag="window", frozen=True):
    """The window in front, or its title, changed. `own`: it is the recorder's (the terminal it was started from).
    `hidden`: it is one the person excluded, so it has no name here."""

    app: str | None = None
    title: str | None = None
    own: bool = False
    hidden: bool = False


class ClipboardRow(EventRow, kw_only=True, tag="clipboard", frozen=True):
    """The clipboard's text changed. Written only where the person asked for it. `text` null: something other than
    text, or longer than the recorder takes."""

    text: str | None = None


class PointerRow(EventRow, kw_only=True, tag="pointer", frozen=True):
    """The pointer took another shape: `image` is a file of this folder, the hot spot lies in its pixels."""

    image: str
    hot_x: int
    hot_y: int
    name: str | None = None


HiddenReason = Literal["password", "unknown_focus", "private", "excluded", "redacted"]


class RedactionRow(EventRow, kw_only=True, tag="redaction", frozen=True):
    """Events of these `kinds` that happened from `since` to `t` were not written: keys into a password field; keys
    while nobody could tell whether they go into one (`unknown_focus`: what reads accessibility had ended or did not
    answer); anything while the person said "do not record this"; input to an excluded window; `redacted`: taken out
    afterwards. One row where it begins (`since` = `t`), so that a kill leaves its mark, and one where it ends."""

    since: Nanoseconds
    reason: HiddenReason
    kinds: list[str] = []


class EndRow(EventRow, kw_only=True, tag="end", frozen=True):
    """The last row of a recording that was closed: stop_chord, interrupt, seconds, asked or fault where the recorder
    did it; `interrupted` where it was killed and `curate recover` closed it, at the last time that is known."""

    reason: str


class UnknownRow(msgspec.Struct, kw_only=True, frozen=True):
    """A row of a kind this version does not know: kept by its number and time, never read further."""

    seq: int
    t: int
    kind: str


AnyRow = (
    MoveRow | ButtonRow | ScrollRow | KeyRow | PauseRow | ResumeRow | ScreenRow | WindowRow | PointerRow
    | ClipboardRow | RedactionRow | EndRow
)  # fmt: skip
INPUT_ROWS = (MoveRow, ButtonRow, ScrollRow, KeyRow)
KINDS = frozenset(str(cls.__struct_config__.tag) for cls in AnyRow.__args__)


class FrameRow(msgspec.Struct, kw_only=True, frozen=True):
    """One frame of the video: `n` counts from 0, `t` is when its capture was complete (the picture shows nothing
    later), `pts` its time stamp in the video in milliseconds."""

    n: Annotated[int, Meta(ge=0)]
    t: Nanoseconds
    pts: Annotated[int, Meta(ge=0)]


_row_decoder: msgspec.json.Decoder[AnyRow] = msgspec.json.Decoder(AnyRow)
_unknown_decoder = msgspec.json.Decoder(UnknownRow)
_frame_decoder = msgspec.json.Decoder(FrameRow)


_BOM = b"\xef\xbb\xbf"


class RowLine(NamedTuple):
    """A line of a file of rows: its number from 1, its bytes without the line end (None: longer than the limit, passed
    over unread), whether it has a line end, and the bytes of the file where it begins and where the next one does."""

    number: int
    data: bytes | None
    whole: bool
    start: int
    end: int


def lines(path: Path, limit: int = MAX_ROW_BYTES) -> Iterator[RowLine]:
    """Each line of a file. Memory is bounded by one row."""
    with path.open("rb") as file:
        number, start = 0, 0
        while piece := file.readline(limit):
            number += 1
            end, cut = start + len(piece), len(piece) == limit
            if number == 1 and piece.startswith(_BOM):
                piece, start = piece.removeprefix(_BOM), len(_BOM)
            if piece.endswith(b"\n"):
                yield RowLine(number, piece[:-1], True, start, end)
            elif not cut:
                yield RowLine(number, piece, False, start, end)
            else:
                whole, size = _pass_over(file, limit)
                end += size
                yield RowLine(number, None, whole, start, end)
            start = end


def _pass_over(file: BinaryIO, limit: int) -> tuple[bool, int]:
    """Goes to the end of the line: whether it has one, and how many bytes that was."""
    size = 0
    while piece := file.readline(limit):
        size += len(piece)
        if piece.endswith(b"\n"):
            return True, size
    return False, size


def read_rows(
    path: Path, unreadable: list[tuple[int, str]], only: tuple[str, ...] = ()
) -> Iterator[tuple[int, AnyRow | UnknownRow]]:
    """The rows of an events.jsonl with their line (from 1). What cannot be read goes to `unreadable` with its line and
    why; half a last row is what a killed recorder leaves and is named as such. With `only`, lines that cannot be rows
    of these kinds are passed over unread (other rows may still come)."""
    marks = tuple(f'"{kind}"'.encode() for kind in only)
    for number, data, whole, _, _ in lines(path):
        if marks and data is not None and not any(mark in data for mark in marks):
            continue
        row = decode_row(data, whole)
        if isinstance(row, str):
            unreadable.append((number, row))
        else:
            yield number, row


def decode_row(data: bytes | None, whole: bool = True) -> AnyRow | UnknownRow | str:
    """The row of a line of events.jsonl, or a sentence about why it is none."""
    if data is None:
        return f"The row is longer than {MAX_ROW_BYTES} bytes."
    try:
        return _row_decoder.decode(data)
    except msgspec.ValidationError as error:
        return _of_unknown_kind(data) or f"The row is no event: {error}."
    except msgspec.DecodeError as error:
        return f"The row is not JSON: {error}." if whole else "The row is cut off: the recorder was interrupted here."
    except UnicodeDecodeError:
        return "The row is not UTF-8."


def _of_unknown_kind(data: bytes) -> UnknownRow | None:
    try:
        row = _unknown_decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return row if row.kind not in KINDS else None


def read_frames(path: Path) -> list[FrameRow]:
    """The rows of a frames.jsonl; half a last row is left out. Raises InputError for any other bad row: without it
    the times of all later frames would be another frame's."""
    rows: list[FrameRow] = []
    for number, data, whole, _, _ in lines(path):
        try:
            row = _frame_decoder.decode(data or b"")
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if not whole:
                break
            raise InputError(f"{path.name}, line {number} is no frame: {error}.") from error
        if row.n != len(rows):
            raise InputError(f"{path.name}, line {number}: frame {row.n} stands where frame {len(rows)} should.")
        rows.append(row)
    return rows


def read_info(folder: Path) -> RecordingInfo:
    """recording.json of a folder. Raises InputError with what is wrong."""
    path = folder / INFO
    try:
        return msgspec.json.decode(path.read_bytes().removeprefix(_BOM), type=RecordingInfo)
    except FileNotFoundError as error:
        raise InputError(f"{INFO} is missing: the folder is no recording.") from error
    except OSError as error:
        raise InputError(f"{INFO} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{INFO} is no {SCHEMA}: {error}.") from error


def write_info(folder: Path, info: RecordingInfo) -> None:
    """Write recording.json whole. Raises StoreError."""
    write_json(folder / INFO, info)
