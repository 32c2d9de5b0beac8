"""Sends what is staged to the Hub: the contents of large files first, which nobody sees, then one commit that names
them, takes away what the last revision had and this one has not, and is made only on top of the commit that was looked
at.

Killed at any moment, the same command goes on: contents that arrived are not sent again, and users see the last
revision or the new one, never a part. Memory: the text files of the commit (each below PUBLISH_SMALL_BYTES), and pieces
of one large file."""

from __future__ import annotations

import hashlib
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.progress import Silent, Tells
from curate.model.constants import PUBLISH_SMALL_BYTES
from curate.model.errors import GateError, StoreError
from curate.publish.history import CHANGELOG, Changed, newest, next_tag, rows_of, what_changed, with_line
from curate.publish.hub import Hub, HubFile, PassingError, Repository
from curate.publish.manifest import MANIFEST, Manifest
from curate.publish.options import PublishOptions
from curate.publish.staged import Staged
from curate.store.dataset import file_sha256

_THEIRS = {".gitattributes"}
"""Files that the Hub puts into every repository."""
_MAY_BE_THERE = {*_THEIRS, "README.md", CHANGELOG}
"""Files that a repository may hold without a publication in it: what the Hub's page makes."""


class Published(msgspec.Struct, kw_only=True, frozen=True):
    """What came of it. `new`: whether there is a new commit (False: the same was there). `revision`: the tag. `sent`:
    files and bytes of contents that were not there before. `left_alone`: files of the repository that no publication
    named."""

    url: str
    repo: str
    commit: str
    revision: str | None
    new: bool
    changes: str
    private: bool
    sent_files: int = 0
    sent_bytes: int = 0
    removed: list[str] = []
    left_alone: list[str] = []


class _Plan(msgspec.Struct, kw_only=True):
    """What differs between what is staged and what is there: paths."""

    new: list[str]
    other: list[str]
    gone: list[str]
    left_alone: list[str]


def upload(
    staged: Staged, options: PublishOptions, progress: Tells | None = None, *, change_visibility: bool = False,
    hub: Hub | None = None,
) -> Published:  # fmt: skip
    """Publish what is staged as the next revision of `options.repo`. Raises UsageError (no token, no rights), GateError
    (visibility, somebody else's commit, a repository of other things), StoreError (the Hub)."""
    tells = progress or Silent()
    hashes = verified(staged, tells)
    hub = hub or Hub(options.repo)
    hub.who()
    repository = _opened(hub, options, change_visibility)
    there = hub.files(repository.head)
    with tempfile.TemporaryDirectory(prefix="curate-publish-") as scratch:
        before = _manifest_there(hub, repository.head, there, Path(scratch))
        plan = _plan(staged, hashes, there, before)
        old = (
            hub.read(CHANGELOG, repository.head, Path(scratch)).decode("utf-8", "replace")
            if CHANGELOG in there
            else None
        )
    changed = Changed(
        rows=rows_of(staged.manifest), before=None if before is None else rows_of(before), new=len(plan.new),
        other=len(plan.other), gone=len(plan.gone),
    )  # fmt: skip
    if not (plan.new or plan.other or plan.gone):
        return _nothing_new(hub, options, repository, plan, old)
    tag = next_tag(options.version, hub.tags())
    log = with_line(old, tag, datetime.now(UTC).date().isoformat(), changed).encode()
    sending = _Sending(hub, staged, hashes, plan, log, there)
    sending.contents(tells)
    commit = sending.commit(f"{tag}: {what_changed(changed)}", repository.head)
    hub.tag(tag, commit)
    _show(hub, repository, options)
    return Published(
        url=url_of(hub), repo=options.repo, commit=commit, revision=tag, new=True,
        changes=what_changed(changed), private=not options.public, sent_files=sending.sent_files,
        sent_bytes=sending.sent_bytes, removed=plan.gone, left_alone=plan.left_alone,
    )  # fmt: skip


def url_of(hub: Hub) -> str:
    """Where a person sees it."""
    return f"{hub.endpoint}/datasets/{hub.repo}"


def verified(staged: Staged, tells: Tells) -> dict[str, str]:
    """The SHA-256 of every staged file, by path. Raises StoreError where a file is not what the manifest names: it was
    changed after it was staged, and with it what the gate looked at."""
    names = [file.path for file in staged.manifest.files]
    tells.phase("staged files compared with the manifest", len(names))
    found = {}
    for file in staged.manifest.files:
        path = staged.folder / file.path
        if not path.is_file() or path.stat().st_size != file.bytes or file_sha256(path) != file.sha256:
            raise StoreError(f"{path} is not the file that {MANIFEST} names: publish again, so that it is staged anew.")
        found[file.path] = file.sha256
        tells.advance()
    return {**found, MANIFEST: file_sha256(staged.folder / MANIFEST)}


def _opened(hub: Hub, options: PublishOptions, change_visibility: bool) -> Repository:
    """The repository, made if there is none. What was public is not made private by forgetting a flag, nor the
    reverse."""
    found = hub.repository()
    if found is None:
        return hub.create(private=not options.public)
    if found.private == (not options.public) or change_visibility:
        if not found.private and not options.public:
            hub.show_to(private=True)  # before the new revision is there
        return found
    if found.private:
        raise GateError(
            f"{options.repo} is private, and --public would show it with all its revisions to everybody: say so with "
            "--change-visibility, or leave --public out."
        )
    raise GateError(
        f"{options.repo} is public: say --public to publish the next revision to everybody, or --change-visibility to "
        "make it private."
    )


def _show(hub: Hub, repository: Repository, options: PublishOptions) -> None:
    if repository.private and options.public:
        hub.show_to(private=False)


def _manifest_there(hub: Hub, head: str, there: dict[str, HubFile], scratch: Path) -> Manifest | None:
    """The manifest of the last revision; None where there is none. Raises GateError for a repository that holds other
    things."""
    if MANIFEST in there:
        try:
            return msgspec.json.decode(hub.read(MANIFEST, head, scratch), type=Manifest)
        except msgspec.MsgspecError:
            raise GateError(
                f"{hub.repo} holds a {MANIFEST} that is of no publication of this program: choose another name."
            ) from None
    strange = sorted(set(there) - _MAY_BE_THERE)
    if strange:
        raise GateError(
            f"{hub.repo} holds other things already ({strange[0]}, {len(strange):,} files in all): choose another name."
        )
    return None


def _plan(staged: Staged, hashes: dict[str, str], there: dict[str, HubFile], before: Manifest | None) -> _Plan:
    new = [path for path in hashes if path not in there]
    other = [path for path in hashes if path in there and not _same(staged.folder / path, hashes[path], there[path])]
    ours = {file.path for file in before.files} if before is not None else set()
    gone = [path for path in sorted(there) if path in ours and path not in hashes]
    alone = [path for path in sorted(there) if path not in ours and path not in hashes and path not in _MAY_BE_THERE]
    return _Plan(new=new, other=other, gone=gone, left_alone=[path for path in alone if path != MANIFEST])


def _same(path: Path, sha256: str, there: HubFile) -> bool:
    """Whether the Hub has this content under this path."""
    if path.stat().st_size != there.bytes:
        return False
    if there.sha256 is not None:
        return there.sha256 == sha256
    return _git_hash(path.read_bytes()) == there.blob if there.bytes <= PUBLISH_SMALL_BYTES else False


def _git_hash(data: bytes) -> str:
    """By which git names a content."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _nothing_new(
    hub: Hub, options: PublishOptions, repository: Repository, plan: _Plan, changelog: str | None
) -> Published:
    """The same content is there. An attempt that was killed after its commit may have left it without its tag."""
    tag = newest(changelog or "")
    if tag is not None and tag not in hub.tags():
        hub.tag(tag, repository.head)
    _show(hub, repository, options)
    return Published(
        url=url_of(hub), repo=options.repo, commit=repository.head, revision=tag, new=False,
        changes="nothing changed", private=not options.public, left_alone=plan.left_alone,
    )  # fmt: skip


class _Sending:
    """The contents, and the commit that names them."""

    def __init__(
        self, hub: Hub, staged: Staged, hashes: dict[str, str], plan: _Plan, log: bytes, there: dict[str, HubFile]
    ) -> None:
        self._hub, self._staged, self._hashes, self._plan, self._log = hub, staged, hashes, plan, log
        self._stay = {path: file for path, file in there.items() if path not in {*hashes, *plan.gone, CHANGELOG}}
        paths = [*plan.new, *plan.other]
        self._sizes = {path: (staged.folder / path).stat().st_size for path in paths}
        self._additions = {path: self._addition(path) for path in sorted(paths)}
        self.sent_files = self.sent_bytes = 0

    def _addition(self, path: str) -> Any:
        from huggingface_hub import CommitOperationAdd

        addition = CommitOperationAdd(path_in_repo=path, path_or_fileobj=str(self._staged.folder / path))
        addition.upload_info.sha256 = bytes.fromhex(self._hashes[path])  # known: not to be read once more
        return addition

    def contents(self, tells: Tells) -> None:
        """Large files one after the other, small ones all at once."""
        small = [path for path, size in self._sizes.items() if size < PUBLISH_SMALL_BYTES]
        large = [path for path in self._additions if path not in set(small)]
        tells.phase("files sent to the Hub", len(self._additions))
        for some in [*([path] for path in large), small]:
            if some:
                self._hub.send([self._additions[path] for path in some])
                self.sent_files += len(some)
                self.sent_bytes += sum(self._sizes[path] for path in some)
                tells.advance(len(some))

    def commit(self, message: str, parent: str) -> str:
        """One commit. When the answer is an error the Hub may have made it all the same: then it is there."""
        tries = 3
        for attempt in range(1, tries + 1):
            try:
                return self._hub.commit(self._operations(), message, parent)
            except PassingError as error:
                made = self._made(parent)
                if made is not None:
                    return made
                if attempt == tries:
                    raise
                self._hub.wait(error.after)
        raise StoreError(f"The Hub did not take the commit to {self._hub.repo}.")

    def _operations(self) -> list[Any]:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        log = CommitOperationAdd(path_in_repo=CHANGELOG, path_or_fileobj=self._log)
        gone = [CommitOperationDelete(path_in_repo=path, is_folder=False) for path in self._plan.gone]
        return [*self._additions.values(), log, *gone]

    def _made(self, parent: str) -> str | None:
        """The head, where it holds what the commit should have made of the repository; None where nothing happened.
        Raises GateError where somebody else's commit came."""
        found = self._hub.repository()
        if found is None or found.head == parent:
            return None
        there = self._hub.files(found.head)
        wanted = {*self._hashes, CHANGELOG, *self._stay}
        same = set(there) == wanted and there[CHANGELOG].blob == _git_hash(self._log)
        if same and all(_same(self._staged.folder / p, self._hashes[p], there[p]) for p in self._hashes):
            return found.head
        raise GateError(
            f"Somebody else has changed {self._hub.repo} meanwhile: look at it, then give the command again."
        )
