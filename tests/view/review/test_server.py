"""The server: names, files, ranges, changed data, hostile texts, its beginning and end."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest

from curate.store.dataset import DatasetWriter
from curate.store.media import MediaStore
from curate.view.review.answers import Answers, Options
from curate.view.review.data import ReviewData
from tests.factories import make_step, make_trajectory, png
from tests.runs import command, curate
from tests.view.review.conftest import make_dataset
from tests.view.review.serving import Asked, serving

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e\u2028\x00\u200b\ufeff{{7*7}}'\"`\\"


def test_every_name_is_answered_with_what_it_is_made_from(asked: Asked, run_folder: Path) -> None:
    answers = Answers(ReviewData(run_folder), Options(by="anna"), run_folder)
    for name in ("about", "list", "text", "run/0", "run/11", "witness/6", "events/0/0", "edits"):
        assert asked.json(name) == msgspec.json.decode(msgspec.json.encode(answers.named(name))), name
    about = asked.json("about")
    assert about["kind"] == "run" and about["by"] == "anna" and about["counts"]["trajectories"] == 12
    assert about["reasons"]["leaks.same_task"] and about["editable"] is True


NO_NAMES = ["", "nothing", "run", "run/", "run/x", "run/-1", "run/1/2", "run/99", "run/\u0661", "list/1", "RUN/0",
            f"run/{10**11}", f"run/{10**40}", "events/0/99", "witness/12", "__class__"]  # fmt: skip


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_is_none_is_told_in_a_sentence(asked: Asked, name: str) -> None:
    answer = asked(f"/api/{quote(name)}.json")
    assert answer.status == 404 and answer.plain["error"].endswith(".")


def test_answers_are_packed_where_a_browser_takes_it(asked: Asked) -> None:
    packed, plain = asked("/api/list.json", Accept_Encoding="gzip"), asked("/api/list.json")
    assert packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    assert "content-encoding" not in plain.headers and len(packed.body) < len(plain.body)
    assert packed.headers["cache-control"] == "no-store"


def test_pictures_whole_in_part_and_by_their_head(asked: Asked, run_folder: Path) -> None:
    reference = asked.json("run/3")["steps"][1]["image"]["src"]
    data = (run_folder / reference).read_bytes()
    path, size = f"/{reference}", len(data)
    whole, head = asked(path), asked(path, "HEAD")
    assert (whole.status, whole.body, whole.headers["content-type"]) == (200, data, "image/png")
    assert head.status == 200 and head.body == b"" and head.headers["content-length"] == str(size)
    ranges = {f"0-{size}": (0, size), "0-0": (0, 1), "5-9": (5, 10), "7-": (7, size), "-4": (size - 4, size),
              f"-{size + 9}": (0, size), f"{size - 1}-": (size - 1, size)}  # fmt: skip
    for given, (first, stop) in ranges.items():
        part = asked(path, Range=f"bytes={given}")
        assert (part.status, part.body) == (206, data[first:stop]), given
        assert part.headers["content-range"] == f"bytes {first}-{stop - 1}/{size}"
        assert asked(path, "HEAD", Range=f"bytes={given}").headers["content-length"] == str(stop - first)
    for given in (f"bytes={size}-", "bytes=-0", f"bytes={10**15}-"):
        beyond = asked(path, Range=given)
        assert (beyond.status, beyond.headers["content-range"]) == (416, f"bytes */{size}"), given
    for given in ("bytes=0-1,3-4", "lines=1-2", "bytes=9-2", "bytes=-", "bytes=a-b", "bytes=" + "9" * 400 + "-"):
        assert asked(path, Range=given).body == data, given


def test_an_empty_picture_file_is_answered(tmp_path: Path) -> None:
    root = make_dataset(tmp_path / "data", [make_trajectory("m")])
    empty = MediaStore(root).add_bytes(b"", "png")
    with serving(root) as asked:
        assert asked(f"/{empty}").status == 200 and asked(f"/{empty}", Range="bytes=0-").status == 416


def test_hostile_texts_come_as_they_are_and_as_json_only(tmp_path: Path) -> None:
    steps = [make_step(0, "click Save", action=HOSTILE, thought=HOSTILE, app=HOSTILE, flags=[HOSTILE])]
    ids = [HOSTILE, "../../etc/passwd", "a" * 4000, "\ud7ff\ue000", "%00", "constructor"]
    records = [
        make_trajectory(i, steps=steps, instruction=HOSTILE, app=HOSTILE, wordings={"__proto__": HOSTILE}) for i in ids
    ]
    records.append(make_trajectory("big", steps=steps, instruction="x" * 1_000_000 + HOSTILE))
    with serving(make_dataset(tmp_path / "data", records)) as asked:
        assert asked.json("list")["id"] == [record.id for record in records]
        for position, record in enumerate(records):
            answer = asked(f"/api/run/{position}.json")
            assert answer.headers["content-type"].startswith("application/json")
            found = answer.plain["record"]
            assert found["id"] == record.id and found["instruction"] == record.instruction
            line = answer.plain["steps"][0]["lines"][0]
            assert line.isprintable(), "what is drawn beside a picture cannot turn or hide text"
        assert len(asked("/api/list.json").body) < 30_000 and len(asked("/api/text.json").body) < 60_000


def test_a_lone_surrogate_in_an_edit_is_refused(asked: Asked) -> None:
    body = b'{"id": "made:00", "kind": "note", "value": "\\ud800"}'
    answer = asked("/api/edits", "POST", body, X_Curate="1")
    assert answer.status == 400 and answer.plain["error"].startswith("This is no edit")


def test_data_that_changed_is_told_until_the_page_is_loaded_again(tmp_path: Path) -> None:
    root = make_dataset(tmp_path / "data", [make_trajectory("one"), make_trajectory("two")])
    with serving(root) as asked:
        assert asked.json("about")["counts"]["trajectories"] == 2 and asked.json("list")["count"] == 2
        shutil.rmtree(root)
        gone = asked("/api/run/0.json")
        assert gone.status == 409 and "changed" in gone.plain["error"]
        assert asked("/api/about.json").status == 400, "there is nothing to open"
        with DatasetWriter(root, made={"by": "other"}) as writer:
            for name in ("a", "b", "c"):
                writer.add(make_trajectory(name))
        for name in ("run/0", "list", "text", "witness/0", "edits"):
            answer = asked(f"/api/{name}.json")
            assert answer.status == 409 and answer.plain["error"].endswith("reload the page to see it as it is."), name
        edit = asked.edit(id="a", kind="outcome", value=True)
        assert edit.status == 409
        assert asked.json("about")["counts"]["trajectories"] == 3
        assert asked.json("list")["id"] == ["a", "b", "c"] and asked.json("run/2")["record"]["id"] == "c"


def test_a_run_without_examples_and_data_without_pictures(tmp_path: Path, run_folder: Path) -> None:
    shutil.copytree(run_folder, tmp_path / "run")
    shutil.rmtree(tmp_path / "run" / "examples")
    with serving(tmp_path / "run") as asked:
        assert asked.json("run/0")["steps"]
    with serving(make_dataset(tmp_path / "bare", [make_trajectory("m", []), make_trajectory("n")])) as asked:
        assert asked.json("run/0")["steps"] == [] and asked.json("run/1")["examples"] == {"count": None}
        assert asked.json("list")["pictures"] == [0, 0]
    with serving(make_dataset(tmp_path / "empty", [])) as asked:
        found = asked.json("list")
        assert found["count"] == 0 and found["id"] == [] and asked.json("text") == {"text": []}
        assert asked("/api/run/0.json").status == 404


def test_a_folder_that_is_none_of_ours_is_said(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "nothing"):
        done = curate("view", path, "--no-open")
        assert done.returncode == 3 and "no dataset or run folder" in done.stderr and "Traceback" not in done.stderr
    wrong = curate("view", tmp_path, "--by", "Anna Müller")
    assert wrong.returncode == 2 and "--by" in wrong.stderr
    assert curate("view", tmp_path, "--limit", "3").returncode == 2


def test_a_port_that_is_taken_is_said(run_folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = curate("view", run_folder, "--no-open", "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1 and "choose another --port" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process there")
def test_ctrl_c_ends_it_well_also_in_the_middle_of_an_answer(run_folder: Path) -> None:
    process = subprocess.Popen(
        command("view", run_folder, "--no-open"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout and process.stderr
    address = process.stdout.readline().strip()
    assert address.startswith("http://127.0.0.1:") and "?token=" in address
    port = int(address.split(":")[2].split("/")[0])
    with socket.create_connection(("127.0.0.1", port)) as open_connection:
        open_connection.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n".encode())  # half a request
        os.kill(process.pid, signal.SIGINT)
        said = process.communicate(timeout=60)[1]
    assert process.returncode == 0 and "closed" in said and "Traceback" not in said, said
    with pytest.raises(OSError), socket.create_connection(("127.0.0.1", port), timeout=5):
        pass


def test_only_this_computer_is_answered(asked: Asked) -> None:
    own = socket.gethostbyname(socket.gethostname())
    for host in {own, "127.0.0.2"} - {"127.0.0.1"}:
        with pytest.raises(OSError), socket.create_connection((host, asked.port), timeout=5):
            pass


def test_pictures_are_sent_while_they_are_there(tmp_path: Path) -> None:
    root = make_dataset(tmp_path / "data", [make_trajectory("m")], picture=png(400, 300))
    with serving(root) as asked:
        reference = asked.json("run/0")["steps"][0]["image"]["src"]
        (root / reference).unlink()
        assert asked(f"/{reference}").status == 404
        assert asked.json("run/0")["steps"][0]["image"] is None
