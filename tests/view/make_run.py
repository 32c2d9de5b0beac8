"""A run folder as `curate run` leaves it, made with the project's own writers, small and with everything in it: two
sources, near-copies, a leak, runs of unknown outcome, pictures with and without the pointer on the target."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
from PIL import Image, ImageDraw

from curate.engine.report.numbers import report_numbers
from curate.model.actions import Click, DragTo, MoveTo, Write
from curate.model.rejected import Rejected, StepLeftOut
from curate.model.trajectory import Element, Keyframe, Origin, Outcome, Screen, Step, Trajectory
from curate.reduce.types import Stretch
from curate.stages.base import VERDICTS
from curate.store.atomic import write_json, write_jsonl
from curate.store.dataset import DatasetWriter
from curate.store.media import MediaStore
from curate.store.run_folder import RunFolder

HOSTILE = "</script><img src=x onerror=alert(1)><svg onload=alert(2)>\u202egnp.exe\u200b"


def picture(media: MediaStore, number: int) -> str:
    image = Image.new("RGB", (1280, 720), (232, 236, 241))
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 1280, 40), fill=(40, 60, 90))
    for k in range(6):
        draw.rectangle((60 + 200 * k, 90 + 30 * (number % 7), 220 + 200 * k, 130 + 30 * (number % 7)), fill="white")
        draw.text((70 + 200 * k, 100 + 30 * (number % 7)), f"Button {k} of screen {number}", fill="black")
    data = io.BytesIO()
    image.save(data, "PNG")
    return media.add_bytes(data.getvalue(), "png")


def make_run(root: Path, text: str = HOSTILE) -> Path:
    """The run folder; `text` stands wherever recorded text can stand."""
    records = _records(MediaStore(root), text)
    with DatasetWriter(root, made={"run": "test"}) as writer:
        for record in records:
            stretches = [Stretch(first=0, last=9, reason="reduce.pointer_motion"), Stretch(first=10, last=11, step=0)]
            writer.add(record, stretches)
    run = RunFolder(root)
    ids = [record.id for record in records]
    _write_stages(run, ids, text)
    write_jsonl(run.rejected, _rejected(ids, text))
    write_jsonl(run.steps_left_out, _left_out(ids))
    funnel: dict[str, Any] = {
        "schema": "report.v1",
        "read": 9,
        "stages": [
            {"name": "validate", "in": 8, "kept": 8, "dropped": {}, "quarantined": {}},
            {"name": "outcome", "in": 8, "kept": 7, "dropped": {"outcome.not_completed": 1}, "quarantined": {}},
            {"name": "leaks", "in": 7, "kept": 6, "dropped": {"leaks.same_task": 1}, "quarantined": {}},
            {"name": "nearcopies", "in": 6, "kept": 5, "dropped": {"nearcopies.copy_of": 1}, "quarantined": {}},
        ],
        "rejected": 4,
        "trajectories": 5,
        "examples": {"train": 21, "test": 5},
        "edits": None,
    }
    tests = root / "tests.jsonl"
    write_jsonl(tests, [{"id": "bench-1", "instruction": f"Task one {text}"}, {"id": "bench-2", "instruction": "Two"}])
    recipe = {"order": ["leaks"], "seed": 0, "leaks": {"tests": str(tests)}, "split": {"by": "app_or_site"}}
    inputs = [{"path": f"dump/{text}/events.jsonl", "bytes": 12, "sha256": "0" * 64}]
    write_json(
        run.run_json, {"recipe": recipe, "versions": {"curate": "0.1.0"}, "inputs": inputs, "not_recognised": [text]}
    )
    write_json(run.report_json, funnel | report_numbers(root, funnel, [tests]))
    return root


def _records(media: MediaStore, text: str) -> list[Trajectory]:
    records = []
    for k in range(8):
        steps = [_step(media, k, n, text) for n in range(5 + k % 3)]
        source = Origin(name="recording" if k < 6 else f"agentnet{text}", file=text, license="MIT", line=k + 1)
        records.append(
            Trajectory(
                id=f"made:{k}{text if k > 5 else ''}",
                source=source,
                instruction=f"Do task {k} {text}",
                platform="linux",
                apps=["mousepad" if k % 2 else text],
                steps=steps,
                outcome=Outcome(completed=[True, None, False][k % 3], by=text),
            )
        )
    return records


def _step(media: MediaStore, run: int, n: int, text: str) -> Step:
    x, y = round(0.1 + 0.08 * n, 4), round(0.2 + 0.05 * run, 4)
    on_target = n == 2 and run in (0, 3)
    pointer = (x, y) if on_target else (0.9, 0.9)
    imported = run >= 6
    actions: list[Any] = [Click(x=x, y=y)]
    if n == 3:
        actions = [MoveTo(x=x, y=y), DragTo(x=0.5, y=0.5)]
    if n == 4:
        actions = [Write(text=text)]
    return Step(
        index=n,
        image=picture(media, run * 10 + n),
        image_size=(1280, 720),
        screen=Screen(width=1280, height=720),
        actions=actions,
        action=f"Click {text}",
        element=Element(role="button", name=text, box=(x - 0.02, y - 0.02, x + 0.02, y + 0.02)),
        correct=n != 1 if run == 0 else None,
        keyframe=None
        if imported or n == 4
        else Keyframe(time=n, rule="latest_away", pointer=pointer, pointer_on_target=on_target, hover=False),
        flags=["pointer_inherited"] if on_target else [],
    )


def _write_stages(run: RunFolder, ids: list[str], text: str) -> None:
    def table(alive: list[str], gone: dict[str, dict[str, Any]], **more: dict[str, Any]) -> pa.Table:
        rows = [
            {"id": i, "step": None, "verdict": "keep", **gone.get(i, {}), **{c: v.get(i) for c, v in more.items()}}
            for i in alive
        ]
        lists = dict.fromkeys(("flags", "apps", "sites"), pa.list_(pa.string()))
        kinds = {"weight": pa.float64(), **lists}
        extra = [pa.field(name, kinds.get(name, pa.string())) for name in more]
        return pa.Table.from_pylist(rows, schema=pa.schema([*VERDICTS, *extra]))

    drop = {"verdict": "drop"}
    run.write_stage(1, "validate", table(ids, {}))
    run.write_stage(2, "outcome", table(ids, {ids[2]: drop | {"reason": "outcome.not_completed"}}))
    alive = [i for i in ids if i != ids[2]]
    leak = drop | {"reason": "leaks.same_task", "witness": "bench-1", "detail": text}
    phrase = {"witness": "bench-2", "detail": "do task four"}
    run.write_stage(3, "leaks", table(alive, {ids[7]: leak, ids[4]: phrase}, flags={ids[4]: ["leaks.phrase"]}))
    alive.remove(ids[7])
    words = f"4 of 5 shingles shared with {ids[0]}, similarity 0.800"
    copy = drop | {"reason": "nearcopies.copy_of", "witness": ids[0], "detail": words}
    weighed = {"witness": ids[1], "detail": words}
    run.write_stage(4, "nearcopies", table(alive, {ids[3]: copy, ids[4]: weighed}))
    alive.remove(ids[3])
    split = {i: "test" if i == ids[6] else "train" for i in alive}
    apps = {i: [text if n % 2 else "mousepad"] for n, i in enumerate(alive)}
    run.write_stage(5, "split", table(alive, {}, split=split, apps=apps, sites={i: [] for i in alive}))
    run.write_stage(6, "weights", table(alive, {}, weight={i: 1.0 + (n == 0) for n, i in enumerate(alive)}))


def _rejected(ids: list[str], text: str) -> list[Rejected]:
    gone = [(2, "outcome", "outcome.not_completed"), (7, "leaks", "leaks.same_task")]
    gone.append((3, "nearcopies", "nearcopies.copy_of"))
    rows = [
        Rejected(id=ids[k], file=text, line=k + 1, stage=stage, reason=reason, detail=text) for k, stage, reason in gone
    ]
    return [*rows, Rejected(id=None, file=f"bad {text}.jsonl", line=3, stage="read", reason="read.json", detail=text)]


def _left_out(ids: list[str]) -> list[StepLeftOut]:
    return [StepLeftOut(id=ids[0], step=1, file=None, line=None, stage="unroll", reason="unroll.wrong_step")]


if __name__ == "__main__":
    import sys

    print(msgspec.json.format(RunFolder(make_run(Path(sys.argv[1]))).report_json.read_bytes()).decode())
