"""Files in an object store or on the Hub, by URL (`s3://bucket/prefix`, `hf://datasets/...`, whatever fsspec knows).

Objects are listed, read and written whole; each error becomes one sentence. What identifies a person or opens a door
(user names, passwords, signatures in a URL) is shown nowhere: use `masked` for any URL that is printed."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from curate.model.constants import REMOTE_TIMEOUT_S
from curate.model.errors import CurateError, InputError, StoreError, UsageError
from curate.store.atomic import atomic_path
from curate.store.paths import PathError, inside

T = TypeVar("T")
_URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+://")  # two letters at least: C:// is a drive
_EXTRAS = {"s3": "pip install 'cua-curate[s3]'", "s3a": "pip install 'cua-curate[s3]'"}
_MD5 = re.compile(r"([0-9a-f]{32})(?:-(\d+))?")
_PIECE = 50 << 20  # bytes of a piece in which a large object is put


def is_url(text: str) -> bool:
    """Whether an argument is a URL and no path."""
    return _URL.match(text) is not None


def masked(url: str) -> str:
    """A URL without names, passwords and signatures."""
    scheme, _, rest = url.partition("://")
    rest, question, _ = rest.partition("?")
    rest, _, _ = rest.partition("#")
    place, slash, path = rest.partition("/")
    place = f"***@{place.rsplit('@', 1)[1]}" if "@" in place and scheme != "hf" else place
    return f"{scheme}://{place}{slash}{path}{'?***' if question else ''}"


class RemoteFile(msgspec.Struct, kw_only=True, frozen=True):
    """An object: `path` relative to the URL ("" for a URL that is one object), `version`: changes with its content."""

    path: str
    bytes: int
    version: str


class Remote:
    """The objects at or below a URL. Every method raises InputError (reading) or StoreError (writing) with a sentence
    for what the store refuses."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.shown = masked(url)
        self._fs, self._root = _opened(url)
        self._pieces = {"chunksize": _PIECE} if "s3" in _protocols(self._fs) else {}

    @property
    def name(self) -> str:
        """The last part of the URL."""
        return str(self._root).rstrip("/").rsplit("/", 1)[-1]

    def files(self) -> list[RemoteFile]:
        """All objects, by path, as they are now. Raises InputError where there is none."""
        found = self.files_or_none()
        if not found:
            raise InputError(f"There is nothing at {self.shown}.")
        return found

    def files_or_none(self) -> list[RemoteFile]:
        """The same; empty where there is nothing."""
        root = str(self._root).rstrip("/")

        def listed() -> dict[str, dict[str, Any]]:
            self._fs.invalidate_cache()
            return self._fs.find(root, detail=True)  # type: ignore[no-any-return]

        infos = self._asked("list", InputError, listed)
        found = []
        for name, info in infos.items():
            relative = str(name).removeprefix(root).lstrip("/") if str(name) != root else ""
            if info.get("type", "file") == "file" and not str(name).endswith("/"):
                found.append(RemoteFile(path=relative, bytes=int(info.get("size") or 0), version=_version(info)))
        return sorted(found, key=lambda file: file.path.split("/"))

    def read(self, path: str, start: int | None = None, stop: int | None = None) -> bytes:
        """An object, or the bytes `start` to `stop` of it."""
        return self._asked("read", InputError, lambda: bytes(self._fs.cat_file(self._at(path), start=start, end=stop)))

    @contextlib.contextmanager
    def stream(self, path: str) -> Iterator[Any]:
        """An object as a file to read from its beginning to its end."""
        try:
            with self._fs.open(self._at(path), "rb", cache_type="readahead", block_size=8 << 20) as file:
                yield file
        except (CurateError, GeneratorExit):
            raise
        except Exception as error:
            raise self._sentence("read", InputError, error) from error

    def fetch(self, path: str, target: Path) -> None:
        """Copy an object to a file, whole or not at all; nothing waits until it is on the disk."""
        with atomic_path(target, durable=False) as temporary:
            self._asked("read", InputError, lambda: self._fs.get_file(self._at(path), str(temporary)))

    def put(self, source: Path, path: str) -> None:
        """Copy a file to an object; it appears whole or not at all."""
        self._asked("write", StoreError, lambda: self._fs.put_file(str(source), self._at(path), **self._pieces))

    def put_bytes(self, data: bytes, path: str) -> None:
        """Write a small object."""
        self._asked("write", StoreError, lambda: self._fs.pipe_file(self._at(path), data))

    def remove(self, path: str) -> None:
        """Remove an object; one that is not there is fine."""

        def removed() -> None:
            with contextlib.suppress(FileNotFoundError):
                self._fs.rm_file(self._at(path))

        self._asked("write", StoreError, removed)

    def abandon_uploads(self) -> None:
        """End what a killed upload left half done below this URL: it is invisible and costs money. Only S3 has it."""
        bucket, _, prefix = str(self._root).partition("/")
        if "s3" not in _protocols(self._fs):
            return

        def ended() -> None:
            left = self._fs.call_s3("list_multipart_uploads", Bucket=bucket, Prefix=prefix).get("Uploads") or []
            for one in left:
                self._fs.call_s3("abort_multipart_upload", Bucket=bucket, Key=one["Key"], UploadId=one["UploadId"])

        self._asked("write", StoreError, ended)

    def _at(self, path: str) -> str:
        return f"{str(self._root).rstrip('/')}/{path}" if path else str(self._root)

    def _asked(self, what: str, kind: type[CurateError], ask: Callable[[], T]) -> T:
        try:
            return ask()
        except CurateError:
            raise
        except Exception as error:
            raise self._sentence(what, kind, error) from error

    def _sentence(self, what: str, kind: type[CurateError], error: Exception) -> CurateError:
        why = _why(error)
        if self.url.startswith("hf://") and isinstance(error, FileNotFoundError):
            why = "there is no such repository or file, or it is private and HF_TOKEN is not set"
        return kind(f"Cannot {what} {self.shown}: {why}.")


def below(root: Path, path: str) -> Path | None:
    """Where an object goes in a folder; None for a name that leads out of it or that no file can have."""
    try:
        return inside(root, path)
    except PathError:
        return None


def same_content(file: RemoteFile, path: Path) -> bool:
    """Whether the object is known to be the file, by size and checksum: S3's version of an object is its MD5, or for
    one that was put in pieces the MD5 of their MD5s and how many there were."""
    match = _MD5.fullmatch(file.version)
    try:
        if match is None or path.stat().st_size != file.bytes:
            return False
        with path.open("rb") as content:
            if match[2] is None:
                return hashlib.file_digest(content, _md5).hexdigest() == match[1]
            pieces = [_md5(piece).digest() for piece in iter(lambda: content.read(_PIECE), b"")]
        return len(pieces) == int(match[2]) and _md5(b"".join(pieces)).hexdigest() == match[1]
    except OSError:
        return False


def _md5(data: bytes = b"") -> Any:
    return hashlib.md5(data, usedforsecurity=False)


def _opened(url: str) -> tuple[Any, Any]:
    import fsspec.core

    scheme = url.partition("://")[0]
    options: dict[str, Any] = {}
    if scheme in _EXTRAS:
        options = {"config_kwargs": {"connect_timeout": REMOTE_TIMEOUT_S}}
    try:
        return fsspec.core.url_to_fs(url, **options)  # type: ignore[no-any-return]
    except ImportError as error:
        how = _EXTRAS.get(scheme, f"a package for {scheme} that fsspec knows")
        raise UsageError(f"{masked(url)} needs another package: {how}.") from error
    except ValueError as error:
        raise UsageError(
            f"{masked(url)} is no URL that can be opened: s3://bucket/prefix or hf://datasets/NAME."
        ) from error
    except Exception as error:
        raise InputError(f"Cannot open {masked(url)}: {_why(error)}.") from error


def _protocols(fs: Any) -> tuple[str, ...]:
    return (fs.protocol,) if isinstance(fs.protocol, str) else tuple(fs.protocol)


def _version(info: dict[str, Any]) -> str:
    """What changes when the object does: a checksum where the store has one, else when it was written."""
    for name in ("ETag", "etag", "blob_id", "sha256", "md5Hash", "LastModified", "mtime", "last_modified", "created"):
        if info.get(name):
            return str(info[name]).strip('"')
    return ""


def _why(error: BaseException) -> str:
    """In words of ours: what libraries say may hold a key or run over pages."""
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & {"NoCredentialsError", "PartialCredentialsError", "TokenRetrievalError", "ProfileNotFound"}:
        return "no credentials are set up (AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile)"
    if names & {"EndpointConnectionError", "ConnectTimeoutError", "ConnectionError", "ConnectError", "ReadTimeoutError",
                "ClientConnectorError", "TimeoutError"}:  # fmt: skip
        return "the server cannot be reached"
    if names & {"GatedRepoError"}:
        return "the repository is gated: accept its terms on the Hub and set HF_TOKEN"
    if isinstance(error, PermissionError):
        return "access is denied"
    if isinstance(error, FileNotFoundError):
        return "there is no such bucket" if "bucket does not exist" in str(error) else "it is not there"
    if isinstance(error, OSError) and error.strerror and not error.filename:
        return error.strerror
    return type(error).__name__
