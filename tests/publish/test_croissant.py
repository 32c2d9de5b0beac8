"""croissant.json against the reference implementation of the format, and against the data."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq
import pytest
from PIL import Image

from curate.publish.staged import Staged
from curate.store.published import STEPS, TRAJECTORIES
from tests.publish.made import corpus, make_run, staged


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Staged:
    run = make_run(tmp_path_factory.mktemp("croissant"))
    return staged(run, run.with_name("run.publish"), version="1.0.0")


def document(published: Staged) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode((published.folder / "croissant.json").read_bytes())
    return found


def test_the_reference_implementation_accepts_it(published: Staged) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(published.folder / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert all("datePublished" in one for one in issues.warnings)  # which would differ between equal runs
    assert {one.name for one in dataset.metadata.record_sets} == {"steps", "trajectories", "examples"}


def test_the_reference_implementation_reads_it(published: Staged) -> None:
    """Records and pictures, from the folder in place of the repository."""
    import mlcroissant

    folder = published.folder
    dataset = mlcroissant.Dataset(jsonld=str(folder / "croissant.json"), mapping={"repo": str(folder)})
    rows = {name: list(dataset.records(name)) for name in ("steps", "trajectories", "examples")}
    assert len(rows["trajectories"]) == published.manifest.value("trajectories")
    assert len(rows["examples"]) == sum(published.manifest.value("examples").values())
    tables = [pq.read_table(file) for file in sorted((folder / "data/steps").glob("*.parquet"))]
    expected = {(row["id"], row["index"]): row for table in tables for row in table.to_pylist()}
    assert len(rows["steps"]) == len(expected)
    for row in rows["steps"]:
        stored = expected[row["steps/id"].decode(), row["steps/index"]]
        assert row["steps/image"].tobytes() == Image.open(io.BytesIO(stored["image"]["bytes"])).tobytes()
        assert [one["steps/actions/type"].decode() for one in row["steps/actions"]] == [
            action["type"] for action in stored["actions"]
        ]


def test_it_describes_every_column(published: Staged) -> None:
    sets = {one["@id"]: one for one in document(published)["recordSet"]}
    for name, schema in (("steps", STEPS), ("trajectories", TRAJECTORIES)):
        assert [field["@id"].split("/")[1] for field in sets[name]["field"]] == schema.names
        for field in sets[name]["field"]:
            assert not field["description"].startswith("The column"), field["@id"]
    image = next(field for field in sets["steps"]["field"] if field["@id"] == "steps/image")
    assert image["dataType"] == "sc:ImageObject"
    actions = next(field for field in sets["steps"]["field"] if field["@id"] == "steps/actions")
    assert {"steps/actions/x", "steps/actions/text"} <= {one["@id"] for one in actions["subField"]}


RESPONSIBLE = (
    "dataCollection", "dataCollectionType", "dataCollectionMissingData", "dataCollectionRawData",
    "dataPreprocessingProtocol", "dataAnnotationProtocol", "dataAnnotationAnalysis", "annotationsPerItem",
    "annotatorDemographics", "machineAnnotationTools", "personalSensitiveInformation", "dataBiases", "dataLimitations",
    "dataUseCases", "dataSocialImpact", "dataReleaseMaintenancePlan",
)  # fmt: skip


def test_it_answers_for_the_data(published: Staged) -> None:
    """Fields of http://mlcommons.org/croissant/RAI/1.0, each said."""
    found = document(published)
    for name in RESPONSIBLE:
        assert found[f"rai:{name}"], name
    collection = found["rai:dataCollection"]
    assert "4 by people (66.7 %)" in collection and "Consent" in collection and "Pay" in collection
    personal = found["rai:personalSensitiveInformation"]
    assert "third parties" in personal and "taken out" in personal


def test_it_follows_the_data(published: Staged, tmp_path: Path) -> None:
    records = corpus(tmp_path / "data")
    for record in (records[0], records[2], records[3]):
        record.actor.kind = "model"
    other = document(staged(make_run(tmp_path, records), tmp_path / "out", version="1.0.0"))
    before = document(published)
    assert "3 by models (50.0 %)" in other["rai:dataCollection"]
    assert other["rai:dataBiases"] != before["rai:dataBiases"]
    assert other["recordSet"] == before["recordSet"]
