"""Charts as inline SVG, drawn here: no script, no font, no file beside the page. Colours are classes of the page's
style, so they follow light, dark and print. Bars are shares of their own width and need no numbers of pixels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup, escape

from curate.engine.report.types import ClickRow, Share, StepsRow
from curate.view.escape import visible

Number = int | float


def tag(name: str, content: Markup | str = "", /, **attributes: Number | str | None) -> Markup:
    """An element; attribute names use `_` for `-` and a last `_` for Python's own words. All is escaped."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(visible(_value(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = content if isinstance(content, Markup) else escape(visible(content))
    return Markup(f"<{name}{written}>{inside}</{name}>")


def _value(value: Number | str) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _joined(parts: Iterable[Markup]) -> Markup:
    return Markup("").join(parts)


def bar(parts: Sequence[tuple[str, Number]], total: Number) -> Markup:
    """A bar of (class, count) beside one another, against `total`. Its numbers stand beside it as text."""
    at, rects = 0.0, []
    for kind, count in parts:
        width = 100 * count / total if total else 0.0
        rects.append(tag("rect", x=f"{at:.3f}%", y=0, width=f"{width:.3f}%", height="100%", class_=kind))
        at += width
    return tag("svg", _joined(rects), class_="bar", aria_hidden="true", focusable="false")


def interval(share: Share, floor: Share) -> Markup:
    """A share with its 95 % interval as a dot on a line from 0 to 100 %, its floor as a mark across."""
    parts = [tag("rect", x="0", y="7", width="100%", height="2", class_="track")]
    if share.share is not None and share.low is not None and share.high is not None:
        width = max(0.5, 100 * (share.high - share.low))
        parts.append(tag("rect", x=f"{100 * share.low:.2f}%", y="5", width=f"{width:.2f}%", height="6", class_="range"))
        parts.append(tag("circle", cx=f"{100 * share.share:.2f}%", cy="8", r="4.5", class_="dot"))
    if floor.share is not None:
        at = f"{100 * floor.share:.2f}%"
        parts.append(tag("line", x1=at, x2=at, y1="0", y2="16", class_="floor"))
    return tag("svg", _joined(parts), class_="interval", aria_hidden="true", focusable="false")


_LEFT, _TOP, _WIDTH, _HEIGHT = 34, 46, 320, 180  # of the click map, in its own units


def click_map(row: ClickRow) -> Markup:
    """Where clicks land: a map of the picture, and above it how many land in each 2 % of the width."""
    rows, columns = len(row.grid), len(row.grid[0])
    most = max((max(line) for line in row.grid), default=0) or 1
    cell_w, cell_h = _WIDTH / columns, _HEIGHT / rows
    parts = [tag("rect", x=_LEFT, y=_TOP, width=_WIDTH, height=_HEIGHT, class_="frame")]
    for r, line in enumerate(row.grid):
        for c, clicks in enumerate(line):
            if clicks:
                where = f"x {100 * c / columns:.0f} to {100 * (c + 1) / columns:.0f} %, y {100 * r / rows:.0f} to "
                title = tag("title", f"{where}{100 * (r + 1) / rows:.0f} %: {clicks:,}")
                strength = 0.25 + 0.75 * (clicks / most) ** 0.5  # the root keeps single clicks visible
                place = {"x": _LEFT + c * cell_w, "y": _TOP + r * cell_h, "width": cell_w, "height": cell_h}
                parts.append(tag("rect", title, **place, class_="heat", opacity=strength))
    parts += [*_margin(row.x), *_percents()]
    name = f"Map of {row.points:,} clicks of {row.source}"
    return _picture(name, parts, _LEFT + _WIDTH + 16, _TOP + _HEIGHT + 24)


def _margin(counts: Sequence[int]) -> list[Markup]:
    most, width = max(counts, default=0) or 1, _WIDTH / max(1, len(counts))
    bars = []
    for k, count in enumerate(counts):
        height = 34 * count / most
        if count:
            bars.append(
                tag("rect", x=_LEFT + k * width, y=_TOP - 4 - height, width=width * 0.9, height=height, class_="heat")
            )
    return [*bars, tag("line", x1=_LEFT, x2=_LEFT + _WIDTH, y1=_TOP - 4, y2=_TOP - 4, class_="axis")]


def _percents() -> list[Markup]:
    parts = []
    for percent in (0, 25, 50, 75, 100):
        x, y = _LEFT + _WIDTH * percent / 100, _TOP + _HEIGHT * percent / 100
        parts.append(tag("text", f"{percent} %", x=x, y=_TOP + _HEIGHT + 15, text_anchor="middle"))
        parts.append(tag("text", f"{percent} %", x=_LEFT - 4, y=y + 4, text_anchor="end"))
    return parts


def steps_histogram(rows: Sequence[StepsRow]) -> Markup:
    """How many runs have how many steps; the runs that gave examples are the dark part of each bar."""
    longest = max((row.steps for row in rows), default=0)
    wide = max(1, -(-(longest + 1) // 36))  # steps a bar, so that at most 36 bars are drawn
    bars: dict[int, list[int]] = {}
    for row in rows:
        both = bars.setdefault(row.steps // wide, [0, 0])
        both[0] += row.runs
        both[1] += row.trained
    first, last = min(bars, default=0), max(bars, default=0)
    most = max((runs for runs, _ in bars.values()), default=0) or 1
    width, bottom = _WIDTH / max(6, last - first + 1), 150
    parts: list[Markup] = []
    for k, (runs, trained) in sorted(bars.items()):
        steps = f"{k * wide} to {k * wide + wide - 1}" if wide > 1 else str(k * wide)
        title = tag("title", f"{steps} steps: {runs:,} runs, {trained:,} gave examples")
        for count, kind in ((runs, "lost"), (trained, "kept")):
            height, x = 120 * count / most, _LEFT + (k - first) * width
            place = {"x": x + 0.05 * width, "y": bottom - height, "width": width * 0.9, "height": height}
            parts.append(tag("rect", title, **place, class_=kind))
        if width > 24 or (k - first) % 5 == 0:
            x = _LEFT + (k - first + 0.5) * width
            parts.append(tag("text", str(k * wide), x=x, y=bottom + 15, text_anchor="middle"))
    parts.append(tag("line", x1=_LEFT, x2=_LEFT + _WIDTH, y1=bottom, y2=bottom, class_="axis"))
    parts += [tag("text", f"{most:,}", x=_LEFT, y=24)]  # above the bars: millions have no room beside them
    parts += [tag("text", "0", x=_LEFT - 4, y=bottom, text_anchor="end")]
    parts += [tag("text", "steps a run", x=_LEFT + _WIDTH, y=bottom + 30, text_anchor="end")]
    return _picture("Runs by their number of steps", parts, _LEFT + _WIDTH + 16, bottom + 36)


def marked_picture(
    uri: str,
    size: tuple[int, int],
    name: str,
    point: tuple[float, float],
    pointer: tuple[float, float] | None,
    box: tuple[float, float, float, float] | None,
) -> Markup:
    """A picture (`uri`, size in pixels) with the target ringed, the pointer crossed and the element framed; places
    are fractions of the picture."""
    width, height = size
    parts = [tag("image", href=uri, width=width, height=height)]
    if box is not None:
        left, top, right, bottom = box
        place = {"x": left * width, "y": top * height, "width": (right - left) * width}
        parts.append(tag("rect", **place, height=(bottom - top) * height, class_="mark-box"))
    x, y = point[0] * width, point[1] * height
    parts += [tag("circle", cx=x, cy=y, r=13, class_=kind) for kind in ("mark-halo", "mark-ring")]
    if pointer is not None:
        x, y = pointer[0] * width, pointer[1] * height
        cross = f"M{x - 8:.1f} {y:.1f}H{x + 8:.1f}M{x:.1f} {y - 8:.1f}V{y + 8:.1f}"
        parts += [tag("path", d=cross, class_=kind) for kind in ("mark-halo", "mark-pointer")]
    return _picture(name, parts, width, height)


def _picture(name: str, parts: Iterable[Markup], width: Number, height: Number) -> Markup:
    inside = _joined([tag("title", name), *parts])
    return tag("svg", inside, viewBox=f"0 0 {width} {height}", role="img", aria_label=name, class_="chart")
