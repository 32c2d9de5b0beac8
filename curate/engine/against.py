"""Runs published before: `--against INDEX` names a folder with the signatures of earlier batches, which the run is held
against, and to which the runs that it keeps are added when it is done. A batch is named by what its run is (inputs and
recipe), so the same command adds it once, and a run that is made again is not held against itself.

Every run leaves its signatures in its own folder too, `index/<key>.parquet`. By them a run folder that was turned into
another run (other options, an input that has grown) knows the batch that it added before: it is not held against that
batch, and replaces it. Made again without that index, the folder remembers what it added (`.work/added.json`) until it
replaces it. A run folder that is given as INDEX is read and never changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa

import curate
from curate.engine.corpus import Corpus
from curate.engine.fingerprint import fingerprint
from curate.engine.memory import give_back
from curate.engine.recipe import Recipe
from curate.engine.work import link_or_copy, read_marker, sweep
from curate.model.errors import InputError, UsageError
from curate.stages.copies.index import SUFFIX, About, batches_in, read_about, write_batches
from curate.stages.copies.projection import FACTS
from curate.stages.copies.signatures import VERSION, signatures
from curate.store.atomic import make_folder, write_bytes, write_json
from curate.store.dataset import file_sha256

_STAGE = "nearcopies"
_ADDED = Path(".work", "added.json")
_Batches = set[tuple[str, str]]
"""Names of batches with the hashes of their files."""


class Against(msgspec.Struct, kw_only=True, frozen=True):
    """An index as it was when the run was planned. `batches`: hashes of the files the run is held against, by name (its
    own batch is none of them); `files`: these files; `earlier`: files that the run folder added before; `read_only`: it
    is a run folder."""

    index: Path
    batches: dict[str, str]
    files: list[Path]
    earlier: list[Path]
    read_only: bool


def look_at_index(index: Path, own: str, recipe: Recipe, out: Path) -> Against:
    """The index for a run into `out` whose batch is named `own`. It need not be there yet.

    Raises UsageError for a file, for a folder that cannot be made or written, for a recipe without near-copies, and for
    an index that cannot be compared with the run; InputError for a file in it that is no batch."""
    if _STAGE not in recipe.order:
        raise UsageError(f"--against finds near-copies, and recipe {recipe.name} has no {_STAGE} in its order.")
    if index.exists() and not index.is_dir():
        raise UsageError(f"--against {index} is a file: give the folder of an index (it is made if need be), or a run.")
    read_only = (index / "run.json").is_file()
    if not read_only:
        _check_writable(index)
    earlier = _added_before(index, out, read_only)
    files = [path for path in batches_in(index) if path.name != own + SUFFIX and path not in earlier]
    n = recipe.options[_STAGE].n
    for path in files:
        about = read_about(path)
        if about.version != VERSION or about.n != n:
            raise UsageError(
                f"{path} holds signatures of version {about.version} with nearcopies.n={about.n}, and this run makes "
                f"version {VERSION} with n={n}: they cannot be compared. Give another index, or set nearcopies.n."
            )
    hashes = {path.name: file_sha256(path) for path in files}
    return Against(index=index, batches=hashes, files=files, earlier=earlier, read_only=read_only)


def _check_writable(index: Path) -> None:
    """As far as can be told without writing: the run is hours from adding to it."""
    there = next(path for path in (index, *index.absolute().parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK | os.X_OK):
        why = "nothing may be written there" if there.is_dir() else "that is a file"
        raise UsageError(
            f"--against {index}: it is written at the end of the run, in {there}, and {why}. Give another folder."
        )


def prepare_index(against: Against | None) -> None:
    """Make the index and write to it, now that the run begins, so that it does not fail at its end. Raises
    StoreError."""
    if against is not None and not against.read_only:
        probe = make_folder(against.index) / ".probe"
        write_bytes(probe, b"")
        probe.unlink(missing_ok=True)


def _added_before(index: Path, out: Path, read_only: bool) -> list[Path]:
    """The batches in the index that the run folder `out` added: the same files, to the byte. None of another run
    folder's, for only that run adds to it."""
    if read_only and index.resolve() != out.resolve():
        return []
    own = _hashed(batches_in(out)) | _remembered(out)
    names = {name for name, _ in own}
    return [path for path in batches_in(index) if path.name in names and _hashed([path]) <= own]


def _hashed(paths: Iterable[Path]) -> _Batches:
    return {(path.name, file_sha256(path)) for path in paths if path.is_file()}


def _remembered(out: Path) -> _Batches:
    """Batches that the run folder added to an index, this one or another."""
    return set(read_marker(out / _ADDED, list[tuple[str, str]]) or ())


def batch_key(identity: dict[str, Any]) -> str:
    """The name of a run's batch, from what makes the run this run (without what it is held against)."""
    return fingerprint({name: value for name, value in identity.items() if name != "against"})[:32]


def publish(root: Path, key: str, corpus: Corpus, kept: Any, made: str, against: Against | None) -> list[str]:
    """Write the signatures of the runs at the positions `kept`, unless the file is there with this `made` (a hash of
    what decided them), and add them to the index; what was done there, in sentences. Nothing for a recipe without
    near-copies.

    The run folder's own file changes last: after a kill it still says which batch the folder added before."""
    folder = make_folder(root / "index")
    path = folder / f"{key}{SUFFIX}"
    if _STAGE not in corpus.todo:
        sweep(folder, [])
        return []
    n = corpus.recipe.options[_STAGE].n
    about = About(key=key, n=n, recipe=corpus.recipe.name, curate=curate.__version__, made=made)
    new = path
    if _about(path) != about:
        new = root / ".work" / "corpus" / path.name  # swept by the next run where this one is killed
        write_batches(new, _signatures(corpus, kept, n), about)
    earlier = _hashed(against.earlier) if against is not None else set()
    said = [] if against is None else [_add(against, new, about)]
    if against is not None and not against.read_only:
        replaced = earlier - _hashed(against.earlier)
        _remember(root / _ADDED, (_remembered(root) - replaced) | _hashed([against.index / path.name]))
    if new != path:
        link_or_copy(new, path)
        new.unlink()
    sweep(folder, [path])
    return said


def _remember(path: Path, batches: _Batches) -> None:
    if batches:
        write_json(path, sorted(batches))
    else:
        path.unlink(missing_ok=True)


def _about(path: Path) -> About | None:
    """What this batch says of itself; None where it is not there, or damaged."""
    try:
        return read_about(path) if path.is_file() else None
    except InputError:
        return None


def _signatures(corpus: Corpus, kept: Any, n: int) -> Iterator[pa.Table]:
    """Chunk by chunk."""
    for chunk in corpus.chunks():
        table, at = corpus.measures(_STAGE, chunk, ["id", "labels", *FACTS])
        made = signatures(table.filter(pa.array(np.isin(at, kept))), n)
        del table
        give_back()
        yield made


def _add(against: Against, own: Path, about: About) -> str:
    """Add a finished run's batch, unless it is there, in place of what its folder added before."""
    if against.read_only:
        return f"{against.index} is a run folder: it was read, and nothing was added to it."
    target = make_folder(against.index) / own.name
    earlier = [path for path in against.earlier if path != target]
    there = _about(target)
    if there is not None and there.made != about.made and target not in against.earlier:
        return (
            f"{against.index} has this batch already, of a run that was held against other batches: nothing was added. "
            f"What that run kept counts as published; remove {target} and run the same command again if it is not."
        )
    new = there is None or there.made != about.made
    if new:
        link_or_copy(own, target)
    for path in earlier:
        path.unlink(missing_ok=True)
    if earlier or (new and there is not None):
        return f"The runs kept took the place of what this run folder had added to {against.index} ({own.name})."
    if not new:
        return f"{against.index} has this batch already: nothing was added."
    return f"The runs kept were added to {against.index} ({own.name})."
