"""Every form of every export, over desktops, phones, the web, hostile texts and steps without pictures: it loads as it
was written, its pictures are there, and no recorded text brings a mark that trainers take for their own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curate.cli._app import run
from curate.formats.escaping import escape_code, escape_json, escape_text, unescape_text
from tests.formats.forms import FORMS, HOSTILE, MARKS, OTHER, forms_dataset

TAGGED = ("aguvis", "scalecua", "llamafactory", "ms-swift")
"""Formats whose trainers put a picture where `<image>` stands."""
RAW = ("adp", "lesson", "transitions")
"""Formats that no tokenizer reads as they are: their texts are what was recorded."""


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return forms_dataset(tmp_path_factory.mktemp("forms") / "ds", large=300_000)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with nothing hostile in it."""
    return forms_dataset(tmp_path_factory.mktemp("plain") / "ds", hostile="a plain text" + OTHER)


def exported(dataset: Path, out: Path, form: tuple[str, ...]) -> list[dict[str, Any]]:
    sets = [part for one in form[1:] for part in ("--set", one)]
    assert run(["export", str(dataset), "--format", form[0], *sets, "--out", str(out)]) == 0
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]


def strings(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a row, each with the key that it stands under."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from strings(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, key)


def said(row: dict[str, Any]) -> str:
    """What the trainer reads of a row: its texts but for the names of runs and pictures."""
    return "\n".join(text for key, text in strings(row) if key not in ("id", "trajectory", "image", "images"))


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    return [without_nulls(inner) for inner in value] if isinstance(value, list) else value


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_every_form_loads_as_it_was_written(dataset: Path, tmp_path: Path, form: tuple[str, ...]) -> None:
    from datasets import load_dataset

    rows = exported(dataset, tmp_path / "train.jsonl", form)
    loaded = load_dataset(
        "json", data_files=str(tmp_path / "train.jsonl"), split="train", cache_dir=str(tmp_path / "cache")
    )
    assert len(loaded) == len(rows) > 0
    pictures = 0
    for one, row in zip(loaded, rows, strict=True):
        assert without_nulls(one) == without_nulls(row)
        named = [text for _, text in strings(row) if text.endswith(".png")]
        beside = tmp_path if form[0] in ("qwen25vl", "uitars") or "coordinates=absolute" in form else dataset
        assert all(((beside / name).is_file() or (dataset / name).is_file()) for name in named)
        pictures += len(named)
        if form[0] in TAGGED:
            assert said(row).count("<image>") == len(row["images"] if "images" in row else [row["image"]])
    assert pictures or form[0] == "lesson"


@pytest.mark.parametrize("form", [form for form in FORMS if form[0] not in RAW], ids=" ".join)
def test_recorded_text_brings_no_mark(dataset: Path, plain: Path, tmp_path: Path, form: tuple[str, ...]) -> None:
    """A row of a hostile record has as many marks as the same row of a harmless one."""
    here = exported(dataset, tmp_path / "hostile.jsonl", form)
    there = exported(plain, tmp_path / "plain.jsonl", form)
    assert [row["id"] for row in here] == [row["id"] for row in there]
    for row, other in zip(here, there, strict=True):
        counts, others = (Counter({mark: said(one).count(mark) for mark in MARKS}) for one in (row, other))
        assert counts == others, row["id"]


def test_each_mark_is_written_another_way_and_read_back() -> None:
    for mark in MARKS:
        for text in (mark, f"a{mark}b", mark + mark):
            assert mark not in escape_text(text) and unescape_text(escape_text(text)) == text
            code = escape_code(repr(text))
            assert mark not in code and code.isascii() == text.isascii()
            told = escape_json(json.dumps(text, ensure_ascii=False))
            assert mark not in told and json.loads(told) == text
    for harmless in ("if a < b: x[0]", "<b>bold</b>", "{{name}}", "[x] done [1]", "<|>", "a <= b |> c", "<images>"):
        assert escape_text(harmless) == escape_code(harmless) == escape_json(harmless) == harmless


def test_code_with_marks_does_the_same() -> None:
    from curate.model import actions as act
    from curate.model.parse import parse
    from curate.model.render import canonical, render

    does: list[Any] = [act.Write(HOSTILE), act.Answer(HOSTILE), act.OpenApp(HOSTILE)]
    assert parse(escape_code(render(does))) == canonical(does)
