"""A whole text run against parsing the same lines and against a script of the usual libraries.

    python benchmarks/whole_run.py [--records 20000] [--rounds 5] [--without peer]

The records are those of CURATE_SHARED's corpus (`bench/corpus.py --jsonl`). Each round runs every side once, one after
the other, each in a process of its own, so that a drift of the machine's speed hits all alike; what is told are medians
of CPU seconds (children included), their ratios within a round, and the largest memory of all processes of a side
together. Compiled helpers and bytecode are warmed up first, as an installed program has them.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
SHARED = Path(os.environ.get("CURATE_SHARED", HERE.parent.parent / "shared"))
CURATE = "from curate.cli import main; main()"
PARSE = "import sys, orjson\nfor line in open(sys.argv[1], 'rb').read().splitlines(): orjson.loads(line)"
START = "import sys, orjson\nopen(sys.argv[1], 'rb').read().splitlines()"
BYTES_A_RUN, BASE_MB = 600, 400


class Cost(NamedTuple):
    """CPU seconds, wall seconds, and the largest memory in MB of all processes of a side together."""

    cpu: float
    wall: float
    memory: float


def measure(command: list[str], environment: dict[str, str]) -> Cost:
    """What a command costs, its children included."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    peak = [0.0]
    watcher = threading.Thread(target=_watch, args=(process, peak), daemon=True)
    watcher.start()
    assert process.stderr is not None
    said = process.stderr.read()
    if process.wait() != 0:
        raise SystemExit(f"{' '.join(command[:6])} ...: {said.decode(errors='replace')[-600:]}")
    wall = time.perf_counter() - start
    watcher.join(1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(cpu, wall, peak[0])


def _watch(process: subprocess.Popen[bytes], peak: list[float]) -> None:
    """The memory of the processes of a session, added up twenty times a second (proportional set sizes, so that pages
    they share count once); without /proc: nothing."""
    while process.poll() is None:
        total = 0.0
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if os.getsid(int(folder.name)) != process.pid:
                    continue
                for line in (folder / "smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        total += int(line.split()[1]) / 1024
            except (OSError, ValueError):
                continue
        peak[0] = max(peak[0], total)
        time.sleep(0.05)


def corpus(folder: Path, records: int) -> Path:
    """The corpus of CURATE_SHARED as JSONL; made once a place."""
    path = folder / f"traj_{records}.jsonl"
    if not path.is_file():
        subprocess.run(
            [sys.executable, str(SHARED / "bench" / "corpus.py"), str(folder), "--jsonl", str(records)], check=True
        )
    return path


def sides(path: Path, some: Path, work: Path, without: set[str]) -> dict[str, list[str]]:
    """The commands that are compared. `some`: the records that the peer works on, for it takes minutes for all."""

    def run(name: str, *more: str) -> list[str]:
        out = ["run", str(path), "--recipe", "web", "--out", str(work / name), *more]
        return [sys.executable, "-c", CURATE, *out]

    found = {
        "orjson.loads": [sys.executable, "-c", PARSE, str(path)],
        "its start": [sys.executable, "-c", START, str(path)],
        "examples alone": run("only", "--workers", "1", "--examples-only"),
        "whole folder": run("whole", "--workers", "1"),
        "two workers": run("two", "--workers", "2"),
        "peer": [sys.executable, str(HERE / "whole_run_peer.py"), str(some), str(work / "peer")],
    }
    return {name: command for name, command in found.items() if name not in without}


def same_bytes(one: Path, other: Path) -> bool:
    """Whether two run folders hold the same examples, dataset and reasons."""
    names = {p.relative_to(one) for kind in ("examples", "trajectories") for p in (one / kind).glob("*")}
    names |= {Path("rejected.jsonl"), Path("steps_left_out.jsonl")}
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer-records", type=int, default=1000, help="the peer works on the first so many")
    parser.add_argument("--corpus", type=Path, help="where the corpus is, or is made")
    parser.add_argument("--without", action="append", default=[], help="a side to leave out, such as peer")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        path = corpus(given.corpus or work, given.records)
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(work / "bytecode")}
        environment |= {
            "NUMBA_CACHE_DIR": str(work / "compiled"),
            "HF_HOME": str(work / "hf"),
            "PYTHONWARNINGS": "ignore",
        }
        few = work / "few.jsonl"
        with path.open("rb") as lines, few.open("wb") as file:
            file.writelines(line for line, _ in zip(lines, range(200), strict=False))
        some = work / "some.jsonl"
        with path.open("rb") as lines, some.open("wb") as file:
            file.writelines(line for line, _ in zip(lines, range(given.peer_records), strict=False))
        commands = sides(path, some, work, set(given.without))
        for command in sides(few, few, work / "warm", set(given.without)).values():
            measure(command, environment)
        rounds: list[dict[str, Cost]] = []
        for number in range(given.rounds):
            for made in ("only", "whole", "two", "peer"):
                shutil.rmtree(work / made, ignore_errors=True)
            rounds.append({side: measure(command, environment) for side, command in commands.items()})
            told = ", ".join(f"{side} {cost.cpu:.2f}" for side, cost in rounds[-1].items())
            print(f"round {number + 1}, CPU seconds: {told}", flush=True)
        equal = "two workers" not in commands or same_bytes(work / "whole", work / "two")
        tell(rounds, given.records, given.peer_records, path.stat().st_size, equal)


def tell(rounds: list[dict[str, Cost]], records: int, of_peer: int, size: int, equal: bool) -> None:
    """The table, and whether each line of it was reached."""
    print(f"\n{records:,} records, {size / 1e6:.0f} MB; medians of {len(rounds)} rounds\n")
    print("| side | CPU s | wall s | memory MB | times orjson.loads |\n|---|---|---|---|---|")
    for side in rounds[0]:
        cpu, wall, memory = (statistics.median(getattr(one[side], field) for one in rounds) for field in Cost._fields)
        print(f"| {side} | {cpu:.2f} | {wall:.2f} | {memory:.0f} | {_times(rounds, side):.1f} |")
    limit = BASE_MB + BYTES_A_RUN * records / 1e6
    lines: list[tuple[str, float, bool]] = []
    for side, most in (("examples alone", 3.0), ("whole folder", 8.0)):
        ratio, memory = _times(rounds, side), max(one[side].memory for one in rounds)
        lines.append((f"{side}: at most {most:g} times orjson.loads", ratio, ratio <= most))
        lines.append((f"{side}: at most {limit:.0f} MB", memory, memory <= limit))
    if "peer" in rounds[0]:
        ours, share = "examples alone", records / min(of_peer, records)
        faster = statistics.median(one["peer"].cpu * share / one[ours].cpu for one in rounds)
        lines.append((f"at least 20 times the peer script (by record; it had {of_peer:,})", faster, faster >= 20))
    if "two workers" in rounds[0]:
        gain = statistics.median(one["whole folder"].wall / one["two workers"].wall for one in rounds)
        lines.append(("two workers: at least 1.6 times the throughput", gain, gain >= 1.6))
        lines.append(("two workers: the same bytes", float(equal), equal))
    print("\n| asked for | measured | reached |\n|---|---|---|")
    for what, value, reached in lines:
        print(f"| {what} | {value:.2f} | {'yes' if reached else 'no'} |")


def _times(rounds: list[dict[str, Cost]], side: str) -> float:
    """CPU time over that of parsing (without the start of its process and the reading of the file)."""
    return statistics.median(
        one[side].cpu / max(one["orjson.loads"].cpu - one["its start"].cpu, 1e-9) for one in rounds
    )


if __name__ == "__main__":
    main()
