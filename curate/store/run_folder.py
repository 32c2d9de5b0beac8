"""The run folder, what `curate run` writes: its paths, and reading it back.

run.json             the resolved recipe, versions, seeds, input files with sha256
trajectories/ media/ the dataset of all that could be read, normalised (as in store.dataset)
reduced.parquet      where it comes from recordings
stages/NN-<stage>.parquet   measures and verdicts, one row a trajectory (or step)
examples/<split>-*.jsonl    training examples
index/<key>.parquet         signatures of the runs that were kept (docs/nearcopies.md)
rejected.jsonl  steps_left_out.jsonl  report.json  report.html
edits_left_out.jsonl        where the run has edits (docs/edits.md)
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from curate.model.errors import InputError
from curate.model.rejected import EditLeftOut, Rejected, StepLeftOut
from curate.store.dataset import write_parquet
from curate.store.media import MediaStore

T = TypeVar("T")


class RunFolder:
    """Paths and contents of one run folder. Reading raises InputError for what is missing or broken; writing goes
    through `store.atomic` and raises StoreError."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    @property
    def run_json(self) -> Path:
        return self.root / "run.json"

    @property
    def report_json(self) -> Path:
        return self.root / "report.json"

    @property
    def report_html(self) -> Path:
        return self.root / "report.html"

    @property
    def rejected(self) -> Path:
        return self.root / "rejected.jsonl"

    @property
    def steps_left_out(self) -> Path:
        return self.root / "steps_left_out.jsonl"

    @property
    def edits_left_out(self) -> Path:
        return self.root / "edits_left_out.jsonl"

    @property
    def reduced(self) -> Path:
        return self.root / "reduced.parquet"

    @property
    def examples(self) -> Path:
        return self.root / "examples"

    @property
    def stages(self) -> Path:
        return self.root / "stages"

    @property
    def media(self) -> MediaStore:
        return MediaStore(self.root)

    def stage_path(self, number: int, stage: str) -> Path:
        """`stages/NN-<stage>.parquet`; numbers from 1, in the recipe's order."""
        return self.stages / f"{number:02d}-{stage}.parquet"

    def stage_paths(self) -> list[Path]:
        """The stage tables that are there, in order."""
        return sorted(self.stages.glob("[0-9][0-9]-*.parquet"))

    def write_stage(self, number: int, stage: str, table: pa.Table) -> Path:
        """Write a stage's table."""
        path = self.stage_path(number, stage)
        write_parquet(path, table)
        return path

    def read_stage(self, path: Path) -> pa.Table:
        """A stage's table."""
        try:
            return pq.read_table(path)
        except (pa.ArrowException, OSError) as error:
            raise InputError(f"Cannot read {path}: {error}.") from error

    def example_paths(self, split: str | None = None) -> list[Path]:
        """The training examples that are there: of one split, or of all, in order."""
        return sorted(self.examples.glob(f"{split or '*'}-*.jsonl"))

    def read_run(self) -> dict[str, Any]:
        """run.json."""
        return _read_json(self.run_json)

    def read_report(self) -> dict[str, Any]:
        """report.json."""
        return _read_json(self.report_json)

    def read_rejected(self) -> Iterator[Rejected]:
        """The rows of rejected.jsonl, in order."""
        return _read_jsonl(self.rejected, Rejected)

    def read_steps_left_out(self) -> Iterator[StepLeftOut]:
        """The rows of steps_left_out.jsonl, in order."""
        return _read_jsonl(self.steps_left_out, StepLeftOut)

    def read_edits_left_out(self) -> Iterator[EditLeftOut]:
        """The rows of edits_left_out.jsonl, in order."""
        return _read_jsonl(self.edits_left_out, EditLeftOut)

    def read_examples(self, split: str | None = None) -> Iterator[dict[str, Any]]:
        """Training examples, in order."""
        for path in self.example_paths(split):
            yield from _read_jsonl(path, dict[str, Any])


def is_run(path: Path) -> bool:
    """Whether a folder is a run folder with records, by its run.json and trajectories."""
    return was_run(path) and (path / "trajectories").is_dir()


def was_run(path: Path) -> bool:
    """Whether a folder is a run folder, with records or without (--examples-only), by its run.json."""
    return path.is_dir() and (path / "run.json").is_file()


def _read_json(path: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}: {error}.") from error


def _read_jsonl(path: Path, kind: type[T]) -> Iterator[T]:
    decoder = msgspec.json.Decoder(kind)
    number = 0
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):  # noqa: B007  (the error names it)
                yield decoder.decode(line)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {path}, line {number}: {error}.") from error
