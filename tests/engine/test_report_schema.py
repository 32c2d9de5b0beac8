"""report.json of a run fits the schema `report`, in a validator that is not ours."""

from __future__ import annotations

import json
from pathlib import Path

from jsonschema import Draft202012Validator

from curate.engine.schemas import all_schemas
from tests.view.make_run import make_run


def test_report_fits_its_schema(tmp_path: Path) -> None:
    report = json.loads((make_run(tmp_path, "calm") / "report.json").read_bytes())
    validator = Draft202012Validator(all_schemas()["report.v1"])
    assert [error.message for error in validator.iter_errors(report)] == []
    report["pointer"]["targets"][0]["on_target"]["yes"] = "many"
    assert len(list(validator.iter_errors(report))) == 1
