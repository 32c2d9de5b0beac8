"""Charts say what the numbers say: sizes and places are read back from the SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from curate.engine.report.types import ClickRow, Share, StepsRow
from curate.view import charts


def rects(svg: str, kind: str) -> list[dict[str, str]]:
    return [e.attrib for e in ET.fromstring(svg).iter("rect") if e.get("class") == kind]


def percent(value: str) -> float:
    assert value.endswith("%")
    return float(value[:-1])


def test_bars_are_shares_side_by_side() -> None:
    svg = charts.bar([("kept", 3), ("lost", 1)], 8)
    kept, lost = rects(svg, "kept")[0], rects(svg, "lost")[0]
    assert percent(kept["width"]) == pytest.approx(37.5)
    assert percent(lost["x"]) == pytest.approx(37.5)
    assert percent(lost["width"]) == pytest.approx(12.5)


def test_a_bar_of_nothing_is_empty_not_an_error() -> None:
    assert percent(rects(charts.bar([("kept", 0)], 0), "kept")[0]["width"]) == 0


def test_click_map_puts_cells_where_the_clicks_are() -> None:
    grid = [[0] * 4 for _ in range(2)]
    grid[0][0], grid[1][3] = 1, 4
    svg = charts.click_map(ClickRow(source="s", points=5, grid=grid, x=[1, 0, 0, 4]))
    frame = rects(svg, "frame")[0]
    left, top, width, height = (float(frame[k]) for k in ("x", "y", "width", "height"))
    cells = [r for r in rects(svg, "heat") if "opacity" in r]
    assert (float(cells[0]["x"]), float(cells[0]["y"])) == (left, top)
    assert float(cells[1]["x"]) + float(cells[1]["width"]) == pytest.approx(left + width)
    assert float(cells[1]["y"]) + float(cells[1]["height"]) == pytest.approx(top + height)
    assert float(cells[1]["opacity"]) == 1.0 > float(cells[0]["opacity"]) > 0
    bars = [r for r in rects(svg, "heat") if "opacity" not in r]
    assert float(bars[1]["height"]) == pytest.approx(4 * float(bars[0]["height"]))


def test_histogram_counts_every_run_once() -> None:
    rows = [StepsRow(steps=n, runs=n % 5 + 1, trained=1) for n in (1, 7, 8, 90, 91, 200)]
    svg = charts.steps_histogram(rows)
    titles = [e.findtext("title") or "" for e in ET.fromstring(svg).iter("rect") if e.get("class") == "lost"]
    shown = sum(int(title.split(": ")[1].split(" ")[0]) for title in titles)
    assert shown == sum(row.runs for row in rows)
    assert charts.steps_histogram([])


def test_a_histogram_of_millions_says_its_height_whole() -> None:
    svg = charts.steps_histogram([StepsRow(steps=4, runs=127_151_000, trained=3)])
    label = re.search(r"<text ([^>]*)>127,151,000</text>", svg)
    assert label is not None
    assert "text-anchor" not in label[1]  # nothing of it hangs out to the left


def test_interval_marks_share_and_floor() -> None:
    svg = charts.interval(Share(yes=1, known=4, share=0.25, low=0.05, high=0.7), Share(share=0.1))
    root = ET.fromstring(svg)
    assert percent(next(root.iter("circle")).attrib["cx"]) == 25
    assert percent(next(root.iter("line")).attrib["x1"]) == 10
    unknown = ET.fromstring(charts.interval(Share(unknown=4), Share(unknown=4)))
    assert not list(unknown.iter("circle")) and not list(unknown.iter("line"))


def test_marks_lie_on_the_target_in_the_pictures_own_pixels() -> None:
    svg = charts.marked_picture("data:,", (640, 360), "name", (0.25, 0.5), (0.75, 0.1), (0.2, 0.4, 0.3, 0.6))
    root = ET.fromstring(svg)
    assert root.get("viewBox") == "0 0 640 360"
    ring = next(e for e in root.iter("circle") if e.get("class") == "mark-ring")
    assert (float(ring.attrib["cx"]), float(ring.attrib["cy"])) == (160, 180)
    box = rects(svg, "mark-box")[0]
    assert [float(box[k]) for k in ("x", "y", "width", "height")] == pytest.approx([128, 144, 64, 72])


def test_text_in_charts_is_escaped() -> None:
    name = "</title><script>alert(1)</script>\u202e"
    svg = charts.click_map(ClickRow(source=name, points=0, grid=[[0]], x=[0]))
    root = ET.fromstring(svg)
    assert not list(root.iter("script"))
    assert root.get("aria-label") == "Map of 0 clicks of </title><script>alert(1)</script>⟨U+202E⟩"
