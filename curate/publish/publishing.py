"""A run becomes a publication that may be sent: the gate looks at the run, the run is staged beside itself, the gate
looks at what was staged. Needs no network and no token."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.engine.progress import Tells
from curate.model.constants import PUBLISH_OCR_PICTURES
from curate.model.errors import GateError, UsageError
from curate.publish.gate.found import Gate
from curate.publish.gate.gate import Looking
from curate.publish.options import PublishOptions
from curate.publish.reports import WriteReport
from curate.publish.staged import Staged
from curate.publish.staging import stage


class Prepared(msgspec.Struct, kw_only=True, frozen=True):
    """What would be sent, and what the gate says of it."""

    staged: Staged
    gate: Gate


def staged_folder(run: Path) -> Path:
    """Where a run is staged: `<run>.publish` beside it."""
    whole = run.resolve()
    return whole.with_name(f"{whole.name}.publish")


def checked_repo(repo: str) -> str:
    """The name of a repository. Raises UsageError for one that the Hub does not allow."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(repo)
    except HFValidationError:
        repo = ""
    if repo.count("/") != 1:
        raise UsageError("A dataset on the Hub is named user/name: letters, digits, - _ and . in both.")
    return repo


def prepare(
    run: Path, options: PublishOptions, progress: Tells | None = None, *, write_report: WriteReport | None = None,
    ocr: int | None = PUBLISH_OCR_PICTURES,
) -> Prepared:  # fmt: skip
    """Look, stage, look again. `ocr`: pictures that are read for text, where an engine is installed (None: all). Raises
    UsageError, InputError, StoreError; what the gate finds is told, not raised."""
    checked_repo(options.repo)
    looking = Looking(run, options, progress, ocr)
    gate = looking.at_run()
    staged = stage(
        run, staged_folder(run), options, progress, write_report=write_report, scan=gate.counts()
    )  # fmt: skip
    return Prepared(staged=staged, gate=looking.at_staged(staged))


def refuse(gate: Gate) -> None:
    """Raises GateError where something refuses; findings were told before."""
    if not gate.refusing:
        return
    names = ", ".join(one.code for one in gate.refusing)
    acceptable = [one.code for one in gate.refusing if one.weight == "by_name"]
    how = (
        f" What you can answer for, you accept by name: --accept {' --accept '.join(acceptable)}" if acceptable else ""
    )
    raise GateError(f"Nothing was published: {names}.{how}")
