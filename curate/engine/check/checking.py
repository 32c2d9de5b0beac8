"""`curate check`: reads every record of a dataset once, as `curate import` reads it, lets each module of findings look
at it, and throws it away. Nothing is converted for good: pictures pass through a temporary folder of bounded size.

Memory: one batch of records, and for the whole dataset some 500 bytes a record and 16 bytes a picture."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

import curate
from curate.engine.check.collect import Collected, at_refused
from curate.engine.check.corpus import Whole
from curate.engine.check.frames import add_frames
from curate.engine.check.licences import Licences
from curate.engine.check.personal import PersonalData
from curate.engine.check.pictures import Pictures
from curate.engine.check.pointer import Pointer
from curate.engine.check.records import Records
from curate.engine.check.splits import split_of, stated_splits
from curate.engine.check.types import Check, Row, Sampled, SourceLooked
from curate.engine.check.unused import NotingMedia, add_unused, files_below
from curate.engine.explaining import explain_found
from curate.engine.importing import AUTO, SourceCounts, only_source, read_inputs
from curate.engine.progress import Silent, Tells
from curate.engine.recipe import read_settings
from curate.engine.remote_inputs import find_inputs
from curate.model.constants import (
    AT_HAND_BYTES,
    CHECK_BATCH,
    CHECK_BATCH_STEPS,
    CHECK_MEDIA_BYTES,
    CHECK_PICTURES,
)
from curate.model.errors import InputError
from curate.model.reasons import REASONS
from curate.model.trajectory import Trajectory
from curate.sources.base import Input, Read
from curate.sources.recognise import Found
from curate.sources.registry import source
from curate.stages.base import MeasureContext
from curate.stages.measures.picture_reader import PictureReader
from curate.store.remote import is_url

_NO_RUNS = ("import.not_gui", "import.task_list")


class CheckOptions(msgspec.Struct, kw_only=True, frozen=True):
    """What a check may be asked. `name`: the one source that reads, or AUTO. `sets`: options of reading. `limit`:
    records of each input at most. `pictures`: decoded at most. `tests`: files of test tasks, with the names they are
    told by. `rows`: the folder to write the rows of findings to."""

    name: str = AUTO
    sets: Sequence[str] = ()
    limit: int | None = None
    pictures: int = CHECK_PICTURES
    tests: Sequence[tuple[str, Path]] = ()
    rows: Path | None = None


def check(paths: Sequence[Path | str], options: CheckOptions | None = None, progress: Tells | None = None) -> Check:
    """Look at all that lies at or below the paths. Raises InputError where no source recognises any of it, UsageError,
    StoreError. Whatever else is wrong is a finding."""
    asked = options or CheckOptions()
    tells = progress or Silent()
    found = _without_own(_find(paths, only_source(asked.name)), paths, asked.rows)
    collected = Collected(asked.rows)
    with collected.closing(), tempfile.TemporaryDirectory(prefix="curate-check-") as scratch:
        looking = _Looking(collected, asked, Path(scratch))
        beside = {path.name for _, path in asked.tests}
        for name in found.unknown:
            if name.rsplit("/", 1)[-1] not in beside:
                collected.add("source.unknown", Row(file=name))
        looking.read(found.inputs, tells)
        tells.phase("frames, signs and moments", 0)
        _frames(collected, found, asked)
        tells.phase("copies, leaks and splits", 0)
        looking.finish([Path(path) for path in paths if not is_url(str(path))], found.inputs)
        return looking.result(found.inputs)


def _find(paths: Sequence[Path | str], only: str | None) -> Found:
    """The inputs. A path in which nothing is recognised is one more unknown file, unless it is the only one."""
    try:
        return find_inputs(paths, only)
    except InputError as error:
        if len(paths) < 2:
            if not is_url(str(paths[0])) and Path(paths[0]).exists():
                if next(files_below([Path(paths[0])]), None) is None:
                    raise InputError(f"No file lies in {paths[0]}.") from error
                hint = "Lists of tasks that nobody did are for `curate tests add` and `curate tests check`."
                raise InputError(f"{error} {hint}") from error
            raise
    inputs: list[Input] = []
    unknown: list[str] = []
    for path in paths:
        try:
            here = find_inputs([path], only)
        except InputError:
            if not is_url(str(path)) and not Path(path).exists():
                raise
            unknown.append(Path(path).name)
            continue
        inputs += here.inputs
        unknown += here.unknown
    if not inputs:
        return find_inputs(paths, only)  # raises, and says what is expected
    return Found(inputs=inputs, unknown=unknown)


def _without_own(found: Found, paths: Sequence[Path | str], rows: Path | None) -> Found:
    """The inputs without what an earlier check wrote among them."""
    if rows is None:
        return found
    own = rows.parent.resolve()
    below = [own.relative_to(root).as_posix() for path in paths if own.is_relative_to(root := Path(path).resolve())]
    inputs = [one for one in found.inputs if not one.path.resolve().is_relative_to(own)]
    unknown = [name for name in found.unknown if not any(name.startswith(f"{folder}/") for folder in below)]
    return Found(inputs=inputs, unknown=unknown)


def _frames(found: Collected, inputs: Found, options: CheckOptions) -> None:
    """The detector's verdicts. Recordings have none: their points are this project's own."""
    published = [one for one in inputs.inputs if one.source != "refused" and not source(one.source).raw]
    if not published:
        found.cannot("frame", "frame, order, scroll sign and moment", "recordings state them event by event.")
        return
    judged = explain_found(Found(inputs=published), read_settings(options.sets), options.limit)
    add_frames(found, judged.inputs)


class _Looking:
    """Everything that looks at records, and what was counted."""

    def __init__(self, found: Collected, options: CheckOptions, scratch: Path) -> None:
        self.found, self.options, self.scratch = found, options, scratch
        self.media = NotingMedia(scratch / "pictures", AT_HAND_BYTES)
        self.reader = PictureReader(self.media)
        context = MeasureContext(media_root=self.media.root, pictures=self.reader)
        self.records = Records(found, context)
        self.pictures = Pictures(found, self.reader, options.pictures)
        self.pointer, self.licences = Pointer(found), Licences(found)
        self.personal = PersonalData(found, self.media)
        self.whole = Whole(found, context, options.tests)
        self.counts: dict[str, SourceCounts] = {}
        self.sampled = Sampled(limit=options.limit)

    def read(self, inputs: Sequence[Input], tells: Tells) -> None:
        """Every input, a batch of records at a time."""
        said = read_settings(self.options.sets)
        said["import"] = {**said["import"], "pictures": "optional"}
        tells.phase("inputs looked at", len(inputs))
        batch: list[Trajectory] = []
        splits: list[str | None] = []
        for one in inputs:
            count = self.counts.setdefault(one.source, SourceCounts(source=one.source))
            count.inputs += 1
            items, stated = 0, stated_splits(one.path)
            for _, item in read_inputs([one], said, self.media, self.scratch / "fetched", limit=self.options.limit):
                items += 1
                if isinstance(item, Read):
                    count.add(item.trajectory)
                    batch.append(item.trajectory)
                    record = item.trajectory
                    splits.append(stated.get(record.id) or split_of(record.source.file) or split_of(one.shown))
                    if len(batch) >= CHECK_BATCH or sum(len(each.steps) for each in batch) >= CHECK_BATCH_STEPS:
                        self._look(batch, splits)
                        batch, splits = [], []
                else:
                    count.refused[item.reason] = count.refused.get(item.reason, 0) + 1
                    kind = "refused.no_runs" if item.reason in _NO_RUNS else "refused.records"
                    self.found.add(kind, at_refused(item), part=item.reason)
            self.sampled.cut += items == self.options.limit
            tells.advance()
        if batch:
            self._look(batch, splits)

    def _look(self, batch: Sequence[Trajectory], splits: Sequence[str | None]) -> None:
        for part in (self.records, self.pictures, self.pointer, self.licences, self.personal):
            part.add(batch)
        self.whole.add(batch, splits)
        if self.media.bytes_added > CHECK_MEDIA_BYTES:
            self.media.clear()
            self.media.bytes_added = 0

    def finish(self, paths: Sequence[Path], inputs: Sequence[Input]) -> None:
        """What shows at the end. `paths`: of the inputs on this disk."""
        total, refused = self._total(), self._refused()
        for kind in ("refused.records", "refused.no_runs"):
            for finding in self.found.parts(kind):
                sentence = REASONS.get(finding.part or "", finding.part or "")
                self.found.say(kind, sentence, part=finding.part, of=total + refused)
                if finding.part == "import.task_list":
                    finding.unit, finding.of = "files", None
        self.records.finish(total)
        self.pictures.finish()
        self.pointer.finish()
        self.licences.finish(path for path in paths if path.is_dir())
        self.personal.add_names([name for _, name in files_below(paths)])
        self.personal.finish(total)
        self.whole.finish()
        if self.sampled.cut:
            why = f"only the first {self.options.limit:,} records of an input were read."
            self.found.cannot("pictures", "unused pictures", why)
        else:
            raw = [one.path for one in inputs if one.source != "refused" and source(one.source).raw]
            add_unused(self.found, paths, self.media, raw)
        self.sampled.pictures, self.sampled.pictures_left = self.pictures.looked, self.pictures.passed

    def _total(self) -> int:
        return sum(count.trajectories for count in self.counts.values())

    def _refused(self) -> int:
        return sum(sum(count.refused.values()) for count in self.counts.values())

    def result(self, inputs: Sequence[Input]) -> Check:
        """All that was found."""
        return Check(
            version=curate.__version__, inputs=len(inputs), records=self._total(), steps=self.records.steps,
            refused=self._refused(), sampled=self.sampled, sources=[self._source(name) for name in sorted(self.counts)],
            findings=self.found.findings(), unmeasured=self.found.unmeasured,
            tests=[name for name, _ in self.options.tests],
        )  # fmt: skip

    def _source(self, name: str) -> SourceLooked:
        count = self.counts[name]
        facts: Any = source(name).facts if name != "refused" else None
        return SourceLooked(
            source=name, title=facts.title if facts else None, inputs=count.inputs, records=count.trajectories,
            steps=count.steps, pictures=count.pictures, missing=count.missing, without=count.without,
            refused=dict(sorted(count.refused.items())), licences=self.licences.by_source.get(name, {}),
        )  # fmt: skip
