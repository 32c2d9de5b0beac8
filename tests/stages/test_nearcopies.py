"""Which runs are similar, which of them are copies, and which copy stays."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.engine.recipe import load_recipe
from curate.model.constants import COPY_PARTNERS, COPY_WORDINGS
from curate.model.trajectory import Outcome, Score, Trajectory
from curate.stages import images
from curate.stages.base import MeasureContext
from curate.stages.measures.task_text import task_key
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
    assert rows["a"]["cluster"] == rows["b"]["cluster"] == "a"
    assert rows["a"]["labels"] == rows["b"]["labels"]
    assert rows["b"]["pairs"] == [{"other": "a", "shared": 5, "similarity": 1.0}]
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
    assert {row["cluster"] for row in rows_of(empty).values()} == {None}
    assert all(row["pairs"] == [] for row in rows_of(empty).values())


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
    beyond = [graded("a", 9.5, True), graded("b", 70, True), graded("c", 70, False), graded("d", -3, False)]
    assert kept(decided(STAGE, beyond)) == ["a"]  # a score outside of its range says nothing
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
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"action": action}, NearcopiesOptions)


NAMES = st.lists(st.sampled_from(["a", "b", "c", "d", "scroll"]), max_size=9)


def again(record: Trajectory, id: str, **fields) -> Trajectory:
    """The same recording under another name."""
    return msgspec.structs.replace(record, id=id, **fields)


@pytest.mark.parametrize("action", ["drop", "weight", "cap:3"])
def test_a_recording_that_is_read_twice_counts_once(action):
    options = NearcopiesOptions(action=action, action_people=action)
    first, other = buttons("first", SHOP, kind="human"), buttons("other", SHOP[::-1], kind="human")
    runs = [first, other, again(first, "first#2", lineage=["run: id was first"]), again(other, "z", attempt="2")]
    rows = decided(STAGE, runs, options)
    assert reasons(rows) == {"first#2": "nearcopies.repeat", "z": "nearcopies.repeat"}
    assert {row["id"]: row["witness"] for row in rows if row["witness"]} == {"first#2": "first", "z": "other"}
    assert {row["copies"] for row in rows} == {None}  # a repeat is no second performance


def test_the_witness_of_a_repeat_is_kept():
    """The better run stays; a worse one that was read twice goes with both of its readings."""
    best = buttons("best", SHOP, completed=True)
    worse = buttons("worse", [*SHOP, "Help"], completed=None)
    rows = decided(STAGE, [worse, again(worse, "twice"), best])
    assert reasons(rows) == {"worse": "nearcopies.copy_of", "twice": "nearcopies.repeat"}
    assert {row["witness"] for row in rows if row["verdict"] == "drop"} == {"best"}
    assert all("5 of 6 shingles" in row["detail"] for row in rows if row["verdict"] == "drop")


def test_a_better_judged_reading_of_one_recording_stays():
    one = buttons("a", SHOP, completed=None)
    assert kept(decided(STAGE, [one, again(one, "b", outcome=Outcome(completed=True, by="judge"))])) == ["b"]


def test_a_repeat_in_which_nothing_was_done_goes_too():
    idle = buttons("a", ["scroll", "wait"])
    rows = decided(STAGE, [idle, again(idle, "b")])
    assert reasons(rows) == {"b": "nearcopies.repeat"} and rows[1]["detail"] == "the same content as a"


TEMPLATED = {"template": "Call {who}"}


def test_the_run_that_stays_takes_over_how_the_others_say_it():
    runs = [
        buttons("a", SHOP, "Please call Anna", **TEMPLATED),
        buttons("b", SHOP, "Now ring Anna up", **TEMPLATED),
        buttons("c", SHOP, "please CALL Anna!", **TEMPLATED),
        buttons("d", SHOP, "Then give Anna a call", wordings={"short": "Anna, phone"}, **TEMPLATED),
        buttons("e", SHOP, "Now ring Anna up.", **TEMPLATED),
    ]
    rows = {row["id"]: row for row in decided(STAGE, runs)}
    assert [id for id, row in rows.items() if row["verdict"] == "keep"] == ["a"]
    assert [one["text"] for one in rows["a"]["wordings"]] == [
        "Now ring Anna up",
        "Then give Anna a call",
        "Anna, phone",
    ]
    assert [one["key"] for one in rows["a"]["wordings"]] == ["near_copy:b", "near_copy:d", "near_copy:d:1"]
    assert rows["a"]["lineage"] == ["nearcopies: takes over the wordings of b, d"]
    assert all(row["wordings"] is None for id, row in rows.items() if id != "a")


def test_wordings_are_bounded():
    runs = [buttons(f"r{i:02}", SHOP, f"Anna, way {'x' * i} to say it", **TEMPLATED) for i in range(30)]
    (row, *_) = decided(STAGE, runs)
    assert len(row["wordings"]) == COPY_WORDINGS
    assert f"({29 - COPY_WORDINGS} more left out)" in row["lineage"][0]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NAMES, st.sampled_from(["Do A", "do a!", "Do B", "Do C"])), max_size=10))
def test_no_wording_is_lost_and_none_is_made_up(drawn):
    runs = [buttons(f"r{i}", names, words) for i, (names, words) in enumerate(drawn)]
    rows = {row["id"]: row for row in decided(STAGE, runs, LESSON)}
    by_id = {r.id: r for r in runs}
    for id, row in rows.items():
        gone = [by_id[other["id"]] for other in rows.values() if other["verdict"] == "drop" and other["witness"] == id]
        told = {task_key(one["text"]) for one in row["wordings"] or ()}
        assert told == {task_key(r.instruction) for r in gone} - {task_key(by_id[id].instruction)}


def test_clusters_are_measured_where_something_reads_them():
    runs = [buttons("a", SHOP), buttons("b", SHOP)]
    assert {row["cluster"] for row in rows_of(runs, clusters=False).values()} == {None}
    for order, spread, wanted in (
        ("[nearcopies, unroll]", "true", False),
        ("[leaks, nearcopies, unroll]", "false", False),
        ("[leaks, nearcopies, unroll]", "true", True),
        ("[nearcopies, split, unroll]", "true", True),
    ):
        recipe = f"order: {order}\nleaks:\n  spread: {spread}\n"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "some.yaml"
            path.write_text(recipe)
            assert load_recipe(str(path)).options["nearcopies"].clusters is wanted


def test_partners_beyond_the_list_are_counted():
    runs = [buttons(f"r{i:02}", SHOP) for i in range(COPY_PARTNERS + 4)]
    for row in rows_of(runs).values():
        assert len(row["pairs"]) == COPY_PARTNERS and row["pairs_more"] == 3
