"""What CONTRIBUTING.md shows works as it stands there: one file each, and a run that uses all three."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.factories import png

ROOT = Path(__file__).resolve().parents[1]
RUN = """
import sys
from pathlib import Path
import curate.formats, curate.sources, curate.stages
added = Path(sys.argv[1])
for package in (curate.sources, curate.stages):
    package.__path__.append(str(added / package.__name__.replace(".", "/")))
from curate.formats import base
import importlib.util
spec = importlib.util.spec_from_file_location("curate.formats.pairs", added / "curate/formats/pairs.py")
pairs = importlib.util.module_from_spec(spec); spec.loader.exec_module(pairs)
known = dict(base.formats()) | {"pairs": pairs.FORMAT}
base.formats = lambda: known
from curate.cli import main
main(sys.argv[2:])
"""


def test_a_source_a_stage_and_a_format_of_one_file_each(tmp_path: Path) -> None:
    added = tmp_path / "added"
    blocks = re.findall(
        r"```python\n# (\S+)\n(.*?)```", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), flags=re.S
    )
    assert [name for name, _ in blocks] == [
        "curate/sources/tally.py",
        "curate/stages/brief.py",
        "curate/formats/pairs.py",
    ]
    for name, text in blocks:
        (added / name).parent.mkdir(parents=True, exist_ok=True)
        (added / name).write_text(text, encoding="utf-8")
    dump = tmp_path / "dump"
    dump.mkdir()
    lines = [
        {"goal": "Open the mail program and read", "clicks": [[0.1, 0.2], [0.3, 0.4]], "shots": ["a.png", "a.png"]},
        {"goal": "Open the long list of everything", "clicks": [[0.5, 0.5]] * 3},
        {"goal": "A number is missing here"},
        {"goal": "A picture of somebody else's", "clicks": [[0.5, 0.5]], "shots": ["../a.png"]},
    ]
    (dump / "a.png").write_bytes(png())
    (dump / "a.tally").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    recipe = tmp_path / "mine.yaml"
    recipe.write_text(
        "order: [validate, brief, unroll]\nbrief: {steps: 2}\nunroll: {format: pairs}\n", encoding="utf-8"
    )
    script = tmp_path / "run.py"
    script.write_text(RUN, encoding="utf-8")
    out = tmp_path / "run"
    command = [
        sys.executable,
        str(script),
        str(added),
        "run",
        str(dump),
        "--recipe",
        str(recipe),
        "--out",
        str(out),
        "--workers",
        "1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    examples = [
        json.loads(line) for path in sorted(out.glob("examples/*.jsonl")) for line in path.read_text().splitlines()
    ]
    assert [(row["task"], row["code"]) for row in examples] == [
        ("Open the mail program and read", "pyautogui.click(x=0.1, y=0.2)"),
        ("Open the mail program and read", "pyautogui.click(x=0.3, y=0.4)"),
    ]
    missing = [json.loads(line) for line in (out / "rejected.jsonl").read_text().splitlines()]
    assert sorted((row["line"], row["reason"]) for row in missing) == [
        (2, "validate.too_many_steps"),
        (3, "validate.schema"),
        (4, "read.path_refused"),
    ]
    assert len([path for path in out.glob("media/*/*") if path.suffix == ".png"]) == 1
