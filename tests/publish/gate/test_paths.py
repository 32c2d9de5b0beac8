"""Names of this computer and absolute paths in the bytes of what is staged, whatever kind of file they are in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.publish.gate.found import Found, Gate
from curate.publish.gate.machine import Machine
from curate.publish.gate.paths import leaves, look_at_files

HOME, USER = "/Users/annakowalska", "annakowalska"


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A computer whose names are known."""
    monkeypatch.setattr(Path, "home", lambda: Path(HOME))
    monkeypatch.setattr("getpass.getuser", lambda: USER)
    monkeypatch.setattr("socket.gethostname", lambda: "kestrel-7.lan")

    def made(found: Found) -> Machine:
        return Machine(found, Path("/srv/lab/runs/one"))

    return made


def looked(machine: Any, folder: Path, name: str) -> Gate:
    found = Found(None)
    look_at_files(found, machine(found), folder, [name])
    return found.gate()


def rows(gate: Gate, code: str) -> list[tuple[str | None, int | None]]:
    return [(row.id, row.line) for one in gate.findings if one.code == code for row in one.rows]


TABLE = {
    "id": ["a", "b", "c"],
    "source": [{"file": "x.jsonl"}, {"file": "y.jsonl"}, {"file": "z.jsonl"}],
    "steps": [[{"text": "fine", "keys": ["ctrl"]}], [], [{"text": "well", "keys": []}, {"text": None, "keys": ["a"]}]],
    "image": [{"bytes": b"\x89PNG", "path": "p.png"}] * 3,
    "lineage": [["one"], ["two"], []],
}


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"source": [{"file": "x.jsonl"}, {"file": f"{HOME}/y.jsonl"}, {"file": "z"}]}, "paths.machine"),
        ({"source": [{"file": "x.jsonl"}, {"file": "C:\\data\\y.jsonl"}, {"file": "z"}]}, "paths.absolute"),
        ({"source": [{"file": "x.jsonl"}, {"file": "file:///mnt/y.jsonl"}, {"file": "z"}]}, "paths.absolute"),
        ({"steps": [[], [{"text": "x", "keys": ["y", "at KESTREL-7 now"]}], []]}, "paths.machine"),
        ({"steps": [[], [{"text": "the user AnnaKowalska", "keys": []}], []]}, "paths.machine"),
        ({"lineage": [["one"], ["two", "from /srv/lab/runs/two"], []]}, "paths.machine"),
        ({"image": [None, {"bytes": b"\x89PNG tEXt " + HOME.encode(), "path": "p"}, None]}, "paths.machine"),
    ],
)
def test_a_table(change: dict[str, Any], code: str, machine: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table(TABLE), tmp_path / "clean.parquet")
    assert looked(machine, tmp_path, "clean.parquet").findings == []
    pq.write_table(pa.table(TABLE | change), tmp_path / "t.parquet")
    gate = looked(machine, tmp_path, "t.parquet")
    assert code in [one.code for one in gate.findings] and {id for id, _ in rows(gate, code)} == {"b"}
    assert USER not in str(gate).lower() and HOME not in str(gate)


def test_what_somebody_typed_is_no_provenance(machine: Any, tmp_path: Path) -> None:
    steps = [[{"text": "/etc/hosts", "keys": []}], [], [{"text": "kowalska, annak", "keys": []}]]
    pq.write_table(pa.table(TABLE | {"steps": steps}), tmp_path / "t.parquet")
    assert looked(machine, tmp_path, "t.parquet").findings == []


def test_a_tables_own_metadata(machine: Any, tmp_path: Path) -> None:
    table = pa.table(TABLE).replace_schema_metadata({"made": f"by {USER}"})
    pq.write_table(table, tmp_path / "t.parquet")
    assert rows(looked(machine, tmp_path, "t.parquet"), "paths.machine") == [(None, None)]


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("examples/a.jsonl", '{"a": 1}\n{"a": "in /Users/annakowalska/x"}\n', "paths.machine"),
        ("recipe.yaml", "inputs:\n- /srv/lab/runs/data\n", "paths.machine"),
        ("report.html", "<p>on kestrel-7</p>", "paths.machine"),
        ("report.json", '{"inputs": ["/mnt/disk/dump/a.jsonl"]}', "paths.absolute"),
        ("report.json", '{"out": "D:\\\\runs\\\\one"}', "paths.absolute"),
        ("recipe.yaml", "out: /Users/jroe/runs\n", "personal.user_name"),
        ("README.md", "Ask jane.roe@zetalab.org", "personal.contact"),
    ],
)
def test_other_files(name: str, text: str, code: str, machine: Any, tmp_path: Path) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    gate = looked(machine, tmp_path, name)
    assert [one.code for one in gate.findings] == [code]
    assert gate.findings[0].rows[0].file == name
    assert gate.findings[0].rows[0].line == {"examples/a.jsonl": 2, "README.md": 1}.get(
        name, 1 if "personal" in code else None
    )


def test_a_name_over_the_border_of_what_is_read_at_a_time(
    machine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curate.publish.gate.paths._STRETCH", 4096)
    for before in [0, 1, 1000, 2000, *range(3060, 3090), 3500, *range(4080, 4110), 5000, 8190]:
        (tmp_path / "big.bin").write_bytes(b" " * before + USER.encode() + b" " * 9000)
        gate = looked(machine, tmp_path, "big.bin")
        assert gate.findings[0].count == 1, before


_texts = st.text("abc/", max_size=5)
_nested = st.lists(
    st.fixed_dictionaries({
        "id": _texts,
        "one": st.none() | st.fixed_dictionaries({"t": st.none() | _texts, "l": st.none() | st.lists(_texts)}),
        "many": st.none() | st.lists(st.none() | st.fixed_dictionaries({"t": st.none() | _texts})),
    }),
    min_size=1, max_size=6,
)  # fmt: skip
_SCHEMA = pa.schema([
    ("id", pa.string()),
    ("one", pa.struct([("t", pa.string()), ("l", pa.list_(pa.string()))])),
    ("many", pa.list_(pa.struct([("t", pa.string())]))),
])  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(_nested, st.integers(0, 3))
def test_every_text_of_a_nested_table_is_seen_with_its_row(plain: list[dict[str, Any]], first: int) -> None:
    def walked(value: Any, row: int) -> list[tuple[int, str]]:
        if isinstance(value, str):
            return [(row, value)]
        below = value.values() if isinstance(value, dict) else value or []
        return [one for each in below for one in walked(each, row)]

    kept = plain[first:]
    table = pa.Table.from_pylist(plain, schema=_SCHEMA).slice(first)
    found = [
        (int(row), text)
        for leaf in leaves(table)
        for row, text in zip(leaf.rows, leaf.values.to_pylist(), strict=True)
        if text is not None
    ]
    assert sorted(found) == sorted(one for row, value in enumerate(kept) for one in walked(value, row))
