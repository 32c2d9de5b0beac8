"""From a dump full of names to a run folder without them: every byte of every output is looked at."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq

from tests.runs import run_here
from tests.sources.folders import METADATA, ZERO, click, element, make_folder, make_video

PERSON = ("eve.miller", "EVE-LAPTOP-07", "00:1a:2b:3c:4d:5e", "eve.miller@example.org", "Evelyn")


def test_nothing_of_a_person_reaches_a_run_folder(tmp_path: Path) -> None:
    user, host, address, mail, first = PERSON
    rows = [row for at in (1, 4, 7, 10, 13, 16) for row in click(at, 400 + at * 10, 300)]
    folder = make_folder(
        tmp_path / "dump" / f"{mail}_{host}",
        rows,
        metadata={**METADATA, "hostname": host, "uuid": f"{host}-{address}", "owner": first, "user": user},
        element=[element(at - 0.01, (300, 250, 700, 350), f"Mail of {mail}, {first}") for at in (1, 4, 7)],
        top_window=[{"time_stamp": ZERO, "top_window_name": f"{mail} on {host} ({address}) - {first}"}],
    )
    make_video(folder / f"{first} {host}.mp4", seconds=18)
    broken = make_folder(tmp_path / "dump" / f"{host} {mail} broken", b"")
    (broken / f"{mail}.mp4").write_bytes(b"x")
    run_here([tmp_path / "dump"], tmp_path / "run", recipe="desktop")
    found = []
    for path in sorted((tmp_path / "run").rglob("*")):
        if path.is_file() and path.suffix != ".png":
            data = str(pq.read_table(path).to_pylist()).encode() if path.suffix == ".parquet" else path.read_bytes()
            found += [(path.name, name) for name in PERSON if name.lower().encode() in data.lower()]
        found += [(path.name, name) for name in PERSON if name.lower() in path.name.lower()]
    assert not found
    assert (tmp_path / "run" / "rejected.jsonl").read_bytes()
