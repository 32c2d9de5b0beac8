"""The most memory that a whole run takes, as the system counted it: 400 MB and 600 bytes a record are promised, and a
small run must leave room for what grows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from curate.model.trajectory import encode
from tests.factories import make_step, make_trajectory

RECORDS, STEPS = 1500, 20
MOST_MB = 330  # measured: 195 to 225; what a library's next version takes more is no reason to fail
RUN = """
import sys
from pathlib import Path
from curate.cli import main
try:
    main(sys.argv[1:])
finally:
    rows = Path("/proc/self/status").read_text().splitlines()
    print(next(row.split()[1] for row in rows if row.startswith("VmHWM")))
"""
WORDS = "the list of meetings is sorted by the day on which each of them begins, and the next one is open ".split()


def write_corpus(path: Path) -> None:
    """Records of some 20 kB each, of which every third does what another one did."""
    with path.open("wb") as file:
        for number in range(RECORDS):
            kind = number if number % 3 else number // 2
            steps = [
                make_step(
                    index, f"click {WORDS[(kind + index * (kind % 7 + 1)) % len(WORDS)]} {kind % 50}",
                    thought=" ".join(WORDS[(number + index + k) % len(WORDS)] for k in range(60)),
                    observation=" ".join(WORDS[(number * k + index) % len(WORDS)] for k in range(40)),
                )
                for index in range(STEPS)
            ]  # fmt: skip
            record = make_trajectory(
                f"made:{number}", steps=steps, instruction=f"Open {WORDS[kind % 20]} number {kind}"
            )
            file.write(encode(record) + b"\n")


@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="the system does not count it there")
@pytest.mark.parametrize("more", [[], ["--examples-only"]], ids=["whole", "examples"])
def test_a_small_run_leaves_room_under_the_bound(tmp_path: Path, more: list[str]) -> None:
    write_corpus(tmp_path / "records.jsonl")
    told = ["run", str(tmp_path / "records.jsonl"), "--recipe", "web", "--workers", "1", "--out", str(tmp_path / "run")]
    done = subprocess.run([sys.executable, "-c", RUN, *told, *more, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report, _, peak = done.stdout.strip().rpartition("\n")
    counts = json.loads(report)
    assert counts["read"] == RECORDS
    assert counts["trajectories"] > RECORDS // 3, "too little was left for the steps at the end"
    assert int(peak) / 1024 < MOST_MB
