"""The schemas are valid, the committed files are those of the types, and real files fit them."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import yaml
from jsonschema import Draft202012Validator

from curate.engine.recipe import load_recipe, recipe_names
from curate.engine.schemas import all_schemas
from curate.model.data import folder
from curate.model.schemas import explain, file_name, to_text, write
from curate.store import recording

SCHEMAS = all_schemas()


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_valid_and_named(name: str) -> None:
    schema = SCHEMAS[name]
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert schema["$id"] == f"urn:cua-curate:schema:{name}"


def test_committed_files_are_those_of_the_types() -> None:
    committed = {path.name: path.read_text(encoding="utf-8") for path in folder("schemas").glob("*.json")}
    assert set(committed) == {file_name(name) for name in SCHEMAS}
    for name, schema in SCHEMAS.items():
        assert committed[file_name(name)] == to_text(schema), f"{name}: run `curate schema --write`"


def test_writing_changes_only_what_differs(tmp_path: Path) -> None:
    assert len(write(tmp_path, SCHEMAS)) == len(SCHEMAS)
    assert write(tmp_path, SCHEMAS) == []
    (tmp_path / file_name("report.v1")).write_text("{}", encoding="utf-8")
    assert [path.name for path in write(tmp_path, SCHEMAS)] == ["report.v1.schema.json"]


@pytest.mark.parametrize("name", recipe_names())
def test_shipped_recipes_fit(name: str) -> None:
    given = yaml.safe_load((folder("pipelines") / f"{name}.yaml").read_text(encoding="utf-8"))
    assert explain(given, SCHEMAS["recipe.v1"]) is None
    assert explain(load_recipe(name).plain(), SCHEMAS["recipe.v1"]) is None


@pytest.mark.parametrize(
    ("recipe", "says"),
    [
        ({"nearcopy": {}}, "did you mean 'nearcopies'"),
        ({"nearcopies": {"treshold": 0.5}}, "did you mean 'threshold'"),
        ({"seed": -1}, "at least 0"),
        ({"order": ["validat"]}, "did you mean 'validate'"),
    ],
)
def test_wrong_recipes_do_not_fit(recipe: object, says: str) -> None:
    assert says in str(explain(recipe, SCHEMAS["recipe.v1"]))


def test_rows_of_a_recording_fit_and_others_do_not() -> None:
    schema = SCHEMAS["raw-event.v1"]
    row = recording.ButtonRow(seq=3, t=10, x=5.5, y=7, button="left", pressed=True)
    assert explain(json.loads(msgspec.json.encode(row)), schema) is None
    assert "did you mean 'move'" in str(explain({"kind": "moves", "seq": 0, "t": 0, "x": 1, "y": 2}, schema))
    assert "'y'" in str(explain({"kind": "move", "seq": 0, "t": 0, "x": 1}, schema))
