"""A mixture of datasets, as `curate mix` makes it: parts are looked at, drawn from, and written as one dataset folder.
Pictures are linked where the file system has links. What was not taken is in rejected.jsonl, with its reason."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

import curate
from curate.engine.fingerprint import fingerprint
from curate.engine.mixing.candidates import Checks, look_at
from curate.engine.mixing.columns import Candidates, Key, Part, Why
from curate.engine.mixing.drawing import Drawn, Pool, draw, order_of, people_share
from curate.engine.naming import Names, rename_record, renamed
from curate.engine.progress import Silent, Tells
from curate.engine.recipe import with_settings
from curate.engine.unrolling import as_decided
from curate.engine.work import link_or_copy
from curate.model.constants import SEED
from curate.model.errors import InputError, UsageError
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.stages.ids import Ids
from curate.stages.leakage.options import LeaksOptions
from curate.stages.nearcopies import NearcopiesOptions
from curate.stages.tables import places
from curate.store.dataset import MANIFEST, DatasetWriter, Manifest, file_sha256, is_dataset, part_paths, read_records
from curate.store.media import MediaStore
from curate.store.pack_folder import named_pack, version_of
from curate.store.run_folder import is_run

By = Literal["trajectories", "steps", "weight"]


class MixOptions(msgspec.Struct, kw_only=True, frozen=True):
    """How parts are mixed. `by`: what shares are of. `shares`: a share for each part, or none; or `groups` of one `key`
    (KEYS) over all parts. `size`: in the unit of `by`. `floor`: the least share of people's data. `tests`: packs.
    `sets`: options of nearcopies and leaks."""

    by: By = "trajectories"
    shares: list[float] = []
    key: str | None = None
    groups: dict[str, float] = {}
    size: float | None = None
    floor: float = 0.0
    seed: int = SEED
    tests: list[str] = []
    sets: list[str] = []


class MixedPart(msgspec.Struct, kw_only=True):
    """What came of a part or group: `available` (in the unit of the shares) and `taken`, what it was to be (`share`)
    and what it is (`reached`)."""

    name: str
    share: float
    available: float
    taken: float
    reached: float
    trajectories: int
    steps: int


class Mixed(msgspec.Struct, kw_only=True):
    """What came of it. `people`: their share in the mixture; `people_before`: in all that could be taken. `rejected`:
    by reason; `missing`: media that a record names and its part has not."""

    manifest: Manifest
    groups: list[MixedPart]
    people: float
    people_before: float
    rejected: dict[str, int]
    renamed: int = 0
    missing: int = 0
    said: list[str] = []


def mix(folders: Sequence[Path], out: Path, options: MixOptions, progress: Tells | None = None) -> Mixed:
    """Mix dataset and run folders into the dataset folder `out`. Raises UsageError for shares that cannot be had,
    InputError, StoreError, GateError where `out` holds something else."""
    tells = progress or Silent()
    parts = [Part(name=name, folder=folder) for name, folder in zip(_names(folders), folders, strict=True)]
    packs = {name: Path(name) if Path(name).is_file() else named_pack(name) for name in options.tests}
    with tempfile.TemporaryDirectory(prefix="curate-") as scratch:
        found = look_at(parts, checks_of(options, list(packs.values())), Path(scratch), tells)
    pool, names, shares, rows = _pool(found, options)
    drawn = draw(pool, shares, options.size, options.floor, whole=options.by == "trajectories")
    taken = np.zeros(len(found), bool)
    taken[rows] = drawn.rows
    groups = _told(pool, drawn, names, shares, found.steps[rows])
    people, before = people_share(pool, drawn.rows), people_share(pool, np.ones(len(drawn.rows), bool))
    versions = {Path(name).name: version_of(path) for name, path in packs.items()}
    made = _made(parts, options, groups, versions, people, before)
    done = Mixed(
        manifest=Manifest(trajectories=0, steps=0, files={}, media={}), groups=groups, people=people,
        people_before=before, rejected={}, said=_warnings(options, people, before),
    )  # fmt: skip
    _write(found, out, made, taken, done, tells)
    return done


def _names(folders: Sequence[Path]) -> list[str]:
    """The folders' names, each once. Raises InputError for what is no dataset or run folder."""
    names = Names()
    for folder in folders:
        if not is_dataset(folder) and not is_run(folder):
            raise InputError(f"{folder} is no dataset or run folder: make one with `curate import` or `curate run`.")
    return [names.unique(folder.resolve().name) for folder in folders]


def checks_of(options: MixOptions, packs: Sequence[Path]) -> Checks:
    """What the parts are held against. Raises UsageError for settings that are none."""
    by: dict[str, list[str]] = {"nearcopies": [], "leaks": []}
    for setting in options.sets:
        section = setting.partition(".")[0]
        if section not in by:
            raise UsageError(f"--set {setting}: here only options of nearcopies and leaks count.")
        by[section].append(setting)
    copies = with_settings(NearcopiesOptions(action_people="drop"), "nearcopies", by["nearcopies"])
    leaks = with_settings(LeaksOptions(), "leaks", by["leaks"])
    assert isinstance(copies, NearcopiesOptions) and isinstance(leaks, LeaksOptions)
    if leaks.tests is not None:
        raise UsageError("--set: leaks.tests: packs are named by the mixture (--tests, or tests in a recipe).")
    tests = [str(path) for path in packs] or None
    return Checks(copies=copies, leaks=msgspec.structs.replace(leaks, tests=tests))


def _pool(found: Candidates, options: MixOptions) -> tuple[Pool, list[str], NDArray[np.float64], NDArray[np.int64]]:
    """What may be drawn, the groups' names and shares, and by row of the pool its place among all records."""
    rows = found.may()
    if not len(rows):
        raise InputError("There is nothing to mix: every record of the parts is out.")
    amount = _amounts(found, options.by)[rows]
    if options.key is None:
        names = [part.name for part in found.parts]
        group = found.part_of[rows]
        natural = np.bincount(group, amount, len(names)).astype(np.float64)
        shares = np.array(options.shares, np.float64) if options.shares else natural
    else:
        names, group, shares = _by_key(found.keys[options.key], rows, amount, options)
    ids = Ids(found.ids.array.take(places(rows)))
    return Pool(group, amount, found.people[rows], order_of(ids, options.seed)), names, shares, rows


def _by_key(
    key: Key, rows: NDArray[np.int64], amount: NDArray[np.float64], options: MixOptions
) -> tuple[list[str], NDArray[np.int64], NDArray[np.float64]]:
    """Groups of one key: those named have their share, all others share what is left as they are."""
    codes, group = np.unique(key.codes[rows], return_inverse=True)
    names = np.array([key.names[code] for code in codes.tolist()])
    missing = sorted(set(options.groups) - set(names.tolist()))
    if missing:
        known = ", ".join(names.tolist())
        raise UsageError(f"--share {options.key}:{missing[0]}: no record may be taken of it; there is {known}.")
    named = np.array([name in options.groups for name in names.tolist()])
    have = np.bincount(group, amount, len(names)).astype(np.float64)
    left = 1 - sum(options.groups.values())
    if left < -1e-9 or (left <= 1e-9 and not any(options.groups.values())):
        raise UsageError(f"The shares of --share come to {sum(options.groups.values()):g}: at most 1.")
    rest = have[~named].sum()
    shares = np.where(named, 0.0, have / rest * max(left, 0.0) if rest else 0.0)
    shares[named] = [options.groups[name] for name in names[named].tolist()]
    return names.tolist(), group.astype(np.int64), shares


def _amounts(found: Candidates, by: By) -> NDArray[np.float64]:
    if by == "trajectories":
        return np.ones(len(found))
    return found.steps.astype(np.float64) if by == "steps" else found.weight


def _told(
    pool: Pool, drawn: Drawn, names: Sequence[str], shares: NDArray[np.float64], steps: NDArray[np.int32]
) -> list[MixedPart]:
    """What came of each group. `steps`: by row of the pool."""
    total, share = float(pool.amount[drawn.rows].sum()), shares / shares.sum()
    found = []
    for number, name in enumerate(names):
        mine = pool.group == number
        taken = float(pool.amount[mine & drawn.rows].sum())
        found.append(
            MixedPart(
                name=name, share=round(float(share[number]), 6), available=float(pool.amount[mine].sum()), taken=taken,
                reached=round(taken / total, 6) if total else 0.0, trajectories=int((mine & drawn.rows).sum()),
                steps=int(steps[mine & drawn.rows].sum()),
            )
        )  # fmt: skip
    return found


def _made(
    parts: Sequence[Part], options: MixOptions, groups: Sequence[MixedPart], packs: dict[str, str], people: float,
    before: float,
) -> dict[str, Any]:  # fmt: skip
    """What the manifest says: what came from where."""
    plain = msgspec.to_builtins(options)
    plain["tests"] = packs
    return {
        "by": "curate mix", "version": curate.__version__, "options": plain,
        "parts": [{"name": part.name, "records": part.count, "sha256": _content(part.folder)} for part in parts],
        "groups": msgspec.to_builtins(list(groups)), "people": round(people, 6), "people_before": round(before, 6),
    }  # fmt: skip


def _content(folder: Path) -> str:
    if (folder / MANIFEST).is_file():
        return file_sha256(folder / MANIFEST)
    return fingerprint([file_sha256(path) for path in part_paths(folder)])


def _warnings(options: MixOptions, people: float, before: float) -> list[str]:
    said = []
    if people < options.floor - 1e-9:
        said.append(
            f"People's data is {people:.1%} of the mixture, under the floor of {options.floor:.1%}: there is no more."
        )
    if people < before - 5e-4:
        said.append(
            f"The share of people's data falls: {people:.1%} of the mixture, {before:.1%} of what it is made from."
        )
    return said


_NOT_SAMPLED = Why("mix.not_sampled")


def _write(
    found: Candidates, out: Path, made: dict[str, Any], taken: NDArray[np.bool_], done: Mixed, tells: Tells
) -> None:
    tells.phase("records written", int(taken.sum()))
    rows = np.flatnonzero(taken)
    finals = {int(rows[at]): final for at, final in renamed(found.ids.array.take(places(rows))).items()}
    counts, done.renamed = Counter[str](), len(finals)
    with DatasetWriter(out, made) as writer:
        for part in found.parts:
            media = MediaStore(part.folder)
            for row, record in enumerate(read_records(part.folder), part.first):
                if not taken[row]:
                    why = found.outs.of(row) or _NOT_SAMPLED
                    counts[why.reason] += 1
                    writer.reject(_rejected(record, part, why))
                    continue
                _finish(record, part, row - part.first)
                if row in finals:
                    rename_record(record, finals[row], record.id)
                done.missing += _link(record, media, out)
                writer.add(record)
                tells.advance()
    assert writer.manifest is not None
    done.manifest, done.rejected = writer.manifest, dict(sorted(counts.items()))


def _rejected(record: Trajectory, part: Part, why: Why) -> Rejected:
    return Rejected(id=record.id, file=part.name, line=None, stage="mix", reason=why.reason, detail=why.detail)


def _finish(record: Trajectory, part: Part, row: int) -> None:
    """Its weight and wordings as its run decided; its steps stay all."""
    fate = None if part.fates is None else part.fates.of(row)
    if fate is not None:
        as_decided(record, msgspec.structs.replace(fate, no_history=[]))
    record.lineage = [*record.lineage, f"mix: from {part.name}"]


def _link(record: Trajectory, media: MediaStore, out: Path) -> int:
    """Link its media into the mixture; how many its part has not."""
    missing = 0
    for reference in dict.fromkeys(_references(record)):
        if not media.has(reference):
            missing += 1
        elif not (out / reference).exists():
            link_or_copy(media.path(reference), out / reference)
    return missing


def _references(record: Trajectory) -> Iterator[str]:
    for step in record.steps:
        yield from filter(None, (step.image, step.image_after, step.tree))
    yield from filter(None, (record.final_image, record.video, record.trace))
