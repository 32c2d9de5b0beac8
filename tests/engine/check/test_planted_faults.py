"""Each fault that a check knows, planted into sound data: it is found, at its place; sound data has none of them."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from curate.engine.check.checking import CheckOptions, check
from curate.engine.check.kinds import KINDS
from curate.engine.check.splits import stated_splits
from curate.engine.check.types import Check, Finding
from curate.engine.importing import import_inputs
from curate.model.actions import Click, Scroll, Terminate, Write
from curate.model.data import folder
from curate.model.trajectory import Keyframe, encode
from tests.engine.check.made_data import Data, picture, sound
from tests.engine.test_importing import TAPS, digidata
from tests.factories import make_step
from tests.runs import run_here


def found(result: Check, kind: str) -> list[Finding]:
    return [one for one in result.findings if one.kind == kind]


def grave(result: Check) -> list[tuple[str, str | None, str]]:
    return [(one.kind, one.part, one.sentence) for one in result.findings if one.severity != "note"]


def checked(data: Data, tests: Path | None = None, **options: object) -> Check:
    named = [("made", tests)] if tests else []
    return check([data.write()], CheckOptions(tests=named, **options))  # type: ignore[arg-type]


def test_sound_data_has_no_fault(tmp_path: Path) -> None:
    result = checked(sound(tmp_path / "data"))
    assert grave(result) == []
    assert (result.records, result.steps, result.refused) == (8, 56, 0)
    assert not found(result, "pictures.unused") and not found(result, "pictures.unchanged")


# --- one fault each ------------------------------------------------------------------------------------------


def missing(data: Data) -> None:
    del data.files["images/2_3.png"]


def damaged(data: Data) -> None:
    data.files["images/2_3.png"] = data.files["images/2_3.png"][:200]


def wrong_size(data: Data) -> None:
    data.files["images/2_3.png"] = picture(9999, (96, 48))


def blank(data: Data) -> None:
    out = io.BytesIO()
    Image.fromarray(np.full((48, 64, 3), 255, np.uint8)).save(out, "PNG")
    data.files["images/2_3.png"] = out.getvalue()


def unused(data: Data) -> None:
    data.files["images/left_over.png"] = picture(777)


def unused_in_archive(data: Data) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("images/2_3.png", data.files.pop("images/2_3.png"))
        archive.writestr("images/left_over.png", picture(777))
    data.files["images.zip"] = out.getvalue()


def unchanged(data: Data) -> None:
    data.files["images/2_3.png"] = data.files["images/2_2.png"]


def none(data: Data) -> None:
    for step in data.train[2].steps:
        step.image = step.image_size = None


def gap(data: Data) -> None:
    for step in data.train[2].steps[3:]:
        step.index += 2


def repeated_index(data: Data) -> None:
    data.step(2, 4).index = 3


def loop(data: Data) -> None:
    for at in (2, 3, 4):
        step = make_step(at, "click Same", image=f"images/2_{at}.png")
        data.train[2].steps[at] = step


def no_terminate(data: Data) -> None:
    data.train[2].steps.pop()


def after_end(data: Data) -> None:
    data.step(2, 3).actions = [Terminate(status="success")]


def no_steps(data: Data) -> None:
    data.train[2].steps = []


def login(data: Data) -> None:
    data.train[2].instruction = "Log in to the account and enter the password"


def contradiction(data: Data) -> None:
    data.train[2].outcome.completed = False


def unknown_outcome(data: Data) -> None:
    data.train[2].outcome.completed = None


def near_copy(data: Data) -> None:
    copy = deepcopy(data.train[2])
    copy.id = "made:again"
    copy.steps[0].time = None
    copy.steps[5].actions = [Write(text="something else")]
    data.train.append(copy)


def repeat(data: Data) -> None:
    copy = deepcopy(data.train[2])
    copy.id = "made:again"
    data.train.append(copy)


def repeated_id(data: Data) -> None:
    data.train[2].id = data.train[1].id


def id_in_two_splits(data: Data) -> None:
    data.test[0].id = data.train[1].id


def copy_in_two_splits(data: Data) -> None:
    copy = deepcopy(data.train[2])
    copy.id = "made:again"
    data.test.append(copy)


def task_in_two_splits(data: Data) -> None:
    data.test[0].instruction = data.train[2].instruction.upper()


def no_licence(data: Data) -> None:
    data.train[2].source.license = None


def two_licences(data: Data) -> None:
    data.train[2].source.license = "CC-BY-NC-4.0"


def card_says_otherwise(data: Data) -> None:
    data.files["README.md"] = b"---\nlicense: cc-by-nc-4.0\n---\n# Data\n"


def no_json(data: Data) -> None:
    data.files["more.jsonl"] = encode(data.train[0])[:-1] + b'x"\n' + encode(data.train[0]) + b"\n"


def out_of_range(data: Data) -> None:
    record = msgspec.to_builtins(data.train[2])
    record["id"] = "made:off"
    record["steps"][0]["actions"] = [{"type": "click", "x": 640, "y": 0.5, "modifiers": []}]
    data.files["more.jsonl"] = json.dumps(record).encode() + b"\n"


def unknown_file(data: Data) -> None:
    data.files["notes.json"] = b'{"nothing": "of ours"}\n'


def email(data: Data) -> None:
    data.step(2, 3).thought = "I write to erika.mustermann@posteo.de now"


def email_in_lineage(data: Data) -> None:
    data.train[2].lineage = ["corrected by erika.mustermann@posteo.de"]


def user_name_in_attempt(data: Data) -> None:
    data.train[2].attempt = "C:\\Users\\emustermann\\runs\\3"


def phone(data: Data) -> None:
    data.step(2, 3).actions = [Write(text="call (415) 782-2671")]


def card(data: Data) -> None:
    data.step(2, 3).actions = [Write(text="4539 1488 0343 6467")]


def iban(data: Data) -> None:
    data.train[2].instruction = "Pay the rent to DE44 5001 0517 5407 3249 31"


def token(data: Data) -> None:
    data.step(2, 3).actions = [Write(text="export TOKEN=ghp_" + "a1B2c3D4e5F6" * 3)]


def user_name(data: Data) -> None:
    data.step(2, 3).window = "C:\\Users\\emustermann\\Documents - Explorer"


def file_name(data: Data) -> None:
    data.files["erika.mustermann@posteo.de.txt"] = b"hello"


PLANTED: list[tuple[str, Callable[[Data], None]]] = [
    ("pictures.missing", missing), ("pictures.damaged", damaged), ("pictures.wrong_size", wrong_size),
    ("pictures.blank", blank), ("pictures.unused", unused), ("pictures.unused", unused_in_archive),
    ("pictures.unchanged", unchanged), ("pictures.none", none), ("steps.gap", gap), ("steps.loop", loop),
    ("steps.repeated_index", repeated_index), ("steps.no_terminate", no_terminate), ("steps.after_end", after_end),
    ("steps.no_steps", no_steps), ("steps.risk", login), ("completion.contradicts", contradiction),
    ("completion.failed", contradiction), ("completion.unknown", unknown_outcome), ("copies.near", near_copy),
    ("copies.repeat", repeat), ("source.repeated_id", repeated_id), ("splits.same_id", id_in_two_splits),
    ("splits.near_copy", copy_in_two_splits), ("splits.same_task", task_in_two_splits),
    ("licences.missing", no_licence), ("licences.conflict", two_licences), ("licences.conflict", card_says_otherwise),
    ("refused.records", no_json), ("refused.records", out_of_range), ("source.unknown", unknown_file),
    ("personal.contact", email), ("personal.contact", email_in_lineage), ("personal.user_name", user_name_in_attempt),
    ("personal.contact", phone), ("personal.bank", card), ("personal.bank", iban),
    ("personal.secret", token), ("personal.user_name", user_name), ("personal.file_name", file_name),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "plant"), PLANTED, ids=[plant.__name__ for _, plant in PLANTED])
def test_a_planted_fault_is_found_at_its_place(tmp_path: Path, kind: str, plant: Callable[[Data], None]) -> None:
    data = sound(tmp_path / "data")
    plant(data)
    result = checked(data)
    here = found(result, kind)
    assert here, [(one.kind, one.part) for one in result.findings]
    assert all(one.severity in ("error", "warning", "note") and one.sentence and one.do for one in here)
    if kind != "licences.conflict" or plant is card_says_otherwise:
        assert any(one.rows for one in here)
    if plant in (missing, damaged, wrong_size, blank, unchanged, email, phone, card, token, user_name):
        rows = [row for one in here for row in one.rows]
        assert {(row.id, row.step, row.file, row.line) for row in rows} == {("made:2", 3, "train.jsonl", 3)}


@pytest.mark.parametrize("plant", [email, phone, card, iban, token, user_name, file_name], ids=lambda one: one.__name__)
def test_personal_data_is_shown_masked(tmp_path: Path, plant: Callable[[Data], None]) -> None:
    data = sound(tmp_path / "data")
    plant(data)
    rows = tmp_path / "rows"
    result = checked(data, rows=rows)
    written = msgspec.json.encode(result) + b"".join(file.read_bytes() for file in sorted(rows.iterdir()))
    for secret in (b"mustermann@", b"782-2671", b"0343 6467", b"5407 3249", b"a1B2c3D4", b"emustermann"):
        assert secret not in written


def test_a_frame_that_is_not_as_declared_is_contradicted(tmp_path: Path) -> None:
    """A record's scrolls are up where they are positive; here their words say down."""
    data = sound(tmp_path / "data")
    for record in (*data.train, *data.test):
        for step in record.steps:
            step.actions = [Scroll(amount=3.0)]
            step.action = "Scroll down to see more"
            step.element = None
    result = checked(data)
    wrong = found(result, "frame.contradicted")
    assert [one.part for one in wrong] == ["train.jsonl.scroll", "test.jsonl.scroll"]
    assert wrong[0].sure.by == "measured" and (wrong[0].sure.low or 0) > 0.6
    assert "import.scroll=" in wrong[0].do and wrong[0].rows


def test_leaks_are_found_by_pack(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    pack = tmp_path / "pack.jsonl"
    pack.write_text(json.dumps({"id": "t1", "instruction": data.train[2].instruction}) + "\n", encoding="utf-8")
    result = checked(data, pack)
    (leak,) = found(result, "leak.strong")
    assert leak.part == "made: leaks.same_task" and leak.count == 1 and leak.rows[0].id == "made:2"
    pack.write_text(json.dumps({"id": "t1", "instruction": "Peel seven oranges beside the lake"}) + "\n")
    assert found(checked(data, pack), "leak.none") and not found(checked(data, pack), "leak.strong")


def test_a_scale_that_nobody_states_is_decided_or_told_as_undecided(tmp_path: Path) -> None:
    result = check([digidata(tmp_path / "many", TAPS)])
    (decided,) = found(result, "frame.decided")
    assert decided.severity == "note" and "pixels of the picture" in decided.sentence and decided.sure.low
    few = check([digidata(tmp_path / "few", [(70, 60)])])
    assert not found(few, "frame.decided")
    (undecided,) = found(few, "frame.undecided")
    assert "import.space=" in undecided.do
    assert [one.part for one in found(few, "refused.records")] == ["import.undecided"]


def test_a_near_copy_of_a_leak_is_told_with_the_record_that_it_copies(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    near_copy(data)
    data.train[-1].instruction = "Do that thing with the shelf once more"
    pack = tmp_path / "pack.jsonl"
    pack.write_text(json.dumps({"id": "t1", "instruction": data.train[2].instruction}) + "\n", encoding="utf-8")
    leaks = {one.part: one.rows[0] for one in found(checked(data, pack), "leak.strong")}
    assert leaks["made: leaks.same_task"].id == "made:2"
    copy = leaks["made: leaks.copy_of_leak"]
    assert copy.id == "made:again" and "near-copy of made:2" in (copy.what or "")


def test_a_template_with_other_arguments_is_a_weak_leak(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    data.train[2].instruction = "Set an alarm for the swimming lesson at 7:30 on the bedside clock"
    pack = tmp_path / "pack.jsonl"
    task = {"id": "t1", "template": "Set an alarm for {what} at {time} on the bedside clock"}
    pack.write_text(json.dumps(task) + "\n", encoding="utf-8")
    (leak,) = found(checked(data, pack), "leak.weak")
    assert leak.severity == "warning" and "t1" in (leak.rows[0].what or "") and leak.rows[0].id == "made:2"


def test_a_dataset_folder_and_a_run_folder_are_looked_at_like_any_other(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    data.train[2].source.license = None
    import_inputs("auto", [data.write()], tmp_path / "dataset")
    extra = tmp_path / "dataset" / "media" / "ab"
    extra.mkdir(exist_ok=True)
    (extra / "left_over.png").write_bytes(picture(777))
    result = check([tmp_path / "dataset"])
    assert (result.records, result.steps) == (8, 56)
    assert [one[0] for one in grave(result)] == ["licences.missing"]
    (left,) = found(result, "pictures.unused")
    assert (left.count, left.of) == (1, 57)
    run_here([data.root], tmp_path / "run", ["validate.min_steps=1"])
    again = check([tmp_path / "run"])
    assert again.records == 8 and [one[0] for one in grave(again)] == ["licences.missing"]
    assert len(set(stated_splits(tmp_path / "run").values())) == 2
    assert not [one for one in again.unmeasured if one.area == "splits"]


def test_the_card_of_a_dataset_states_the_licence_of_its_records(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    data.train[2].source.license = None
    data.files["README.md"] = b"---\nlicense: cc0-1.0\n---\n# Made\n"
    (one,) = found(check([data.write()]), "licences.missing")
    assert one.severity == "note" and "cc0-1.0" in one.sentence and one.count == 1


@pytest.mark.parametrize(
    ("on_target", "floor", "kind"), [(True, False, "pointer.on_target"), (False, False, "pointer.clean")]
)
def test_the_pointer_is_held_against_its_floor(tmp_path: Path, on_target: bool, floor: bool, kind: str) -> None:
    data = sound(tmp_path / "data")
    for record in data.train:
        for step in record.steps[:-1]:
            frame = Keyframe(time=0.0, rule="latest_away", pointer=(0.5, 0.5), pointer_on_target=on_target, hover=False)
            frame.floor_on_target = floor
            step.keyframe, step.actions = frame, [Click(x=0.5, y=0.5)]
    result = checked(data)
    (one,) = [each for each in found(result, kind) if each.part in (None, "on_target")]
    assert (one.severity == "error") is on_target and one.sure.known == 36


def test_every_kind_of_finding_has_a_planted_fault() -> None:
    planted = {kind for kind, _ in PLANTED}
    elsewhere = {
        "frame.contradicted", "frame.undecided", "frame.decided", "frame.confirmed", "refused.no_runs",
        "pointer.on_target", "pointer.hover", "pointer.clean", "steps.flagged", "leak.strong", "leak.weak",
        "leak.none", "licences.stated",
    }  # fmt: skip
    assert planted | elsewhere == KINDS.keys()


def test_the_demo_is_clean_but_for_what_was_put_into_it() -> None:
    dump = folder("dump")
    result = check([dump], CheckOptions(tests=[("benchmark", dump / "benchmark.jsonl")]))
    assert {kind for kind, _, _ in grave(result)} == {
        "leak.strong", "completion.failed", "copies.near", "licences.missing",
    }  # fmt: skip


def test_a_limit_is_told_and_what_hangs_on_the_rest_is_not_claimed(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    unused(data)
    result = checked(data, limit=2)
    assert result.records == 4 and result.sampled.cut == 2
    assert not found(result, "pictures.unused")
    assert any(one.what == "unused pictures" for one in result.unmeasured)
    few = checked(data, pictures=10)
    assert (few.sampled.pictures, few.sampled.pictures_left) == (7, 49)


def test_nothing_is_left_behind_and_nothing_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = sound(tmp_path / "data")
    root = data.write()
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    check([root])
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_same_data_gives_the_same_findings(tmp_path: Path) -> None:
    data = sound(tmp_path / "data")
    near_copy(data)
    repeat(data)
    assert msgspec.json.encode(checked(data)) == msgspec.json.encode(checked(data))
