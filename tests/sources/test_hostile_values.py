"""Whatever stands in a field, a source answers with a record that fits the schema or with a row that says why not;
never with an exception."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from curate.model.rejected import Rejected
from curate.model.schemas import problem
from curate.model.trajectory import encode
from curate.sources.base import ReadContext
from curate.sources.registry import source
from curate.store.media import MediaStore
from tests.sources.test_fixtures import CASES, FIXTURES, inputs, name_of, settings

HOSTILE: list[Any] = [
    None, True, "", "x", "\x00", "../../etc/passwd", "/etc/passwd", "C:\\Users\\x\\a.png", "[" * 200, "a" * 5000,
    "<point>1</point>", "<box>0, 0, 9, 9</box>", '{"a": [1, {"b": null}]}', "nan", "1e999", "[1, null]", "\U0001f600",
    "media/aa/" + "a" * 64 + ".png", 0, -1, 1.5, 10**30, -(10**30), 1e308, 2**63, [], {}, [[]], [None], [[-1, -1]],
    {"related": None}, [{}], [0, 0, 0, 0],
]  # fmt: skip
ROUNDS = 15


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document below its root."""
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, member in members:
        yield (*path, name)
        yield from places(member, (*path, name))


def changed(document: Any, some: random.Random) -> Any:
    """The document with one to three values replaced or taken out."""
    document = copy.deepcopy(document)
    for _ in range(some.randint(1, 3)):
        path = some.choice(list(places(document)) or [()])
        if not path:
            return copy.deepcopy(some.choice(HOSTILE))
        holder = document
        for name in path[:-1]:
            holder = holder[name]
        if some.random() < 0.2:
            del holder[path[-1]]
        else:
            holder[path[-1]] = copy.deepcopy(some.choice(HOSTILE))
    return document


def documents(file: Path) -> list[Any]:
    """What a file holds; nothing where it is broken already."""
    text = file.read_text(encoding="utf-8")
    try:
        if file.suffix == ".jsonl":
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        return [json.loads(text)]
    except json.JSONDecodeError:
        return []


def written(file: Path, content: list[Any]) -> None:
    lines = "".join(json.dumps(one) + "\n" for one in content)
    file.write_text(lines if file.suffix == ".jsonl" else json.dumps(content[0]), encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(FIXTURES)))
def test_no_value_stops_a_source(case: Path, tmp_path: Path) -> None:
    some = random.Random(str(case.relative_to(FIXTURES)))
    raw = tmp_path / "raw"
    shutil.copytree(case / "raw", raw)
    known = source(name_of(case))
    files = [raw / one.path.relative_to(case / "raw") for one in inputs(case)]
    texts = [
        f for one in files for f in ([one] if one.is_file() else one.rglob("*")) if f.suffix in (".json", ".jsonl")
    ]
    whole = {file: content for file in texts if (content := documents(file))}
    if not whole:
        return
    for _ in range(ROUNDS):
        file = some.choice(sorted(whole))
        content = list(whole[file])
        at = some.randrange(len(content))
        content[at] = changed(content[at], some)
        written(file, content)
        for one in files:
            context = ReadContext(media=MediaStore(tmp_path / "out"), options=settings(case), shown="a")
            for item in known.read(one, context):
                if not isinstance(item, Rejected):
                    assert problem(encode(item.trajectory)) is None, (file, content[at])
        written(file, whole[file])
