"""Raw recordings to recordings without secrets, without the stages of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from curate.model.errors import InputError, StoreError
from curate.reduce.redaction.marks import Marks
from curate.reduce.redaction.recording import Redacted, redact_recording
from curate.reduce.redaction.secrets import read_secrets
from curate.reduce.redaction.spellings import Spellings
from curate.sources.recognise import find_inputs


def redact_inputs(
    paths: Sequence[Path], secrets: Path, out: Path, ignore_case: bool = False
) -> Iterator[tuple[Path, Redacted | None]]:
    """Write every recording at or below the paths anew into `out` without the secrets of the file; its new folder, and
    what was taken out (None: it is there already, of the same secrets and recording, and is left as it is).

    Raises InputError for what is no recording of ours or no file of secrets and StoreError where something else is in
    the way, both before anything is written; GateError where something of a secret is left in a recording, which is
    not kept then."""
    spellings = Spellings(read_secrets(secrets, ignore_case))
    found = find_inputs(paths).inputs
    for other in (one for one in found if one.source != "recording"):
        raise InputError(f"{other.path} is no recording of curate record: give it to curate run with redact.secrets.")
    marks = Marks(out, secrets, ignore_case)
    targets = {one.path: out / spellings.mask(one.path.resolve().name) for one in found}
    for path, target in targets.items():
        if target.exists() and not marks.has(path, target.name):
            raise StoreError(f"{target} is there already, and not from these secrets: give another --out or remove it.")
    for path, target in targets.items():
        if target.exists():
            yield target, None
            continue
        done = redact_recording(path, spellings, out)
        marks.add(path, done.folder.name)
        yield target, done
