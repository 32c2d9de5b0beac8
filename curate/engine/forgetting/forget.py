"""Taking records out of dataset folders, run folders and near-copy indexes.

Trajectories are rewritten last, after all else in all folders: by them the records are found, so the same command after
a kill goes on. A folder in which something is being taken out holds the file `.forgetting` until it is done. What was
done is kept beside the data, `forgotten.json`, and says how many and when, never who."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.forgetting.counts import funnel
from curate.engine.forgetting.lines import forget_lines, in_every_text
from curate.engine.forgetting.mentions import Mentions
from curate.engine.forgetting.tables import forget_rows
from curate.engine.forgetting.who import Found, check, find, media_of
from curate.engine.report.numbers import report_numbers
from curate.engine.work import read_marker
from curate.model.errors import InputError, UsageError
from curate.stages.copies.index import batches_in
from curate.store.atomic import remove_leftovers, write_json
from curate.store.dataset import MANIFEST, is_dataset, part_paths, read_manifest, write_manifest
from curate.store.edits import AUDIT, edits_folder
from curate.store.run_folder import RunFolder, is_run, was_run

PENDING = ".forgetting"
RECORD = "forgotten.json"
Tell = Callable[[str], object]


class Done(msgspec.Struct, kw_only=True):
    """What was taken out of one folder: runs (or signatures of an index), training examples, pictures and other media,
    lines of edits and labels."""

    folder: str
    runs: int = 0
    examples: int = 0
    media: int = 0
    edits: int = 0
    again: list[str] = []
    """What must be made again elsewhere, in sentences."""


class Forgotten(msgspec.Struct, kw_only=True):
    """One line of `forgotten.json`: that something was taken out, and not of whom. `at`: when it was begun. After a
    stop, examples and media are those that were left to take out."""

    at: str
    runs: int
    examples: int
    media: int


def split_arguments(arguments: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Names and folders: what is a dataset, a run or an index is a folder, all else is a name. Raises UsageError."""
    folders = [Path(one) for one in arguments if kind_of(Path(one))]
    names = [one for one in arguments if not kind_of(Path(one))]
    if not folders:
        raise UsageError("None of these is a dataset, a run folder or an index: name who, and then where.")
    if not names:
        raise UsageError("Name who is to be forgotten: a run's id, or an actor's pseudonym (`curate show` lists both).")
    return names, folders


def kind_of(path: Path) -> str | None:
    """`run`, `dataset` or `index`; None for anything else."""
    if not path.is_dir():
        return None
    if is_run(path) or was_run(path):
        return "run"
    if is_dataset(path):
        return "dataset"
    return "index" if batches_in(path) else None


def forget(names: Sequence[str], folders: Sequence[Path], tell: Tell = lambda _: None) -> list[Done]:
    """Take the records that the names stand for out of every folder; what was taken out of each. A run folder has no
    report.html afterwards: whoever calls writes it again.

    Raises InputError where a name stands for nothing in any of them, or for a file that cannot be read; StoreError."""
    found = {folder: find(folder, names) for folder in folders if kind_of(folder) != "index"}
    ids = {id for one in found.values() for id in one.ids}
    if found and not any((folder / PENDING).is_file() for folder in found):
        check(names, {name for one in found.values() for name in one.names}, list(found))
    mentions = Mentions(ids if found else names)
    done = {folder: Done(folder=str(folder)) for folder in folders}
    for folder in folders:
        if folder not in found:
            tell(f"{folder}: taking out")
            _index(folder, mentions, done[folder])
    if not found and not any(one.runs for one in done.values()):
        raise InputError(f"No run is named {names[0]!r} in {folders[0]}: an index knows ids alone, not who acted.")
    touched = [folder for folder in found if _begun(folder, found[folder], mentions, done[folder])]
    for folder in touched:
        tell(f"{folder}: taking out")
        _all_but_records(folder, found[folder], mentions, done[folder])
    for folder in touched:
        _records(folder, mentions, done[folder])
    return list(done.values())


def _index(folder: Path, mentions: Mentions, done: Done) -> None:
    remove_leftovers(folder)
    for batch in batches_in(folder):
        done.runs += forget_rows(batch, mentions)


def _begun(folder: Path, found: Found, mentions: Mentions, done: Done) -> bool:
    """Whether anything is to be done in a folder; then it says so, with how many runs. What a killed process left
    there half written goes."""
    before = read_marker(folder / PENDING, Forgotten)
    if not found.ids and before is None and not _mentioned(folder, mentions):
        return False
    done.runs = len(found.ids) if before is None else before.runs
    if before is None:
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        write_json(folder / PENDING, Forgotten(at=now, runs=done.runs, examples=0, media=0))
    for place in (folder, edits_folder(folder)):
        remove_leftovers(place)
    return True


def _all_but_records(folder: Path, found: Found, mentions: Mentions, done: Done) -> None:
    theirs, others = media_of(folder, found.ids)
    if kind_of(folder) == "run":
        _of_run(folder, mentions, done)
    _edits(folder, mentions, done)
    held = RunFolder(folder)
    if held.reduced.is_file():
        forget_rows(held.reduced, mentions)
    if held.rejected.is_file():
        forget_lines(held.rejected, mentions)
    for reference in sorted(theirs - others):
        path = held.media.path(reference)
        done.media += path.is_file()
        path.unlink(missing_ok=True)
    _plain_files(folder, mentions, found)


def _records(folder: Path, mentions: Mentions, done: Done) -> None:
    for part in part_paths(folder):
        forget_rows(part, mentions)
    if (folder / MANIFEST).is_file():
        write_manifest(folder, read_manifest(folder).made)
    if kind_of(folder) == "run":
        _report(RunFolder(folder))
    if done.runs:
        _keep_record(folder, done)
    (folder / PENDING).unlink()


def _mentioned(folder: Path, mentions: Mentions) -> bool:
    """Whether another folder's records may be mentioned here: in edits, as witness of an index."""
    return bool(mentions.ids) and (was_run(folder) or edits_folder(folder).is_dir())


def _of_run(folder: Path, mentions: Mentions, done: Done) -> None:
    run = RunFolder(folder)
    run.report_html.unlink(missing_ok=True)  # it may show them, and is written again at the end
    shutil.rmtree(folder / ".work", ignore_errors=True)  # what a run would go on from
    for ending in (".publish", ".gate"):  # what was prepared for publishing, and what the gate found in it
        beside = folder.resolve().with_name(f"{folder.resolve().name}{ending}")
        if beside.is_dir():
            shutil.rmtree(beside)
            done.again.append(f"{beside.name} is gone: `curate publish` makes the next revision.")
    if run.read_run().get("edits"):
        done.again.append("The run was made with edits: their files lie beside what was reviewed; name that, too.")
    for path in run.stage_paths():
        forget_rows(path, mentions)
    for path in batches_in(folder):
        forget_rows(path, mentions)
    for path in run.example_paths():
        done.examples += forget_lines(path, mentions)
    if run.steps_left_out.is_file():
        forget_lines(run.steps_left_out, mentions)


def _edits(folder: Path, mentions: Mentions, done: Done) -> None:
    for path in sorted(edits_folder(folder).glob("*.jsonl")):
        done.edits += forget_lines(path, mentions, anywhere=path.name.startswith(AUDIT))
    left_out = folder / "edits_left_out.jsonl"
    if left_out.is_file():
        forget_lines(left_out, mentions)


def _plain_files(folder: Path, mentions: Mentions, found: Found) -> None:
    """run.json and other JSON beside it: without the inputs that held nothing else, and without mentions."""
    words = sorted({*found.actors, *found.files}, key=lambda word: (-len(word), word))

    def change(text: str) -> str:
        text = str(mentions.replaced([text])[0])
        return "(forgotten)" if text in words else text

    for path in sorted(folder.glob("*.json")):
        if path.name in (MANIFEST, RECORD, "report.json"):
            continue
        plain = read_marker(path, dict[str, Any])
        if plain is None:
            continue
        if path.name == "run.json":
            gone = [one for one in plain.get("inputs") or [] if _held(one, found.files)]
            plain["inputs"] = [one for one in plain.get("inputs") or [] if one not in gone]
            plain["forgotten"] = True  # `curate run` would bring them back from the inputs
        changed = in_every_text(plain, change)
        if changed != read_marker(path, dict[str, Any]):
            write_json(path, changed)


def _held(entry: Any, files: Iterable[str]) -> bool:
    """Whether an input of run.json is one of these files, or lies in one of these recordings."""
    path = str(entry.get("path", "")) if isinstance(entry, dict) else ""
    return any(path == file or path.startswith(f"{file}/") for file in files)


def _report(run: RunFolder) -> None:
    recipe = run.read_run().get("recipe") or {}
    given = (recipe.get("leaks") or {}).get("tests") or []
    tests = [Path(one) for one in ([given] if isinstance(given, str) else given)]
    counted = funnel(run)
    numbers = report_numbers(run.root, counted, [path for path in tests if path.is_file()])
    write_json(run.report_json, {"schema": "report.v1", **counted, **numbers})


def _keep_record(folder: Path, done: Done) -> None:
    path = folder / RECORD
    begun = read_marker(folder / PENDING, Forgotten)
    assert begun is not None  # until the record is kept
    one = msgspec.structs.replace(begun, examples=done.examples, media=done.media)
    before = [each for each in read_marker(path, list[Forgotten]) or [] if each.at != one.at]
    write_json(path, [*before, one])
