"""Inputs in an object store or on the Hub. What they are is told by a mirror of their names and first bytes; their
content is hashed as it streams by, and fetched by the worker that reads a shard, for as long as it reads: a part of a
JSONL file with the pictures that this part names, a recording or a dataset folder as a whole. So no more of an input
is ever on this disk than the shards that are being read."""

from __future__ import annotations

import contextlib
import functools
import re
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

import msgspec

from curate.engine.fingerprint import Cut, HashedFile, by_content, cut_stream, fingerprint
from curate.engine.work import read_marker
from curate.model.constants import REMOTE_HEAD_BYTES, REMOTE_THREADS
from curate.model.errors import InputError
from curate.sources import recognise
from curate.sources.base import Input, Origin, Part
from curate.store.atomic import make_folder, write_bytes, write_json
from curate.store.cache import cache_folder
from curate.store.jsonl import Line, read_lines
from curate.store.remote import Remote, RemoteFile, below, is_url

_PICTURES = (".png", ".jpg", ".jpeg", ".webp", ".bmp", ".gif")
_ENCODING_BYTES = 4096
_ARCHIVE = re.compile(r"\.(zip|zip\.\d{3}|z\d{2})$", re.IGNORECASE)
_STRING = re.compile(rb'"((?:[^"\\]|\\.)+\.[A-Za-z0-9]{1,8})"')
"""A JSON string that ends like the name of a file."""


class Known(msgspec.Struct, kw_only=True):
    """What is known of one version of an object: its hash, and its parts, where it was cut."""

    sha256: str
    cuts: list[Cut] = []


class Mirror(msgspec.Struct, kw_only=True):
    """What the mirror of a URL holds: the version of each object, by path; what was found out of each version."""

    versions: dict[str, str] = {}
    known: dict[str, Known] = {}


def find_inputs(paths: Sequence[Path | str], only: str | None = None) -> recognise.Found:
    """The inputs that paths and URLs stand for: those on disk by path, then those of each URL. `only`: no source but
    this is asked. Raises InputError."""
    urls = sorted({str(path) for path in paths if is_url(str(path))})
    local = [path for path in paths if not is_url(str(path))]
    found = [recognise.find_inputs(local, only)] if local or not urls else []
    found += [_remote(url, only) for url in urls]
    inputs = [one for some in found for one in some.inputs]
    return recognise.Found(
        inputs=recognise.told_apart(inputs), unknown=[name for some in found for name in some.unknown]
    )


def _remote(url: str, only: str | None) -> recognise.Found:
    remote = Remote(url)
    root, refused = _mirrored(remote)
    try:
        found = recognise.find_inputs([root], only)
    except InputError as error:
        raise InputError(str(error).replace(str(root), remote.shown)) from error
    versions = _state(remote).versions
    inputs = []
    for one in found.inputs:
        path = "" if one.path == root else one.path.relative_to(root).as_posix()
        origin = Origin(url=url, path=path, version=versions.get(path, ""))
        inputs.append(msgspec.structs.replace(one, origin=origin))
    return recognise.Found(inputs=inputs, unknown=sorted({*found.unknown, *refused}))


def _folder(remote: Remote) -> Path:
    return cache_folder() / "remote" / fingerprint(remote.url)


def _state(remote: Remote) -> Mirror:
    return read_marker(_folder(remote) / "mirror.json", Mirror) or Mirror()


def _mirrored(remote: Remote) -> tuple[Path, list[str]]:
    """A folder (or file) with the names of all objects but pictures, and the first bytes of each; and the objects that
    no file can be named after."""
    root, before = _folder(remote) / (remote.name or "store"), _state(remote)
    files, refused = _usable(remote.files())
    named = [(file, _place(root, file.path)) for file in files if not file.path.lower().endswith(_PICTURES)]
    todo = [one for one in named if before.versions.get(one[0].path) != one[0].version or not one[1].is_file()]
    versions = {file.path: file.version for file in files}
    for gone in before.versions.keys() - versions.keys():
        _place(root, gone).unlink(missing_ok=True)
    with ThreadPoolExecutor(REMOTE_THREADS) as threads:
        for data, (_, target) in zip(threads.map(lambda one: _head(remote, one[0]), todo), todo, strict=True):
            write_bytes(target, data)
    current = {_version_key(file) for file in files}
    known = {key: value for key, value in before.known.items() if key.rsplit(" ", 1)[0] in current}
    write_json(_folder(remote) / "mirror.json", Mirror(versions=versions, known=known))
    return root, refused


def _usable(files: Sequence[RemoteFile]) -> tuple[list[RemoteFile], list[str]]:
    """Those objects that can be files of a folder, and the names of those that cannot: that lead out of it, or go on
    below the name of another object."""
    names = {file.path for file in files}
    usable, refused = [], []
    for file in files:
        above = PurePosixPath(file.path).parents
        fits = not file.path or (below(Path(), file.path) is not None and names.isdisjoint(map(str, above)))
        usable.append(file) if fits else refused.append(file.path)
    return usable, refused


def _place(root: Path, path: str) -> Path:
    """Where a usable object goes; the URL's own object is the root."""
    return root.joinpath(*path.split("/")) if path else root


def _head(remote: Remote, file: RemoteFile) -> bytes:
    return remote.read(file.path, 0, min(file.bytes, REMOTE_HEAD_BYTES)) if file.bytes else b""


def _version_key(file: RemoteFile) -> str:
    return f"{file.version} {file.bytes} {file.path}"


def remote_parts(one: Input, divisible: bool, target: int) -> tuple[list[HashedFile], list[Cut]]:
    """The files of a remote input with their hashes, and the cuts (of `target` bytes) of a file that may be read in
    parts. What was hashed before, in the same version, is not read again."""
    assert one.origin is not None
    remote, path = Remote(one.origin.url), one.origin.path
    mirror = _state(remote)
    found, cuts = [], []
    for file in sorted(_below(_usable(remote.files())[0], path), key=lambda file: file.path):
        relative = file.path[len(path) :].lstrip("/")
        if (named := by_content(PurePosixPath(file.path))) is not None:
            found.append(HashedFile(path=relative, bytes=file.bytes, sha256=named))
            continue
        key = f"{_version_key(file)} {target}"
        if key not in mirror.known:
            with remote.stream(file.path) as stream:
                some, whole = cut_stream(stream, target)
            mirror.known[key] = Known(sha256=whole.sha256, cuts=some if divisible else [])
        found.append(HashedFile(path=relative, bytes=file.bytes, sha256=mirror.known[key].sha256))
        cuts = mirror.known[key].cuts
    write_json(_folder(remote) / "mirror.json", mirror)
    return found, cuts


def _below(files: Sequence[RemoteFile], path: str) -> list[RemoteFile]:
    """The object of that path, or those in a folder of that path; all, for no path."""
    return [file for file in files if not path or file.path == path or file.path.startswith(f"{path}/")]


@contextlib.contextmanager
def fetched(one: Input, part: Part | None, scratch: Path) -> Iterator[Input]:
    """The input with a path on this disk, for the length of the block: itself, or a copy in `scratch`."""
    if one.origin is None:
        yield one
        return
    shutil.rmtree(scratch, ignore_errors=True)  # what a killed run left
    try:
        yield msgspec.structs.replace(one, path=_fetched(one.origin, part, scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _fetched(origin: Origin, part: Part | None, scratch: Path) -> Path:
    remote = Remote(origin.url)
    files = _listing(origin.url, origin.version)
    here = _below(files, origin.path)
    root = make_folder(scratch) / (remote.name or "store")
    target = _place(root, origin.path)
    if not here:
        raise InputError(f"{remote.shown}/{origin.path} is not there any more.")
    if len(here) == 1 and here[0].path == origin.path:
        if here[0].version != origin.version:
            raise InputError(f"{remote.shown}/{origin.path} changed while it was read; run the same command again.")
        if part is None:
            remote.fetch(origin.path, target)
        else:
            _fetch_part(remote, here[0], part, target)
        here = _beside(files, origin.path, _names(target, part))
    _fetch_all(remote, here, root)
    return target


@functools.lru_cache(maxsize=8)
def _listing(url: str, version: str) -> list[RemoteFile]:
    """All objects of a URL, listed once a worker for each version of an input."""
    return _usable(Remote(url).files())[0]


def _fetch_part(remote: Remote, file: RemoteFile, part: Part, target: Path) -> None:
    """A file as long as the object, of which only the part and the first bytes, which tell its encoding, are there."""
    make_folder(target.parent)
    with target.open("wb") as copy:
        copy.write(remote.read(file.path, 0, min(file.bytes, _ENCODING_BYTES)))
        copy.seek(part.start)
        copy.write(remote.read(file.path, part.start, part.stop))
        copy.truncate(file.bytes)


def _names(path: Path, part: Part | None) -> set[str]:
    """The last parts of all names of files in the lines of a JSONL file."""
    if path.suffix.lower() not in (".jsonl", ".ndjson", ".gz", ".zst"):
        return set()
    lines = read_lines(path) if part is None else read_lines(path, start=part.start, stop=part.stop)
    found: set[str] = set()
    for line in lines:
        if isinstance(line, Line):
            texts = (match.group(1) for match in _STRING.finditer(line.data))
            found.update(_decoded(text).replace("\\", "/").rsplit("/", 1)[-1] for text in texts)
    return found


def _decoded(text: bytes) -> str:
    try:
        return msgspec.json.decode(b'"' + text + b'"', type=str)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return ""


def _beside(files: Sequence[RemoteFile], path: str, names: set[str]) -> list[RemoteFile]:
    """Of the objects in a file's folder and below, those it names, and archives, which may hold them."""
    folder = path.rpartition("/")[0]
    around = (file for file in _below(files, folder) if file.path != path)
    return [file for file in around if file.path.rsplit("/", 1)[-1] in names or _ARCHIVE.search(file.path)]


def _fetch_all(remote: Remote, files: Sequence[RemoteFile], root: Path) -> None:
    with ThreadPoolExecutor(REMOTE_THREADS) as threads:
        for _ in threads.map(lambda file: remote.fetch(file.path, _place(root, file.path)), files):
            pass
