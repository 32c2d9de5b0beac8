"""Which inputs there are, whatever the order of the arguments and whatever else lies around."""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from curate.model.errors import InputError
from curate.model.rejected import Rejected
from curate.model.trajectory import Trajectory
from curate.sources.base import ReadContext
from curate.sources.recognise import find_inputs, shown_file
from curate.sources.registry import source, sources
from curate.store.dataset import DatasetWriter
from curate.store.media import MediaStore
from tests.factories import make_trajectory, png, write_records
from tests.sources.folders import click, make_folder, read_all


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """Recordings at several depths, a dataset, JSONL files, pictures and other people's files."""
    dump = tmp_path / "dump"
    make_folder(dump / "b" / "deep" / "deeper" / "eve@example.org_1", click(1, 10, 10))
    make_folder(dump / "a" / "one", click(2, 20, 20))
    with DatasetWriter(dump / "c") as writer:
        writer.add(make_trajectory("made:in-dataset"))
    write_records(dump / "d" / "records.jsonl", [make_trajectory("made:in-file")])
    (dump / "d" / "picture.png").write_bytes(png())
    (dump / "d" / "notes.txt").write_text("hello")
    (dump / "d" / "other.jsonl").write_text('{"something": "else"}\n')
    (dump / ".hidden").mkdir()
    (dump / ".hidden" / "x.jsonl").write_text('{"schema": "trajectory.v1"}\n')
    return dump


def test_a_folder_stands_for_everything_in_it(dump: Path) -> None:
    found = find_inputs([dump])
    assert [(one.source, one.path.relative_to(dump).parts[0]) for one in found.inputs] == [
        ("agentnettool", "a"), ("agentnettool", "b"), ("dataset", "c"), ("records", "d"),
    ]  # fmt: skip
    assert found.unknown == ["d/other.jsonl"]
    assert [one.shown for one in found.inputs[2:]] == ["c", "d/records.jsonl"]
    assert all(one.shown.startswith("recording-") for one in found.inputs[:2])


def test_the_order_of_the_arguments_does_not_matter(dump: Path) -> None:
    paths = [dump / "a", dump / "b", dump / "d" / "records.jsonl", dump / "c"]
    orders = [find_inputs(order) for order in itertools.permutations(paths)]
    assert all(found == orders[0] for found in orders)
    assert [one.path for one in orders[0].inputs] == [one.path for one in find_inputs([dump]).inputs]


def test_what_is_named_twice_is_read_once(dump: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    once = find_inputs([dump])
    assert find_inputs([dump, dump / "a", dump / "d" / "records.jsonl", dump]).inputs == once.inputs
    monkeypatch.chdir(dump)
    assert [one.path for one in find_inputs([Path("a"), dump / "a"]).inputs] == [once.inputs[0].path]


def test_two_files_of_one_name_can_be_told_apart(tmp_path: Path) -> None:
    for folder in ("x", "y"):
        write_records(tmp_path / folder / "r.jsonl", [make_trajectory(f"made:{folder}")])
    found = find_inputs([tmp_path / "y" / "r.jsonl", tmp_path / "x" / "r.jsonl"])
    assert [(one.path.parent.name, one.shown) for one in found.inputs] == [("x", "r.jsonl"), ("y", "r.jsonl (2)")]


@pytest.mark.parametrize("name", ["missing", "empty", "notes.txt", "other.jsonl"])
def test_what_is_no_input_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "other.jsonl").write_text('{"something": "else"}\n')
    with pytest.raises(InputError) as error:
        find_inputs([tmp_path / name])
    assert name in str(error.value) and str(error.value).endswith(".") and "\n" not in str(error.value)


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links(dump: Path, tmp_path: Path) -> None:
    outside = make_folder(tmp_path / "outside", click(3, 30, 30))
    (dump / "a" / "link").symlink_to(outside)
    (dump / "a" / "file.jsonl").symlink_to(outside / "events.jsonl")
    (dump / "a" / "again").symlink_to(dump / "b")  # inside: met on its own
    (dump / "loop").symlink_to(dump)
    (dump / "dangling").symlink_to(tmp_path / "nowhere")
    found = read_all(dump, tmp_path / "out")
    refused = [row for row in found if isinstance(row, Rejected)]
    assert {row.reason for row in refused} == {"read.path_refused"}
    assert sorted(row.file or "" for row in refused) == ["a/file.jsonl", "a/link", "dangling"]
    assert len(found) - len(refused) == 4
    # a link that the user names is the user's own choice
    assert len(find_inputs([dump / "a" / "link"]).inputs) == 1


def test_an_unusual_name(tmp_path: Path) -> None:
    name = "记录 ünï " + "x" * 200
    write_records(tmp_path / f"{name}.jsonl", [make_trajectory()])
    (one,) = find_inputs([tmp_path]).inputs
    assert one.shown == f"{name}.jsonl"


def test_every_source_has_a_name_of_its_own() -> None:
    found = sources()
    assert {"agentnettool", "recording", "records", "records_packed", "lesson", "dataset"} <= set(found)
    assert all(source.name == name for name, source in found.items())


def test_files_of_a_recording_show_only_names_that_tools_give(dump: Path) -> None:
    recording, dataset = (find_inputs([dump]).inputs[index] for index in (0, 2))
    assert shown_file(recording, "events.jsonl") == f"{recording.shown}/events.jsonl"
    assert shown_file(recording, "Eve Miller 2025-01-01.mp4") == f"{recording.shown}/*.mp4"
    assert shown_file(recording, "eve/events.jsonl") == f"{recording.shown}/*.jsonl"
    assert shown_file(dataset, "trajectories/part-00000.parquet") == "c/trajectories/part-00000.parquet"
    assert shown_file(dataset, "") == "c"


# --- what must not, or cannot, be looked at ---------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_in_a_recording_or_beside_it_is_no_file(dump: Path, tmp_path: Path) -> None:
    """Opening one would wait for a writer for ever."""
    os.mkfifo(dump / "pipe.jsonl")
    for name in ("x.mp4", "element.jsonl"):
        os.mkfifo(dump / "a" / "one" / name)
    assert "pipe.jsonl" in find_inputs([dump]).unknown
    (record,) = read_all(dump / "a", tmp_path / "media")
    assert isinstance(record, Trajectory)


def test_a_link_to_what_is_an_input_itself_does_not_hide_it(dump: Path, tmp_path: Path) -> None:
    elsewhere = make_folder(tmp_path / "z-elsewhere", click(3, 30, 30))
    (dump / "link").symlink_to(elsewhere)
    sources_found = sorted(one.source for one in find_inputs([dump, elsewhere]).inputs)
    assert sources_found == ["agentnettool", "agentnettool", "agentnettool", "dataset", "records", "refused"]


def test_links_that_lead_out_are_told_and_pictures_are_left_to_their_records(dump: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(png())
    (dump / "nowhere").symlink_to(tmp_path / "is-not-there")
    (dump / "d" / "linked.png").symlink_to(tmp_path / "secret.png")
    refused = [one for one in find_inputs([dump]).inputs if one.source == "refused"]
    assert [one.shown for one in refused] == ["nowhere"]
    (row,) = source("refused").read(refused[0].path, ReadContext(media=MediaStore(tmp_path / "m"), shown="nowhere"))
    assert isinstance(row, Rejected) and row.reason == "read.path_refused"


def test_a_folder_without_events_does_not_show_the_name_of_its_person(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "dump" / "EVES-LAPTOP_2024", click(1, 10, 10))
    (folder / "events.jsonl").unlink()
    (one,) = find_inputs([tmp_path / "dump"]).inputs
    assert one.source == "agentnettool" and one.shown.startswith("recording-")


def test_what_is_not_permitted_stops_nothing(dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    list_folder = Path.iterdir

    def forbidden(path: Path) -> Iterator[Path]:  # root, who may run the tests, may read everything
        if path.name == "a":
            raise PermissionError(13, "Permission denied")
        return list_folder(path)

    monkeypatch.setattr(Path, "iterdir", forbidden)
    found = find_inputs([dump])
    assert [one.source for one in found.inputs] == ["refused", "agentnettool", "dataset", "records"]
    (row,) = source("refused").read(found.inputs[0].path, ReadContext(media=MediaStore(tmp_path / "m"), shown="a"))
    assert isinstance(row, Rejected) and row.reason == "read.error"


def test_what_is_read_with_the_records_is_not_unknown() -> None:
    """AgentNet's metadata, OmniACT's boxes, OSWorld's tasks: beside other inputs they would be."""
    fixtures = Path(__file__).parent / "fixtures"
    for name in ("agentnet/win_mac", "omniact/index", "osworld", "scalecua/windows"):
        assert find_inputs([fixtures / name / "raw"]).unknown == [], name


def test_folders_nested_without_end_are_told_and_the_rest_is_read(tmp_path: Path) -> None:
    dump = tmp_path / "dump"
    write_records(dump / "b.jsonl", [make_trajectory("made:one")])
    here = os.open(dump, os.O_RDONLY)
    for _ in range(1500):  # more than Python may call itself
        os.mkdir("x", dir_fd=here)
        below = os.open("x", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    try:
        first, second = find_inputs([dump]).inputs
        assert (first.source, second.source) == ("records", "refused")
        (row,) = source("refused").read(second.path, ReadContext(media=MediaStore(tmp_path), shown=second.shown))
        assert isinstance(row, Rejected) and row.reason == "read.error" and "over 100 folders below" in str(row.detail)
    finally:
        _removed(dump / "x")


def _removed(path: Path) -> None:
    """Take such folders away, which `rmtree` cannot in one piece: 300 of them at a time."""
    rest = path.parent / "rest"
    while path.exists():
        deep = path
        for _ in range(300):
            deep = deep / "x"
        if deep.exists():
            deep.rename(rest)
        shutil.rmtree(path)
        if rest.exists():
            rest.rename(path)
