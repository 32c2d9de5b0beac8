"""Removes what a run folder holds beside its run: files of an earlier recipe or input, unfinished work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from curate.engine.corpus import Corpus
from curate.engine.places import Place
from curate.engine.unrolling import UnrollJob, examples_folder
from curate.engine.work import INDEX, sweep
from curate.stages.measures.picture_cache import cache_folder
from curate.store.run_folder import RunFolder

_MEDIA = ["steps.list.element.image", "steps.list.element.image_after", "steps.list.element.tree", "final_image",
          "video", "trace"]  # fmt: skip


def sweep_run(
    root: Path, corpus: Corpus, places: list[Place], jobs: list[UnrollJob], used: list[Path], media: bool
) -> None:
    """`used`: the files of trajectories/ and examples/. `media`: also remove media that no record names (memory: all
    references), which only a changed input can leave."""
    run = RunFolder(root)
    sweep(root / "trajectories", used)
    sweep(run.examples, used)
    sweep(run.stages, [run.stage_path(place.number, place.name) for place in places])
    sweep(root / ".work" / "read", _of_shards(corpus))
    sweep(root / ".work" / "corpus", [corpus.corpus_file(name) for name in corpus.todo])
    sweep(root / ".work" / "examples", _of_jobs(jobs))
    sweep(cache_folder(root), [])  # what is known of pictures stands in the measures now
    if media:
        sweep(root / "media", (root / reference for reference in _references(used)))


def _of_shards(corpus: Corpus) -> Iterator[Path]:
    for shard in corpus.shards:
        yield shard.folder.path / INDEX
        yield shard.folder.reduced
        yield shard.folder.origins
        yield shard.folder.edits
        for number in range(len(shard.index.batches)):
            yield shard.folder.part(number)
            yield shard.folder.records(number)
        for name, one in corpus.todo.items():
            yield shard.folder.measures(name, one.key)


def _of_jobs(jobs: list[UnrollJob]) -> Iterator[Path]:
    for job in jobs:
        folder = examples_folder(job)
        yield folder / INDEX
        yield from (folder / f"{split}.jsonl" for split in job.fates.kept_splits)


def _references(used: list[Path]) -> Iterator[str]:
    for path in used:
        if path.parent.name != "trajectories":
            continue
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                yield from _texts(file.read_row_group(group, columns=_MEDIA))


def _texts(table: pa.Table) -> Iterator[str]:
    """Every text in the columns, however nested."""

    def below(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for inner in value.values():
                yield from below(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from below(inner)

    for column in table.columns:
        yield from below(column.to_pylist())
