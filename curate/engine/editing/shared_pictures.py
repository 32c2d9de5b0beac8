"""Pictures that several records show: what a reviewer wanted black in one of them is black in all. Which pictures those
are is known when the record with the edit is read, so shards that show one of them too are read again. What was stored
of such a picture before is removed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from curate.engine.editing.edited_reading import shard_edits
from curate.engine.editing.planned import shared_path
from curate.engine.fingerprint import fingerprint
from curate.engine.progress import Tells
from curate.engine.reading import ReadDone, ReadJob, read_shard
from curate.engine.work import ShardFolder, read_marker
from curate.engine.workers import Workers
from curate.model.edits import Region
from curate.store.atomic import write_json
from curate.store.media import MediaStore

pc: Any = pyarrow.compute  # its stubs know no is_in
_SHOWN = ["steps.list.element.image", "steps.list.element.image_after", "final_image"]
_Results = list[tuple[ReadJob, ReadDone]]


class SharedPictures(msgspec.Struct, kw_only=True):
    """`.work/shared-pictures.json`: shards (by their plain key) that are read with what is `black`, as was found when
    all were read: so a run that goes on reads them once."""

    again: list[str] = []
    black: dict[str, list[Region]] = {}


def known_pictures(root: Path) -> SharedPictures:
    """What an earlier run of the folder found."""
    return read_marker(shared_path(root), SharedPictures) or SharedPictures()


def with_known(job: ReadJob, known: SharedPictures) -> ReadJob:
    """The job as it was found that it has to be done."""
    return _with_black(job, known.black) if job.edits is not None and job.key in known.again else job


def read_again(root: Path, results: _Results, workers: Workers, tells: Tells) -> _Results:
    """Read again what shows a picture that an edit of another shard, or of another record, wants black; then no file of
    the run shows what is black any more."""
    black: dict[str, set[Region]] = {}
    for job, _ in results:
        for ref, regions in shard_edits(ShardFolder(job.root, job.key)).asked.items():
            black.setdefault(ref, set()).update(regions)
    wanted = {ref: sorted(regions) for ref, regions in sorted(black.items())}
    rows = [row for row, (job, done) in enumerate(results) if _shows_more(job, done, wanted)]
    jobs = [_with_black(results[row][0], wanted) for row in rows]
    if jobs:
        tells.phase("inputs read again, for what is black in others", len(jobs))
    for number, done in workers.run(read_shard, jobs):
        results[rows[number]] = (jobs[number], done)
        tells.advance()
    again = sorted(job.edits.plain for job, _ in results if job.edits is not None and job.edits.black)
    if again:
        write_json(shared_path(root), SharedPictures(again=again, black=wanted))
    else:
        shared_path(root).unlink(missing_ok=True)
    _remove(root, results, wanted)
    return results


def _with_black(job: ReadJob, black: dict[str, list[Region]]) -> ReadJob:
    assert job.edits is not None
    edits = msgspec.structs.replace(job.edits, black=black)
    return msgspec.structs.replace(job, edits=edits, key=fingerprint(edits.plain, "black", sorted(black.items())))


def _shows_more(job: ReadJob, done: ReadDone, black: dict[str, list[Region]]) -> bool:
    """Whether a shard shows a picture with less black than is wanted."""
    if job.edits is None or not black or job.edits.black == black:
        return False
    if job.edits.black:
        return True
    folder = ShardFolder(job.root, job.key)
    done_there = shard_edits(folder)
    asked = done_there.asked
    if done_there.uneven or any(regions != black[ref] for ref, regions in asked.items()):
        return True
    if not job.keep:  # its records are not there to be looked at
        return set(asked) != set(black)
    return bool(_found(_parts(folder, done), list(black)))


def _parts(folder: ShardFolder, done: ReadDone) -> list[Path]:
    return [folder.part(number) for number in range(len(done.index.batches))]


def _found(parts: Iterable[Path], references: Sequence[str]) -> set[str]:
    """Which of these media the records of the parts name."""
    wanted = pa.array(references, pa.string())
    found: set[str] = set()
    for named in _named(parts):
        found.update(str(ref) for ref in wanted.filter(pc.is_in(wanted, value_set=named)).to_pylist())
    return found


def _named(parts: Iterable[Path]) -> Iterator[Any]:
    for path in parts:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(columns=_SHOWN):
                yield batch["final_image"]
                for field in ("image", "image_after"):
                    yield pc.struct_field(pc.list_flatten(batch["steps"]), field)


def _remove(root: Path, results: _Results, black: dict[str, list[Region]]) -> None:
    """Remove the pictures as they were, and those that were black in a part of it alone, as far as no record names
    them."""
    read = sorted((root / ".work" / "read").glob("*/edits.json"))
    made = {ref for path in read for ref in _made(ShardFolder(root, path.parent.name))}
    folders = [ShardFolder(job.root, job.key) for job, _ in results]
    kept = {ref for folder in folders for ref in _made(folder)}
    gone = sorted({*black, *made} - kept)
    if gone and results[0][0].keep:
        parts = [part for folder, (_, done) in zip(folders, results, strict=True) for part in _parts(folder, done)]
        gone = sorted(set(gone) - _found(parts, gone))
    media = MediaStore(root)
    for reference in gone:
        media.path(reference).unlink(missing_ok=True)


def _made(folder: ShardFolder) -> set[str]:
    return set(shard_edits(folder).made)
