"""The detector on the recordings that ship with the package, whose truth is known, and on the same with faults planted;
and on every fixture of a source, none of which it may accuse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from curate.model import data
from curate.sources.common.facts import Facts
from curate.sources.common.sightings import PointSeen
from curate.sources.detector.examine import examine
from curate.sources.detector.sample import Run, Sample
from curate.sources.detector.survey import OWN, survey, together
from curate.sources.detector.verdict import Verdict
from curate.sources.recognise import find_inputs
from curate.sources.registry import source
from tests.sources.detector.made import Truth as Said
from tests.sources.detector.made import early, facts, late

OPTIONS = {"import": {}, "reduce": {}, "keyframes": {}}
SCREEN = (1920, 1080)
FIXTURES = Path(__file__).parents[1] / "fixtures"
CASES = sorted(raw.parent for raw in FIXTURES.rglob("raw"))


@pytest.fixture(scope="module")
def recorded() -> Sample:
    """All of them: some 80 clicks on some 90 pictures."""
    inputs = find_inputs([data.folder("dump")]).inputs
    recordings = [one for one in inputs if source(one.source).raw]
    return together([survey(source(one.source), one.path, one.shown, OPTIONS) for one in recordings])


def said(sample: Sample) -> dict[str, Verdict]:
    return {verdict.question: verdict for verdict in examine(sample)}


def accused(sample: Sample) -> dict[str, str | None]:
    return {name: verdict.found for name, verdict in said(sample).items() if verdict.contradicts}


def with_points(sample: Sample, change: Callable[[PointSeen], PointSeen], declared: Facts) -> Sample:
    def changed(run: Run) -> Run:
        steps = [step._replace(points=tuple(map(change, step.points))) for step in run.steps]
        return run._replace(steps=tuple(steps))

    return sample._replace(runs=tuple(map(changed, sample.runs)), declared=declared)


def scaled(size: Sequence[float], swapped: bool = False) -> Callable[[PointSeen], PointSeen]:
    def change(seen: PointSeen) -> PointSeen:
        x, y = round(seen.raw[0] * size[0]), round(seen.raw[1] * size[1])
        return seen._replace(raw=(y, x) if swapped else (x, y), picture=SCREEN)

    return change


def test_recordings_are_what_they_are(recorded: Sample) -> None:
    found = said(recorded)
    assert recorded.declared == OWN and not accused(recorded)
    assert {name: found[name].found for name in ("space", "order", "timing")} == {
        "space": "fraction", "order": "xy", "timing": "before",
    }  # fmt: skip


@pytest.mark.parametrize("space", ["permille", "picture_pixel"])
def test_in_other_frames_they_are_not_accused(recorded: Sample, space: str) -> None:
    size = SCREEN if space == "picture_pixel" else (1000, 1000)
    sample = with_points(recorded, scaled(size), facts(Said(), space=space))
    assert not accused(sample) and said(sample)["space"].found == space


def test_swapped_fractions(recorded: Sample) -> None:
    swapped = with_points(recorded, lambda seen: seen._replace(raw=seen.raw[::-1]), OWN)
    assert accused(swapped) == {"order": "yx"}


def test_swapped_pixels(recorded: Sample) -> None:
    sample = with_points(recorded, scaled(SCREEN, swapped=True), facts(Said()))
    assert accused(sample) == {"order": "yx"}


def test_thousandths_as_pixels_and_pixels_as_thousandths(recorded: Sample) -> None:
    one = with_points(recorded, scaled((1000, 1000)), facts(Said(), space="picture_pixel"))
    assert accused(one) == {"space": "permille"}
    other = with_points(recorded, scaled(SCREEN), facts(Said(), space="permille"))
    assert accused(other) == {"space": "picture_pixel"}


def test_pictures_shifted_by_one(recorded: Sample) -> None:
    assert accused(late(recorded)) == {"timing": "after"}
    after = facts(Said(space="fraction", timing="after"))
    assert accused(recorded._replace(declared=after)) == {}
    assert accused(early(recorded._replace(declared=after))) == {"timing": "before"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(FIXTURES)))
def test_no_fixture_is_accused(case: Path) -> None:
    for one in find_inputs([case / "raw"]).inputs:
        for verdict in examine(survey(source(one.source), one.path, one.shown, OPTIONS)):
            assert not verdict.contradicts, verdict.sentence


def test_no_real_sample_is_accused(shared: Path) -> None:
    for one in find_inputs([shared / "data" / "sources"]).inputs:
        for verdict in examine(survey(source(one.source), one.path, one.shown, OPTIONS)):
            assert not verdict.contradicts, f"{one.shown}: {verdict.sentence}"
