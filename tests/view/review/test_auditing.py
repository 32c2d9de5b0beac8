"""An audit over HTTP: answers are stored; and whatever the page asks for, nothing names what the machine decided."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.engine.auditing.sampling import draw_sample, write_sample
from curate.model.audit_label import ABOUT, ANSWERS, About
from curate.model.errors import InputError
from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.store.dataset import read_records
from curate.store.edits import edits_folder, labels_file
from curate.store.run_folder import RunFolder
from tests.engine.auditing.made import make_audited_run
from tests.runs import curate
from tests.view.review.conftest import made_records, make_dataset
from tests.view.review.serving import Answer, Asked, serving

TOLD = set(
    "outcome completed verdict verdicts stage reason sentence witness witnesses similarity fate split score scores "
    "score_name flags correct redundant reflection weight examples left_out keyframe rule on_target pointer_on_target "
    "hover erased lineage measures strength machine said stratum stands_for neighbours fingerprint status id source "
    "actor other".split()
)
"""Names under which records, stages and people say what they decided, or by which it can be found."""


def names_and_texts(found: Any) -> Iterator[tuple[str, Any]]:
    """Every name of an object with its value, however deep; values of lists under the name of the list."""
    for name, value in found.items() if isinstance(found, dict) else ():
        yield name, value
        yield from names_and_texts(value)
    for value in found if isinstance(found, list) else ():
        yield "", value
        yield from names_and_texts(value)


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_audited_run(tmp_path_factory.mktemp("audited"))


@pytest.fixture(params=ABOUT)
def opened(request: pytest.FixtureRequest, audited: Path, tmp_path: Path) -> Iterator[tuple[About, Asked]]:
    about = request.param
    write_sample(tmp_path / "sample.jsonl", draw_sample(audited, about, 12, 1))
    for file in edits_folder(audited).glob("*"):
        file.unlink()
    with serving(audited, by="anna", audit=tmp_path / "sample.jsonl") as asked:
        yield about, asked


def post(asked: Asked, **said: Any) -> Answer:
    return asked("/api/audit", "POST", msgspec.json.encode(said), X_Curate="1")


def test_nothing_that_can_be_asked_for_names_the_machines_answer(audited: Path, opened: tuple[About, Asked]) -> None:
    """Every object of the page, of every run and step, in the sample or not; before the answers and after."""
    about, asked = opened
    records = list(read_records(audited))
    items = asked.json("audit")["items"]
    allowed = {at for item in items for at in (item["position"], *(item["pair"] or ()))}
    asked_for = ["about", "audit", "list", "text", "edits"]
    for at, record in enumerate(records):
        asked_for += [f"run/{at}", f"witness/{at}"]
        asked_for += [f"{kind}/{at}/{step.index}" for kind in ("events", "clip") for step in record.steps[:1]]
    codes = {*FLAGS, *REASONS, "success", "failure", "copy", "right", "wrong", "kept", "dropped", "quarantined"}
    shown = []
    for answers in (False, True):
        for item in items if answers else ():
            assert post(asked, item=item["item"], answer="unsure").status == 200
        for name in asked_for:
            answer = asked(f"/api/{name}.json")
            if answer.status == 200:
                shown.append(name)
            for key, value in names_and_texts(answer.plain):
                if name == "about" and key in ("reasons", "flags"):
                    assert value == {}
                elif not (name.startswith("clip/") and key == "sentence"):  # why there is no video
                    assert key not in TOLD, (name, key)
                assert not (isinstance(value, str) and value in codes), (name, key, value)
    assert set(shown) - {f"clip/{at}/0" for at in allowed} == {
        "about",
        "audit",
        "edits",
        *(f"run/{at}" for at in allowed),
    }
    said = asked.json("about")["audit"]
    assert said == {"about": about, "sample": "size 12, seed 1"}


def test_how_a_run_ended_is_not_told_by_its_last_step(tmp_path: Path) -> None:
    """A run that ends itself says how: by its action, its words and its code."""
    from curate.model.actions import Terminate
    from curate.model.render import render
    from tests.factories import make_step
    from tests.runs import run_here

    records = made_records()[:2]
    for record in records:
        last = make_step(len(record.steps), "press enter", thought="It worked, so: success.")
        last.actions, last.action, last.code = (
            [Terminate(status="success")],
            "End: success",
            render([Terminate(status="success")]),
        )
        record.steps.append(last)
    run_here([make_dataset(tmp_path / "data", records)], tmp_path / "run", ["outcome.keep=all"])
    write_sample(tmp_path / "s.jsonl", draw_sample(tmp_path / "run", "verdicts", 9, 0))
    with serving(tmp_path / "run", audit=tmp_path / "s.jsonl") as asked:
        for item in asked.json("audit")["items"]:
            body = asked(f"/api/run/{item['position']}.json").body
            assert b"success" not in body.lower() and b"The run ends here." in body


def test_answers_are_stored_and_come_back_to_their_person(audited: Path, opened: tuple[About, Asked]) -> None:
    about, asked = opened
    items = asked.json("audit")["items"]
    assert all(item["answer"] is None and item["about"] == about for item in items)
    yes, no, unsure = ANSWERS[about]
    given = [(items[0]["item"], yes), (items[-1]["item"], unsure), (items[0]["item"], no)]
    for item, answer in given:
        assert post(asked, item=item, answer=answer).plain == {"item": item, "answer": answer}
    stored = labels_file(edits_folder(audited), about, "anna").read()
    assert [(one.item, one.answer, one.by, one.size, one.seed) for one in stored] == [
        (*one, "anna", 12, 1) for one in given
    ]
    mine = {item["item"]: item["answer"] for item in asked.json("audit")["items"]}
    assert mine[items[0]["item"]] == no
    assert sum(answer is not None for answer in mine.values()) == len(dict(given))


def test_others_answers_are_not_shown(audited: Path, tmp_path: Path) -> None:
    write_sample(tmp_path / "s.jsonl", draw_sample(audited, "verdicts", 6, 0))
    with (
        serving(audited, by="anna", audit=tmp_path / "s.jsonl") as anna,
        serving(audited, by="ben", audit=tmp_path / "s.jsonl") as ben,
    ):
        item = anna.json("audit")["items"][0]["item"]
        assert post(anna, item=item, answer="failure").status == 200
        assert all(one["answer"] is None for one in ben.json("audit")["items"])


@pytest.mark.parametrize(
    "said",
    [{"item": "nothing", "answer": "success"}, {"item": None, "answer": "success"}, {"answer": "success"}, [], "x",
     {"item": "ITEM", "answer": "copy"}, {"item": "ITEM", "answer": ""},
     {"item": "ITEM", "answer": "success", "by": "ben"}],
    ids=str,
)  # fmt: skip
def test_what_is_no_answer_is_refused_and_stores_nothing(said: Any, audited: Path, tmp_path: Path) -> None:
    write_sample(tmp_path / "s.jsonl", draw_sample(audited, "verdicts", 6, 0))
    with serving(audited, by="cem", audit=tmp_path / "s.jsonl") as asked:
        item = asked.json("audit")["items"][0]["item"]
        if isinstance(said, dict) and said.get("item") == "ITEM":
            said = {**said, "item": item}
        answer = asked("/api/audit", "POST", msgspec.json.encode(said), X_Curate="1")
        assert answer.status == 400 and answer.plain["error"].endswith((".", "page."))
        assert asked("/api/audit", "POST", b"\xff", X_Curate="1").status == 400
        assert asked("/api/audit", "POST", b"{}").status == 403, "without the header of the page"
        assert asked.edit(id="made:00", kind="note", value="x").status == 400, "edits are not taken meanwhile"
    assert not labels_file(edits_folder(audited), "verdicts", "cem").path.exists()
    assert not (edits_folder(audited) / "cem.jsonl").exists()


def test_without_an_audit_no_answer_is_taken(audited: Path) -> None:
    with serving(audited) as asked:
        assert "No audit is open" in post(asked, item="x", answer="success").plain["error"]
        assert asked("/api/audit.json").status == 404
        assert asked.json("about")["audit"] is None


def test_a_sample_of_another_run_opens_no_page(audited: Path, run_folder: Path, tmp_path: Path) -> None:
    write_sample(tmp_path / "s.jsonl", draw_sample(run_folder, "verdicts", 6, 0))
    with (
        pytest.raises(InputError, match=r"s\.jsonl was not drawn from the run in"),
        serving(audited, audit=tmp_path / "s.jsonl"),
    ):
        pass
    assert RunFolder(audited).run_json.is_file()


def test_a_command_that_opens_no_audit_says_why(audited: Path, run_folder: Path, tmp_path: Path) -> None:
    write_sample(tmp_path / "other.jsonl", draw_sample(run_folder, "verdicts", 6, 0))
    wrong = curate("view", audited, "--audit", tmp_path / "other.jsonl", "--no-open")
    assert wrong.returncode == 3 and "was not drawn from the run" in wrong.stderr and "Traceback" not in wrong.stderr
    none = curate("view", audited, "--audit", tmp_path / "none.jsonl", "--no-open")
    assert none.returncode == 3 and "none.jsonl" in none.stderr
    assert curate("view", audited, "--audit", tmp_path / "other.jsonl", "--export", tmp_path / "x").returncode == 2
