"""Every question, asked of one sample."""

from __future__ import annotations

from curate.sources.detector.frames import fits, told_points
from curate.sources.detector.order import judge_order
from curate.sources.detector.sample import Sample
from curate.sources.detector.scroll import judge_scroll
from curate.sources.detector.space import judge_space
from curate.sources.detector.timing import judge_timing
from curate.sources.detector.verdict import Verdict


def examine(sample: Sample) -> list[Verdict]:
    """What the sample says of its space, order, scroll and timing, in this order."""
    points, declared = told_points(sample), sample.declared
    found = fits(points) if points else []
    space = judge_space(points, found, declared.space)
    by = space.found or declared.space
    order = judge_order(points, found, declared.order, space.found)
    timing = judge_timing(sample, by, order.found or declared.order)
    return [space, order, judge_scroll(sample), timing]
