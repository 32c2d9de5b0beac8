"""A blind sample of a run, and its file. The same run, size and seed give the same sample, so that the machine's
answers and the weights need to stand nowhere: whoever evaluates draws it again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

import msgspec

from curate.engine.auditing.populations import keyframes, pairs, verdicts
from curate.engine.auditing.strata import Drawn, draw
from curate.model.audit_label import About, AuditItem
from curate.model.errors import InputError, UsageError
from curate.store.atomic import write_bytes
from curate.store.dataset import MANIFEST
from curate.store.run_folder import RunFolder, is_run


class Sample(NamedTuple):
    """What was drawn: `items` in the order they are asked in, `drawn` beside them; `population`: how many there are,
    by stratum."""

    about: About
    run: str
    size: int
    seed: int
    items: list[AuditItem]
    drawn: list[Drawn]
    population: dict[str, int]


def run_key(folder: Path) -> str:
    """64 hex digits that say which run it is: what it read, its recipe and versions, and the records that it wrote;
    the same for the same run made twice. Raises InputError for a folder that holds no finished run."""
    if not is_run(folder):
        raise InputError(f"{folder} is no run folder with records: an audit is of what `curate run` wrote.")
    run = RunFolder(folder).read_run()
    if not run.get("finished"):
        raise InputError(f"The run in {folder} is not finished: the same `curate run` goes on with it.")
    run.pop("clock", None)
    try:
        written = msgspec.json.decode((folder / MANIFEST).read_bytes(), type=dict[str, object]).get("files")
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise InputError(f"Cannot read {folder / MANIFEST}: {error}.") from error
    return hashlib.sha256(msgspec.json.encode([run, written], order="deterministic")).hexdigest()


def draw_sample(folder: Path, about: About, size: int, seed: int) -> Sample:
    """A sample of a finished run. Empty where the run has nothing of the kind. Raises InputError."""
    run = run_key(folder)
    if about == "pairs":
        drawn, population = _of_pairs(folder, size, seed)
    else:
        drawn, population = draw(verdicts(folder) if about == "verdicts" else keyframes(folder), about, size, seed)
    items = [_item(about, run, size, seed, one) for one in drawn]
    return Sample(about, run, size, seed, items, drawn, population)


def _of_pairs(folder: Path, size: int, seed: int) -> tuple[list[Drawn], dict[str, int]]:
    """Pairs come drawn already, with weights that are rounded: their sums are whole."""
    found = pairs(folder, size, seed)
    population: dict[str, float] = {}
    for one, stands_for in found:
        population[one.stratum] = population.get(one.stratum, 0.0) + stands_for
    in_order, counts = draw((one for one, _ in found), "pairs", max(1, len(found)), seed)
    drawn = [Drawn(one, round(population[one.stratum]) / counts[one.stratum]) for one, _ in in_order]
    return drawn, {name: round(count) for name, count in sorted(population.items())}


def _item(about: About, run: str, size: int, seed: int, one: Drawn) -> AuditItem:
    candidate = one.candidate
    told = "\x1f".join((about, run, str(size), str(seed), *candidate.key)).encode("utf-8", "surrogatepass")
    return AuditItem(
        about=about, run=run, size=size, seed=seed, item=hashlib.sha256(told).hexdigest()[:16], id=candidate.id,
        step=candidate.step, other=candidate.other,
    )  # fmt: skip


def write_sample(path: Path, sample: Sample) -> None:
    """The sample as a file, one item a line. Raises StoreError; UsageError where there is a file already: it may be
    one that people are answering."""
    if path.exists():
        raise UsageError(f"There is {path} already: name a new file for --out.")
    write_bytes(path, b"".join(msgspec.json.encode(item) + b"\n" for item in sample.items))


def read_sample(path: Path) -> list[AuditItem]:
    """The items of a file. Raises InputError for a line that is none, or items of several samples."""
    found: list[AuditItem] = []
    decoder = msgspec.json.Decoder(AuditItem)
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"Cannot read {path}: {error.strerror}.") from error
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                found.append(decoder.decode(line))
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise InputError(
                    f"{path}, line {number}: {error}; `curate audit RUN --about` draws samples."
                ) from error
    if len({(one.about, one.run, one.size, one.seed) for one in found}) > 1:
        raise InputError(f"{path} holds items of several samples: give one sample, as `curate audit RUN` wrote it.")
    if len({one.item for one in found}) < len(found):
        raise InputError(f"{path} holds an item twice: give the sample as `curate audit RUN` wrote it.")
    return found


def check_of_run(items: list[AuditItem], path: Path, folder: Path) -> None:
    """Raises InputError where a sample was drawn from another run."""
    if items and items[0].run != run_key(folder):
        raise InputError(
            f"{path} was not drawn from the run in {folder}: give that run, or draw a new sample of this one "
            "(`curate audit RUN --about ...`)."
        )
