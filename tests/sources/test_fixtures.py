"""Every published source has a folder `fixtures/<source>/` here (or several cases below it): `raw/` as the data lies on
disk, made by this project, and what must come of it: `expected/records.jsonl`, `expected/examples.jsonl` (the format
`messages`), and `expected/rejected.jsonl` where something is refused. A new folder is found by itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.formats import base
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import Input, ReadContext
from curate.sources.recognise import find_inputs
from curate.sources.registry import source, sources
from curate.store.media import MediaStore

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted(raw.parent for raw in FIXTURES.rglob("raw"))


def name_of(case: Path) -> str:
    return case.relative_to(FIXTURES).parts[0]


def settings(case: Path) -> dict[str, Any]:
    """What the user states for this case: `import.json`, where the data alone does not decide."""
    file = case / "import.json"
    return {"import": json.loads(file.read_text(encoding="utf-8"))} if file.is_file() else {}


def inputs(case: Path) -> list[Input]:
    return find_inputs([case / "raw"]).inputs


def read(case: Path, media: Path) -> Iterator[Trajectory | Rejected]:
    for one in inputs(case):
        context = ReadContext(media=MediaStore(media), options=settings(case), shown=one.shown)
        for item in source(one.source).read(one.path, context):
            yield item if isinstance(item, Rejected) else item.trajectory


def plain(items: Any) -> list[dict[str, Any]]:
    return [json.loads(json.dumps(msgspec.to_builtins(item))) for item in items]


def expected(case: Path, name: str) -> list[dict[str, Any]]:
    file = case / "expected" / f"{name}.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.is_file() else []


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(FIXTURES)))
def test_it_is_recognised_as_itself_alone(case: Path) -> None:
    found = inputs(case)
    assert {one.source for one in found} == {name_of(case)}
    for one in found:
        assert [name for name, known in sources().items() if known.recognise(one.path)] == [name_of(case)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(FIXTURES)))
def test_its_records_and_what_is_refused(case: Path, tmp_path: Path) -> None:
    items = list(read(case, tmp_path))
    records = plain(item for item in items if isinstance(item, Trajectory))
    refused = plain(item for item in items if isinstance(item, Rejected))
    assert records == expected(case, "records")
    assert refused == expected(case, "rejected")


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(FIXTURES)))
def test_its_examples(case: Path, tmp_path: Path) -> None:
    form, options = base.format_named("messages"), base.FormatOptions()
    rows = []
    for record in read(case, tmp_path):
        if isinstance(record, Trajectory):
            targets = [step.index for step in record.steps if step.correct is not False and base.target_code(step)]
            rows += list(base.rows(form, record, targets, options))
    assert rows == expected(case, "examples")


def test_every_published_source_has_a_fixture() -> None:
    published = {name for name, known in sources().items() if known.facts is not None and not known.raw}
    assert published - {"agentnet"} <= {name_of(case) for case in CASES}
