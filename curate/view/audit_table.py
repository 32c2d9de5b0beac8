"""What an audit found, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from curate.engine.auditing.results import AuditResult, Judged
from curate.model.audit_label import ANSWERS
from curate.model.constants import AUDIT_LABELS_WANTED, LABEL_FLOOR
from curate.model.wilson import Estimate

MEANING = {
    "verdicts": ("completed by the run", "completed", "not completed"),
    "pairs": ("near-copies by the run", "the same", "different"),
    "keyframes": ("right by the run", "right", "wrong"),
}
"""What the machine's positive answer is called, and people's two."""


def result_lines(found: AuditResult, most: int) -> Iterator[str]:
    """The boxes, the shares with their intervals, agreement, and up to `most` items each that people differ on, and on
    which they differ from the machine."""
    machine, yes, no = MEANING[found.about]
    of = sum(found.population.values())
    yield f"{found.about}: {found.drawn:,} items drawn of {of:,} (--size {found.size} --seed {found.seed})"
    rest = f"{found.unsure:,} unsure, {found.disputed:,} disputed, {found.missing:,} missing"
    yield f"  {found.labelled:,} answered, {rest}"
    for one in found.reviewers:
        yield f"    {one.by}: {one.answered:,} answers, {one.unsure:,} of them unsure, {one.missing:,} missing"
    yield ""
    yield f"  {'items (what they stand for)':<30} {f'{yes}, people say':>24} {f'{no}, people say':>28}"
    counts, matrix = found.counts, found.matrix
    yield f"  {machine:<30} {_box(counts.tp, matrix.tp):>24} {_box(counts.fp, matrix.fp):>28}"
    yield f"  {'not ' + machine:<30} {_box(counts.fn, matrix.fn):>24} {_box(counts.tn, matrix.tn):>28}"
    yield ""
    yield f"  shares of all, weighted, with 95 % intervals (as many as {found.effective:g} equal items):"
    for name, estimate, words in _shares(found, machine, yes, no):
        yield f"  {name:<10} {estimate!s:<26} {words}"
    yield from _more(found, yes)
    yield from _people(found, most)


def _shares(found: AuditResult, machine: str, yes: str, no: str) -> list[tuple[str, Estimate, str]]:
    figures = found.figures
    return [
        ("accuracy", figures.accuracy, "of all, the machine and people say the same"),
        ("precision", figures.precision, f"of what is {machine}, {yes}"),
        ("recall", figures.recall, f"of what is {yes}, {machine}"),
        ("tnr", figures.tnr, f"of what is {no}, not {machine}"),
        ("npv", figures.npv, f"of what is not {machine}, {no}"),
        ("base rate", figures.base_rate, f"of all, {yes}"),
    ]


def _more(found: AuditResult, yes: str) -> Iterator[str]:
    if found.kept.share is not None:
        yield f"  {'kept':<10} {found.kept!s:<26} of the runs that gave examples, {yes}"
    if found.silent.labelled:
        of = f"of {found.silent.labelled:,} items that the machine says nothing of (in no box), {yes}"
        yield f"  {'unsaid':<10} {found.silent.positive!s:<26} {of}"
    for name in found.unseen:
        yield f"  Nobody has answered an item of: {name} ({found.population[name]:,}); no figure speaks of these."
    if found.labelled < AUDIT_LABELS_WANTED:
        yield f"  {found.labelled:,} answers are few: {AUDIT_LABELS_WANTED} at least are wanted."
    if found.about == "pairs":
        yield f"  Recall is among pairs that are at least {LABEL_FLOOR:g} similar: others are not asked about."


def _people(found: AuditResult, most: int) -> Iterator[str]:
    for pair in found.agreements:
        kappa = f"kappa {pair.kappa}" if pair.both else "nothing to compare"
        yield f"  {pair.one} and {pair.other}: {pair.same:,} of {pair.both:,} answers alike, {kappa}"
    for title, items in (("People differ on", found.disagreements), ("People and machine differ on", found.differ)):
        if items:
            yield f"  {title} {len(items):,}:"
            yield from (f"    {_item(one)}" for one in items[:most])
            if len(items) > most:
                yield f"    and {len(items) - most:,} more (--json has all)"


def _item(one: Judged) -> str:
    where = one.id if one.step is None else f"{one.id} step {one.step}"
    where += f" and {one.other}" if one.other else ""
    answers = ", ".join(f"{by} {answer}" for by, answer in one.answers.items())
    return f"{where}: machine {one.said or 'nothing'}, {answers}"


def _box(items: float, weight: float) -> str:
    return f"{items:,.0f} ({weight:,.1f})"


def sample_line(about: str, drawn: int, population: dict[str, int]) -> str:
    """What was drawn, without a word on what the machine said."""
    more = "" if drawn else " The run has nothing of the kind."
    answers = ", ".join(ANSWERS[about])
    return f"{drawn:,} items about {about} of {sum(population.values()):,}; to be answered: {answers}.{more}"
