"""What the Hub is asked while publishing: one repository, each request tried again as long as that may help, each error
one sentence. The token is read by huggingface_hub where it keeps it, goes into the header of requests, and nowhere
else: what libraries say of a failed request is never passed on."""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from curate.model import constants
from curate.model.constants import HUB_MOST_WAIT_S, HUB_TRIES
from curate.model.errors import CurateError, GateError, InputError, StoreError, UsageError
from curate.model.printed import printable

T = TypeVar("T")
KIND = "dataset"
BRANCH = "main"
_PASSING = (408, 425, 429, 500, 502, 503, 504)
"""Statuses after which the same request may well succeed."""


class HubFile(msgspec.Struct, kw_only=True, frozen=True):
    """A file of a repository. `sha256`: where the Hub keeps it as a large file; `blob`: git's own hash of it."""

    path: str
    bytes: int
    sha256: str | None
    blob: str


class Repository(msgspec.Struct, kw_only=True, frozen=True):
    """A repository as it is: the last commit of its branch, and who sees it."""

    head: str
    private: bool


class HeadMovedError(GateError):
    """Somebody else committed to the repository meanwhile."""


class Hub:
    """One dataset repository. Methods raise CurateError with a sentence. `wait`: sleeps between tries."""

    def __init__(self, repo: str, endpoint: str | None = None, wait: Callable[[float], None] = time.sleep) -> None:
        _quiet()
        from huggingface_hub import HfApi

        self.repo = repo
        self._api = HfApi(endpoint=endpoint)  # None: HF_ENDPOINT, else the Hub itself
        self.endpoint = self._api.endpoint
        self.wait = wait

    def who(self) -> str:
        """The name of the account that the token is of. Raises UsageError where there is no token."""
        from huggingface_hub import get_token

        if not get_token():
            raise UsageError("There is no token for the Hub: log in with `hf auth login`, or set HF_TOKEN.")
        return str(self.asked(lambda: self._api.whoami())["name"])

    def repository(self) -> Repository | None:
        """The repository; None where there is none (or none that this token may see)."""
        try:
            silent = constants.HUB_SILENT_S
            info = self.asked(lambda: self._api.repo_info(self.repo, repo_type=KIND, revision=BRANCH, timeout=silent))
        except NotThereError:
            return None
        return Repository(head=str(info.sha), private=bool(info.private))

    def create(self, private: bool) -> Repository:
        """Make the repository. One that is there already, by an attempt whose answer was lost, is fine."""
        self.asked(lambda: self._api.create_repo(self.repo, repo_type=KIND, private=private, exist_ok=True))
        found = self.repository()
        if found is None:
            raise StoreError(f"The Hub says that it made {self.repo}, and does not find it.")
        return found

    def show_to(self, private: bool) -> None:
        """Change who sees the repository."""
        self.asked(lambda: self._api.update_repo_settings(self.repo, repo_type=KIND, private=private))

    def files(self, commit: str) -> dict[str, HubFile]:
        """All files of a commit, by path."""
        from huggingface_hub import RepoFile

        def listed() -> list[HubFile]:
            entries = self._api.list_repo_tree(self.repo, recursive=True, revision=commit, repo_type=KIND)
            return [
                HubFile(path=one.path, bytes=one.size, sha256=one.lfs.sha256 if one.lfs else None, blob=one.blob_id)
                for one in entries
                if isinstance(one, RepoFile)
            ]

        return {file.path: file for file in self.asked(listed)}

    def read(self, path: str, commit: str, scratch: Path) -> bytes:
        """A small file of a commit."""
        return self.fetch(path, commit, scratch).read_bytes()

    def fetch(self, path: str, commit: str, scratch: Path) -> Path:
        """A file of a commit, downloaded below `scratch`."""
        from huggingface_hub import hf_hub_download

        got = self.asked(
            lambda: hf_hub_download(
                self.repo, path, repo_type=KIND, revision=commit, local_dir=str(scratch), endpoint=self.endpoint
            )
        )
        return Path(got)

    def tags(self) -> dict[str, str]:
        """Tags, and the commit of each."""
        refs = self.asked(lambda: self._api.list_repo_refs(self.repo, repo_type=KIND))
        return {tag.name: tag.target_commit for tag in refs.tags}

    def tag(self, name: str, commit: str) -> None:
        """Tag a commit. The same tag on the same commit, by an attempt whose answer was lost, is fine."""
        self.asked(lambda: self._api.create_tag(self.repo, tag=name, revision=commit, repo_type=KIND, exist_ok=True))

    def send(self, additions: Sequence[Any]) -> None:
        """Send the contents of large files ahead of the commit that will name them; nobody sees them before. What is
        there already is not sent again."""
        self.asked(
            lambda: self._api.preupload_lfs_files(
                self.repo, additions=additions, repo_type=KIND, revision=BRANCH, num_threads=2, free_memory=False
            )
        )

    def commit(self, operations: Sequence[Any], message: str, parent: str) -> str:
        """Make one commit on top of `parent`, and only there; returns its id. It is tried once: whether it happened
        although the answer says otherwise, the caller looks. Raises HeadMovedError."""
        done = self.asked(
            lambda: self._api.create_commit(
                self.repo, operations, commit_message=message, repo_type=KIND, revision=BRANCH, parent_commit=parent
            ),
            tries=1,
        )
        return str(done.oid)

    def asked(self, ask: Callable[[], T], tries: int = HUB_TRIES) -> T:
        """What a call of huggingface_hub gives, tried again with growing waits while its errors may pass. Raises
        CurateError with a sentence, and nothing of what the library said."""
        for attempt in range(1, tries + 1):
            _not_for_ever()
            try:
                return ask()
            except CurateError:
                raise
            except Exception as error:
                told = error
            after = _seconds_to_wait(told, attempt)
            if after is None or attempt == tries:
                break
            self.wait(after)
        said = sentence(told, self.repo)
        if isinstance(said, PassingError):
            said.after = _seconds_to_wait(told, tries) or 0.0
        raise said from None


class NotThereError(InputError):
    """There is no such repository, revision or file."""


class PassingError(StoreError):
    """The Hub did not answer, or had a problem of its own; the same request may succeed `after` so many seconds."""

    after = 0.0


def _quiet() -> None:
    """No bars and messages of huggingface_hub: they name signed addresses, and this program says how it goes."""
    from huggingface_hub.utils.tqdm import disable_progress_bars

    for name in ("huggingface_hub", "httpx2", "httpx", "httpcore2", "httpcore"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with contextlib.suppress(Exception):
        disable_progress_bars()


def _not_for_ever() -> None:
    """Let no request wait for ever, as the client of huggingface_hub does; one that a person has set up stays so."""
    from huggingface_hub import get_session

    session = get_session()
    waits = session.timeout
    if waits.connect is waits.read is waits.write is waits.pool is None:
        session.timeout = constants.HUB_SILENT_S


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and what it was raised from."""
    seen: list[BaseException] = []
    one: BaseException | None = error
    while one is not None and one not in seen:
        seen.append(one)
        yield one
        one = one.__cause__ or one.__context__


def _response(error: BaseException) -> Any:
    return next((found for one in _causes(error) if (found := getattr(one, "response", None)) is not None), None)


def _seconds_to_wait(error: BaseException, attempt: int) -> float | None:
    """How long to wait before the next try; None where another would end the same."""
    response = _response(error)
    if response is None:
        return float(2 ** (attempt - 1)) if _no_answer(error) else None
    if response.status_code not in _PASSING:
        return None
    try:
        told = float(response.headers.get("Retry-After", ""))
    except ValueError:
        told = 0.0
    return min(max(told, float(2 ** (attempt - 1))), HUB_MOST_WAIT_S)


def _no_answer(error: BaseException) -> bool:
    """Whether the connection failed: no route, hung up, timed out."""
    names = {kind.__name__ for one in _causes(error) for kind in type(one).__mro__}
    return bool(names & {"TransportError", "ConnectionError", "TimeoutError"})


def sentence(error: BaseException, repo: str) -> CurateError:
    """What a failed request means, in words of ours."""
    response = _response(error)
    names = {kind.__name__ for one in _causes(error) for kind in type(one).__mro__}
    if "OfflineModeIsEnabled" in names:
        return UsageError("The Hub is switched off here: HF_HUB_OFFLINE is set.")
    if response is None and _no_answer(error):
        return PassingError("The Hub cannot be reached, or hangs up; the same command goes on where this one stopped.")
    if response is None and "JSONDecodeError" in names:
        return StoreError(
            "What came is no answer of a Hub: a proxy answers in its place, or a network that you have to log in to."
        )
    if response is None:
        said = printable(str(error), 200) if isinstance(error, ValueError) else type(error).__name__
        return StoreError(f"huggingface_hub could not do it for {repo}: {said}.")
    status = int(response.status_code)
    if status == 401 and "RepositoryNotFoundError" not in names:
        return UsageError("The Hub does not accept the token: log in again with `hf auth login`, or set HF_TOKEN anew.")
    if "RepositoryNotFoundError" in names or status == 404:
        return NotThereError(
            f"The Hub has no dataset {repo}, or not this part of it, or does not show it to this token."
        )
    told = {
        403: f"The token may not write to {repo}: it needs the right to write, in your name or your organisation's.",
        413: "The Hub refuses a file or a commit as too large.",
        429: "The Hub asks to slow down and went on asking; the same command goes on where this one stopped.",
    }
    if status == 412:
        return HeadMovedError(
            f"Somebody else has changed {repo} since this publication began, and nothing was changed on top of that: "
            "look at it, then give the same command again."
        )
    if status in told:
        return (PassingError if status == 429 else StoreError)(told[status])
    if status >= 500:
        return PassingError(
            f"The Hub has a problem of its own ({status}); the same command goes on where this one stopped."
        )
    why = printable(str(getattr(error, "server_message", None) or ""), 200)
    return StoreError(f"The Hub refuses ({status}){f': {why}' if why else ''}.")
