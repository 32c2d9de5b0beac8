"""Nothing of whoever is forgotten is left: every byte of every file is searched, packed ones unpacked."""

from __future__ import annotations

import io
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from curate.cli._app import run as cli
from curate.engine.forgetting import forget as forgetting
from curate.engine.forgetting.counts import funnel
from curate.engine.forgetting.mentions import Mentions
from curate.engine.forgetting.tables import compact, without
from curate.model.edits import Edit
from curate.model.errors import GateError, InputError
from curate.model.trajectory import Actor, Trajectory
from curate.store.dataset import DatasetWriter, read_records
from curate.store.edits import edits_file, edits_folder
from curate.store.media import MediaStore
from curate.store.run_folder import RunFolder
from curate.view.report import write_report
from tests.factories import make_step, make_trajectory
from tests.runs import run_here

SECRETS = ("person-zq81", "forget-me:0", "forget-me:1", "forget-me:2", "Zanzibar", "platypus")
"""What stands in the records that go, and nowhere else."""


def texts_of(path: Path) -> Iterator[bytes]:
    """The bytes of a file, and what they hold unpacked."""
    data = path.read_bytes()
    yield data
    if path.suffix == ".parquet":
        with pq.ParquetFile(path) as file:
            yield repr(file.metadata.metadata).encode()
            for number in range(file.num_row_groups):
                group = file.read_row_group(number)
                sink = io.BytesIO()
                with pa.ipc.new_stream(sink, group.schema) as writer:  # dictionaries whole, used or not
                    writer.write_table(group)
                yield sink.getvalue()
                for column in range(file.metadata.num_columns):
                    about = file.metadata.row_group(number).column(column).statistics
                    yield repr(about and (about.min_raw, about.max_raw) if about and about.has_min_max else "").encode()


def left_in(folder: Path, secrets: Sequence[str | bytes]) -> list[str]:
    """Where any of the secrets is."""
    wanted = [one.encode() if isinstance(one, str) else one for one in secrets]
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and any(secret in text for text in texts_of(path) for secret in wanted):
            found.append(path.relative_to(folder).as_posix())
        elif any(secret in path.name.encode() for secret in wanted):
            found.append(path.name)
    return found


def picture(store: MediaStore, shade: int) -> str:
    data = io.BytesIO()
    image = Image.new("RGB", (320, 200), (shade, 255 - shade, 90))
    image.paste((255, 255, 255), (40, 40, 40 + shade, 80))
    image.save(data, "PNG")
    return store.add_bytes(data.getvalue(), "png")


def made(root: Path, thought: str | None = None) -> list[Trajectory]:
    """Nine runs of three tasks: three of the person, one of them the first of a pair of near-copies; all share one
    picture, and each has its own. `thought`: of a step of the person's runs."""
    store = MediaStore(root)
    shared = picture(store, 5)
    records = []
    for k in range(9):
        theirs = k in (0, 3, 6)
        id = f"forget-me:{k // 3}" if theirs else f"other:{k}"
        word = "Zanzibar" if theirs else "Madrid"
        typed = "write platypus" if theirs else "write cat"
        does = (f"click File {k // 4}", "click Open", typed, "press enter", "click Done", "click Close")
        steps = [make_step(n, one) for n, one in enumerate(does)]
        steps[1].thought = thought if theirs else None
        for n, step in enumerate(steps):
            step.image = shared if n == 0 else picture(store, 20 + 10 * k + n)
            step.image_size = (320, 200)
        record = make_trajectory(id, (), instruction=f"Write a card to {word} number {k // 4}", steps=steps)
        record.actor = Actor(kind="human", name="person-zq81" if theirs else f"a-{k:04d}")
        records.append(record)
    return records


def a_dataset(root: Path, thought: str | None = None) -> Path:
    with DatasetWriter(root, made={"by": "test"}) as writer:
        for record in made(root, thought):
            writer.add(record)
    return root


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset, a run of it with an index, edits beside both."""
    root = tmp_path_factory.mktemp("forget")
    a_dataset(root / "data")
    sets = ["nearcopies.evidence=actions", "nearcopies.action_people=drop", "split.test=0"]
    run_here([root / "data"], root / "run", sets, against=root / "index")
    write_report(root / "run")
    for folder in (root / "data", root / "run"):
        for id in ("forget-me:0", "other:1"):
            edit = Edit(number=0, id=id, step=None, kind="note", value="Zanzibar" if "me" in id else "ok", by="anna",
                        at="2026-11-30T12:00:00Z")  # fmt: skip
            edits_file(edits_folder(folder), "anna").append(edit)
    return root


@pytest.fixture
def there(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "all")
    return tmp_path / "all"


def test_the_run_was_full_of_them(whole: Path) -> None:
    for folder in ("data", "run", "index", "data.edits", "run.edits"):
        assert left_in(whole / folder, SECRETS)
    drops = [row for row in RunFolder(whole / "run").read_rejected() if row.reason == "nearcopies.copy_of"]
    assert any("forget-me" in str(row.detail) for row in drops)  # others' verdicts name them


def test_nothing_of_a_person_is_left_anywhere(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = {
        step.image
        for record in read_records(there / "data")
        if record.actor.name == "person-zq81"
        for step in record.steps
    }
    own = sorted(str(one) for one in theirs)[:]
    folders = [str(there / name) for name in ("data", "run", "index")]
    assert cli(["forget", "person-zq81", *folders]) == 0
    assert left_in(there, SECRETS) == []
    shared = {step.image for record in read_records(there / "data") for step in record.steps}
    for reference in own:
        for name in ("data", "run"):
            assert (there / name / reference).is_file() == (reference in shared)
    assert all((there / "data" / str(one)).is_file() for one in shared)
    out = capsys.readouterr()
    assert "3 runs" in out.out and "Not looked at" in out.err


def test_what_is_left_is_whole(there: Path) -> None:
    before = {record.id: record for record in read_records(there / "data")}
    forgetting.forget(["person-zq81"], [there / "data", there / "run"])
    after = {record.id: record for record in read_records(there / "data", check_hashes=True)}
    assert after == {id: record for id, record in before.items() if not id.startswith("forget-me")}
    run = RunFolder(there / "run")
    report = run.read_report()
    assert report["read"] == 6 == report["trajectories"] + report["rejected"]
    assert {name: report[name] for name in funnel(run)} == funnel(run)
    rows = list(run.read_examples())
    assert len(rows) == sum(report["examples"].values()) and not any("forget-me" in row["trajectory"] for row in rows)
    record = msgspec.json.decode((there / "run" / "forgotten.json").read_bytes())
    assert [one["runs"] for one in record] == [3] and set(record[0]) == {"at", "runs", "examples", "media"}
    write_report(run.root)


def test_one_run_goes_and_the_persons_others_stay(there: Path) -> None:
    done = forgetting.forget(["forget-me:1"], [there / "run"])
    assert done[0].runs == 1
    assert left_in(there / "run", ["forget-me:1"]) == []
    assert left_in(there / "run", ["forget-me:0", "person-zq81"])


def test_the_funnel_counted_again_is_the_one_the_run_wrote(whole: Path) -> None:
    run = RunFolder(whole / "run")
    report = run.read_report()
    assert funnel(run) == {name: report[name] for name in ("read", "stages", "rejected", "trajectories", "examples")}


@pytest.mark.parametrize("after", (1, 3, 6, 9, 11, 12, 13))
def test_killed_at_any_write_the_same_command_ends_the_same(
    there: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    count = 0

    def counted(function: Any) -> Any:
        def wrapped(*arguments: Any, **named: Any) -> Any:
            nonlocal count
            count += 1
            if count == after:
                raise Killed
            return function(*arguments, **named)

        return wrapped

    with monkeypatch.context() as patched:
        for name in ("forget_rows", "forget_lines", "write_manifest", "write_json", "_keep_record"):
            patched.setattr(forgetting, name, counted(getattr(forgetting, name)))
        with pytest.raises(Killed):
            forgetting.forget(["person-zq81"], [there / "run"])
    forgetting.forget(["person-zq81"], [there / "run"])
    assert left_in(there / "run", SECRETS) == []
    report = RunFolder(there / "run").read_report()
    assert report["read"] == 6 == report["trajectories"] + report["rejected"]
    assert not (there / "run" / ".forgetting").exists()


def test_a_run_that_forgot_is_not_gone_on_with(there: Path) -> None:
    forgetting.forget(["person-zq81"], [there / "run"])
    with pytest.raises(GateError, match="curate forget"):
        run_here([there / "data"], there / "run", ["nearcopies.evidence=actions"])


def test_a_name_that_stands_for_nothing_changes_nothing(there: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in there.rglob("*") if path.is_file()}
    with pytest.raises(InputError, match="Nobody and no run"):
        forgetting.forget(["person-zq81", "person-nobody"], [there / "data"])
    assert cli(["forget", "person-zq81"]) == 2 and cli(["forget", str(there / "data")]) == 2
    assert "Name who" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in there.rglob("*") if path.is_file()} == before


def test_ids_within_other_ids_are_others() -> None:
    mentions = Mentions(["made:10", "7"])
    said = ["copy of made:10.", "made:101", "x-made:10", "near_copy:made:10:2", "7", "step 7", None, "made:10"]
    assert mentions.replaced(said) == [
        "copy of (forgotten 2).", "made:101", "x-made:10", "near_copy:(forgotten 2):2", "(forgotten 1)", "step 7", None,
        "(forgotten 2)",
    ]  # fmt: skip


_PAIR = st.fixed_dictionaries({"other": st.sampled_from(["alpha-1", "beta-22"]), "n": st.integers(0, 9)})
_WORDING = st.tuples(st.sampled_from(["near_copy:alpha-1", "near_copy:beta-22"]), st.text(max_size=3))
_ROW = st.fixed_dictionaries(
    {
        "id": st.sampled_from(["alpha-1", "beta-22", "gamma-333"]),
        "witness": st.none() | st.sampled_from(["alpha-1", "beta-22", "x"]),
        "labels": st.none() | st.lists(st.sampled_from(["a", "b"])),
        "pairs": st.none() | st.lists(_PAIR),
        "wordings": st.none() | st.lists(_WORDING),
    }
)
_PLAIN = pa.schema(
    [
        ("id", pa.string()),
        ("witness", pa.string()),
        ("labels", pa.list_(pa.string())),
        ("pairs", pa.list_(pa.struct([("other", pa.string()), ("n", pa.int64())]))),
        ("wordings", pa.map_(pa.string(), pa.string())),
    ]
)
_LABELS: Any = pa.list_(pa.dictionary(pa.int32(), pa.string()))


@given(st.lists(_ROW, max_size=8))
def test_tables_without_a_record_are_a_plain_filter(rows: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(rows, _PLAIN)
    plain: Any = table["labels"].combine_chunks()
    values = plain.values.dictionary_encode() if len(table) else pa.array([], pa.dictionary(pa.int32(), pa.string()))
    offsets = plain.offsets if len(table) else pa.array([0], pa.int32())
    encoded: Any = pa.ListArray.from_arrays(offsets, values, type=_LABELS, mask=plain.is_null() if len(table) else None)
    table = table.set_column(2, "labels", encoded)
    gone = "alpha-1"
    expected = [
        {
            **row,
            "witness": "(forgotten 1)" if row["witness"] == gone else row["witness"],
            "pairs": row["pairs"] and [pair for pair in row["pairs"] if pair["other"] != gone],
            "wordings": row["wordings"] and [pair for pair in row["wordings"] if gone not in pair[0]],
        }
        for row in rows
        if row["id"] != gone
    ]
    found = without(table, Mentions([gone]))
    found.validate(full=True)
    assert found.to_pylist() == expected


def test_compact_leaves_no_value_of_a_dictionary_behind() -> None:
    array = pa.array(["a", "secret", "b", None]).dictionary_encode().filter(pa.array([True, False, True, True]))
    assert "secret" in array.dictionary.to_pylist()
    assert compact(array).dictionary.to_pylist() == ["a", "b"] and compact(array).to_pylist() == ["a", "b", None]
