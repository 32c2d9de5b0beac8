"""What is kept is the definition, run against run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.trajectory import Score, Trajectory
from curate.stages.copies.quality import mean_score
from curate.stages.copies.thresholds import as_fraction
from curate.stages.copies.tokens import tokens
from curate.stages.nearcopies import STAGE, NearcopiesOptions
from tests.stages.factories import buttons, decided, kept, measured


def shingles(labels: Sequence[str], n: int) -> frozenset[tuple[str, ...]]:
    """The definition: each n consecutive tokens; fewer than n are one shingle of all of them, none give none."""
    if not labels:
        return frozenset()
    return frozenset(tuple(labels[i : i + n]) for i in range(max(1, len(labels) - n + 1)))


def rows_of(records: Sequence[Trajectory], **options):
    return {row["id"]: row for row in measured(STAGE, list(records), NearcopiesOptions(**options)).to_pylist()}


NAMES = st.lists(st.sampled_from(["a", "b", "c", "d", "scroll"]), max_size=9)
TASKS = st.sampled_from(["Do this thing", "do this thing!", "Do that thing"])
SCORES = st.sampled_from([None, 1.0, 5.0])
APPS = st.sampled_from([["shop"], ["mail"], ["shop", "mail"], []])
KINDS = st.sampled_from([None, "human", "model"])
ENDS = st.sampled_from([None, "f", "g"])
RUN = st.tuples(NAMES, TASKS, APPS, SCORES, st.sampled_from([True, False, None]), st.integers(-1, 8), KINDS, ENDS)


def corpus(drawn) -> list[Trajectory]:
    runs = []
    for i, (names, task, apps, score, completed, wrong, kind, end) in enumerate(drawn):
        scores = [] if score is None else [Score(name="s", value=score, min=0, max=5, higher_is_better=True)]
        made = buttons(f"r{i:02}", names, task, apps=apps, scores=scores, completed=completed, kind=kind)
        if made.steps:
            made.steps[-1].image = end
        if 0 <= wrong < len(made.steps):
            made.steps[wrong].correct = False
        runs.append(made)
    return runs


class Definition:
    """The definition, run by run: in the order, a run is out iff enough runs before it that stay are similar to it with
    evidence (and recover from every mistake that it recovers from)."""

    def __init__(self, runs: list[Trajectory], options: NearcopiesOptions) -> None:
        self.options = options
        self.witness: dict[str, str] = {}  # of the runs that are out, or stay and weigh
        self.kept: list[Trajectory] = []
        for run_ in self._order(runs):
            found = [other.id for other in self.kept if self._copies(run_, other)]
            cap = self._cap(run_)
            if found and (cap == 0 or len(found) >= cap):
                self.witness[run_.id] = found[0]
            if not (cap and len(found) >= cap):
                self.kept.append(run_)

    def _cap(self, run_: Trajectory) -> int:
        action = self.options.action_people if run_.actor.kind == "human" else self.options.action
        return {"weight": 0, "drop": 1}.get(action) or int(action.partition(":")[2] or 0)

    def _order(self, runs: list[Trajectory]) -> list[Trajectory]:
        if self.options.order == "input":
            return runs
        rank = {True: 0, None: 1, False: 2}

        def quality(r: Trajectory) -> tuple[float, ...]:
            score = mean_score(r.scores)
            pictured = any(step.image for step in r.steps)  # and nothing is flagged about any picture
            return rank[r.outcome.completed], -(-1 if score is None else score), -pictured

        return sorted(runs, key=quality)

    def _copies(self, a: Trajectory, b: Trajectory) -> bool:
        x, y = (shingles(tokens(r.steps), self.options.n) for r in (a, b))
        place = self.options.across_apps or bool(set(a.apps or ["?"]) & set(b.apps or ["?"]))
        alike = place and bool(x & y) and Fraction(len(x & y), len(x | y)) >= as_fraction(self.options.threshold)
        if not alike or not self._mistakes(a) <= self._mistakes(b):
            return False
        if self.options.evidence == "actions":
            return True
        task = a.instruction.lower().rstrip("!") == b.instruction.lower().rstrip("!")
        if min(len(x), len(y)) < 4 and not (x == y and task):
            return False
        if self.options.evidence == "actions+task":
            return task
        shown = [[step.image for step in r.steps if step.image] for r in (a, b)]
        return all(shown) and (shown[0][0], shown[0][-1]) == (shown[1][0], shown[1][-1])

    @staticmethod
    def _mistakes(a: Trajectory) -> set[str]:
        wrong = [i for i, s in enumerate(a.steps) if s.correct is False]
        return {
            (tokens([a.steps[i]]) or [""])[0] for i in wrong if any(s.correct is not False for s in a.steps[i + 1 :])
        }

    def shares(self) -> dict[str, int]:
        """Of the runs that stay and hang together by their witnesses with others: how many those are."""
        stays = {run_.id for run_ in self.kept}
        root = {id: id for id in stays}
        for run_ in self.kept:
            if run_.id in self.witness:
                root[run_.id] = root[self.witness[run_.id]]
        sizes = Counter(root.values())
        return {id: sizes[root[id]] for id in stays if sizes[root[id]] > 1}


ACTIONS = st.sampled_from(["drop", "drop", "weight", "cap:2"])


@settings(max_examples=80, deadline=None)
@given(
    st.lists(RUN, max_size=12), st.sampled_from(["actions", "actions+task", "actions+screens"]),
    st.sampled_from(["best", "input"]), st.sampled_from([0.3, 0.5, 0.8]), st.booleans(), ACTIONS, ACTIONS,
    st.integers(1, 3),
)  # fmt: skip
def test_what_is_kept_is_the_definition(drawn, evidence, order, threshold, across, action, people, n):
    runs = corpus(drawn)
    options = NearcopiesOptions(
        evidence=evidence,
        order=order,
        threshold=threshold,
        across_apps=across,
        action=action,
        action_people=people,
        n=n,
    )
    rows = {row["id"]: row for row in decided(STAGE, runs, options)}
    assert list(rows) == [r.id for r in runs]  # nobody is lost
    wanted = Definition(runs, options)
    assert {id for id, row in rows.items() if row["verdict"] == "keep"} == {r.id for r in wanted.kept}
    assert {id: row["witness"] for id, row in rows.items() if row["witness"]} == wanted.witness
    assert {id: row["copies"] for id, row in rows.items() if row["copies"]} == wanted.shares()
    for row in rows.values():
        assert row["copy_weight"] == (1 / row["copies"] if row["copies"] else None)
        assert (row["similarity"] is None) == (row["witness"] is None)


@settings(max_examples=40, deadline=None)
@given(st.lists(RUN, max_size=12), st.sampled_from(["actions", "actions+task"]))
def test_minhash_keeps_what_exact_keeps_beyond_its_recall(drawn, evidence):
    """Sets this small share a band with all but certainty, and each candidate is verified."""
    runs = corpus(drawn)
    exact, minhash = (
        decided(STAGE, runs, NearcopiesOptions(evidence=evidence, method=method, recall=0.999999))
        for method in ("exact", "minhash")
    )
    assert kept(exact) == kept(minhash)


@settings(max_examples=40, deadline=None)
@given(st.lists(RUN, max_size=10), st.randoms())
def test_measures_do_not_depend_on_the_order_of_the_runs(drawn, random):
    runs = corpus(drawn)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert rows_of(runs) == rows_of(shuffled)
