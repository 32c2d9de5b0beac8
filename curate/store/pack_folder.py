"""Packs that a user has: lists of benchmarks' test tasks, each a file `packs/<name>.jsonl` of the user's folder. They
are the benchmarks' makers', and no part of this project.

The version of a pack is the hash of its file: the same tasks are the same version, whoever made it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from curate.model.errors import InputError, UsageError
from curate.model.listed_task import ListedTask
from curate.model.near import did_you_mean
from curate.store.atomic import write_bytes
from curate.store.dataset import file_sha256

SUFFIX = ".jsonl"
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_VERSION_DIGITS = 12  # of the hash, as it is shown


def user_folder(home: Path | None = None) -> Path:
    """`home`, `CURATE_HOME`, or the system's place for a user's data of programs."""
    given = home or os.environ.get("CURATE_HOME")
    if given:
        return Path(given).absolute()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "cua-curate"


def checked_name(name: str) -> str:
    """A name that a pack may have. Raises UsageError."""
    if not _NAME.fullmatch(name) or name.endswith(SUFFIX):
        raise UsageError(f"A pack cannot be named {name!r}: small letters, digits, '.', '_' and '-', such as osworld.")
    return name


def pack_path(name: str, home: Path | None = None) -> Path:
    """Where the pack of this name is, or would be."""
    return user_folder(home) / "packs" / f"{checked_name(name)}{SUFFIX}"


def pack_names(home: Path | None = None) -> list[str]:
    """The packs there are."""
    return sorted(path.name.removesuffix(SUFFIX) for path in (user_folder(home) / "packs").glob(f"[!.]*{SUFFIX}"))


def found_pack(name: str, home: Path | None = None) -> Path | None:
    """The file of an installed pack; None for a name that none has. run.json names packs by their file, which is
    understood too."""
    short = name.removesuffix(SUFFIX)
    path = pack_path(short, home) if _NAME.fullmatch(short) else None
    return path if path is not None and path.is_file() else None


def named_pack(name: str, home: Path | None = None) -> Path:
    """The same. Raises UsageError for a name that none has."""
    path = found_pack(name, home)
    if path is None:
        names = pack_names(home)
        have = f" There is {', '.join(names)}." if names else " There is none yet: `curate tests add NAME PATH`."
        raise UsageError(f"There is no pack {name!r}.{did_you_mean(name, names) or have}")
    return path


def write_pack(path: Path, tasks: Iterable[ListedTask]) -> str:
    """Write a pack, whole or not at all, its tasks in the order of their keys; its version. Raises StoreError."""
    lines = [msgspec.json.encode(task) for task in sorted(tasks, key=lambda task: task.key or str(task.id))]
    write_bytes(path, b"".join(line + b"\n" for line in lines))
    return version_of(path)


def version_of(path: Path) -> str:
    """The version of a pack."""
    return version_digits(file_sha256(path))


def version_digits(sha256: str) -> str:
    """The version of a pack whose file has this hash."""
    return sha256[:_VERSION_DIGITS]


def read_pack(path: Path) -> Iterator[ListedTask]:
    """The tasks of a pack. Raises InputError for a file that is none."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield msgspec.json.decode(line, type=ListedTask)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise InputError(f"{path}, line {number}: no test task ({error}); add the pack anew.") from error
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror or error}.") from error
