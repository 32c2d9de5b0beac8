"""How well pointers are found in stills, where the truth is known: pointers drawn at known places into screens without
any, and the same screens as they are.

    python benchmarks/pointer_finder.py [--shapes FOLDER]... [--stills FOLDER]... [--draws 400] [--cost]

Shapes: those that people's screens had in the recordings that ship with the package, our own outlines in sizes and at
offsets between those of the templates, and the Xcursor files of each `--shapes FOLDER` (`.../Adwaita/cursors`).
Screens: drawn ones (drawn_screens.py) and every picture below each `--stills FOLDER`, which must show no pointer.
Stills are as they are, made smaller, or written as JPEG. Printed: recall by shape and by how the still was written,
false alarms by looked-at place (random ones, and ones with something drawn there, as targets are), and with `--cost`
what looking costs against decoding, in pairs."""

from __future__ import annotations

import argparse
import random
import statistics
import struct
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
from drawn_screens import draw as drawn_screen
from drawn_screens import encode
from numpy.typing import NDArray

from curate.model.wilson import wilson
from curate.stages.measures.pointer_finder.finder import find_pointer
from curate.stages.measures.pointer_finder.outlines import OUTLINES, Outline

Rgba = NDArray[np.uint8]
Rgb = NDArray[np.uint8]
DUMP = Path(__file__).resolve().parent.parent / "curate" / "_data" / "dump"
NAMES = {
    "left_ptr": "arrow",
    "default": "arrow",
    "hand2": "hand",
    "pointer": "hand",
    "xterm": "I-beam",
    "text": "I-beam",
}
RECORDED = {"49a7a352c397022a": "arrow", "8af07e95858503ee": "hand", "1a6873f53cc9d371": "I-beam",
            "1adcba56998194d3": "I-beam"}  # fmt: skip
WAYS = ("as it is", "3/4 size", "half size, drawn at scale 2", "JPEG 85")


class Shape(NamedTuple):
    """A pointer as it is drawn: where it comes from, what it is, its pixels and hot spot."""

    source: str
    kind: str
    pixels: Rgba
    hot: tuple[int, int]


def recorded_shapes() -> Iterator[Shape]:
    """The pointers of the dump's recordings."""
    hots = {"49a7a352c397022a": (4, 4), "8af07e95858503ee": (8, 5), "1a6873f53cc9d371": (11, 11),
            "1adcba56998194d3": (4, 8)}  # fmt: skip
    for name, kind in RECORDED.items():
        path = next(DUMP.glob(f"*/pointers/{name}.png"))
        pixels = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        assert pixels is not None
        yield Shape("dump", kind, np.asarray(pixels[:, :, [2, 1, 0, 3]], np.uint8), hots[name])


def xcursor_shapes(folder: Path) -> Iterator[Shape]:
    """Arrow, hand and I-beam of a theme, in every size that it has up to 64."""
    for name in ("left_ptr", "hand2", "xterm"):
        if not (folder / name).exists():
            continue
        data = (folder / name).read_bytes()
        for entry in range(struct.unpack_from("<I", data, 12)[0]):
            kind, size, at = struct.unpack_from("<III", data, 16 + 12 * entry)
            if kind != 0xFFFD0002 or size > 64:
                continue
            width, height, x, y = struct.unpack_from("<IIII", data, at + 16)
            bgra = (
                np.frombuffer(data, np.uint8, width * height * 4, at + 36).reshape(height, width, 4).astype(np.float32)
            )
            plain = bgra[:, :, :3] * 255 / np.maximum(bgra[:, :, 3:], 1)  # stored multiplied with their opacity
            rgba = np.dstack([np.clip(plain[:, :, ::-1], 0, 255), bgra[:, :, 3]]).astype(np.uint8)
            yield Shape(folder.parent.name, NAMES[name], rgba, (x, y))


def own_shape(outline: Outline, pick: random.Random) -> Shape:
    """One of our outlines in a size of its own, at a part of a pixel; drawn here by Pillow's way of smoothing, not the
    finder's."""
    height, fine = pick.uniform(12, 64), 4
    scale = height / outline.height
    side = int(height * 2.4) + 6
    middle = side // 2
    shift = pick.random(), pick.random()
    whole = np.zeros((side * fine, side * fine), np.uint8)
    for polygon in outline.polygons:
        points = [((x * scale + middle + shift[0]) * fine, (y * scale + middle + shift[1]) * fine) for x, y in polygon]
        cv2.fillPoly(whole, [np.rint(points).astype(np.int32)], 255)
    reach = max(1, round(outline.edge * scale * fine))
    other = (cv2.dilate if outline.outside else cv2.erode)(whole, np.ones((reach * 2 + 1, reach * 2 + 1), np.uint8))
    inner, all_of_it = (whole, other) if outline.outside else (other, whole)
    light = pick.random() < 0.5
    tones = np.where(inner > 0, 255 if light else 0, 0 if light else 255).astype(np.float32)
    small = cv2.resize(np.dstack([tones, all_of_it.astype(np.float32)]), (side, side), interpolation=cv2.INTER_AREA)
    rgba = np.dstack([small[:, :, 0]] * 3 + [small[:, :, 1]]).astype(np.uint8)
    return Shape("outlines", outline.name, rgba, (middle, middle))


def pasted(screen: Rgb, shape: Shape, x: int, y: int, scale: int = 1) -> Rgb:
    """The screen with the pointer's hot spot at a pixel."""
    pixels = (
        shape.pixels
        if scale == 1
        else cv2.resize(shape.pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    )
    left, top = x - shape.hot[0] * scale, y - shape.hot[1] * scale
    out = screen.copy()
    x0, y0 = max(left, 0), max(top, 0)
    part = pixels[y0 - top : screen.shape[0] - top, x0 - left : screen.shape[1] - left].astype(np.float32)
    under = out[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    opaque = part[:, :, 3:] / 255
    under[:] = np.rint(part[:, :, :3] * opaque + under * (1 - opaque)).astype(np.uint8)
    return out


def written(screen: Rgb, way: str) -> tuple[Rgb, float]:
    """A still as it is stored, and how much smaller than the screen it is."""
    if way == "JPEG 85":
        data = np.frombuffer(encode(screen, "jpg"), np.uint8)
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
        assert decoded is not None
        return np.asarray(decoded[:, :, ::-1], np.uint8), 1.0
    share = {"3/4 size": 0.75, "half size, drawn at scale 2": 0.5}.get(way, 1.0)
    if share == 1.0:
        return screen, 1.0
    return np.asarray(cv2.resize(screen, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8), share


def somewhere(screen: Rgb, pick: random.Random, *, on_something: bool) -> tuple[int, int]:
    """A pixel; with something drawn about it, as a target has."""
    height, width = screen.shape[:2]
    for _ in range(200):
        x, y = pick.randrange(4, width - 24), pick.randrange(4, height - 24)
        if not on_something or int(np.ptp(screen[max(y - 8, 0) : y + 9, max(x - 8, 0) : x + 9].min(axis=2))) > 60:
            break
    return x, y


def stills(folders: list[Path]) -> list[tuple[str, Rgb]]:
    """Drawn screens, and the pictures of the folders."""
    found = [("drawn", drawn_screen(seed)) for seed in range(24)]
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() in (".png", ".jpg", ".jpeg")):
            picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
            if picture is not None and min(picture.shape[:2]) >= 200:
                found.append((folder.name, np.asarray(picture[:, :, ::-1], np.uint8).copy()))
    return found


def share(yes: int, of: int) -> str:
    """In words, with its interval."""
    low, high = wilson(yes, of)
    return f"{yes:5} of {of:5}  {yes / max(of, 1):6.1%} ({low:.1%} to {high:.1%})"


def recall(screens: list[tuple[str, Rgb]], shapes: list[Shape], draws: int) -> None:
    """Print how many of drawn pointers are found."""
    pick = random.Random(5)
    by: dict[str, Counter[bool]] = {}
    sources = [*sorted({shape.source for shape in shapes}), "outlines"]
    for source in sources:
        for number in range(draws):
            own = [shape for shape in shapes if shape.source == source]
            shape = pick.choice(own) if own else own_shape(OUTLINES[number % len(OUTLINES)], pick)
            way = WAYS[number % len(WAYS)]
            _, screen = pick.choice(screens)
            x, y = somewhere(screen, pick, on_something=number % 2 == 0)
            still, smaller = written(pasted(screen, shape, x, y, 2 if "scale 2" in way else 1), way)
            found = find_pointer(still, x * smaller + pick.uniform(-2, 2), y * smaller + pick.uniform(-2, 2))
            height = drawn_height(shape) * (2 if "scale 2" in way else 1) * smaller
            keys = (f"{source}: {shape.kind}", f"written {way}", f"in the still {size_class(height)}",
                    f"over {ground(screen, x, y)}", "all")  # fmt: skip
            for key in keys:
                by.setdefault(key, Counter())[found is not None] += 1
    for key, counted in sorted(by.items()):
        print(f"{key:<44}{share(counted[True], counted.total())}")


def drawn_height(shape: Shape) -> float:
    """Pixels from the first row of a pointer to its last."""
    rows = np.flatnonzero((shape.pixels[:, :, 3] > 127).any(axis=1))
    return float(rows[-1] - rows[0] + 1) if len(rows) else 0.0


def size_class(height: float) -> str:
    """The class of a height in pixels."""
    bounds = (0, 10, 14, 20, 28, 40, 56, 80)
    low = max(bound for bound in bounds if bound <= height)
    high = min((bound for bound in bounds if bound > height), default=None)
    return f"{low:2} px and more" if high is None else f"{low:2} to {high} px"


def ground(screen: Rgb, x: int, y: int) -> str:
    """What a pointer is drawn over: how light it is, and whether it is all of one tone."""
    about = screen[max(y - 4, 0) : y + 25, max(x - 8, 0) : x + 25].mean(axis=2)
    tone = "dark" if about.mean() < 85 else "middle" if about.mean() < 170 else "light"
    return f"{tone}, {'one tone' if np.ptp(about) <= 30 else 'mixed'}"


def false_alarms(screens: list[tuple[str, Rgb]], draws: int) -> None:
    """Print how many places without a pointer are said to have one."""
    pick = random.Random(6)
    by: dict[str, Counter[bool]] = {}
    shapes: Counter[str] = Counter()
    for number in range(draws):
        kind, screen = screens[number % len(screens)]
        still, smaller = written(screen, WAYS[number // len(screens) % len(WAYS)])
        for on_something in (True, False):
            for _ in range(5):
                x, y = somewhere(screen, pick, on_something=on_something)
                found = find_pointer(still, x * smaller, y * smaller)
                shapes[found.shape if found else "none"] += 1
                for key in (f"no pointer, {kind}, {'on something' if on_something else 'anywhere'}", "no pointer, all"):
                    by.setdefault(key, Counter())[found is not None] += 1
    for key, counted in by.items():
        print(f"{key:<44}{share(counted[True], counted.total())}")
    print("taken for:", dict(shapes))


def cost(screens: list[tuple[str, Rgb]]) -> None:
    """Print what four places a still cost against decoding it, in pairs."""
    pick = random.Random(7)
    for kind in ("png", "jpg"):
        ratios, looks = [], []
        for _, screen in screens[:24]:
            data = np.frombuffer(encode(screen, kind), np.uint8)
            begun = time.process_time()
            still = cv2.imdecode(data, cv2.IMREAD_COLOR)
            decoded = time.process_time() - begun
            assert still is not None
            places = [somewhere(screen, pick, on_something=number < 3) for number in range(4)]
            begun = time.process_time()
            for x, y in places:
                find_pointer(np.asarray(still, np.uint8), x, y)
            looks.append(time.process_time() - begun)
            ratios.append(looks[-1] / decoded)
        print(
            f"{kind}: four places {statistics.median(looks) * 1000:.1f} ms, {statistics.median(ratios):.2f} of decoding"
        )


def main() -> None:
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shapes", type=Path, action="append", default=[])
    parser.add_argument("--stills", type=Path, action="append", default=[])
    parser.add_argument("--draws", type=int, default=400)
    parser.add_argument("--cost", action="store_true")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    screens = stills(given.stills)
    if given.cost:
        cost(screens)
        return
    shapes = [*recorded_shapes(), *(shape for folder in given.shapes for shape in xcursor_shapes(folder))]
    recall(screens, shapes, given.draws)
    false_alarms(screens, given.draws)


if __name__ == "__main__":
    main()
