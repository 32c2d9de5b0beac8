"""Long runs, kills and drift: `make soak`, or `python tools/soak.py --minutes 10`.

Makes a corpus with broken lines, copies and ids that repeat, runs it once whole, then again and again with the
process killed at random moments (any stage, one worker or two) and started again. Every end must have the same bytes,
the memory of a run must not grow with the number of runs in it, and nothing may be left behind. Says what it did; the
exit code is 1 at the first difference."""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.factories import make_step, make_trajectory, png, write_records  # noqa: E402
from tests.runs import command, contents  # noqa: E402

DOES = ["click File", "click Save", "click Open", "write hello", "press enter", "click OK", "click Close", "scroll -3"]
TASKS = ["Save the report as PDF", "Open the big file", "Export the whole budget", "Rename the folder", "Print it now"]
APPS = ["notes", "sheets", "mail", "draw", "calendar"]


def make_corpus(folder: Path, files: int, records: int, pick: random.Random) -> list[Path]:
    """`files` JSONL files of `records` runs each; a few have pictures, one line in forty is broken."""
    folder.mkdir(parents=True)
    for shade in range(5):
        (folder / f"{shade}.png").write_bytes(png(shade=shade * 20))
    paths = []
    for number in range(files):
        lines: list[object] = []
        for _ in range(records):
            doing = pick.choices(DOES, k=pick.randrange(2, 12))
            image = f"{pick.randrange(6)}.png" if pick.random() < 0.1 else None  # 5.png is missing
            steps = [make_step(k, what, image=image) for k, what in enumerate(doing)]
            lines.append(
                make_trajectory(
                    f"made:{pick.randrange(files * records)}", steps=steps, instruction=pick.choice(TASKS),
                    app=pick.choice(APPS), completed=pick.choice([True, True, None, False]),
                    actor=pick.choice(["human", "program"]),
                )
            )  # fmt: skip
            if pick.random() < 0.025:
                lines.append(pick.choice([b"{", b"\xff\xfe", b'{"schema": "trajectory.v1"}', b"null"]))
        paths.append(write_records(folder / f"{number}.jsonl", lines))  # type: ignore[arg-type]
    return paths


def peak_of(arguments: list[str]) -> int:
    """Run a command to its end; its peak resident bytes. Raises SystemExit when it fails."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    said = process.stderr.read() if process.stderr else ""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"failed with {process.returncode}: {said}")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def kill_sometimes(arguments: list[str], lasts: float, pick: random.Random) -> int:
    """Start the command and kill it at a random moment, up to three times; how often it was killed."""
    for kills in range(3):
        process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=ROOT)
        try:
            process.wait(timeout=lasts * pick.uniform(0.1, 1.05))
            return kills
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--files", type=int, default=4)
    parser.add_argument("--records", type=int, default=700)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    pick = random.Random(given.seed)
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        soak(Path(name), given, pick)


def soak(folder: Path, given: argparse.Namespace, pick: random.Random) -> None:
    until = time.monotonic() + given.minutes * 60
    paths = make_corpus(folder / "in", given.files, given.records, pick)
    options = ["--recipe", "web", "--set", "leaks.apps=[mail]", "--quiet"]
    started = time.monotonic()
    peaks = [peak_of(command("run", *map(str, paths), *options, "--workers", "1", "--out", folder / "whole"))]
    lasts = time.monotonic() - started
    expected = contents(folder / "whole")
    rounds = kills = 0
    while time.monotonic() < until:
        out = folder / f"round-{rounds}"
        inputs = [str(path) for path in pick.sample(paths, len(paths))]
        arguments = command("run", *inputs, *options, "--workers", str(pick.choice([1, 2])), "--out", out)
        kills += kill_sometimes(arguments, lasts, pick)
        peaks.append(peak_of(arguments))
        found = contents(out)
        if found != expected:
            different = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
            kept = Path(tempfile.mkdtemp(prefix="soak-different-"))
            shutil.copytree(folder, kept, dirs_exist_ok=True)
            raise SystemExit(f"round {rounds}: other bytes in {different[:5]}; everything is in {kept}")
        shutil.rmtree(out)
        rounds += 1
    print(f"{rounds} rounds, {kills} kills, all with the same {len(expected)} files; one whole run takes {lasts:.1f} s")
    print(f"peak memory {min(peaks) >> 20} to {max(peaks) >> 20} MB")


if __name__ == "__main__":
    main()
