"""Runs published before: `--against INDEX` names a folder with the signatures of earlier batches, which the run is held
against, and to which the runs that it keeps are added when it is done. A batch is named by what its run is (inputs and
recipe), so the same command adds it once, and a run that is made again is not held against itself.

Every run leaves its signatures in its own folder too, `index/<key>.parquet`. A run folder that is given as INDEX is
read and never changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

import curate
from curate.engine.corpus import Corpus
from curate.engine.fingerprint import fingerprint
from curate.engine.recipe import Recipe
from curate.engine.work import link_or_copy, sweep
from curate.model.errors import UsageError
from curate.stages.copies.index import SUFFIX, About, batches_in, read_about, write_batches
from curate.stages.copies.projection import FACTS
from curate.stages.copies.signatures import VERSION, signatures
from curate.store.atomic import make_folder
from curate.store.dataset import file_sha256

_STAGE = "nearcopies"


class Against(msgspec.Struct, kw_only=True, frozen=True):
    """An index as it was when the run was planned. `batches`: hashes of the files the run is held against, by name (its
    own batch is none of them); `files`: these files; `read_only`: it is a run folder."""

    index: Path
    batches: dict[str, str]
    files: list[Path]
    read_only: bool


def look_at_index(index: Path, own: str, recipe: Recipe) -> Against:
    """The index for a run whose batch is named `own`. It need not be there yet.

    Raises UsageError for a file, for a recipe without near-copies, and for an index that cannot be compared with the
    run; InputError for a file in it that is no batch."""
    if _STAGE not in recipe.order:
        raise UsageError(f"--against finds near-copies, and recipe {recipe.name} has no {_STAGE} in its order.")
    if index.exists() and not index.is_dir():
        raise UsageError(f"--against {index} is a file: give the folder of an index (it is made if need be), or a run.")
    files = [path for path in batches_in(index) if path.name != own + SUFFIX]
    n = recipe.options[_STAGE].n
    for path in files:
        about = read_about(path)
        if about.version != VERSION or about.n != n:
            raise UsageError(
                f"{path} holds signatures of version {about.version} with nearcopies.n={about.n}, and this run makes "
                f"version {VERSION} with n={n}: they cannot be compared. Give another index, or set nearcopies.n."
            )
    hashes = {path.name: file_sha256(path) for path in files}
    return Against(index=index, batches=hashes, files=files, read_only=(index / "run.json").is_file())


def batch_key(identity: dict[str, Any]) -> str:
    """The name of a run's batch, from what makes the run this run (without what it is held against)."""
    return fingerprint({name: value for name, value in identity.items() if name != "against"})[:32]


def write_own(root: Path, key: str, corpus: Corpus, kept: Any, made: str) -> Path | None:
    """Write the signatures of the runs at the positions `kept`, unless the file is there with this `made` (a hash of
    what decided them); the file. None for a recipe without near-copies."""
    folder = make_folder(root / "index")
    path = folder / f"{key}{SUFFIX}"
    if _STAGE not in corpus.todo:
        sweep(folder, [])
        return None
    n = corpus.recipe.options[_STAGE].n
    about = About(key=key, n=n, recipe=corpus.recipe.name, curate=curate.__version__, made=made)
    if not path.is_file() or read_about(path) != about:
        write_batches(path, _signatures(corpus, kept, n), about)
    sweep(folder, [path])
    return path


def _signatures(corpus: Corpus, kept: Any, n: int) -> Iterator[pa.Table]:
    """Chunk by chunk."""
    for chunk in corpus.chunks():
        table, at = corpus.measures(_STAGE, chunk, ["id", "labels", *FACTS])
        yield signatures(table.filter(pa.array(np.isin(at, kept))), n)


def add_to_index(against: Against, own: Path) -> str:
    """Add a finished run's batch, unless it is there; what was done, in a sentence."""
    if against.read_only:
        return f"{against.index} is a run folder: it was read, and nothing was added to it."
    target = make_folder(against.index) / own.name
    if target.is_file():
        return f"{against.index} has this batch already: nothing was added."
    link_or_copy(own, target)
    return f"The runs kept were added to {against.index} ({own.name})."
