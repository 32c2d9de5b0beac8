"""`curate export`."""

from __future__ import annotations

import json
import re
import zlib
from pathlib import Path

import pytest
from PIL import Image

from curate.cli._app import run
from curate.formats.base import formats
from curate.model.actions import Click, HScroll, Terminate, Wait
from curate.store.dataset import DatasetWriter
from curate.store.run_folder import RunFolder
from tests.factories import make_step, make_trajectory, png, write_records
from tests.runs import run_here


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    with DatasetWriter(tmp_path / "ds") as writer:
        writer.add(make_trajectory("made:1"))
        steps = [
            make_step(0, "click A"),
            make_step(1, "click B", correct=False),
            make_step(2, Click(None, None, raw_point=(9000.0, 1.0)), flags=["off_screen"], code=None),
            make_step(3, Terminate()),
        ]
        writer.add(make_trajectory("made:2", steps=steps))
    return tmp_path / "ds"


WHOLE_STEPS = {"aguvis", "lesson", "messages", "opencua", "qwen25vl", "qwen3vl", "scalecua", "uitars"}


@pytest.mark.parametrize("name", [name for name, form in formats().items() if not form.by_run])
def test_every_format_writes_the_targets_and_says_what_became_of_the_rest(tmp_path: Path, name: str) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        shown = {"image": writer.media.add_bytes(png(), "png"), "image_size": (64, 36)}
        does = ["click File", "write report.pdf", "press enter", HScroll(2.0), Wait(1.0)]
        writer.add(make_trajectory("made:1", steps=[make_step(n, one, **shown) for n, one in enumerate(does)]))
        steps = [
            make_step(0, "click A", **shown),
            make_step(1, "click B", correct=False, **shown),
            make_step(2, Click(None, None, raw_point=(9000.0, 1.0)), flags=["off_screen"], code=None, **shown),
            make_step(3, Terminate(), **shown),
        ]
        writer.add(make_trajectory("made:2", steps=steps))
    out = tmp_path / "examples.jsonl"
    assert run(["export", str(tmp_path / "ds"), "--format", name, "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    told = [json.loads(line) for line in (tmp_path / "examples.steps_left_out.jsonl").read_text("utf-8").splitlines()]
    gave = {(row["trajectory"], row["step"]) for row in rows}
    why = {(row["id"], row["step"]): row["reason"] for row in told}
    assert len(rows) == len(gave) and len(told) == len(why) and not gave & set(why)
    assert {*gave, *why} == {*(("made:1", n) for n in range(5)), *(("made:2", n) for n in range(4))}
    assert why.pop(("made:2", 1)) == "unroll.wrong_step"
    assert why.pop(("made:2", 2)) == "unroll.off_screen"
    assert why.pop(("made:2", 3)) == "unroll.unknown_end"
    if name in WHOLE_STEPS:  # others write only steps of some kind
        assert set(why.items()) <= {(("made:1", 3), "unroll.not_in_format")}, "only the sideways scroll is odd here"
    assert not (tmp_path / "examples.weights.jsonl").exists()


def test_a_step_that_has_a_row_without_a_loss_is_not_told_as_left_out(tmp_path: Path, dataset: Path) -> None:
    out = tmp_path / "examples.jsonl"
    command = ["export", str(dataset), "--format", "messages", "--out", str(out), "--set", "untrained=keep"]
    assert run(command) == 0
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row["train"] for row in rows if row["trajectory"] == "made:2"] == [True, False, False, False]
    assert not (tmp_path / "examples.steps_left_out.jsonl").exists()


@pytest.mark.parametrize("name", ["qwen25vl", "uitars", "opencua"])
def test_pictures_come_in_the_size_that_coordinates_speak_of(tmp_path: Path, name: str) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        image = writer.media.add_bytes(png(1280, 720), "png")
        writer.add(make_trajectory("made:1", steps=[make_step(0, Click(0.5276, 0.2694), image=image, image_size=None)]))
    out = tmp_path / "out" / "train.jsonl"
    command = ["export", str(tmp_path / "ds"), "--format", name, "--out", str(out)]
    command += ["--set", "coordinates=absolute"] if name == "opencua" else []
    for more, size, place in (
        ([], (1288, 728), [680, 196]),
        (["--max-pixels", "100000"], (420, 224), [222, 60]),
        (["--set", "max_pixels=100000"], (420, 224), [222, 60]),
    ):
        out.unlink(missing_ok=True)
        assert run([*command, *more]) == 0
        (row,) = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        (shown,) = re.findall(r"pictures-[\w-]+/\w\w/\w+\.png", json.dumps(row))
        with Image.open(out.parent / shown) as picture:
            assert picture.size == size
        target = str(row["messages"][-1]["content"])
        assert [int(one) for one in re.findall(r"\d+", target[target.rindex("click") :])][:2] == place
    out.unlink()
    assert run([*command, "--keep-pictures"]) == 0  # the picture's size is not in the record, but in the picture
    (row,) = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    target = str(row["messages"][-1]["content"])
    assert image in json.dumps(row) and re.search(r"680\D+196", target)
    assert run([*command, "--keep-pictures", "--multiple", "28"]) == 2
    assert run([*command, "--multiple", "32"]) == 2
    assert run([*command, "--set", "min_pixels=9000", "--max-pixels", "8000"]) == 2


def test_what_lies_beside_and_is_nobodys_export_stays(tmp_path: Path, dataset: Path) -> None:
    out, beside = tmp_path / "examples.jsonl", tmp_path / "examples.steps_left_out.jsonl"
    beside.write_text("mine")
    assert run(["export", str(dataset), "--format", "messages", "--out", str(out)]) == 4
    assert beside.read_text() == "mine" and not out.exists()


def test_a_released_models_own_prompts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        image = writer.media.add_bytes(png(), "png")
        writer.add(make_trajectory("made:1", steps=[make_step(0, "click A", image=image, image_size=(64, 36))]))
    upstream = tmp_path / "prompt.py"
    upstream.write_text('import os\nos.abort()\nCOMPUTER_USE_DOUBAO = """Do it in {language}.\n{instruction}\n"""\n')
    out = tmp_path / "out.jsonl"
    command = ["export", str(tmp_path / "ds"), "--out", str(out)]
    assert run([*command, "--format", "uitars", "--prompts", str(upstream)]) == 0
    (row,) = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    task = make_trajectory("x").instruction
    assert row["messages"][1]["content"] == f"Do it in English.\n{task}\n"
    out.unlink()
    assert run([*command, "--format", "opencua", "--prompts", str(upstream)]) == 2
    assert "SYSTEM_PROMPT_V1_L2" in capsys.readouterr().err
    assert run([*command, "--format", "lesson", "--prompts", str(upstream)]) == 2


@pytest.mark.parametrize(("name", "said"), [("llamafactory", "mask_history: true"), ("trl", "max_length=None"),
                                            ("ms-swift", "--is_binary_loss_scale false")])  # fmt: skip
def test_what_a_trainer_must_be_told_is_said(
    tmp_path: Path, dataset: Path, capsys: pytest.CaptureFixture[str], name: str, said: str
) -> None:
    assert run(["export", str(dataset), "--format", name, "--out", str(tmp_path / "o.jsonl")]) == 0
    assert f"Set in the trainer: {said}, or " in capsys.readouterr().err


def test_options(tmp_path: Path, dataset: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "examples.jsonl"
    arguments = ["export", str(dataset), "--format", "messages", "--out", str(out)]
    assert run([*arguments, "--set", "history=0"]) == 0
    none = out.read_bytes()
    out.unlink()
    assert run([*arguments, "--set", "unroll.history=-1"]) == 0
    assert len(out.read_bytes()) > len(none)
    assert run([*arguments, "--set", "histroy=1"]) == 2
    assert run([*arguments, "--set", "history=many"]) == 2
    assert "history" in capsys.readouterr().err


def test_only_its_own_earlier_export_is_written_over(
    tmp_path: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "examples.jsonl"
    arguments = ["export", str(dataset), "--format", "messages", "--out", str(out)]
    assert run(arguments) == 0
    whole = out.read_bytes()
    out.write_bytes(b"cut short")
    assert run(arguments) == 0
    assert out.read_bytes() == whole
    for other in (["--set", "history=0"], ["--format", "opencua"], ["--size", "50x50"]):
        assert run([*arguments, *other]) == 4
        assert "another export" in capsys.readouterr().err
        assert out.read_bytes() == whole
    mine = tmp_path / "mine.jsonl"
    mine.write_text("made by hand\n")
    assert run([*arguments[:-1], str(mine)]) == 4
    assert "no export of this command" in capsys.readouterr().err
    assert mine.read_text() == "made by hand\n"


def test_what_is_wrong_is_said_and_nothing_is_written(
    tmp_path: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "examples.jsonl"
    assert run(["export", str(dataset), "--format", "mesages", "--out", str(out)]) == 2
    assert "messages" in capsys.readouterr().err
    assert run(["export", str(tmp_path), "--format", "messages", "--out", str(out)]) == 3
    assert run(["export", str(dataset), "--format", "messages"]) == 2
    assert not out.exists()


def test_a_run_exports_what_the_run_itself_wrote(tmp_path: Path) -> None:
    """Its targets, splits and weights, from the folder alone."""
    records = [make_trajectory(f"made:{n}", instruction=f"Sort the {n} lists by the day they begin", app=f"app{n % 4}",
                               does=[f"click A{n}", f"click B{n}", f"write text {n}"], completed=n % 5 != 0)
               for n in range(30)]  # fmt: skip
    records[3].steps[1].correct = False
    records.append(make_trajectory("made:copy", instruction=records[1].instruction, app="app1",
                                   does=["click A1", "click B1", "write text 1"]))  # fmt: skip
    run_here([write_records(tmp_path / "r.jsonl", records)], tmp_path / "run", ["split.test=0.3"])
    run_folder = RunFolder(tmp_path / "run")
    for split in (None, "train", "test"):
        out = tmp_path / f"{split}.jsonl"
        more = [] if split is None else ["--split", split]
        assert run(["export", str(tmp_path / "run"), "--format", "messages", "--out", str(out), *more]) == 0
        exported = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
        written = list(run_folder.read_examples(split))
        assert sorted(exported, key=str) == sorted(written, key=str) and written


OPTIONS = [
    ["unroll.history=1", "images.missing=drop_step"],
    ["unroll.history=0", "unroll.untrained=keep", "unroll.level=L3"],
    ["unroll.format=opencua", "unroll.colon=false"],
    ["unroll.format=lesson"],
]


@pytest.mark.parametrize("sets", OPTIONS, ids=" ".join)
def test_a_run_exports_with_its_own_options(tmp_path: Path, sets: list[str]) -> None:
    """History, pictures, and steps that left the history too; the settings of the command stand over them."""
    (tmp_path / "a.png").write_bytes(png())
    steps = [make_step(n, f"click {word}", image="a.png" if n != 2 else "gone.png", image_size=None)
             for n, word in enumerate("ABCDEF")]  # fmt: skip
    steps[3].correct = False
    path = write_records(tmp_path / "r.jsonl", [make_trajectory("made:1", steps=steps)])
    run_here([path], tmp_path / "run", sets)
    name = dict(setting.split("=") for setting in sets).get("unroll.format", "messages")
    out = tmp_path / "out.jsonl"
    command = ["export", str(tmp_path / "run"), "--format", name, "--out", str(out)]
    assert run(command) == 0
    exported = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert exported and exported == list(RunFolder(tmp_path / "run").read_examples())
    out.unlink()
    assert run([*command, "--set", "history=2"]) == 0
    assert out.read_bytes() and [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] != exported


def test_a_split_that_is_not_there_is_refused(
    tmp_path: Path, dataset: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here([write_records(tmp_path / "r.jsonl", [make_trajectory("made:1")])], tmp_path / "run")
    out = tmp_path / "out.jsonl"
    for folder, split in ((tmp_path / "run", "trian"), (dataset, "test")):
        assert run(["export", str(folder), "--format", "messages", "--split", split, "--out", str(out)]) == 2
        assert "train" in capsys.readouterr().err
    assert not out.exists()


def test_an_unfinished_run_is_not_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_here([write_records(tmp_path / "r.jsonl", [make_trajectory("made:1")])], tmp_path / "run")
    state = tmp_path / "run" / "run.json"
    state.write_text(state.read_text(encoding="utf-8").replace('"finished": true', '"finished": false', 1))
    assert run(["export", str(tmp_path / "run"), "--format", "messages", "--out", str(tmp_path / "o")]) == 3
    assert "not finished" in capsys.readouterr().err


def test_pairs_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    does = ["click A", "click B", "write text", "press enter", "click C", "click D"]
    records = [make_trajectory(f"made:{n}", does=does) for n in range(2)]
    run_here([write_records(tmp_path / "r.jsonl", records)], tmp_path / "run")
    assert run(["show", str(tmp_path / "run"), "--pairs", "--json"]) == 0
    (pair,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {pair["id"], pair["witness"]} == {"made:0", "made:1"} and pair["reason"] == "nearcopies.repeat"
    assert run(["show", str(tmp_path / "run"), "--pairs"]) == 0
    assert "->" in capsys.readouterr().out


def test_a_runs_own_examples_are_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run_here([write_records(tmp_path / "r.jsonl", [make_trajectory("a", does=["click A"])])], tmp_path / "run")
    (own,) = (tmp_path / "run" / "examples").glob("*.jsonl")
    before = own.read_bytes()
    assert run(["export", str(tmp_path / "run"), "--format", "messages", "--out", str(own)]) == 2
    assert "choose another --out" in capsys.readouterr().err and own.read_bytes() == before


def pictured_dataset(folder: Path) -> tuple[Path, dict[str, bytes]]:
    """Two records over three pictures, one of them broken, one shared."""
    big, other = png(200, 100, shade=40), png(64, 36, shade=90)
    with DatasetWriter(folder) as writer:
        refs = [writer.media.add_bytes(data, "png") for data in (big, other, b"no picture")]
        for name, pictures in (("made:1", [refs[0], refs[0], refs[1]]), ("made:2", [refs[1], refs[2], refs[0]])):
            writer.add(make_trajectory(name, steps=[
                make_step(n, f"click {'ABC'[n]}", image=image, image_size=None) for n, image in enumerate(pictures)
            ]))  # fmt: skip
    return folder, {refs[0]: big, refs[1]: other}


def shown(row: dict) -> list[str]:
    return [part["image"] for message in row["messages"] for part in message["content"] if part["type"] == "image"]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_smaller_pictures_beside_the_examples(tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: str) -> None:
    folder, pictures = pictured_dataset(tmp_path / "ds")
    out = tmp_path / f"out{workers}" / "train.jsonl"
    told = ["export", str(folder), "--format", "messages", "--set", "images=2", "--out", str(out)]
    assert run([*told, "--max-pixels", "5000", "--workers", workers]) == 0
    said = capsys.readouterr().err
    assert "2 pictures in" in said and "1 could not be read" in said and str(out.parent) in said
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [(row["trajectory"], row["step"]) for row in rows] == [
        ("made:1", 0), ("made:1", 1), ("made:1", 2), ("made:2", 0), ("made:2", 2),
    ], "what cannot be seen is no target"  # fmt: skip
    files = sorted(path.relative_to(out.parent).as_posix() for path in out.parent.rglob("*.png"))
    assert files == sorted({name for row in rows for name in shown(row)}) and len(files) == 2
    for reference, data in pictures.items():
        made = next(path for path in out.parent.rglob("*.png") if path.stem == Path(reference).stem)
        with Image.open(made) as picture:
            assert (picture.width * picture.height <= 5000 and picture.width == 2 * picture.height) or data == png(
                64, 36
            )
    plain = tmp_path / "plain.jsonl"
    assert run(["export", str(folder), "--format", "messages", "--out", str(plain)]) == 0
    text = plain.read_text(encoding="utf-8")
    for row in rows:  # coordinates are fractions: the same for every size
        assert json.dumps(row["messages"][-1]["content"][0]["text"])[1:-1] in text


def unsound(kind: str) -> bytes:
    """A picture whose first bytes are in order, and that no trainer can open."""
    data = png(64, 36, 7)
    if kind == "cut":
        return data[: len(data) - 20]
    start = data.index(b"IDAT") - 4
    length = int.from_bytes(data[start : start + 4], "big")
    body = b"IDAT" + bytes(length)  # its checksum is right
    return (
        data[:start]
        + length.to_bytes(4, "big")
        + body
        + zlib.crc32(body).to_bytes(4, "big")
        + data[start + length + 12 :]
    )


@pytest.mark.parametrize("more", [[], ["--max-pixels", "100000"], ["--jpeg", "80"]], ids=["as it lies", "fits", "anew"])
@pytest.mark.parametrize("kind", ["cut", "pixels", "missing"])
def test_no_picture_that_does_not_open_is_handed_on(tmp_path: Path, kind: str, more: list[str]) -> None:
    with DatasetWriter(tmp_path / "ds") as writer:
        good = [writer.media.add_bytes(png(64, 36, shade), "png") for shade in (50, 90)]
        bad = "media/ab/" + "ab" * 32 + ".png" if kind == "missing" else writer.media.add_bytes(unsound(kind), "png")
        steps = [make_step(n, f"click {'ABC'[n]}", image=image, image_size=(64, 36))
                 for n, image in enumerate([good[0], bad, good[1]])]  # fmt: skip
        steps[1].image_after = bad
        writer.add(make_trajectory("made:1", steps=steps, final_image=bad))
    for name in formats():
        out = tmp_path / name / "train.jsonl"
        told = ["export", str(tmp_path / "ds"), "--format", name, "--out", str(out), *more]
        assert run([*told, *(["--set", "images=3"] if name in ("messages", "qwen3vl") else [])]) == 0
        text = out.read_text(encoding="utf-8")
        assert Path(bad).stem not in text.replace(Path(good[0]).stem, ""), name
        if formats()[name].by_run:
            continue
        left = out.with_name("train.steps_left_out.jsonl").read_text("utf-8").splitlines()
        why = {row["step"]: row["reason"] for row in map(json.loads, left)}
        assert why[1] == ("images.missing" if kind == "missing" else "images.unreadable"), name
        assert {json.loads(line)["step"] for line in text.splitlines()} <= {0, 2}


def test_an_export_made_again_makes_no_picture_again(tmp_path: Path) -> None:
    folder, _ = pictured_dataset(tmp_path / "ds")
    out = tmp_path / "out" / "train.jsonl"
    told = ["export", str(folder), "--format", "messages", "--out", str(out), "--size", "50x50", "--jpeg", "80"]
    assert run(told) == 0
    first = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.parent.rglob("*.jpg")}
    assert run(told) == 0 and len(first) == 2
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in out.parent.rglob("*.jpg")} == first


@pytest.mark.parametrize(
    "wrong", [["--size", "50"], ["--size", "0x5"], ["--max-pixels", "0"], ["--jpeg", "101"],
              ["--size", "20x20", "--multiple", "28"], ["--max-pixels", "100", "--multiple", "28"]],
    ids=" ".join,
)  # fmt: skip
def test_sizes_that_are_none(tmp_path: Path, dataset: Path, wrong: list[str]) -> None:
    out = tmp_path / "out.jsonl"
    assert run(["export", str(dataset), "--format", "messages", "--out", str(out), *wrong]) == 2
    assert not out.exists()


def test_a_file_that_begins_without_pictures_is_read_by_trainers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What reads it infers its columns from the first 10 MB: one picture stands there, whatever comes first."""
    from datasets import load_dataset

    monkeypatch.setattr("curate.engine.export_files.EXPORT_HELD_BYTES", 4_000)  # the rest goes through a file
    with DatasetWriter(tmp_path / "ds") as writer:
        image = writer.media.add_bytes(png(), "png")
        for number in range(30):
            shown = {"image": image, "image_size": (64, 36)} if number >= 25 else {}
            steps = [make_step(n, f"click {number}", thought='"image":"x"' * 1000, **shown) for n in range(2)]
            writer.add(make_trajectory(f"made:{number}", steps=steps))
    for name in ("llamafactory", "ms-swift", "trl", "messages", "lesson"):
        out = tmp_path / f"{name}.jsonl"
        assert run(["export", str(tmp_path / "ds"), "--format", name, "--out", str(out)]) == 0
        rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        order = [(int(row["trajectory"].split(":")[1]), row["step"]) for row in rows]
        assert order == [(25, 0), *((n, step) for n in range(30) for step in range(2) if (n, step) != (25, 0))]
        loaded = load_dataset(
            "json", data_files=str(out), split="train", cache_dir=str(tmp_path / name), chunksize=100_000
        )
        assert len(loaded) == 60 and [row["id"] for row in loaded] == [row["id"] for row in rows]
    with DatasetWriter(tmp_path / "bare") as writer:
        writer.add(make_trajectory("made:1"))
    assert run(["export", str(tmp_path / "bare"), "--format", "trl", "--out", str(tmp_path / "bare.jsonl")]) == 0
    assert len((tmp_path / "bare.jsonl").read_bytes().splitlines()) == 5
