"""`curate schema`."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from curate.cli._app import run
from curate.model.trajectory import encode
from tests.factories import make_trajectory


def test_names_one_and_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema"]) == 0
    names = capsys.readouterr().out.split()
    assert {"trajectory.v1", "recording.v1"} <= set(names)
    assert run(["schema", "trajectory.v1"]) == 0
    schema = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(schema).validate(json.loads(encode(make_trajectory())))
    assert run(["schema", "--write", "--out", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{name}.schema.json" for name in names)
    assert json.loads((tmp_path / "trajectory.v1.schema.json").read_text(encoding="utf-8")) == schema


def test_a_wrong_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schema", "trajectry.v1"]) == 2
    assert "'trajectory.v1'" in capsys.readouterr().err
    assert run(["schema", "nope"]) == 2
    assert "recording.v1" in capsys.readouterr().err
