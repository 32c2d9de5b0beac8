"""The plan of a run: what is read, cut into shards, and what each piece of work depends on. Making a plan reads and
hashes the inputs and writes nothing. The same files and recipe give the same plan, whatever the order of the
arguments and the number of workers."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy
import pyarrow

import curate
from curate.engine.against import Against, batch_key, look_at_index
from curate.engine.editing.planned import PlannedEdits, plan_edits
from curate.engine.fingerprint import UNREAD, Cut, HashedFile, cut_lines, fingerprint, hash_files
from curate.engine.recipe import READING, Recipe
from curate.engine.redacted_reading import mask_name
from curate.engine.remote_inputs import find_inputs, remote_parts
from curate.engine.workers import Workers
from curate.formats.base import check_options, format_named, options_from
from curate.model.constants import SHARD_BYTES
from curate.model.errors import InputError, UsageError
from curate.sources import recognise
from curate.sources.base import Input, Part
from curate.sources.common.row_files import form_of
from curate.sources.registry import source
from curate.stages import registry
from curate.stages.base import ReadsFiles, Rewrites, Stage
from curate.stages.leakage.pack import paths_of, read_packs
from curate.stages.redact import spellings_of
from curate.store.dataset import file_sha256
from curate.store.jsonl import PACKED
from curate.store.remote import is_url, masked

WORK_VERSION = 1
"""Rises when the files of `.work` change their meaning."""


class Shard(msgspec.Struct, kw_only=True, frozen=True):
    """A unit of reading: one input, or a part of a JSONL file. `key`: what its records depend on."""

    number: int
    input: Input
    part: Part | None
    bytes: int
    key: str


class PlannedInput(msgspec.Struct, kw_only=True, frozen=True):
    """An input and its files as they are."""

    input: Input
    files: list[HashedFile]


class MaxErrors(msgspec.Struct, kw_only=True, frozen=True):
    """How many records may be unreadable before the run stops: a count, or a share of all (0 to 1)."""

    count: int | None = None
    share: float | None = None

    def exceeded(self, errors: int, read: int) -> bool:
        if self.count is not None:
            return errors > self.count
        return self.share is not None and errors > self.share * read

    def __str__(self) -> str:
        return f"{self.count}" if self.count is not None else f"{100 * (self.share or 0):g} %"


class Plan(msgspec.Struct, kw_only=True, frozen=True):
    """All that a run needs to know. `files`: hashes of files that stages read beside the records (test tasks), by
    stage and name. `unknown`: files in the inputs that no source recognises, as shown in outputs. `examples_only`: no
    dataset is kept in the run folder."""

    inputs: list[PlannedInput]
    files: dict[str, str]
    unknown: list[str]
    shards: list[Shard]
    recipe: Recipe
    out: Path
    limit: int | None = None
    workers: int = 1
    max_errors: MaxErrors | None = None
    resume_anyway: bool = False
    ray: str | None = None
    store: str | None = None
    against: Against | None = None
    examples_only: bool = False
    edits: PlannedEdits | None = None

    @property
    def batch(self) -> str:
        """The name of the run's batch in an index."""
        return batch_key(self.identity())

    def identity(self) -> dict[str, Any]:
        """What makes this run this run: it stands in run.json, and a run folder is resumed only by its equal."""
        files = [
            {
                "path": mask_name(self.recipe, recognise.shown_file(planned.input, file.path)),
                "bytes": file.bytes,
                "sha256": file.sha256,
            }
            for planned in self.inputs
            for file in planned.files
        ]
        return {
            "recipe": self.recipe.plain(), "seed": self.recipe.seed, "limit": self.limit, "inputs": files,
            "files": self.files,
        } | ({} if self.against is None else {"against": self.against.batches}) | (
            {"examples_only": True} if self.examples_only else {}
        ) | ({} if self.edits is None else {"edits": self.edits.identity()})  # fmt: skip

    def plain(self) -> dict[str, Any]:
        """The plan as `--dry-run --json` prints it."""
        shards = [
            {"number": s.number, "source": s.input.source, "input": s.input.shown, "bytes": s.bytes, "key": s.key}
            | ({"from_line": s.part.line} if s.part else {})
            for s in self.shards
        ]
        places = [place for place, _ in self.recipe.places()]
        return {
            **self.identity(), "places": places, "shards": shards, "not_recognised": self.unknown, "out": str(self.out),
            "workers": self.workers, "versions": versions(),
        }  # fmt: skip


def make_plan(
    paths: Sequence[Path | str],
    recipe: Recipe,
    out: Path,
    *,
    limit: int | None = None,
    workers: int = 1,
    max_errors: MaxErrors | None = None,
    resume_anyway: bool = False,
    ray: str | None = None,
    store: str | None = None,
    against: Path | None = None,
    examples_only: bool = False,
    edits: Sequence[Path] = (),
    early: Workers | None = None,
) -> Plan:
    """Find and hash the inputs and cut them into shards; what lies in `out` is no input. `against`: an index of runs
    published before (`engine.against`). `edits`: files of edits, or folders of them (`engine.editing`). `early`:
    processes that are started while inputs are hashed, where these are more than one process can begin with.

    Raises InputError for a path that is not there or holds nothing to read and for a line that is no edit, UsageError
    for a file that the recipe names and that is not there."""
    out = out if ray is None else out.absolute()  # workers elsewhere have no "here"
    found = find_inputs(paths)
    inputs = [
        msgspec.structs.replace(one, shown=mask_name(recipe, one.shown))
        for one in found.inputs
        if not one.path.resolve().is_relative_to(out.resolve())
    ]
    if not inputs:
        raise InputError(_nothing(paths, found.unknown))
    if early is not None and _are_many(inputs):
        early.start("curate.engine.reading")
    files_beside, planned_edits = _files_beside(recipe), plan_edits(edits)
    _check_early(recipe)
    reading = _reading_key(recipe)
    planned: list[PlannedInput] = []
    shards: list[Shard] = []
    for one in inputs:
        files, parts = _parts(one)
        planned.append(PlannedInput(input=one, files=files))
        for part, size, content in parts:
            key = fingerprint(WORK_VERSION, one.source, one.shown, part.line if part else None, content, reading)
            shards.append(Shard(number=len(shards), input=one, part=part, bytes=size, key=key))
    local = [Path(path) for path in paths if not is_url(str(path))]
    beside = {_below(file, path) for file in stage_files(recipe).values() for path in local}
    unknown = [mask_name(recipe, name) for name in found.unknown if name not in beside]  # the recipe knows it
    plan = Plan(
        inputs=planned, files=files_beside, unknown=unknown, shards=shards, recipe=recipe, out=out, limit=limit,
        workers=workers, max_errors=max_errors, resume_anyway=resume_anyway, examples_only=examples_only, ray=ray,
        store=store, edits=planned_edits,
    )  # fmt: skip
    if against is None:
        return plan
    return msgspec.structs.replace(plan, against=look_at_index(against, plan.batch, recipe, out))


def _are_many(inputs: Sequence[Input]) -> bool:
    """Whether there is probably work for several processes: more than one input, or one of several shards."""
    return len(inputs) > 1 or (inputs[0].path.is_file() and inputs[0].path.stat().st_size > SHARD_BYTES)


def _check_early(recipe: Recipe) -> None:
    """What the last stages need is looked at before hours of reading: the format's name and options, the test tasks."""
    unroll = recipe.options["unroll"]
    form = format_named(unroll.format)
    if form.by_run:
        raise UsageError(
            f"A row of {form.name} is a whole run: let the run write messages, and export it as {form.name}."
        )
    check_options(form, options_from(unroll))
    read_packs(paths_of(recipe.options["leaks"].tests))
    spellings_of(recipe.options["redact"])


def parse_max_errors(text: str) -> MaxErrors:
    """`20` or `5%`. Raises UsageError."""
    number = text.strip().removesuffix("%").strip()
    try:
        if text.strip().endswith("%"):
            share = float(number) / 100
            if 0 <= share <= 1:
                return MaxErrors(share=share)
        elif int(number) >= 0:
            return MaxErrors(count=int(number))
    except ValueError:
        pass
    raise UsageError(f"--max-errors is {text!r}; give a count such as 20, or a share such as 5%.")


def versions() -> dict[str, str]:
    """Versions that a run's bytes may depend on."""
    return {
        "curate": curate.__version__,
        "python": platform.python_version(),
        "pyarrow": pyarrow.__version__,
        "numpy": numpy.__version__,
        "msgspec": msgspec.__version__,
    }


def rewriting(recipe: Recipe) -> list[Rewrites]:
    """The stages that change records, in the recipe's order, each once."""
    found = (registry.stage(name) for name in dict.fromkeys(recipe.order))
    return [stage for stage in found if isinstance(stage, Rewrites)]


def _reading_key(recipe: Recipe) -> str:
    """What records depend on beside their input: reading options, and the stages that rewrite."""
    rewrites = [
        (s.name, s.version, recipe.section(s.name), [file_sha256(f) for f in _files_of(s, recipe)])
        for s in rewriting(recipe)
    ]
    reads = {name: msgspec.to_builtins(recipe.options[name]) for name in READING}
    return fingerprint(versions(), reads, rewrites)


def stage_files(recipe: Recipe) -> dict[str, Path]:
    """The files that stages read beside the records, by stage and name."""
    found: dict[str, Path] = {}
    for name in dict.fromkeys(recipe.order):
        stage = registry.stage(name)
        for path in _files_of(stage, recipe):
            key = f"{name}: {path.name}"
            again = sum(key == known.partition(" (")[0] for known in found)
            found[f"{key} ({again + 1})" if again else key] = path
    return found


def _files_of(stage: Stage, recipe: Recipe) -> list[Path]:
    return stage.files(recipe.options[stage.name]) if isinstance(stage, ReadsFiles) else []


def _files_beside(recipe: Recipe) -> dict[str, str]:
    """Their hashes. Raises UsageError for one that is not there."""
    found = {}
    for name, path in stage_files(recipe).items():
        if not path.is_file():
            stage = name.partition(":")[0]
            pack = ", and no pack has that name (curate tests list)" if stage == "leaks" else ""
            raise UsageError(f"Recipe {recipe.name}: {stage} names the file {path}, which is not there{pack}.")
        found[name] = file_sha256(path)
    return found


def _below(file: Path, folder: Path) -> str | None:
    """The file's path relative to the folder, None if it lies elsewhere."""
    try:
        return file.resolve().relative_to(folder.resolve()).as_posix()
    except ValueError:
        return None


def _parts(one: Input) -> tuple[list[HashedFile], list[tuple[Part | None, int, str]]]:
    """The input's files, and its parts: (part, bytes, what they hold)."""
    if one.source == "refused":
        return [HashedFile(path="", bytes=0, sha256=UNREAD)], [(None, 0, UNREAD)]
    files, cuts = _hashed(one)
    if len(cuts) > 1:
        parts = [(Part(start=c.start, stop=c.stop, line=c.line), c.stop - c.start, c.sha256) for c in cuts]
        return files, list(parts)
    if cuts:
        return files, [(None, files[0].bytes, files[0].sha256)]
    content = fingerprint([msgspec.to_builtins(file) for file in files])
    return files, [(None, sum(file.bytes for file in files), content)]


def _hashed(one: Input) -> tuple[list[HashedFile], list[Cut]]:
    """The input's files, and where it is a file that may be read in parts, its cuts (one at least)."""
    divisible = source(one.source).divisible and one.path.is_file() and one.path.suffix not in PACKED
    divisible = divisible and form_of(one.path) == "lines"  # a list is read from its beginning
    if one.origin is not None:
        return remote_parts(one, divisible, SHARD_BYTES)
    if not divisible:
        return hash_files(one.path), []
    cuts, file = cut_lines(one.path, SHARD_BYTES)
    return [file], cuts


def _nothing(paths: Sequence[Path | str], unknown: Sequence[str]) -> str:
    where = ", ".join(masked(str(path)) if is_url(str(path)) else str(path) for path in paths)
    seen = f" ({len(unknown)} files that no source recognises, such as {unknown[0]})" if unknown else ""
    return f"There is nothing to read in {where}{seen}: give recording folders, dataset folders or JSONL of records."
