"""Object stores: against a real S3-compatible server over loopback."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from curate.cli._app import run
from curate.model.errors import InputError, StoreError, UsageError
from curate.store.remote import Remote, is_url, masked, same_content
from tests.factories import make_step, make_trajectory, write_records
from tests.runs import command, contents, curate, run_here
from tests.store.s3 import KEY, SECRET, forget_connections, objects, s3_server, upload


@pytest.fixture(scope="module")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pytest.MonkeyPatch]:
    with s3_server(tmp_path_factory.mktemp("cache")) as patch:
        yield patch


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """JSONL with pictures beside it, a dataset folder, and a file that nobody knows."""
    folder = tmp_path / "dump"
    picture = folder / "web" / "images" / "ä 1.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(PNG)
    records = [
        make_trajectory(
            f"made:{k}", instruction=f"Do the thing number {k}",
            steps=[make_step(0, "click A", image="images/ä 1.png"), *(make_step(i, f"click {i}") for i in range(1, 6))],
        )
        for k in range(40)
    ]  # fmt: skip
    write_records(folder / "web" / "a.jsonl", [*records[:20], b"{", *records[20:]])
    run_here([write_records(tmp_path / "d.jsonl", [make_trajectory("other:1")])], tmp_path / "made")
    (tmp_path / "made").rename(folder / "dataset")
    (folder / "settings.json").write_text("{}")
    return folder


def png() -> bytes:
    import cv2
    import numpy as np

    rows = np.add.outer(np.arange(64), np.arange(96)).astype(np.uint8)
    return bytes(cv2.imencode(".png", rows)[1])


PNG = png()


def test_what_is_a_url_and_what_of_it_is_shown() -> None:
    assert is_url("s3://bucket/x") and is_url("hf://datasets/a/b")
    assert not any(map(is_url, ("/tmp/x", "C:/x", r"C:\x", "C://x", "x/y")))
    assert masked("s3://key:secret@bucket/a/b?X-Amz-Signature=abc#f") == "s3://***@bucket/a/b?***"
    assert masked("hf://datasets/a/b@main/data") == "hf://datasets/a/b@main/data"


@pytest.mark.parametrize("shard", [None, 9_000])
def test_a_run_over_urls_is_the_run_over_the_files(
    s3: pytest.MonkeyPatch, dump: Path, tmp_path: Path, shard: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shard:
        monkeypatch.setattr("curate.engine.plan.SHARD_BYTES", shard)
    url = f"s3://runs-{shard or 0}/dumps/dump"
    upload(dump, url)
    run_here([dump], tmp_path / "local")
    run_here([url], tmp_path / "remote")
    assert contents(tmp_path / "remote") == contents(tmp_path / "local")
    again = run_here([url], tmp_path / "remote")
    assert again.done.shards == 0 and contents(tmp_path / "remote") == contents(tmp_path / "local")
    assert not list((tmp_path / "remote").rglob("fetched"))


def test_an_object_that_changed_is_another_input(s3: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for text in ("first", "second"):
        write_records(tmp_path / "in" / "a.jsonl", [make_trajectory("made:1", instruction=f"Do the {text} thing")])
        upload(tmp_path / "in", "s3://changing/in")
        run_here(["s3://changing/in/a.jsonl"], tmp_path / text)
    first, second = (contents(tmp_path / text) for text in ("first", "second"))
    assert first.keys() - second.keys() and first["run.json"] != second["run.json"]


def test_names_that_lead_out_of_a_folder_stay_out(s3: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import s3fs

    fs = s3fs.S3FileSystem(skip_instance_cache=True)
    write_records(tmp_path / "in" / "a.jsonl", [make_trajectory()])
    upload(tmp_path / "in", "s3://hostile/in")
    for name in ("in/../../../escaped.jsonl", "in/a.jsonl/below.jsonl"):
        fs.call_s3("put_object", Bucket="hostile", Key=name, Body=b"{}")
    summary = run_here(["s3://hostile/in"], tmp_path / "run")
    assert summary.report["read"] == 1
    assert summary.not_recognised == ["../../../escaped.jsonl", "a.jsonl/below.jsonl"]
    assert not list(tmp_path.rglob("escaped*"))


def test_errors_are_one_sentence_and_hold_no_secret(
    s3: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    upload(write_records(tmp_path / "in" / "a.jsonl", [make_trajectory()]).parent, "s3://errors/in")
    sentences = {
        f"s3://{KEY}:{SECRET}@errors/in": "Cannot",
        "s3://no-such-bucket/in": "there is no such bucket",
        "s3://errors/nothing": "There is nothing at s3://errors/nothing",
        "nobody://knows/this": "is no URL that can be opened",
    }
    for url, expected in sentences.items():
        refused(["run", url, "-r", "web", "-o", str(tmp_path / "run")], expected, capsys)
    refused(["run", str(tmp_path / "in"), "-r", "web", "-o", "hf://datasets/a/b"], "no place for a run", capsys)
    with pytest.MonkeyPatch.context() as without:
        without.delenv("AWS_ACCESS_KEY_ID")
        without.delenv("AWS_SECRET_ACCESS_KEY")
        forget_connections()
        refused(["run", "s3://errors/in", "-r", "web", "-o", str(tmp_path / "run")], "no credentials", capsys)
    forget_connections()
    assert not (tmp_path / "run").exists()


def refused(arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) in (2, 3)
    said = capsys.readouterr().err
    assert expected in said and said.count("\n") == 1 and SECRET not in said and KEY not in said


def test_a_server_that_is_gone_is_said(s3: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken, pytest.MonkeyPatch.context() as gone:
        taken.bind(("127.0.0.1", 0))  # bound, and nobody listens
        gone.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{taken.getsockname()[1]}")
        gone.setenv("AWS_MAX_ATTEMPTS", "1")
        forget_connections()
        with pytest.raises(InputError, match=r"Cannot list s3://bucket: the server cannot be reached\."):
            Remote("s3://bucket").files()
    forget_connections()


def test_without_the_extra_the_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    import fsspec.registry

    assert fsspec.registry
    monkeypatch.setitem(sys.modules, "s3fs", None)
    monkeypatch.delitem(sys.modules["fsspec.registry"]._registry, "s3", raising=False)
    with pytest.raises(UsageError, match=r"pip install 'cua-curate\[s3\]'"):
        Remote("s3://bucket/x")


def test_large_objects_are_known_again(s3: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that was put in pieces has a checksum of checksums."""
    import s3fs

    s3fs.S3FileSystem(skip_instance_cache=True).mkdir("large")
    path = tmp_path / "large"
    path.write_bytes(bytes(range(256)) * (101 << 12))
    remote = Remote("s3://large/a")
    remote.put(path, "x")
    (file,) = remote.files()
    assert "-" in file.version and same_content(file, path)
    with path.open("r+b") as changed:
        changed.seek(70 << 20)
        changed.write(b"other")
    assert not same_content(file, path)


def test_a_run_is_put_whole_and_again_only_where_it_differs(
    s3: pytest.MonkeyPatch, dump: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import s3fs

    s3fs.S3FileSystem(skip_instance_cache=True).mkdir("out")
    url = "s3://out/made/run"
    assert run(["run", str(dump), "-r", "web", "-o", url]) == 0
    assert "objects to s3://out/made/run" in capsys.readouterr().err
    assert run(["run", str(dump), "-r", "web", "-o", str(tmp_path / "run")]) == 0
    assert without_clock(objects(url)) == without_clock(files(tmp_path / "run"))
    times = written(url)
    assert run(["run", str(dump), "-r", "web", "-o", url]) == 0
    changed = {name for name, time in written(url).items() if times[name] != time}
    assert changed <= {"run.json", "report.json", "report.html"}
    other = ["run", str(dump), "-r", "web", "-o", url, "--set", "validate.min_steps=8"]
    capsys.readouterr()
    assert run(other) == 4 and "--resume-anyway" in capsys.readouterr().err
    assert run([*other, "--resume-anyway"]) == 0 and not any(name.startswith("examples/") for name in objects(url))


def test_what_others_keep_there_is_not_touched(
    s3: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import s3fs

    fs = s3fs.S3FileSystem(skip_instance_cache=True)
    fs.mkdir("mixed")
    fs.pipe_file("mixed/notes/a.txt", b"mine")
    path = write_records(tmp_path / "a.jsonl", [make_trajectory()])
    assert run(["run", str(path), "-r", "web", "-o", "s3://mixed/notes"]) == 4
    assert "holds no run" in capsys.readouterr().err
    assert objects("s3://mixed") == {"notes/a.txt": b"mine"}


def test_killed_while_it_puts_and_again(s3: pytest.MonkeyPatch, tmp_path: Path) -> None:
    import s3fs

    fs = s3fs.S3FileSystem(skip_instance_cache=True, use_listings_cache=False)
    fs.mkdir("killed")
    folder = tmp_path / "in"
    for k in range(120):
        (folder / "p").mkdir(parents=True, exist_ok=True)
        (folder / "p" / f"{k}.png").write_bytes(PNG + bytes([k]))
    steps = [make_step(k, f"click {k}", image=f"p/{k}.png") for k in range(120)]
    path = write_records(folder / "a.jsonl", [make_trajectory(steps=steps)])
    url, arguments = "s3://killed/run", ("run", str(path), "-r", "web", "--set", "images.pointer_on_target=keep")
    process = subprocess.Popen(command(*arguments, "-o", url), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while len(fs.find("killed/run")) < 10 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.02)
    process.kill()
    process.wait()
    half = written(url)
    assert ".uploading.json" in half and "run.json" not in half and len(half) < 120
    assert curate(*arguments, "-o", url).returncode == 0
    assert curate(*arguments, "-o", tmp_path / "run").returncode == 0
    assert without_clock(objects(url)) == without_clock(files(tmp_path / "run"))
    kept = written(url)
    assert all(kept[name] == time for name, time in half.items() if name in kept), "put again what was there"


def files(folder: Path) -> dict[str, bytes]:
    """The files of a run folder but its work."""
    named = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in named.items() if not name.startswith(".work/")}


def without_clock(given: dict[str, bytes]) -> dict[str, bytes]:
    plain = msgspec.json.decode(given["run.json"])
    plain.pop("clock")
    return {**given, "run.json": msgspec.json.encode(plain)}


def written(url: str) -> dict[str, object]:
    """When each object was written."""
    import s3fs

    fs = s3fs.S3FileSystem(skip_instance_cache=True, use_listings_cache=False)
    root = url.removeprefix("s3://")
    return {name[len(root) + 1 :]: info["LastModified"] for name, info in fs.find(root, detail=True).items()}


def test_a_store_that_refuses_to_be_written_is_said(s3: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"x")
    with pytest.raises(StoreError, match=r"Cannot write s3://nowhere-at-all/run: there is no such bucket\."):
        Remote("s3://nowhere-at-all/run").put(path, "x")
