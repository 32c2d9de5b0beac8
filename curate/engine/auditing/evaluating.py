"""What people's labels say of the machine's answers: the sample is drawn again, and each label finds its item."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from curate.engine.auditing.results import Agreement, AuditResult, Judged, Reviewer, Silent
from curate.engine.auditing.sampling import Sample, draw_sample, run_key
from curate.judge.agreement import cohens_kappa
from curate.judge.audit import Answer, confusion_matrix, figures
from curate.model.audit_label import ABOUT, ANSWERS, UNSURE, About, AuditLabel
from curate.model.errors import InputError
from curate.model.wilson import Estimate, estimate
from curate.store.edits import read_labels


def audit_labels(
    folder: Path, paths: Iterable[Path], tell: Callable[[int, int], object] | None = None
) -> list[AuditResult]:
    """What labels say of the run in a folder, a result for each sample that they are of. Raises InputError for labels
    of another run, or of no item of its sample. `tell`: where only some are of another run, they count nowhere, and
    this is called with how many of how many they are (a file goes on when a run is made anew)."""
    paths = list(paths)
    every = read_labels(paths)
    if not every:
        raise InputError(f"{paths[0]} holds no label yet: `curate view RUN --audit SAMPLE` asks for them.")
    run = run_key(folder)
    labels = [label for label in every if label.run == run]
    strange = len(every) - len(labels)
    if strange and (tell is None or not labels):
        people = ", ".join(sorted({label.by for label in every if label.run != run}))
        raise InputError(
            f"{strange:,} of {len(every):,} labels ({people}) are of another run than the one in {folder}: give the "
            "run that their sample was drawn from."
        )
    if strange and tell is not None:
        tell(strange, len(every))
    samples: dict[tuple[About, int, int], list[AuditLabel]] = defaultdict(list)
    for label in labels:
        samples[label.about, label.size, label.seed].append(label)
    order = sorted(samples, key=lambda key: (ABOUT.index(key[0]), *key[1:]))
    return [
        evaluated(draw_sample(folder, about, size, seed), samples[about, size, seed]) for about, size, seed in order
    ]


def evaluated(sample: Sample, labels: Sequence[AuditLabel]) -> AuditResult:
    """The result of one sample. `labels`: of each person and item one. Raises InputError for a label of no item."""
    answers: dict[str, dict[str, str]] = {item.item: {} for item in sample.items}
    for label in labels:
        if label.item not in answers:
            raise InputError(
                f"A label of {label.by} is of the item {label.item}, which the sample about {sample.about} (--size "
                f"{sample.size} --seed {sample.seed}) does not have: it was drawn by another version of curate, or "
                "the file was changed."
            )
        answers[label.item][label.by] = label.answer
    positive = ANSWERS[sample.about][0]
    items = _weighted(sample, answers)
    told = [one for one in items if one.truth is not None]
    spoken = [one for one in told if one.said is not None]
    given = [Answer(one.said == positive, one.truth == positive, one.stands_for) for one in spoken]
    silent = [one for one in told if one.said is None]
    seen = {one.stratum for one in told}
    people = sorted({label.by for label in labels})
    return AuditResult(
        about=sample.about, run=sample.run, size=sample.size, seed=sample.seed, population=sample.population,
        drawn=len(items), labelled=len(told), missing=sum(not one.answers for one in items),
        unsure=sum(bool(one.answers) and not _definite(one) for one in items),
        disputed=sum(bool(_definite(one)) and one.truth is None for one in items),
        reviewers=[_reviewer(by, items) for by in people],
        counts=confusion_matrix(Answer(said, true) for said, true, _ in given),
        matrix=confusion_matrix(given), figures=figures(given), effective=_effective(given),
        silent=Silent(labelled=len(silent), positive=_share(silent, positive)), kept=_kept(sample, items, positive),
        agreements=[_agreement(one, other, items) for one, other in itertools.combinations(people, 2)],
        disagreements=[one for one in items if len(set(_definite(one))) > 1],
        differ=[one for one in spoken if one.said != one.truth],
        unseen=[name for name in sample.population if name not in seen], items=items,
    )  # fmt: skip


def _weighted(sample: Sample, answers: dict[str, dict[str, str]]) -> list[Judged]:
    """The items, and what each stands for: its stratum's things shared out over its items with a truth, so that those
    nobody could or would answer are made up for by others of their kind."""
    truths = {item.item: truth_of(answers[item.item].values()) for item in sample.items}
    strata = [one.candidate.stratum for one in sample.drawn]
    with_truth = Counter(
        stratum for item, stratum in zip(sample.items, strata, strict=True) if truths[item.item] is not None
    )
    found = []
    for item, one in zip(sample.items, sample.drawn, strict=True):
        candidate, truth = one.candidate, truths[item.item]
        stands_for = 0.0
        if truth is not None:
            stands_for = sample.population[candidate.stratum] / with_truth[candidate.stratum]
        found.append(Judged(
            item=item.item, id=item.id, step=item.step, other=item.other, stratum=candidate.stratum,
            said=candidate.said, truth=truth, stands_for=stands_for, answers=dict(sorted(answers[item.item].items())),
        ))  # fmt: skip
    return found


def truth_of(answers: Iterable[str]) -> str | None:
    """What most of those say who could tell; None where nobody could, or as many say one as the other."""
    counts = Counter(answer for answer in answers if answer != UNSURE).most_common(2)
    if not counts or (len(counts) > 1 and counts[0][1] == counts[1][1]):
        return None
    return counts[0][0]


def _definite(one: Judged) -> list[str]:
    return [answer for answer in one.answers.values() if answer != UNSURE]


def _reviewer(by: str, items: Sequence[Judged]) -> Reviewer:
    mine = [one.answers[by] for one in items if by in one.answers]
    return Reviewer(by=by, answered=len(mine), unsure=mine.count(UNSURE), missing=len(items) - len(mine))


def _agreement(one: str, other: str, items: Sequence[Judged]) -> Agreement:
    both = [
        (item.answers[one], item.answers[other])
        for item in items
        if UNSURE not in (item.answers.get(one, UNSURE), item.answers.get(other, UNSURE))
    ]
    return Agreement(one=one, other=other, both=len(both), same=sum(a == b for a, b in both), kappa=cohens_kappa(both))


def _kept(sample: Sample, items: Sequence[Judged], positive: str) -> Estimate:
    kept = {item.item for item, one in zip(sample.items, sample.drawn, strict=True) if one.candidate.kept}
    return _share([one for one in items if one.truth is not None and one.item in kept], positive)


def _share(items: Sequence[Judged], positive: str) -> Estimate:
    return estimate([(one.stands_for, one.truth == positive) for one in items])


def _effective(given: Sequence[Answer]) -> float:
    squares = math.fsum(one.weight**2 for one in given)
    return round(math.fsum(one.weight for one in given) ** 2 / squares, 1) if squares else 0.0
