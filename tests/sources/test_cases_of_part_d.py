"""Twenty-six things that go wrong with other people's data, and what must become of each. A test each, `case_NN`, on
fixtures of this project; where no fixture can hold it (100 megapixels, names of 150 characters) the test makes it."""

from __future__ import annotations

import functools
import io
import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from PIL import Image

from curate.engine.naming import Names
from curate.formats import base
from curate.model import actions as act
from curate.model.rejected import Rejected
from curate.model.trajectory import Step, Trajectory, encode
from curate.sources import multimodal_mind2web
from curate.sources.parts.agentnettool_rows import event_of_row
from tests.sources.taken import taken
from tests.sources.test_fixtures import CASES, FIXTURES, read


class Came(NamedTuple):
    """What came of a fixture."""

    records: list[Trajectory]
    refused: list[Rejected]

    def run(self, end: str) -> Trajectory:
        """The first record whose id ends so."""
        return next(record for record in self.records if record.id.endswith(end))

    def why(self, end: str) -> str:
        """The reason of the first that was refused whose id ends so."""
        return next(row.reason for row in self.refused if (row.id or "").endswith(end))


@functools.cache
def came(case: str) -> Came:
    with tempfile.TemporaryDirectory() as media:
        items = list(read(FIXTURES / case, Path(media)))
    return Came(
        [item for item in items if isinstance(item, Trajectory)], [item for item in items if isinstance(item, Rejected)]
    )


def at(record: Trajectory, index: int) -> Step:
    return next(step for step in record.steps if step.index == index)


def point(step: Step) -> tuple[Any, Any]:
    return next((action.x, action.y) for action in step.actions if hasattr(action, "x"))


def test_case_01_points_with_y_before_x_are_turned_once_and_ports_that_did_it_are_not() -> None:
    # raw: yx_touch [0.25, 0.75], result_touch_yx "[0.2275, 0.1475]", touch_point "[0.7852, 0.2]"
    assert point(at(came("aitw/shards").run(":700"), 1)) == (0.75, 0.25)
    assert point(at(came("aitz/cagui").run("0a1b"), 0)) == (0.1475, 0.2275)
    assert point(at(came("digirl/nested").run(":1"), 0)) == (0.2, 0.7852)
    # SeeClick's port: touch [0.25, 0.75] is x before y; the Agent Data Protocol: x0 0.709, y0 0.776
    assert point(at(came("aitw/port").run(":31"), 0)) == (0.25, 0.75)
    assert point(at(came("adp/standard").run(":1217"), 0)) == (0.709, 0.776)


def test_case_02_numbers_in_strings_are_read_as_numbers() -> None:
    assert point(at(came("aitz/cagui").run("0a1b"), 0)) == (0.1475, 0.2275)  # "[0.2275, 0.1475]"
    mind = came("multimodal_mind2web/tables").run("a1b2")
    assert [step.index for step in mind.steps] == [0, 1, 2, 3, 4, 5]  # target_action_index "0" ... in another order
    assert point(at(mind, 2)) == (0.5, round((150 + 16.25 / 2) / 260, 4))  # "10,150,100,16.25" in 120 x 260
    box = at(came("guiact/web").run("ab_qa_01"), 0).element
    assert box is not None and box.box == (0.25, 0.5, 0.75, 0.6)  # "<box>...</box>"


def test_case_03_minus_one_is_no_point_and_is_not_moved_to_the_corner() -> None:
    typed = at(came("aitw/shards").run(":700"), 3), at(came("digirl/nested").run(":1"), 1)
    for step in typed:  # TYPE with [-1, -1]
        assert [type(action) for action in step.actions] == [act.Write]
    hidden = at(came("multimodal_mind2web/tables").run("a1b2"), 3)  # a box of "-1,-1,-1,-1"
    assert point(hidden) == (None, None) and hidden.raw_box is None


def test_case_04_what_lies_outside_its_frame_is_refused_or_kept_off_the_picture_never_moved() -> None:
    assert came("gui_odyssey/annotations").why("112") == "validate.coordinate_out_of_range"  # 1003 of 1000
    assert came("agentnet/win_mac").why("cccc-3333") == "validate.coordinate_out_of_range"  # 1.0021 of 1
    assert "validate.coordinate_out_of_range" in [row.reason for row in came("scalecua/windows").refused]  # 1.5 of 1
    for case, run, index in (
        ("gui360", "excel_9z_1", 8), ("multimodal_mind2web/tables", "a1b2", 5), ("omniact/index", "train_14", 0),
        ("androidcontrol/tfrecord", "1204", 1), ("explorer", "c_0017", 3),
    ):  # fmt: skip
        step = at(came(case).run(run), index)
        assert point(step) == (None, None) and "off_screen" in step.flags and step.code is None, case
        assert any(getattr(action, "raw_point", None) for action in step.actions), case


def test_case_05_thousandths_that_look_like_pixels_are_thousandths() -> None:
    assert point(at(came("gui_odyssey/annotations").run("111"), 0)) == (0.374, 0.621)  # [374, 621]
    assert point(at(came("uitars/v1").run("example"), 0)) == (0.495, 0.03)  # (495,30)


def test_case_06_pixels_with_halves() -> None:
    assert point(at(came("omniact/index").run("train_10"), 0))[0] == round(40.5 / 160, 4)
    assert point(at(came("adp/standard").run("train_0"), 0)) == (round(20.5 / 160, 4), 30 / 120)


def test_case_07_a_picture_of_another_size_than_the_screen() -> None:
    step = at(came("agentnet/win_mac").run("aaaa-1111"), 0)  # fractions of a screen of 1440 x 900
    assert step.screen is not None and (step.screen.width, step.screen.height) == (1440, 900)
    assert step.image_size != (1440, 900) and point(step) == (0.75, 0.8)
    bench = at(came("agentnetbench").run("s_0123"), 2)  # boxes in pixels of the picture that was shipped
    assert bench.element is not None and bench.element.box == (0.25, 0.45, 0.75, 0.55)


def test_case_08_scrolls_by_each_sources_own_meaning() -> None:
    def amounts(case: str, run: str, index: int) -> list[tuple[str, float]]:
        actions = at(came(case).run(run), index).actions
        return [(type(a).__name__, a.amount) for a in actions if isinstance(a, act.Scroll | act.HScroll)]

    assert amounts("agentnet/win_mac", "aaaa-1111", 3) == [("Scroll", -3)]  # scroll(-3): down
    assert amounts("androidcontrol/tfrecord", ":41", 4) == [("Scroll", -1)]  # down: what stands below
    assert amounts("guiact/web", "cd_qa_01", 0) == [("Scroll", -0.8), ("HScroll", -0.25)]  # down 0.8, right -0.25
    assert amounts("agenttrek", ":3", 0) == [("Scroll", -300)]  # scroll(0, 300)
    assert amounts("web_axtree", "openended_3", 1) == [("Scroll", -1)]  # scroll [down]
    # scroll(clicks=5) whose words say "to the end": the words decide where the source contradicts itself
    assert amounts("scalecua/windows", "free_task_1", 1) == [("Scroll", -5)]
    assert "scroll_from_words" in at(came("scalecua/windows").run("free_task_1"), 1).flags
    # nobody says which way
    assert came("scalecua/windows").why(":y") == "import.undecided"
    assert came("aguvis/stage2").why("g2") == "import.undecided"
    # a recorder's dy counts as it is, with natural scrolling too
    row = {"action": "scroll", "time_stamp": 1.0, "x": 1, "y": 1, "dx": 0, "dy": -1}
    assert event_of_row(row, 0, "macos").dy == -1


def test_case_09_keys_in_every_spelling() -> None:
    def actions(case: str, run: str, index: int) -> list[Any]:
        return list(at(came(case).run(run), index).actions)

    assert actions("agentnet/win_mac", "aaaa-1111", 2) == [act.Hotkey(("ctrl", "c"))]  # hotkey(['ctrl', 'c'])
    assert actions("agentnet/win_mac", "aaaa-1111", 4) == [act.Press("down", 3)]  # press(keys=['down'], presses=3)
    assert actions("uitars/v1", "example", 4) == [act.Hotkey(("ctrl", "c"))]  # hotkey(key='ctrl c')
    assert actions("scalecua/windows", "free_task_1", 4) == [act.Hotkey(("alt", "f4"))]  # key("alt+f4")
    assert actions("pc_agent", "run_one", 5) == [act.Press("enter")]  # press key enter
    assert act.Hotkey(("ctrl", "f")) in actions("agentnetbench", "s_0123", 7)  # 'F'
    assert act.Hotkey(("ctrl", "c")) in actions("gui360", "excel_9z_1", 3)  # {VK_CONTROL}c
    assert came("agentnet/win_mac").why("dddd-4444") == "read.code"  # press(keys=['8000'])


def test_case_10_several_calls_are_one_step() -> None:
    def kinds(case: str, run: str, index: int) -> list[str]:
        return [act.action_type(action) for action in at(came(case).run(run), index).actions]

    assert kinds("agentnet/win_mac", "aaaa-1111", 1) == ["moveTo", "dragTo"]
    assert kinds("agentnet/win_mac", "aaaa-1111", 3) == ["moveTo", "scroll"]
    assert kinds("multimodal_mind2web/tables", "a1b2", 0) == ["click", "write"]  # TYPE
    assert kinds("guiact/web", "uid_record_0159", 0) == ["click", "write", "press"]
    assert kinds("adp/standard", "agentnet_1", 0) == ["click", "write", "hotkey"]  # three calls on one picture


def test_case_11_what_names_no_point_acts_where_the_pointer_was_left_or_is_flagged() -> None:
    drag = at(
        came("osworld").run("bbbbbbbb-0002-4000-8000-000000000002"), 4
    )  # DRAG_TO after a click in the step before
    assert [type(action) for action in drag.actions] == [act.MoveTo, act.DragTo] and point(drag) == (0.5, 0.5)
    click = at(came("osworld").run("bbbbbbbb-0002-4000-8000-000000000002"), 2)  # CLICK without x and y
    assert point(click) == (0.25, 0.5) and "point_inferred" in click.flags
    assert point(at(came("aguvis/stage2").run("ep7"), 3)) == (0.5, 0.1)  # doubleClick()
    unknown = at(came("aguvis/stage2").run("guide/g3"), 0)  # doubleClick() at first
    assert point(unknown) == (None, None) and unknown.code is None and "point_unknown" in unknown.flags


@pytest.mark.parametrize(
    ("case", "run"),
    [("osworld", "aaaaaaaa-0001-4000-8000-000000000001"), ("digirl/nested", ":1"), ("digirl/flat", ":1")],
)
def test_case_12_pictures_after_the_action_are_those_before_the_next_one(case: str, run: str) -> None:
    record = came(case).run(run)
    assert record.steps[0].image is None and record.steps[0].image_after is not None
    for before, after in zip(record.steps, record.steps[1:], strict=False):
        assert after.image == before.image_after
    assert record.final_image == record.steps[-1].image_after


def test_case_13_step_numbers_repeat_jump_and_begin_anywhere() -> None:
    repeated = came("osworld").run("aaaaaaaa-0001-4000-8000-000000000001")  # step_num 1, 2, 2, 3, 5, 6
    assert len(repeated.steps) == 6 and [("step_gap" in step.flags) for step in repeated.steps] == [
        False, False, False, False, True, False,
    ]  # fmt: skip
    bench = came("agentnetbench").run("s_0123")
    assert [step.index for step in bench.steps] == [2, 3, 6, 7, 9, 10]
    assert [step.index for step in bench.steps if "step_gap" in step.flags] == [2, 6, 9]
    agentnet = [record for record in came("agentnet/win_mac").records if record.id.endswith("aaaa-1111")][1]
    assert [step.index for step in agentnet.steps] == [0, 3, 4, 5]
    digidata = came("digidata/stated").run(":e1")  # complete: false
    assert any("missing" in line for line in digidata.lineage)
    assert [step.index for step in came("guiact/web").run("uid_record_0159").steps][:2] == [0, 3]


def test_case_14_pictures_missing_elsewhere_huge_or_badly_named(tmp_path: Path) -> None:
    assert came("agentnet/win_mac").why("eeee-5555") == "read.media_missing"  # none is there
    one = [record for record in came("agentnet/win_mac").records if record.id.endswith("aaaa-1111")][1]
    assert "picture_missing" in at(one, 3).flags and at(one, 4).image is not None  # one of several
    gui = came("gui360").run("excel_9z_1")  # "success\\excel_9z_1/action_step1.png"
    assert at(gui, 1).image is not None and at(gui, 2).image is not None
    phone = came("adp/standard").run(":0")  # "/Users/someone/adp/0/screenshot_1.png" lies beside the file
    assert at(phone, 1).image is not None
    picture = io.BytesIO()
    Image.new("1", (10_000, 10_001)).save(picture, "PNG")
    row = {"annotation_id": "t", "action_uid": "u", "confirmed_task": "x", "operation": {"op": "CLICK"},
           "pos_candidates": [], "target_action_index": "0"}  # fmt: skip
    names = ["a" * 150 + ".png", "b" * 300 + ".png"]
    (tmp_path / names[0]).write_bytes(picture.getvalue())
    rows = [row | {"image_path": name, "target_action_index": str(n)} for n, name in enumerate(names)]
    (tmp_path / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    found = taken(multimodal_mind2web.SOURCE, tmp_path / "queries.jsonl", tmp_path)
    first, second = found.records[0].steps
    assert first.image is not None and first.image_size == (10_000, 10_001)  # over 100 megapixels
    assert second.image is None and "picture_missing" in second.flags  # a name that no file system can hold


def test_case_15_the_same_picture_or_beginning_is_no_copy() -> None:
    pairs = [record for record in came("aguvis/stage1").records if ":seeclick/1." in record.id]
    assert len(pairs) == 2 and pairs[0].steps[0].image == pairs[1].steps[0].image
    assert pairs[0].steps[0].code != pairs[1].steps[0].code
    said = [came("omniact/index").run(name) for name in ("train_10", "train_11")]  # two wordings of one act
    assert said[0].steps[0].image == said[1].steps[0].image and said[0].instruction != said[1].instruction
    assert len(came("agenttrek").run(":1").steps) == 4  # four rows, each with the history of the one before
    assert len(came("os_genesis/web").run("w1").steps) == 3


def test_case_16_real_repeats_stay() -> None:
    scrolls = [at(came("osworld").run("aaaaaaaa-0001-4000-8000-000000000001"), index) for index in (1, 2)]
    assert all(act.Scroll(-5) in step.actions for step in scrolls)
    again = came("os_genesis/agent").run("7d14")  # its agent stops at the third equal action
    assert [step.code for step in again.steps] == ["pyautogui.click(x=0.7407, y=0.8958)"] * 2
    repeated = next(row for row in came("aitw/shards").refused if row.reason == "read.duplicate_step")
    assert repeated.line is not None  # the same step twice in the files is told, with its place


def test_case_17_what_is_said_of_the_outcome_does_not_contradict_itself() -> None:
    failed = came("agentnet/win_mac").run("aaaa-1111")  # task_completed false, terminate('success')
    assert failed.outcome.completed is False and failed.steps[-1].actions == [act.Terminate()]
    assert came("agentnet/win_mac").run("bbbb-2222").outcome.completed is None  # null, terminate('fail')
    assert came("gui_odyssey/annotations").run("111").steps[-1].actions == [act.Terminate("failure")]  # INCOMPLETE
    assert came("aitw/shards").run("701").outcome.reason == "impossible"
    partly = came("osworld").run("cccccccc-0003-4000-8000-000000000003")  # a score of 0.4, a run that ends in DONE
    assert partly.outcome.completed is None and partly.outcome.reason == "score 0.4 of 1"
    infeasible = came("osworld").run("bbbbbbbb-0002-4000-8000-000000000002")  # FAIL where that was right
    assert infeasible.outcome.completed is True and infeasible.steps[-1].actions == [act.Terminate("impossible")]
    assert came("explorer").run("c_0017").outcome.completed is True  # "unsuccessful" in the thoughts is no status
    assert came("androidcontrol/tfrecord").run(":41").outcome.completed is None  # nobody says


def test_case_18_ids_that_repeat_or_differ_by_an_ending() -> None:
    twice = [record for record in came("agentnet/win_mac").records if record.id.endswith("aaaa-1111")]
    assert len(twice) == 2 and twice[0].instruction != twice[1].instruction  # one id, two instructions: both are read
    names = Names()
    given = [names.unique(record.id) for record in twice]
    assert given[0] == twice[0].id and len(set(given)) == 2  # neither takes the other's place
    ids = ["osworld:chrome/1", "osworld:chrome/1-wos"]
    assert [names.unique(one) for one in ids] == ids
    again = [record.id for record in came("web_axtree").records if "openended_8" in record.id]
    assert len(again) == len(set(again)) == 2


def test_case_19_json_in_strings_in_json() -> None:
    raw = came("multimodal_mind2web/tables").run("a1b2")
    element = at(raw, 1).element
    assert element is not None and element.box == (round(80 / 120, 4), 0.1, round(110.5 / 120, 4), 0.2)
    assert came("multimodal_mind2web/tables").why("e5f6") == "read.json"  # "{not JSON" where an operation should stand


def test_case_20_commas_quotes_and_line_breaks_in_typed_text() -> None:
    assert at(came("digirl/nested").run(":1"), 1).actions == [act.Write('red "shoes", size 9')]
    assert at(came("agentnetbench").run("s_0123"), 3).actions == [act.Write("tea pots"), act.Press("enter")]
    assert act.Write("20\n") in at(came("uitars/v1").run("example"), 2).actions  # type(content='20\\n')
    assert act.Write('Plum, "Victoria" step 2: tree') in at(came("os_genesis/phone").run("g-0"), 1).actions


def test_case_21_a_literal_image_tag_in_texts_is_no_picture_in_an_example() -> None:
    record = came("androidcontrol/tfrecord").run(":1204")
    assert "<image>" in record.instruction and record.steps[0].actions == [act.Write("<image> is a tag")]
    form, options = base.format_named("messages"), base.FormatOptions()
    rows = list(base.rows(form, record, [step.index for step in record.steps if step.code], options))
    assert rows and not any("<image>" in json.dumps(row) for row in rows)


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(FIXTURES)))
def test_case_22_no_persons_folder_stands_in_what_comes_out(case: Path) -> None:
    """Fixtures name pictures in people's home folders: their base names alone are used. What people typed and what
    screens showed is data, and is redacted by the stage of that name."""
    got = came(str(case.relative_to(FIXTURES)).replace("\\", "/"))
    told = [encode(record).decode() for record in got.records] + [f"{row.file} {row.detail}" for row in got.refused]
    for text in told:
        assert not any(folder in text for folder in ("/Users/", "/home/", "\\Users\\")), text[:200]


def test_case_23_no_element_no_place_on_the_picture_no_point_for_a_selection() -> None:
    record = came("multimodal_mind2web/tables").run("a1b2")
    assert at(record, 4).flags == ["no_target"] and at(record, 5).flags == ["off_screen"]
    assert at(record, 2).actions == [act.SelectOption(x=0.5, y=0.6082, value="Sunday")]
    selected = at(came("mind2web/original").run("m-1"), 2)  # without a picture: by the element's number
    assert selected.actions == [act.SelectOption(element_id="31", value="Sunday")]
    cropped = at(came("multimodal_mind2web/seeact").run("p9"), 0)
    assert point(cropped) == (None, None) and "picture_cropped" in cropped.flags


def test_case_24_steps_after_the_end_and_runs_without_one() -> None:
    record = came("scalecua/windows").run("free_task_1")
    assert [("after_end" in step.flags) for step in record.steps] == [False, False, False, False, True]
    assert not any(
        isinstance(action, act.Terminate)
        for step in came("mind2web/original").run("m-1").steps
        for action in step.actions
    )  # and none is made up


def test_case_25_histories_that_begin_at_2_jump_or_count_what_is_not_there() -> None:
    web = came("os_genesis/web").run("w1")  # "step 2:" is the first action
    assert [step.index for step in web.steps] == [0, 1, 2] and not any("step_gap" in step.flags for step in web.steps)
    jumped = next(record for record in came("scalecua/windows").records if record.instruction == "Open the notes")
    assert [step.index for step in jumped.steps] == [0, 2] and "step_gap" in jumped.steps[1].flags
    counted = came("explorer").run("c_0018")  # five pictures, three actions: the second attempt failed
    assert all(step.image is not None for step in counted.steps)
    unsure = came("explorer").run("c_0021").steps[1]
    assert unsure.image is None and "picture_unsure" in unsure.flags


def test_case_26_what_is_no_run_on_a_screen_is_refused_as_that() -> None:
    for case in ("scalecua/windows", "os_genesis/phone", "web_axtree", "agenttrek", "adp/standard"):
        assert "import.not_gui" in [row.reason for row in came(case).refused], case
