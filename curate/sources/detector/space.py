"""Which coordinate space raw points stand in."""

from __future__ import annotations

from collections.abc import Sequence

from curate.model.constants import DETECTOR_EXAMPLES, FRAME_ACCUSES, FRAME_DECIDES, FRAME_LEAST, FRAME_PILE
from curate.model.coordinates import Piles, two_piles
from curate.sources.detector.frames import Fit, Told, is_in_box, is_inside, place_in, shares
from curate.sources.detector.verdict import Example, Verdict, example

WORDS = {
    "fraction": "fractions of the picture",
    "permille": "thousandths of the picture",
    "picture_pixel": "pixels of the picture",
    "screen_pixel": "pixels of the screen",
    "page_pixel": "pixels of the page",
}


def judge_space(points: Sequence[Told], found: Sequence[Fit], declared: str | None) -> Verdict:
    """The space of the points. `found`: their fits (`frames.fits`), best first."""
    if not points:
        return Verdict(question="space", declared=declared, found=None, sentence="Space: there are no points.")
    piles = two_piles(value for told in points for value in told.seen.raw)
    if _is_mixed(piles):
        return _mixed(points, piles, declared)
    by: dict[str, float] = {}
    for fit, share in zip(found, shares(found), strict=True):
        by[fit.space] = by.get(fit.space, 0.0) + share
    best = max(by, key=lambda space: by[space])
    sure = by[best]
    same = _same(best, declared)
    named = declared if same and declared is not None else best
    decided = sure >= FRAME_DECIDES and _has_grounds(found[0], len(points))
    rivals = [fit for fit in found if _same(fit.space, declared)]
    odds = found[0].score - rivals[0].score if rivals else 0.0
    contradicts = decided and not same and declared is not None and bool(rivals)
    contradicts = contradicts and odds >= FRAME_ACCUSES and len(points) >= FRAME_LEAST
    decided = decided and (contradicts or same or declared is None)  # as for the order
    if not decided and rivals and odds >= FRAME_ACCUSES and 2 * rivals[0].inside < rivals[0].known:
        return _ruled_out(points, declared or "", found, rivals[0], piles, sure)
    examples = _examples(points, found[0], rivals[0] if rivals else None)
    return Verdict(
        question="space", declared=declared, found=named if decided else None, contradicts=contradicts,
        low=round(sure, 4), high=round(sure, 4), counts=counts_of(found, piles), examples=examples,
        sentence=_sentence(len(points), named, sure, decided, declared, contradicts, found[0], rivals),
    )  # fmt: skip


def _ruled_out(
    points: Sequence[Told], declared: str, found: Sequence[Fit], rival: Fit, piles: Piles, sure: float
) -> Verdict:
    """Most points lie outside what is declared, and which other space it is the data does not decide."""
    few = len(points) < FRAME_LEAST
    others = dict.fromkeys(
        WORDS[fit.space] for fit in found if not _same(fit.space, declared) and fit.score > rival.score
    )
    outside = [told for told in points if trouble(told, rival) == "lies outside"]
    shown = [example(told.run, told.seen.step, f"{told.seen.raw} lies outside") for told in outside]
    grounds = f"{rival.known - rival.inside} of {rival.known} points lie outside"
    return Verdict(
        question="space", declared=declared, found=None, contradicts=not few, low=round(sure, 4), high=round(sure, 4),
        counts=counts_of(found, piles), examples=shown[:DETECTOR_EXAMPLES],
        sentence=f"Space: {WORDS[declared]} are declared, but {grounds}"
        + (", which are too few to say what is right." if few else f"; undecided between {' and '.join(others)}."),
    )  # fmt: skip


def _same(space: str, declared: str | None) -> bool:
    """Whether a space that was found is the declared one: a page's picture is its picture."""
    return space == declared or (space == "picture_pixel" and declared == "page_pixel")


def _has_grounds(best: Fit, count: int) -> bool:
    """Whether there is enough to decide by: numbers that are fractions say so at once, of others some points tell
    little, and none that mostly miss their targets' boxes."""
    misses = best.boxed > 0 and 2 * best.in_box < best.boxed
    return not misses and (best.space == "fraction" or count >= FRAME_LEAST)


def _is_mixed(piles: Piles) -> bool:
    """Two piles that are no slip: fractions and pixels in one column."""
    fewer, total = min(piles.fraction_like, piles.pixel_like), piles.fraction_like + piles.pixel_like
    return piles.diagnosis == "mixed" and fewer >= FRAME_LEAST and fewer >= FRAME_PILE * total


def _mixed(points: Sequence[Told], piles: Piles, declared: str | None) -> Verdict:
    low = [told for told in points if max(told.seen.raw) <= 1 and told.seen.raw not in ((0, 0), (1, 1))]
    high = [told for told in points if max(told.seen.raw) > 1]
    shown = [example(told.run, told.seen.step, f"{told.seen.raw}") for told in (*low[:2], *high[:2])]
    return Verdict(
        question="space", declared=declared, found=None, contradicts=declared is not None, low=1.0, high=1.0,
        counts={"points": len(points), "fraction_like": piles.fraction_like, "pixel_like": piles.pixel_like},
        examples=shown,
        sentence=f"Space: two in one column: {piles.fraction_like} numbers are fractions and {piles.pixel_like} are "
        "not, which no rule can tell apart one by one.",
    )  # fmt: skip


def counts_of(found: Sequence[Fit], piles: Piles | None = None) -> dict[str, int]:
    """The evidence in numbers: for each hypothesis, points inside the frame, in their box, on something."""
    counts: dict[str, int] = {}
    if piles is not None:
        counts = {"fraction_like": piles.fraction_like, "pixel_like": piles.pixel_like}
    for fit in found:
        name = f"{fit.space}_{fit.order}"
        for what, yes, known in (
            ("inside", fit.inside, fit.known), ("in_box", fit.in_box, fit.boxed),
            ("on_something", fit.on_something, fit.looked),
        ):  # fmt: skip
            if known:
                counts[f"{name}_{what}"] = yes
                counts[f"{name}_{what}_of"] = known
    return counts


def _examples(points: Sequence[Told], best: Fit, rival: Fit | None) -> list[Example]:
    """Points that fit the best hypothesis and not its rival."""
    shown: list[Example] = []
    for told in points:
        if len(shown) >= DETECTOR_EXAMPLES or rival is None or (rival.space, rival.order) == (best.space, best.order):
            return shown
        wrong = trouble(told, rival)
        if wrong and not trouble(told, best):
            shown.append(example(told.run, told.seen.step, f"{told.seen.raw} {wrong} as {WORDS[rival.space]}"))
    return shown


def trouble(told: Told, fit: Fit) -> str | None:
    """What is wrong with a point by a hypothesis; None where nothing is."""
    place = place_in(told.seen, fit.space, fit.order)
    if place is None:
        return None
    if not is_inside(told.seen, fit.space, place):
        return "lies outside"
    return "misses its target's box" if is_in_box(told.seen, fit.space, place) is False else None


def _sentence(
    count: int, best: str, sure: float, decided: bool, declared: str | None, contradicts: bool, fit: Fit,
    rivals: Sequence[Fit],
) -> str:  # fmt: skip
    grounds = evidence_of(fit)
    if contradicts:
        against = evidence_of(rivals[0])
        return (
            f"Space: {WORDS[best]}, though the source declares {WORDS[declared or best]}: of {count} points {grounds}; "
            f"as declared {against}."
        )
    if not decided:
        said = f"{WORDS.get(declared, declared)} are declared and fit as well" if declared else "undecided"
        return f"Space: {said}; {count} points do not tell ({WORDS[best]}: {sure:.0%} of the likelihood)."
    how = "not declared" if declared is None else "as declared"
    return f"Space: {WORDS[best]} ({how}; {sure:.1%} of the likelihood): of {count} points {grounds}."


def evidence_of(fit: Fit) -> str:
    """What a hypothesis has for it, in words."""
    parts = [f"{fit.inside} of {fit.known} lie inside"] if fit.known else ["no size is known"]
    parts += [f"{fit.in_box} of {fit.boxed} in their target's box"] if fit.boxed else []
    parts += [f"{fit.on_something} of {fit.looked} on something drawn"] if fit.looked else []
    return ", ".join(parts)
