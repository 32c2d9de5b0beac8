"""CPU time of a whole run (read, measure, decide, examples, report) against parsing the same JSONL and dropping it.

    python benchmarks/runs.py [--records 4000] [--pairs 5]

The records are those of the shipped recordings, repeated under new ids and instructions. One worker; each side in a
process of its own, in turn, so that a drift of the machine's speed hits both; the ratio is the pairs' median.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PARSE = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"
CURATE = "from curate.cli import main; main()"


def cpu(command: list[str]) -> float:
    """CPU seconds of a command, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def corpus(folder: Path, records: int) -> Path:
    """A JSONL of `records` records without pictures, made of the shipped recordings' own."""
    made = folder / "demo"
    subprocess.run([sys.executable, "-c", CURATE, "demo", "--out", str(made)], check=True, capture_output=True)
    shown = subprocess.run([sys.executable, "-c", CURATE, "show", str(made), "--json"], check=True, capture_output=True)
    originals = [json.loads(line) for line in shown.stdout.splitlines()]
    path = folder / "records.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(records):
            record = originals[number % len(originals)]
            steps = [{**step, "image": None, "image_size": None} for step in record["steps"]]
            told = {"id": f"r{number}", "instruction": f"{record['instruction']} ({number})", "final_image": None}
            file.write(json.dumps({**record, **told, "steps": steps}) + "\n")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=4000)
    parser.add_argument("--pairs", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = corpus(folder, given.records)
        print(f"{given.records} records, {path.stat().st_size / 1e6:.0f} MB")
        ratios = []
        for pair in range(given.pairs):
            out = str(folder / f"run{pair}")
            ours = cpu(
                [sys.executable, "-c", CURATE, "run", str(path), "--recipe", "web", "--out", out, "--workers", "1"]
            )
            parse = cpu([sys.executable, "-c", PARSE, str(path)])
            ratios.append(ours / parse)
            print(f"run {ours:.2f} s, json.loads {parse:.2f} s of CPU: {ratios[-1]:.1f} times")
        print(f"median {statistics.median(ratios):.1f} times json.loads of the same file")


if __name__ == "__main__":
    main()
