"""The folder that is staged: the same run the same bytes, whole, of this publication alone, and of nobody's disk."""

from __future__ import annotations

import getpass
import hashlib
import shutil
import socket
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from curate.engine.recipe import load_recipe
from curate.engine.report.types import Report
from curate.model.constants import PUBLISH_GROUP_ROWS
from curate.model.errors import GateError, InputError, UsageError
from curate.publish.features import step_features
from curate.publish.staged import Staged
from curate.store.published import STEPS, TRAJECTORIES
from tests.factories import make_trajectory
from tests.publish.made import HOSTILE, LEAKED, hashes, make_run, staged


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_run(tmp_path_factory.mktemp("staging"))


@pytest.fixture(scope="module")
def published(run: Path) -> Staged:
    return staged(run, run.with_name("run.publish"), traces=True)


def test_the_manifest_names_every_file_as_it_is(published: Staged) -> None:
    there = hashes(published.folder)
    there.pop("manifest.json")
    assert {file.path: file.sha256 for file in published.manifest.files} == there
    for file in published.manifest.files:
        assert file.bytes == (published.folder / file.path).stat().st_size
        if file.path.endswith(".parquet"):
            assert file.rows == pq.read_metadata(published.folder / file.path).num_rows
        elif file.path.endswith(".jsonl"):
            assert file.rows == len((published.folder / file.path).read_bytes().splitlines())
    on_disk = msgspec.json.decode((published.folder / "manifest.json").read_bytes())
    assert on_disk == msgspec.to_builtins(published.manifest)


def test_the_same_run_is_the_same_bytes(run: Path, published: Staged, tmp_path: Path) -> None:
    """Also where it replaces another publication, of which nothing stays."""
    again = staged(run, tmp_path / "again", traces=True)
    (again.folder / "data/steps/train-00007.parquet").write_bytes(b"of an earlier revision")
    (again.folder / "media/ab").mkdir(parents=True)
    (again.folder / "media/ab" / "old.mp4").write_bytes(b"old")
    again = staged(run, tmp_path / "again", traces=True)
    assert hashes(again.folder) == hashes(published.folder)
    without = staged(run, tmp_path / "again")
    assert {path.split("/")[0] for path in hashes(without.folder)} == {
        "README.md", "croissant.json", "data", "examples", "manifest.json", "recipe.yaml", "rejected_counts.json",
        "report.html", "report.json",
    }  # fmt: skip


def test_a_folder_of_something_else_is_left_alone(run: Path, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(GateError, match=r"thesis\.tex"):
        staged(run, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_what_is_no_finished_run_is_not_staged(run: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no run folder"):
        staged(tmp_path, tmp_path / "out")
    half = tmp_path / "half"
    shutil.copytree(run, half)
    told = msgspec.json.decode((half / "run.json").read_bytes())
    (half / "run.json").write_bytes(msgspec.json.encode({**told, "finished": False}))
    with pytest.raises(InputError, match="not finished"):
        staged(half, tmp_path / "out")


def test_a_run_that_kept_nothing_is_not_staged(tmp_path: Path) -> None:
    run = make_run(tmp_path, [make_trajectory("made:1", completed=False)])
    with pytest.raises(InputError, match="nothing to publish"):
        staged(run, tmp_path / "out")


def test_shards_of_a_table_have_one_schema_though_all_is_null(published: Staged, tmp_path: Path) -> None:
    bare = [make_trajectory(f"made:{n}", app=f"app{n}", instruction=f"Do thing number {n} of ten") for n in range(4)]
    for record in bare:
        record.platform = record.actor.kind = record.actor.name = None
        for step in record.steps:
            step.element = step.screen = step.time = None
    plain = staged(make_run(tmp_path, bare), tmp_path / "out")
    for name, expected in (("steps", STEPS), ("trajectories", TRAJECTORIES)):
        files = [file for one in (published, plain) for file in (one.folder / "data" / name).glob("*.parquet")]
        assert len(files) >= 3
        schemas = [pq.read_schema(file) for file in files]
        assert all(schema.equals(schemas[0], check_metadata=True) for schema in schemas)
        assert schemas[0].remove_metadata().equals(expected)
        assert not any(pa.types.is_null(field.type) for field in schemas[0])


def test_pictures_are_told_as_pictures(published: Staged) -> None:
    features = step_features()
    for name in ("image", "image_after", "final_image"):
        assert type(features[name]).__name__ == "Image"
    for file in (published.folder / "data/steps").glob("*.parquet"):
        told = msgspec.json.decode(pq.read_schema(file).metadata[b"huggingface"])
        assert told["info"]["features"]["image"] == {"_type": "Image"}
        about = pq.read_metadata(file)
        assert max(about.row_group(n).num_rows for n in range(about.num_row_groups)) <= PUBLISH_GROUP_ROWS


def _everything(folder: Path) -> bytes:
    """Every byte that is published, tables unpacked."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            found.append(str(table.drop_columns([n for n in ("image", "image_after", "final_image", "tree")
                                                 if n in table.column_names]).to_pylist()).encode())  # fmt: skip
            found.append(repr(pq.read_metadata(path).metadata).encode())
        elif path.is_file():
            found.append(path.read_bytes())
    return b"\n".join(found)


def test_nothing_of_this_computer_is_published(run: Path, published: Staged) -> None:
    everything = _everything(published.folder)
    assert b"/home/anna" not in everything, "the absolute file that one record came with"
    assert b"mail.jsonl" not in everything and b"sheets.jsonl" in everything
    for ours in (str(run.parent), str(Path.home()), socket.gethostname(), f"/{getpass.getuser()}/"):
        if len(ours) > 3:
            assert ours.encode() not in everything, ours


def test_nothing_of_what_did_not_come_out_is_published(published: Staged) -> None:
    """Neither the words of runs that were dropped nor those of the benchmark's task stand anywhere."""
    everything = _everything(published.folder)
    for words in (LEAKED, "Paint the town red", "made:failed", "made:leaked", "made:copy", "fourth of May"):
        assert words.encode() not in everything, words
    assert HOSTILE.split("<")[0].encode() in everything


def test_the_report_is_one_of_what_is_published(run: Path, published: Staged) -> None:
    whole = msgspec.json.decode((run / "report.json").read_bytes(), type=Report)
    public = msgspec.json.decode((published.folder / "report.json").read_bytes(), type=Report)
    assert (public.read, public.rejected, public.stages) == (whole.read, whole.rejected, whole.stages)
    assert [(row.reason, row.count) for row in public.rejected_by_reason] == [
        (row.reason, row.count) for row in whole.rejected_by_reason
    ]
    assert whole.leaks and not public.leaks and not public.near_copies
    assert public.leaks_listing.total == whole.leaks_listing.total
    page = (published.folder / "report.html").read_text("utf-8")
    assert page.count("<img") + page.count("data:image") > 0 and "leaks.same_task" in page
    counts = msgspec.json.decode((published.folder / "rejected_counts.json").read_bytes())
    assert {row["reason"]: row["count"] for row in counts["runs"]} == {
        "leaks.same_task": 1, "nearcopies.repeat": 1, "outcome.not_completed": 1
    }  # fmt: skip


def test_the_recipe_is_a_recipe(run: Path, published: Staged, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.yaml"
    shutil.copyfile(published.folder / "recipe.yaml", recipe)
    told = msgspec.json.decode((run / "run.json").read_bytes())["recipe"]
    assert load_recipe(str(recipe)).plain() == told
    assert yaml.safe_load(recipe.read_text("utf-8"))["leaks"]["tests"] == "harbour.jsonl"


def test_media_that_are_lost_are_counted_and_null(run: Path, tmp_path: Path) -> None:
    """One picture is gone and one has other bytes than its name says: both are nothing, and the rest is whole."""
    broken = tmp_path / "run"
    shutil.copytree(run, broken)
    shown: dict[str, int] = {}
    for file in sorted((broken / "trajectories").glob("*.parquet")):
        for row in pq.read_table(file).to_pylist():
            for step in row["steps"] if row["id"] in ("made:mail", "made:maps") else []:
                shown[step["image"]] = shown.get(step["image"], 0) + 1
    gone, changed = sorted(shown)[:2]
    (broken / gone).unlink()
    (broken / changed).unlink()
    (broken / changed).write_bytes(b"other")
    published = staged(broken, tmp_path / "out")
    assert published.manifest.value("media")["lost"] == 2
    assert "could not be read (null in the tables): 2." in (published.folder / "README.md").read_text("utf-8")
    for file in (published.folder / "data/steps").glob("*.parquet"):
        for row in pq.read_table(file, columns=["image"]).to_pylist():
            if row["image"] is not None:
                assert hashlib.sha256(row["image"]["bytes"]).hexdigest() == row["image"]["path"].split(".")[0]


def test_traces_are_sessions_of_the_hubs_format(published: Staged) -> None:
    """https://huggingface.co/docs/hub/session-traces-format: a header, then messages; a tool's answer names its
    call."""
    files = sorted((published.folder / "traces").rglob("*.jsonl"))
    assert len(files) == published.manifest.value("trajectories")
    for file in files:
        header, *lines = [msgspec.json.decode(line) for line in file.read_bytes().splitlines()]
        assert header["type"] == "session" and header["harness"] and header["id"]
        calls = set()
        for line in lines:
            assert set(line) == {"type", "message"} and line["type"] == "message"
            message = line["message"]
            assert message["role"] in ("user", "assistant", "tool") and isinstance(message["content"], str)
            for call in message.get("toolCalls", []):
                assert isinstance(msgspec.json.decode(call["function"]["arguments"]), dict) and call["function"]["name"]
                assert call["id"] not in calls
                calls.add(call["id"])
            if message["role"] == "tool":
                assert message["toolCallId"] in calls
        assert [line["message"]["role"] for line in lines].count("assistant") == 5
