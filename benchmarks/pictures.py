"""What pictures cost: reading, looking at and exporting them, against a script with Pillow and imagehash, and `cp -r`.

    python benchmarks/pictures.py [--pairs 5] [--distinct 48] [--run DISTINCT STEPS FOLDER]

The screens are drawn (drawn_screens.py), 1920 x 1080, as PNG and JPEG of 24 looks each; half of the steps show the
screen of the step before. Each line is measured in turn with what it is compared with, in CPU seconds of this process
or its children; medians of the pairs. `--run` makes a whole corpus in zip parts and runs `curate run` over it.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import picture_corpus  # noqa: E402
from drawn_screens import files  # noqa: E402

from curate.sources.base import ReadContext  # noqa: E402
from curate.sources.records import SOURCE  # noqa: E402
from curate.stages.measures.picture_cache import FactsCache  # noqa: E402
from curate.stages.measures.picture_reader import PictureReader  # noqa: E402
from curate.store.media import MediaStore, read_rgb  # noqa: E402
from curate.store.resizing import SizeOptions, extension_of, resize_picture  # noqa: E402
from curate.store.zip_parts import Archive, parts_of  # noqa: E402

MILLION = 1_000_000


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of this process and of the children that ended meanwhile."""

    def now() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.process_time() + children.ru_utime + children.ru_stime

    before = now()
    work()
    return now() - before


class Corpus:
    """Pictures as files, in zip parts, and records over them; `steps`: every picture comes twice."""

    def __init__(self, folder: Path, kind: str, distinct: int) -> None:
        self.folder, self.kind = folder / kind, kind
        self.plain = self.folder / "plain"
        self.plain.mkdir(parents=True)
        self.data = list(files(distinct, kind))
        for number, data in enumerate(self.data):
            (self.plain / f"{number:06}.{kind}").write_bytes(data)
        self.steps = 2 * distinct
        self.records = picture_corpus.make(self.folder / "zip", distinct, self.steps, kind, part_bytes=4 << 20)
        self.bytes = sum(map(len, self.data))


def ours(corpus: Corpus, out: Path, cached: bool = False) -> PictureReader:
    """Read the records, their pictures out of the zip parts into the media, and find what the stage `images` asks."""
    reader = PictureReader(
        MediaStore(out, at_hand=64 << 20, deferred=True), FactsCache(out / "cache" if cached else None)
    )
    with reader:
        for item in SOURCE.read(corpus.records, ReadContext(media=reader.media, shown="runs.jsonl")):
            reader.look_at(item.trajectory)  # type: ignore[union-attr]
        reader.media.sync()
    return reader


def script(corpus: Corpus, out: Path) -> None:
    """What one writes with Pillow, imagehash and numpy: every step's picture is unpacked, opened and looked at."""
    import imagehash

    archive_path = out / "joined.zip"
    with archive_path.open("wb") as joined:
        for part in sorted((corpus.folder / "zip").glob("images.zip.*")):
            with part.open("rb") as file:
                shutil.copyfileobj(file, joined)
    before = None
    with zipfile.ZipFile(archive_path) as archive:
        for step in range(corpus.steps):
            name = f"{step // 2:06}.{corpus.kind}"
            data = archive.read(name)
            (out / f"{hashlib.sha256(data).hexdigest()}.{corpus.kind}").write_bytes(data)
            with Image.open(io.BytesIO(data)) as opened:
                picture = opened.convert("RGB")
            imagehash.dhash(picture)
            pixels = np.asarray(picture)
            (pixels > 240).all(axis=2).mean()
            if before is not None:
                np.square(pixels.astype(np.float32) - before.astype(np.float32)).mean()
            before = pixels


def stored(corpus: Corpus, out: Path) -> None:
    """Only read out of the zip parts, hashed and copied."""
    media = MediaStore(out, deferred=True)
    parts = parts_of(corpus.folder / "zip" / "images.zip.001")
    assert parts is not None
    archive = Archive(parts)
    for number in range(len(corpus.data)):
        member = archive.find(f"{number:06}.{corpus.kind}")
        assert member is not None
        media.add_bytes(archive.read(member), corpus.kind)
    media.sync()


def copied(corpus: Corpus, out: Path) -> None:
    subprocess.run(["cp", "-r", str(corpus.plain), str(out / "copy")], check=True)


def decoded(corpus: Corpus) -> None:
    for data in corpus.data:
        read_rgb(data)


def decoded_plainly(corpus: Corpus) -> None:
    for data in corpus.data:
        cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR_RGB)


def exported(corpus: Corpus, options: SizeOptions) -> int:
    extension = extension_of(corpus.kind, options)
    size = 0
    for data in corpus.data:
        made = resize_picture(data, extension, options)
        assert made is not None
        size += len(made.data)
    return size


def exported_by_script(corpus: Corpus, size: tuple[int, int]) -> None:
    for data in corpus.data:
        with Image.open(io.BytesIO(data)) as opened:
            small = opened.convert("RGB").resize(size, Image.Resampling.LANCZOS)
        small.save(io.BytesIO(), "PNG" if corpus.kind == "png" else "JPEG")


def line(title: str, per: int, one: list[float], other: list[float] | None = None, against: str = "") -> float:
    """One row of the table; the median of pictures a CPU second."""
    rate = per / statistics.median(one)
    row = f"{title:58} {1000 * statistics.median(one) / per:8.2f} ms {rate:8.0f} /s"
    if other is not None:
        ratios = [b / a for a, b in zip(one, other, strict=True)]
        row += f"   {statistics.median(ratios):6.2f} times as fast as {against}"
    print(row, flush=True)
    return rate


def pairs(count: int, folder: Path, *works: Callable[[Path], object]) -> list[list[float]]:
    """CPU seconds of each, one after the other, so many times, each in an empty folder."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(count):
        for times, work in zip(found, works, strict=True):
            out = Path(tempfile.mkdtemp(dir=folder))
            times.append(cpu(lambda w=work, o=out: w(o)))  # type: ignore[misc]
            shutil.rmtree(out)
    return found


def measure(corpus: Corpus, folder: Path, count: int) -> None:
    """The table of one kind of picture."""
    kind, distinct, steps = corpus.kind.upper(), len(corpus.data), corpus.steps
    print(f"\n{kind}: {distinct} pictures of {corpus.bytes / distinct / 1000:.0f} kB, {steps} steps", flush=True)
    warm = Path(tempfile.mkdtemp(dir=folder))
    reader = ours(corpus, warm, True)
    print(f"decoded whole {reader.decodings}, as small copies {reader.small_decodings}")
    for _ in range(4):
        decoded(corpus)  # what is compiled is compiled, what pays from some pictures on has begun
    one, other = pairs(count, folder, lambda out: ours(corpus, out), lambda out: script(corpus, out))
    rate = line("read, stored, looked at: a step", steps, one, other, "Pillow and imagehash")
    again, first = pairs(count, folder, lambda out: ours(corpus, warm, True), lambda out: ours(corpus, out))
    line("the same again (a run that goes on, or an edited input)", steps, again, first, "the first time")
    one, other = pairs(count, folder, lambda out: stored(corpus, out), lambda out: copied(corpus, out))
    line("out of zip parts, hashed and copied (bar: 200): a picture", distinct, one, other, "cp -r")
    one, other = pairs(count, folder, lambda _: decoded(corpus), lambda _: decoded_plainly(corpus))
    line("decoded", distinct, one, other, "OpenCV alone")
    for title, options, size in (
        ("made 1,000,000 pixels, multiples of 28 (bar: 20)", SizeOptions(max_pixels=MILLION, multiple=28), (1316, 728)),
        ("made 1,000,000 pixels, JPEG 90 (bar: 20)", SizeOptions(max_pixels=MILLION, jpeg=90), (1333, 750)),
        ("made 960 x 540 (bar: 20)", SizeOptions(size=(960, 540)), (960, 540)),
    ):
        mine = partial(exported, corpus, options)
        peer = partial(exported_by_script, corpus, size)
        one, other = pairs(count, folder, lambda _, f=mine: f(), lambda _, f=peer: f())  # type: ignore[misc]
        line(title, distinct, one, other, "Pillow")
    made = exported(corpus, SizeOptions(max_pixels=MILLION, multiple=28)) / distinct
    media, small = corpus.bytes / steps * MILLION / 1e9, made * distinct / steps * MILLION / 1e9
    print(
        f"a million steps, every picture shown twice: {MILLION / rate:,.0f} CPU seconds to read and look at, "
        f"{media:,.0f} GB of media, {small:,.0f} GB exported with a million pixels"
    )


def whole_run(distinct: int, count: int, folder: Path) -> None:
    """A corpus in zip parts as data sets ship it, and `curate run` over it."""
    began = time.time()
    records = picture_corpus.make(folder / "in", distinct, count)
    made = sum(path.stat().st_size for path in records.parent.iterdir())
    print(
        f"{count} steps over {distinct} pictures, {made / 1e9:.1f} GB in zip parts, made in {time.time() - began:.0f} s"
    )
    command = [sys.executable, "-m", "curate", "run", str(records), "--recipe", "web", "--out", str(folder / "run")]
    began = time.time()
    seconds = cpu(lambda: subprocess.run([*command, "--workers", "1"], check=True, cwd=HERE.parent))
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    took = time.time() - began
    print(f"{seconds:.0f} CPU seconds, {took:.0f} s, peak {peak:.0f} MB: {count / seconds:.0f} steps a CPU second")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--distinct", type=int, default=48)
    parser.add_argument("--run", nargs=3, metavar=("DISTINCT", "STEPS", "FOLDER"))
    given = parser.parse_args()
    cv2.setNumThreads(1)
    if given.run:
        whole_run(int(given.run[0]), int(given.run[1]), Path(given.run[2]))
        return
    with tempfile.TemporaryDirectory() as name:
        for kind in ("png", "jpg"):
            measure(Corpus(Path(name), kind, given.distinct), Path(name), given.pairs)


if __name__ == "__main__":
    main()
