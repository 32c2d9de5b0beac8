"""Options of formats: each says something of the rows, or is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.cli._app import run
from curate.formats.base import Format, FormatOptions, check_options, format_named, formats, lines
from curate.model.errors import UsageError
from curate.model.trajectory import Trajectory
from curate.store.dataset import read_records
from tests.factories import make_trajectory, write_records
from tests.formats.forms import forms_dataset
from tests.runs import run_here

CHANGES: dict[str, list[Any]] = {
    "history": [0, 2], "images": [1, 4], "untrained": ["keep"], "level": ["L1", "L3"], "colon": [False],
    "system_prompt": ["Do it."], "prompts": [{"*": "Do it."}], "coordinates": ["absolute"], "min_pixels": [2_000_000],
    "max_pixels": [50_000], "notch_pixels": [77.0],
}  # fmt: skip
FORMS = [
    (form.name, dialect, where)
    for form in formats().values() for dialect in form.dialects or (None,) for where in (None, "absolute")
]  # fmt: skip


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Trajectory]:
    found = list(read_records(forms_dataset(tmp_path_factory.mktemp("options") / "ds")))
    for record in found:
        for step in record.steps:
            step.image_size = None if step.image is None else (1280, 720)
    return found


def written(form: Format, records: list[Trajectory], options: FormatOptions) -> list[bytes]:
    """All that is written, and the size that pictures are written in."""
    found = [str(form.resize(options)).encode()]
    for record in records:
        targets = [step.index for step in record.steps if step.correct is not False and step.redundant is not True]
        found += lines(form, record, targets, options)
    return found


@pytest.mark.parametrize(("name", "dialect", "where"), FORMS, ids=lambda one: str(one))
def test_an_option_says_something_or_is_refused(
    records: list[Trajectory], name: str, dialect: str | None, where: Any
) -> None:
    form, before = format_named(name), FormatOptions(dialect=dialect, coordinates=where)
    if where is not None and "coordinates" not in form.reads(before):
        with pytest.raises(UsageError, match="coordinates says nothing of the rows"):
            check_options(form, before)
        before = msgspec.structs.replace(before, coordinates=None)
    check_options(form, before)
    as_ever = written(form, records, before)
    for option, values in CHANGES.items():
        if where is not None and option == "coordinates":
            continue
        changed = False
        for value in values:
            options = msgspec.structs.replace(before, **{option: value})
            changed |= written(form, records, options) != as_ever
            try:
                check_options(form, options)
                assert option in form.reads(options)
            except UsageError as error:
                assert f"{option} says nothing of the rows of {name}" in str(error)
                assert option not in form.reads(options)
        assert changed == (option in form.reads(before)), option


def test_of_a_runs_own_options_those_count_that_say_something(tmp_path: Path, capsys: Any) -> None:
    """What a run was told for its own examples stands in no other format's way; what the command says does."""
    path = write_records(tmp_path / "r.jsonl", [make_trajectory("made:1")])
    run_here([path], tmp_path / "run", ["unroll.format=messages", "unroll.images=2", "unroll.level=L3"])
    command = ["export", str(tmp_path / "run"), "--format", "lesson", "--out", str(tmp_path / "out.jsonl")]
    assert run(command) == 0
    capsys.readouterr()
    assert run([*command, "--set", "images=2"]) == 2
    assert "images says nothing of the rows of lesson" in capsys.readouterr().err


def test_a_recipe_is_told_before_anything_is_read(tmp_path: Path, capsys: Any) -> None:
    path = write_records(tmp_path / "r.jsonl", [make_trajectory("made:1")])
    told = ["--recipe", "desktop", "--set", "unroll.format=aguvis", "--set", "unroll.images=2"]
    assert run(["run", str(path), *told, "--out", str(tmp_path / "run")]) == 2
    assert "images says nothing of the rows of aguvis" in capsys.readouterr().err
