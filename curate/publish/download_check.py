"""Downloads a revision again and compares it with what was staged: every file by its hash, every config as `datasets`
reads it from the Hub."""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from curate.engine.progress import Silent, Tells
from curate.model.errors import StoreError
from curate.publish.first_rows import first_rows
from curate.publish.history import CHANGELOG
from curate.publish.hub import Hub
from curate.publish.manifest import MANIFEST
from curate.publish.staged import Staged
from curate.publish.upload import Published
from curate.store.dataset import file_sha256


class Compared(msgspec.Struct, kw_only=True, frozen=True):
    """Files that came back as they were sent, their bytes, and the configs that `datasets` reads."""

    files: int
    bytes: int
    configs: list[str]


def download_check(published: Published, staged: Staged, hub: Hub, progress: Tells | None = None) -> Compared:
    """Raises StoreError naming the first file or config that is not what was sent. Room for the largest file is needed
    in the folder for temporary files."""
    tells = progress or Silent()
    there = hub.files(published.commit)
    wanted = {file.path: file.sha256 for file in staged.manifest.files}
    wanted[MANIFEST] = file_sha256(staged.folder / MANIFEST)
    lost = sorted({*wanted, CHANGELOG} - set(there))
    if lost:
        raise StoreError(f"{published.repo} lacks {lost[0]}, which was published.")
    tells.phase("files downloaded and compared", len(wanted))
    size = 0
    for path, sha256 in wanted.items():
        with tempfile.TemporaryDirectory(prefix="curate-publish-") as scratch:
            got = hub.fetch(path, published.commit, Path(scratch))
            if file_sha256(got) != sha256:
                raise StoreError(f"{path} came back from {published.repo} with other content than was sent.")
            size += got.stat().st_size
        tells.advance()
    return Compared(files=len(wanted), bytes=size, configs=first_rows(published.repo, published.commit, hub.endpoint))
