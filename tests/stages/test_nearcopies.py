"""Which runs are similar, which of them are copies, and which copy stays."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.model.trajectory import Score, Trajectory
from curate.stages import images
from curate.stages.base import MeasureContext
from curate.stages.copies.quality import mean_score
from curate.stages.measures.jaccard import as_fraction, at_least
from curate.stages.measures.shingles import shingles, tokens
from curate.stages.nearcopies import STAGE, NearcopiesOptions
from curate.store.media import MediaStore
from tests.stages.factories import buttons, decided, kept, measured, press_button, reasons, run

SHOP = ["Search", "type running shoes", "Filter", "Under $50", "Item 3", "Add to cart"]
LESSON = NearcopiesOptions(evidence="actions", order="input", action="drop", action_people="drop")


def rows_of(records: Sequence[Trajectory], **options):
    return {row["id"]: row for row in measured(STAGE, list(records), NearcopiesOptions(**options)).to_pylist()}


def test_scrolls_and_waits_make_no_difference():
    a, b = buttons("a", SHOP), buttons("b", [*SHOP[:4], "scroll", "wait", *SHOP[4:]])
    rows = rows_of([a, b])
    assert rows["a"]["group"] == rows["b"]["group"] == "a"
    verdicts = decided(STAGE, [a, b])
    assert reasons(verdicts) == {"b": "nearcopies.copy_of"}
    assert verdicts[1]["witness"] == "a"
    assert "similarity 1.000" in verdicts[1]["detail"]


def test_pairs_are_measured_with_their_similarity_even_where_nothing_is_dropped():
    longer = [*SHOP[:3], "Extra", *SHOP[3:]]
    a, b = buttons("a", SHOP, "Buy running shoes"), buttons("b", longer, "Buy something else")
    rows = rows_of([a, b])
    assert rows["a"]["pairs"] == [{"other": "b", "shared": 4, "similarity": 4 / 7}]
    assert rows["a"]["cluster"] == rows["b"]["cluster"] == "a"
    assert kept(decided(STAGE, [a, b])) == ["a", "b"]  # another task: no evidence
    assert kept(decided(STAGE, [a, b], LESSON)) == ["a"]


def test_another_app_is_no_copy_unless_asked():
    a, b = buttons("a", SHOP, apps=["shop"]), buttons("b", SHOP, apps=["mail"])
    assert kept(decided(STAGE, [a, b])) == ["a", "b"]
    assert kept(decided(STAGE, [a, b], NearcopiesOptions(across_apps=True))) == ["a"]
    sites = [
        buttons("a", SHOP, apps=[], sites=["https://www.shop.example/x"]),
        buttons("b", SHOP, apps=[], sites=["shop.example"]),
    ]
    assert kept(decided(STAGE, sites)) == ["a"]
    assert kept(decided(STAGE, [buttons("a", SHOP, apps=[]), buttons("b", SHOP, apps=[])])) == ["a"]  # both unknown
    assert kept(decided(STAGE, [buttons("a", SHOP), buttons("b", SHOP, apps=[])])) == ["a", "b"]


def test_runs_of_which_nothing_is_known_are_never_copies():
    empty = [buttons(id, ["scroll", "wait"]) for id in "ab"] + [run(id, [], apps=["shop"]) for id in "cd"]
    for options in (NearcopiesOptions(), LESSON, NearcopiesOptions(method="minhash")):
        assert kept(decided(STAGE, empty, options)) == list("abcd")
    assert {row["group"] for row in rows_of(empty).values()} == {None}


def test_short_runs_have_to_be_equal_and_of_the_same_task():
    a, b, c = (
        buttons("a", ["OK"], "Accept it now"),
        buttons("b", ["OK"], "Refuse it now"),
        buttons("c", ["OK"], "accept it now!"),
    )
    assert kept(decided(STAGE, [a, b, c])) == ["a", "b"]
    assert kept(decided(STAGE, [a, b, c], LESSON)) == ["a"]  # the lesson's: actions alone
    two, more = (
        buttons("a", ["x", "y", "z"], "Same thing twice"),
        buttons("b", ["x", "y", "z", "u"], "Same thing twice"),
    )
    assert rows_of([two, more])["a"]["pairs"][0]["similarity"] == 2 / 3
    assert kept(decided(STAGE, [two, more])) == ["a", "b"]  # similar, and too short to tell
    assert rows_of([two, more])["a"]["cluster"] is None


def test_arguments_tell_tasks_apart():
    a, b = buttons("a", SHOP, 'Name it "Foo" at 7:00'), buttons("b", SHOP, 'Name it "foo" at 7:00')
    assert kept(decided(STAGE, [a, b])) == ["a", "b"]
    template = "Call {who}"
    runs = [
        buttons("a", SHOP, "Please call Anna", template=template),
        buttons("b", SHOP, "Now call Anna!", template=template),
        buttons("c", SHOP, "Please call Bob", template=template),
    ]
    assert kept(decided(STAGE, runs)) == ["a", "c"]


def test_the_best_copy_stays():
    def graded(id: str, value: float, higher: bool, **fields):
        score = Score(name="s", value=value, min=0, max=10, higher_is_better=higher)
        return buttons(id, SHOP, scores=[score], **fields)

    runs = [buttons("unknown", SHOP), buttons("failed", SHOP, completed=False), buttons("done", SHOP, completed=True)]
    assert kept(decided(STAGE, runs)) == ["done"]
    assert kept(decided(STAGE, runs, NearcopiesOptions(order="input"))) == ["unknown"]
    assert kept(decided(STAGE, [graded("a", 3, True), graded("b", 8, True), graded("c", 3, False)])) == ["b"]
    assert kept(decided(STAGE, [buttons("none", SHOP), graded("low", 0, True)])) == ["low"]
    small = [press_button(i, name, image="media/aa/aa.png", image_size=(1280, 720)) for i, name in enumerate(SHOP)]
    large = [press_button(i, name, image="media/bb/bb.png", image_size=(1920, 1080)) for i, name in enumerate(SHOP)]
    leaky = [
        press_button(i, n, image="media/cc/cc.png", image_size=(3840, 2160), flags=["pointer_near"])
        for i, n in enumerate(SHOP)
    ]
    pictured = [run(id, steps, apps=["shop"]) for id, steps in [("s", small), ("l", large), ("p", leaky)]]
    assert kept(decided(STAGE, pictured)) == ["l"]


def test_fewer_mistakes_are_not_better_and_a_recovery_stays():
    clean = buttons("clean", SHOP)
    recovered = buttons("recovered", ["Wrong tab", "Back", *SHOP])
    recovered.steps[0].correct = False
    assert kept(decided(STAGE, [clean, recovered], LESSON)) == ["clean", "recovered"]
    assert kept(decided(STAGE, [recovered, clean], LESSON)) == ["recovered"]
    again = run("again", recovered.steps, apps=["shop"])
    assert kept(decided(STAGE, [clean, recovered, again], LESSON)) == ["clean", "recovered"]
    ends_wrong = buttons("ends_wrong", [*SHOP, "Wrong tab"])
    ends_wrong.steps[-1].correct = False  # never recovered: nothing to learn from
    assert kept(decided(STAGE, [clean, ends_wrong], LESSON)) == ["clean"]


def test_people_are_weighed_and_programs_dropped():
    people = [buttons(f"p{i}", SHOP, kind="human") for i in range(3)]
    programs = [buttons(f"m{i}", SHOP, kind="model") for i in range(2)]
    rows = {row["id"]: row for row in decided(STAGE, [*people, *programs])}
    assert [id for id, row in rows.items() if row["verdict"] == "keep"] == ["p0", "p1", "p2"]
    assert [rows[id]["copy_weight"] for id in ("p0", "p1", "p2")] == [1 / 3] * 3
    assert rows["p1"]["copies"] == 3 and rows["p1"]["witness"] == "p0"


def test_a_cap_keeps_so_many():
    runs = [buttons(f"r{i}", SHOP) for i in range(5)]
    rows = decided(STAGE, runs, NearcopiesOptions(action="cap:2"))
    assert kept(rows) == ["r0", "r1"]
    assert set(reasons(rows).values()) == {"nearcopies.over_cap"}


def test_screens_as_evidence():
    def shown(id: str, first: str, last: str, instruction: str):
        pictures = [first, *["media/00/mid.png"] * (len(SHOP) - 2), last]
        return run(
            id,
            [press_button(i, n, image=p) for i, (n, p) in enumerate(zip(SHOP, pictures, strict=True))],
            instruction,
            apps=["shop"],
        )

    runs = [
        shown("a", "f", "l", "One task here"),
        shown("b", "f", "l", "Other task here"),
        shown("c", "f", "other", "One task here"),
    ]
    assert kept(decided(STAGE, runs, NearcopiesOptions(evidence="actions+screens"))) == ["a", "c"]


def test_screens_that_look_alike_are_evidence_too(tmp_path):
    store = MediaStore(tmp_path)
    context = MeasureContext(media_root=tmp_path)
    screens = [np.full((72, 128, 3), 40, np.uint8) for _ in range(4)]
    screens[1][0, 0] = 90  # a blinking dot
    screens[3][20:60, 20:100] = 200  # a window
    refs = [store.add_png(screen) for screen in screens]
    runs = [
        run(f"r{i}", [press_button(k, n, image=ref) for k, n in enumerate(SHOP)], f"Task number {i}", apps=["shop"])
        for i, ref in enumerate(refs)
    ]
    others = {"images": measured(images.STAGE, runs, context=context)}
    rows = decided(STAGE, runs, NearcopiesOptions(evidence="actions+screens"), others=others)
    assert kept(rows) == ["r0", "r3"]


def test_order_of_quality_not_of_input_decides_and_every_dropped_run_has_a_kept_witness():
    letters = [list("abcdef"), list("abcdegh"), list("cdeghij")]
    runs = [
        buttons(id, names, scores=[Score(name="s", value=value, min=0, max=10, higher_is_better=True)])
        for id, names, value in zip("012", letters, (9, 5, 7), strict=True)
    ]
    for order in (runs, [runs[1], runs[0], runs[2]], runs[::-1]):
        rows = decided(STAGE, order)
        assert sorted(kept(rows)) == ["0", "2"]
        assert {row["id"]: row["witness"] for row in rows if row["verdict"] == "drop"} == {"1": "0"}


@pytest.mark.parametrize("action", ["cap:0", "cap:", "remove", "cap:-1"])
def test_unknown_actions_are_refused(action):
    import msgspec

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"action": action}, NearcopiesOptions)


NAMES = st.lists(st.sampled_from(["a", "b", "c", "d", "scroll"]), max_size=9)
TASKS = st.sampled_from(["Do this thing", "do this thing!", "Do that thing"])
SCORES = st.sampled_from([None, 1.0, 5.0])
APPS = st.sampled_from([["shop"], ["mail"], ["shop", "mail"], []])
RUN = st.tuples(NAMES, TASKS, APPS, SCORES, st.sampled_from([True, False, None]), st.integers(-1, 8))


def corpus(drawn) -> list[Trajectory]:
    runs = []
    for i, (names, task, apps, score, completed, wrong) in enumerate(drawn):
        scores = [] if score is None else [Score(name="s", value=score, min=0, max=5, higher_is_better=True)]
        made = buttons(f"r{i:02}", names, task, apps=apps, scores=scores, completed=completed)
        if 0 <= wrong < len(made.steps):
            made.steps[wrong].correct = False
        runs.append(made)
    return runs


def reference(runs: list[Trajectory], options: NearcopiesOptions) -> list[str]:
    """The definition: in the order, a run is dropped iff an earlier kept one is similar with evidence."""
    limit = as_fraction(options.threshold)

    def similar(a: Trajectory, b: Trajectory) -> tuple[bool, bool]:
        x, y = shingles(tokens(a.steps), options.n), shingles(tokens(b.steps), options.n)
        place = options.across_apps or bool(set(a.apps or ["?"]) & set(b.apps or ["?"]))
        short = min(len(x), len(y)) < 4
        return place and at_least(len(x & y), len(x), len(y), limit), not short or x == y

    def copies(a: Trajectory, b: Trajectory) -> bool:
        alike, long_or_equal = similar(a, b)
        task = a.instruction.lower().rstrip("!") == b.instruction.lower().rstrip("!")
        return alike and (options.evidence == "actions" or (long_or_equal and task))

    def mistakes(a: Trajectory) -> set[str]:
        wrong = [i for i, s in enumerate(a.steps) if s.correct is False]
        return {
            (tokens([a.steps[i]]) or [""])[0] for i in wrong if any(s.correct is not False for s in a.steps[i + 1 :])
        }

    order = list(runs)
    if options.order == "best":
        rank = {True: 0, None: 1, False: 2}
        order.sort(key=lambda r: (rank[r.outcome.completed], -(s if (s := mean_score(r.scores)) is not None else -1)))
    kept_runs: list[Trajectory] = []
    for one in order:
        if not any(copies(one, other) and mistakes(one) <= mistakes(other) for other in kept_runs):
            kept_runs.append(one)
    return sorted(r.id for r in kept_runs)


@settings(max_examples=120, deadline=None)
@given(
    st.lists(RUN, max_size=12), st.sampled_from(["actions", "actions+task"]), st.sampled_from(["best", "input"]),
    st.sampled_from([0.3, 0.5, 0.8]), st.booleans(), st.sampled_from(["exact", "exact", "minhash"]),
)  # fmt: skip
def test_what_is_kept_is_the_definition(drawn, evidence, order, threshold, across, method):
    runs = corpus(drawn)
    if method == "minhash" and threshold < 0.5:
        method = "exact"  # the bands are chosen for one half and up
    options = NearcopiesOptions(evidence=evidence, order=order, threshold=threshold, across_apps=across, method=method)
    rows = decided(STAGE, runs, options)
    assert [row["id"] for row in rows] == [r.id for r in runs]  # nobody is lost
    assert sorted(kept(rows)) == reference(runs, options)
    stays = set(kept(rows))
    assert all(row["witness"] in stays for row in rows if row["verdict"] == "drop")


@settings(max_examples=40, deadline=None)
@given(st.lists(RUN, max_size=10), st.randoms())
def test_measures_do_not_depend_on_the_order_of_the_runs(drawn, random):
    runs = corpus(drawn)
    shuffled = list(runs)
    random.shuffle(shuffled)
    assert rows_of(runs) == rows_of(shuffled)
