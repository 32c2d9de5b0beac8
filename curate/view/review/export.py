"""The same pages as files: no server, for a colleague or a static host under any address below it. What the server
would answer lies in `data/<name>.js`, which a page opened from a folder may load, other than JSON."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.progress import Silent, Tells
from curate.model.errors import GateError, StoreError
from curate.store.atomic import make_folder, store_error, write_bytes, write_json
from curate.view.review.answers import CLIPS, Answers, Options, encoded
from curate.view.review.data import ReviewData
from curate.view.review.files import BUNDLE, INDEX, bundle_names, media_file
from curate.view.review.security import FILE_POLICY

SCHEMA = "view-export.v1"
MARK = "export.json"  # what tells an export from any other folder
_CHARSET = '<meta charset="utf-8">'
_META = (
    '\n  <meta http-equiv="Content-Security-Policy" content="{policy}">\n  <meta name="curate-mode" content="export">'
)


class ExportOptions(msgspec.Struct, kw_only=True, frozen=True):
    """`limit`: so many trajectories, from the first. `events`: with the raw events of each step. `clips`: with the
    video of each step."""

    limit: int | None = None
    events: bool = False
    clips: bool = False


class Exported(msgspec.Struct, kw_only=True):
    """What was written. `missing`: pictures that are named and not there. `schema`, `title` are what the mark says."""

    schema: str = SCHEMA
    title: str = ""
    trajectories: int = 0
    pictures: int = 0
    clips: int = 0
    missing: int = 0


def export(root: Path, out: Path, options: Options, wanted: ExportOptions, progress: Tells | None = None) -> Exported:
    """Write the pages of a dataset or run folder into `out`, whole or not at all; an export that is there is replaced.

    Raises InputError, ChangedError, GateError for a folder that holds anything else, StoreError."""
    data = ReviewData(root, wanted.limit)
    _refuse(root, out)
    partial = out.with_name(f".{out.name}.partial")
    _remove(partial)
    try:
        make_folder(partial)
        done = _Export(data, partial, options, wanted, progress or Silent()).write()
        data.check()
        _put_in_place(partial, out)
    except OSError as error:
        raise store_error("write", out, error) from error
    finally:
        _remove(partial)
    return done


class _Export:
    def __init__(self, data: ReviewData, out: Path, options: Options, wanted: ExportOptions, progress: Tells) -> None:
        self._data, self._out, self._wanted, self._progress = data, out, wanted, progress
        self._answers = Answers(data, options, out / CLIPS)
        self._seen: set[str] = set()
        self._done = Exported()

    def write(self) -> Exported:
        for name in sorted(bundle_names() - {INDEX}):
            shutil.copyfile(BUNDLE / name, self._out / name)
        page = (BUNDLE / INDEX).read_text("utf-8")
        write_bytes(self._out / INDEX, page.replace(_CHARSET, _CHARSET + _META.format(policy=FILE_POLICY), 1).encode())
        about = self._answers.about()
        self._done.title = about["title"]
        for name in ("list", "text", "edits"):
            self._put(name, self._answers.named(name))
        self._put("about", about)
        self._progress.phase("pages of trajectories", len(self._data))
        for position in range(len(self._data)):
            self._trajectory(position)
            self._progress.advance()
        write_json(self._out / MARK, self._done)
        return self._done

    def _trajectory(self, position: int) -> None:
        found = self._answers.named(f"run/{position}")
        if any(verdict["witness"] for verdict in found["verdicts"]):
            self._put(f"witness/{position}", self._answers.named(f"witness/{position}"))
        for step in found["steps"]:
            name = f"{position}/{step['index']}"
            if self._wanted.events:
                self._put(f"events/{name}", self._answers.named(f"events/{name}"))
            if self._wanted.clips and step["clip"]:
                self._clip(name, step)
            else:
                step["clip"] = None
        self._put(f"run/{position}", found)
        self._done.trajectories += 1

    def _clip(self, name: str, step: dict[str, Any]) -> None:
        clip = self._answers.named(f"clip/{name}")
        if clip["src"] is None:
            step["clip"] = None
            return
        self._put(f"clip/{name}", clip)
        self._done.clips += 1

    def _put(self, name: str, found: Any) -> None:
        """Write an answer, and the pictures that it shows."""
        body = encoded(found)
        target = self._out / "data" / f"{name}.js"
        make_folder(target.parent)
        target.write_bytes(script(name, body))
        for reference in _shown(found):
            self._picture(reference)

    def _picture(self, reference: str) -> None:
        if reference in self._seen:
            return
        self._seen.add(reference)
        source = media_file(self._data.media, reference)
        if source is None:
            self._done.missing += 1
            return
        make_folder((self._out / reference).parent)
        shutil.copyfile(source, self._out / reference)
        self._done.pictures += 1


def script(name: str, body: bytes) -> bytes:
    """An answer as a script. The object is read from a text: of an object written as code, a recorded name such as
    `__proto__` would be more than a name. ASCII, so that no host's idea of an encoding matters."""
    text = json.dumps(body.decode())  # a JSON text is one of JavaScript's too: what is not ASCII is escaped
    return f"curateData({json.dumps(name)}, JSON.parse({text}));\n".encode("ascii")


def _shown(found: Any) -> Iterator[str]:
    """The pictures that an answer shows: its `src` and `image`."""
    if isinstance(found, dict):
        for name, value in found.items():
            if name in ("src", "image") and isinstance(value, str) and value.startswith("media/"):
                yield value
            elif isinstance(value, dict | list):
                yield from _shown(value)
    elif isinstance(found, list):
        for value in found:
            yield from _shown(value)


def _refuse(root: Path, out: Path) -> None:
    """Raises GateError for a place that may not be written to."""
    here, there = out.resolve(), root.resolve()
    if here == there or there in here.parents or here in there.parents:
        raise GateError(f"{out} is the data's own folder, in it, or around it: choose another folder for --export.")
    if not out.exists() and not out.is_symlink():
        return
    if not out.is_dir() or out.is_symlink():
        raise GateError(f"{out} is no folder: choose a new name for --export.")
    names = {path.name for path in out.iterdir()}
    if not names:
        return
    foreign = sorted(names - {MARK, "data", "media", CLIPS} - bundle_names())
    if not _is_export(out / MARK) or foreign:
        what = f"{foreign[0]!r}" if foreign else "files"
        raise GateError(f"{out} holds {what} that no export of this program wrote: choose a new or empty folder.")


def _is_export(mark: Path) -> bool:
    try:
        return msgspec.json.decode(mark.read_bytes(), type=Exported).schema == SCHEMA
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return False


def _put_in_place(partial: Path, out: Path) -> None:
    """The new export takes the place of what was there."""
    old = out.with_name(f".{out.name}.old")
    _remove(old)
    if out.exists():
        out.rename(old)
    try:
        partial.rename(out)
    except OSError:
        if old.exists():
            old.rename(out)
        raise
    _remove(old)


def _remove(folder: Path) -> None:
    if folder.is_symlink() or folder.is_file():
        raise StoreError(f"{folder} is in the way: remove it.")
    if folder.exists():
        shutil.rmtree(folder)
