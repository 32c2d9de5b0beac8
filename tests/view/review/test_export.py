"""The exported pages: the same objects as the server's, whole or not at all, nothing but what they name."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.errors import CurateError, GateError
from curate.store.media import is_reference
from curate.view.review.answers import Options
from curate.view.review.export import Exported, ExportOptions, export, script
from curate.view.review.files import bundle_names
from tests.factories import make_step, make_trajectory, png
from tests.runs import contents, curate
from tests.view.review.conftest import make_dataset
from tests.view.review.serving import Asked

HOSTILE = "</script><script>alert(1)</script>\u2028\u2029\u202e\x00`${alert(1)}\\'\""
_CALL = re.compile(r'curateData\(("(?:[^"\\]|\\.)*"), JSON\.parse\(("(?:[^"\\]|\\.)*")\)\);\n')


def read_script(path: Path) -> tuple[str, Any]:
    """The name and object of a data file: a call of one function with a text, and not one character more."""
    match = _CALL.fullmatch(path.read_text("ascii"))
    assert match is not None, path
    return json.loads(match[1]), json.loads(json.loads(match[2]))


def write(root: Path, out: Path, **wanted: Any) -> Exported:
    return export(root, out, Options(mode="export"), ExportOptions(**wanted))


@pytest.fixture(scope="module")
def pages(run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export") / "pages"
    write(run_folder, out)
    return out


def test_it_holds_the_answers_of_the_server(pages: Path, asked: Asked) -> None:
    found = dict(read_script(path) for path in (pages / "data").rglob("*.js"))
    names = {path.relative_to(pages / "data").as_posix() for path in (pages / "data").rglob("*")}
    assert {f"{name}.js" for name in found} <= names, "an object lies where its name says"
    for name, plain in found.items():
        if name not in ("about", "edits") and not name.startswith("run/"):
            assert plain == asked.json(name), name
    for position in range(12):
        served = asked.json(f"run/{position}")
        for step in served["steps"]:
            step["clip"] = None
        assert found[f"run/{position}"] == served
        witness = any(verdict["witness"] for verdict in served["verdicts"])
        assert (f"witness/{position}" in found) is witness
    about = found["about"]
    assert about["mode"] == "export" and about["editable"] is True and about["version"] is None
    assert {k: v for k, v in about.items() if k not in ("mode", "version", "by")} == {
        k: v for k, v in asked.json("about").items() if k not in ("mode", "version", "by")
    }


def test_pictures_are_those_that_pages_name_and_no_others(pages: Path, run_folder: Path) -> None:
    named = set()
    for path in (pages / "data").rglob("*.js"):
        named |= {text for text in _texts(read_script(path)[1]) if is_reference(text)}
    there = {path.relative_to(pages).as_posix() for path in (pages / "media").rglob("*") if path.is_file()}
    assert there == named and there
    for reference in there:
        assert (pages / reference).read_bytes() == (run_folder / reference).read_bytes()


def _texts(plain: Any) -> list[str]:
    if isinstance(plain, dict):
        return [text for value in plain.values() for text in _texts(value)]
    if isinstance(plain, list):
        return [text for value in plain for text in _texts(value)]
    return [plain] if isinstance(plain, str) else []


def test_the_page_loads_beside_it_only_and_says_that_it_is_an_export(pages: Path) -> None:
    page = (pages / "index.html").read_text("utf-8")
    assert '<meta name="curate-mode" content="export">' in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert (
        policy and policy[1].startswith("default-src 'none'") and "unsafe" not in policy[1] and "http" not in policy[1]
    )
    for address in re.findall(r'(?:src|href)="([^"]*)"', page):
        assert not re.match(r"[a-z]+:|/|\.\.", address), address
        assert address.startswith("#") or (pages / address).is_file(), address
    assert {path.name for path in pages.iterdir()} == {*bundle_names(), "data", "media", "export.json"}


def test_the_same_data_gives_the_same_bytes_and_an_export_is_replaced(
    pages: Path, run_folder: Path, tmp_path: Path
) -> None:
    out = tmp_path / "again"
    write(run_folder, out, limit=2)
    assert "data/run/2.js" not in contents(out)
    write(run_folder, out)
    assert contents(out) == contents(pages)
    assert [path.name for path in tmp_path.iterdir()] == ["again"], "nothing is left beside it"


def test_so_many_trajectories_from_the_first(run_folder: Path, tmp_path: Path) -> None:
    done = write(run_folder, tmp_path / "few", limit=3)
    assert done.trajectories == 3
    assert read_script(tmp_path / "few" / "data" / "list.js")[1]["count"] == 3
    assert sorted(path.stem for path in (tmp_path / "few" / "data" / "run").iterdir()) == ["0", "1", "2"]
    assert read_script(tmp_path / "few" / "data" / "run" / "2.js")[1]["neighbours"] == {"prev": 1, "next": None}
    assert write(run_folder, tmp_path / "more", limit=99).trajectories == 12


def test_another_folder_is_never_written_over(run_folder: Path, pages: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    assert write(run_folder, mine, limit=1).trajectories == 1, "an empty folder is as good as none"
    for prepare in (
        lambda folder: (folder / "thesis.txt").write_text("years of work"),
        lambda folder: (folder / "export.json").unlink(),
        lambda folder: (folder / "export.json").write_text('{"schema": "other"}'),
        lambda folder: (folder / "export.json").write_text("{"),
    ):
        folder = tmp_path / "other"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(mine, folder)
        prepare(folder)
        before = contents(folder)
        with pytest.raises(GateError, match="choose a new"):
            write(run_folder, folder)
        assert contents(folder) == before
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(mine)
    for place in (tmp_path / "file", tmp_path / "link", run_folder, run_folder / "pages", run_folder.parent):
        with pytest.raises(GateError):
            write(run_folder, place)
    done = curate("view", run_folder, "--export", tmp_path / "file")
    assert done.returncode == 4 and "Traceback" not in done.stderr


def test_what_fails_leaves_the_old_export_and_nothing_half(tmp_path: Path) -> None:
    root = make_dataset(tmp_path / "data", [make_trajectory(f"made:{k}") for k in range(5)], part_rows=1, picture=png())
    out = tmp_path / "pages"
    write(root, out)
    before = contents(out)
    part = root / "trajectories" / "part-00003.parquet"
    content = bytearray(part.read_bytes())
    content[4:-2000] = b"\xff" * len(content[4:-2000])
    part.write_bytes(content)
    for target in (out, tmp_path / "new"):
        with pytest.raises(CurateError):
            write(root, target)
    assert contents(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "pages"]


def test_pictures_that_are_missing_or_lead_out_are_counted_not_copied(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    root = make_dataset(tmp_path / "data", [make_trajectory("m")], picture=png())
    picture = next((root / "media").glob("*/*.png"))
    picture.unlink()
    picture.symlink_to(tmp_path / "secret.png")
    done = write(root, tmp_path / "pages")
    assert done.pictures == 0
    assert not any(path.read_bytes() == b"secret" for path in (tmp_path / "pages").rglob("*") if path.is_file())


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    record = make_trajectory(
        HOSTILE, steps=[make_step(0, thought=HOSTILE)], instruction=HOSTILE,
        wordings={"__proto__": HOSTILE, "constructor": "x"},
    )  # fmt: skip
    write(make_dataset(tmp_path / "data", [record]), tmp_path / "pages")
    name, found = read_script(tmp_path / "pages" / "data" / "run" / "0.js")
    assert name == "run/0" and found["record"] == msgspec.json.decode(msgspec.json.encode(record))


@given(st.recursive(st.none() | st.booleans() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))  # fmt: skip
def test_any_object_comes_through_a_script(plain: Any) -> None:
    match = _CALL.fullmatch(script("list", msgspec.json.encode(plain)).decode("ascii"))
    assert match is not None and json.loads(json.loads(match[2])) == plain


def test_raw_events_and_clips_only_where_they_are_asked_for(tmp_path: Path) -> None:
    from curate.engine.reduce_only import reduce_inputs
    from curate.model import data as shipped

    reduce_inputs([shipped.folder("dump") / "calculator-tip"], tmp_path / "data")
    write(tmp_path / "data", tmp_path / "plain")
    assert not (tmp_path / "plain" / "clips").exists() and not (tmp_path / "plain" / "data" / "events").exists()
    done = write(tmp_path / "data", tmp_path / "more", events=True, clips=True)
    found = read_script(tmp_path / "more" / "data" / "run" / "0.js")[1]
    named = [step["clip"] for step in found["steps"] if step["clip"]]
    assert named and done.clips == len(named) == len(list((tmp_path / "more" / "clips").iterdir()))
    for name in named:
        assert (tmp_path / "more" / read_script(tmp_path / "more" / "data" / f"{name}.js")[1]["src"]).is_file()
    assert len(list((tmp_path / "more" / "data" / "events" / "0").iterdir())) == len(found["steps"])
