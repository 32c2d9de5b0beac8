"""Runs to publish: a small corpus with pictures of every kind that a record names, hostile texts, a near-copy, a run
that failed, one that gives a test task away, and what it takes to say each number of the card."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import yaml

from curate.model.trajectory import Actor, Origin, Score, Trajectory
from curate.model.tree import Tree
from curate.publish.configs import Config
from curate.publish.options import PublishOptions
from curate.publish.staged import Staged
from curate.publish.staging import stage
from curate.store.media import MediaStore
from curate.store.trees import add_tree
from curate.view.report import write_report
from tests.factories import make_step, make_trajectory, png, write_records
from tests.runs import run_here

HOSTILE = (
    "Open <script>alert(1)</script> [here](https://evil.example) | www.evil.example `x` ``` @someone \u202egnp.exe"
)
LEAKED = "Book a table for two at the harbour inn on the fourth of May"
OPTIONS = PublishOptions(repo="anna/office-runs", license="cc-by-4.0")


def picture(folder: Path, shade: int, width: int = 64) -> str:
    """A picture beside the records; its name in them."""
    name = f"pictures/{shade}-{width}.png"
    (folder / "pictures").mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(png(width, 36, shade))
    return name


def corpus(folder: Path) -> list[Trajectory]:
    """Records as somebody else wrote them, with their pictures in `folder`."""
    found = []
    for number, app in enumerate(["notes", "sheets", "mail", "maps", "paint", "music"]):
        does = [f"click {app} {word}" for word in ("File", "Export", "Name")] + [f"write {app}.pdf", "press enter"]
        steps = [
            make_step(k, what, image=picture(folder, 10 * number + k), image_after=picture(folder, 10 * number + k + 1))
            for k, what in enumerate(does)
        ]
        tree = add_tree(MediaStore(folder), Tree(app=app))
        steps[1].tree = tree
        steps[2].thought = f"In {app} the name comes last. {HOSTILE if number == 0 else ''}"
        found.append(
            make_trajectory(
                id=f"made:{app}", steps=steps, app=app, final_image=picture(folder, 200 + number),
                instruction=f"Export what {app} shows as a document" if number else HOSTILE,
                actor="human" if number < 4 else "program", platform="linux" if number < 5 else "windows",
                completed=True if number < 5 else None, wordings={"actual_task": f"Export from {app}"},
                source=Origin(
                    name="office", id=str(number), file=f"/Users/anna/w/{app}.jsonl" if number == 1 else "runs.jsonl",
                    line=number + 1, license="MIT" if number < 5 else "CC0-1.0", importer="factory@1",
                ),
            )
        )  # fmt: skip
    found[0].actor = Actor(kind="human", name="p-01")
    found[2].scores = [Score(name="alignment", value=8, min=0, max=10, higher_is_better=True, by="judge")]
    found[3].steps[0].correct, found[3].steps[1].correct = True, False
    found[3].template = "Export what {app} shows"
    failed = make_trajectory(id="made:failed", instruction="Paint the town red in one evening", completed=False)
    leaked = make_trajectory(id="made:leaked", instruction=LEAKED, app="booking")
    copy = msgspec.convert(msgspec.to_builtins(found[1]), Trajectory)
    copy.id = "made:copy"
    return [*found, failed, leaked, copy]


def make_run(folder: Path, records: Sequence[Trajectory] | None = None, sets: Sequence[str] = ()) -> Path:
    """A finished run of records (the corpus); a pack of one test task that one of them gives away."""
    data, out = folder / "data", folder / "run"
    write_records(data / "runs.jsonl", corpus(data) if records is None else records)
    tests = folder / "harbour.jsonl"
    tests.write_bytes(msgspec.json.encode({"id": "h1", "instruction": LEAKED, "benchmark": "harbour"}) + b"\n")
    run_here([data / "runs.jsonl"], out, [f"leaks.tests={tests}", "split.by=app", "split.test=0.3", *sets])
    return out


def staged(run: Path, out: Path, **changes: Any) -> Staged:
    """The run, staged as `curate publish` does."""
    return stage(run, out, msgspec.structs.replace(OPTIONS, **changes), write_report=write_report)


def configs_of(published: Staged) -> list[Config]:
    """The configs of a publication, read back from its card and files."""
    card = (published.folder / "README.md").read_text("utf-8")
    infos = yaml.safe_load(card.split("\n---\n", 1)[0].removeprefix("---"))["dataset_info"]
    found = []
    for info in infos:
        folder = f"data/{info['config_name']}/"
        rows = {file.path: file.rows or 0 for file in published.manifest.files if file.path.startswith(folder)}
        sizes = {f"{folder}{split['name']}-00000.parquet": split["num_bytes"] for split in info["splits"]}
        found.append(Config(name=info["config_name"], rows=rows, sizes=sizes, features=info["features"]))
    return found


def hashes(folder: Path) -> dict[str, str]:
    """Every file below a folder with its hash."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
