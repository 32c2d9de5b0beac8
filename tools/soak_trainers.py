"""Exports through the trainers' own loaders, each in an environment of its own: of the demo's run, and of records made
for it, with phones, the web, steps without pictures, and texts that hold the trainers' own marks.

    python tools/soak_trainers.py [--run RUN] [--work DIR] [TRAINER...]

The environments (some 2 GB each, torch for processors alone where pip finds it) stay in DIR for the next time. A
trainer that cannot be installed is said and left out. Fails where a trainer refuses or skips a row, misses a picture
or has its loss on anything but the target.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
BIN = Path(sys.executable).parent
from tests.formats.forms import forms_dataset  # noqa: E402

TRAINERS = {
    "llamafactory": ("llamafactory", "llamafactory_rows.py"),
    "ms-swift": ("ms-swift", "ms_swift_rows.py"),
    "trl": ("trl", "trl_rows.py"),
}
"""By name of the format: what is installed, and the check."""
FORMS = ([], ["images=1"], ["dialect=low_level"], ["dialect=point"], ["dialect=box"], ["coordinates=absolute"])
"""Options of the exports that each trainer reads."""

_WITHOUT = "torchvision ; sys_platform == 'never'\ntorchaudio ; sys_platform == 'never'\n"
"""Builds of these come with accelerators' libraries, and no row here needs them."""


def environment(work: Path, name: str) -> Path | None:
    """The Python of a trainer's environment; None where it cannot be installed."""
    folder = work / f"env-{name}"
    python = folder / "bin" / "python"
    ready = folder / ".ready"
    if ready.is_file():
        return python
    uv = str(BIN / "uv")
    without = work / "without.txt"
    without.write_text(_WITHOUT, encoding="utf-8")
    found = [part for link in os.environ.get("PIP_FIND_LINKS", "").split() for part in ("--find-links", link)]
    wheels = [path.name for link in os.environ.get("PIP_FIND_LINKS", "").split() for path in Path(link).glob("torch-*")]
    torch = f"torch=={wheels[0].split('-')[1]}" if wheels else "torch"
    install = [uv, "pip", "install", "-q", "--python", str(python), *found, "--override", str(without)]
    env = {"UV_SYSTEM_CERTS": "1", **os.environ}
    for command in (
        [uv, "venv", "-q", "--clear", str(folder), "--python", sys.executable],
        [*install, torch, TRAINERS[name][0], "datasets", "pillow"],
    ):
        if subprocess.run(command, env=env).returncode:
            return None
    ready.touch()
    return python


def exported(run: Path, folder: Path, name: str, sets: list[str]) -> str:
    """Write an export with small pictures beside it; its name."""
    stem = "-".join([name, run.name, *(one.replace("=", "_") for one in sets)])
    options = [part for one in sets for part in ("--set", one)]
    command = [str(BIN / "curate"), "-q", "export", str(run), "--format", name, "--out", str(folder / f"{stem}.jsonl")]
    subprocess.run([*command, *options, "--max-pixels", "150000", "--jpeg", "80"], check=True)
    return stem


def checked(python: Path, script: str, folder: Path, stems: list[str]) -> int:
    """Run a check over exports; how many it does not hold for."""
    command = [str(python), str(HERE / "trainer_checks" / script), str(folder), *stems]
    done = subprocess.run(command, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    failed = 0
    for stem, found in zip_longest(stems, lines):
        if found is None or "failed" in found:
            failed += 1
            print(f"{stem}: {found['failed'] if found else done.stderr.strip()[-2000:]}", flush=True)
            continue
        rows = len((folder / f"{stem}.jsonl").read_text(encoding="utf-8").splitlines())
        told = f"{found['rows']} of {rows} rows, {found['images']} images, {found['loss_tokens']} loss tokens"
        print(f"{stem}: {found['trainer']}: {told}", flush=True)
        failed += found["rows"] != rows
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trainers", nargs="*", metavar="TRAINER", help=", ".join(TRAINERS))
    parser.add_argument("--run", type=Path, help="a finished run (default: curate demo makes one)")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "curate-trainers")
    told = parser.parse_args()
    told.work.mkdir(parents=True, exist_ok=True)
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        runs = [told.run or Path(made) / "demo", forms_dataset(Path(made) / "hostile", large=5_000)]
        if told.run is None:
            subprocess.run([str(BIN / "curate"), "-q", "demo", "--out", str(runs[0])], check=True)
        for name, (_, script) in TRAINERS.items():
            if told.trainers and name not in told.trainers:
                continue
            python = environment(told.work, name)
            if python is None:
                print(f"{name}: could not be installed; left out")
                continue
            stems = [exported(run, Path(made), name, sets) for run in runs for sets in FORMS]
            failed += checked(python, script, Path(made), stems)
    return failed


if __name__ == "__main__":
    sys.exit(main())
