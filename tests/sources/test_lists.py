"""What is published as JSONL is read as one JSON list of the same rows, whatever its name: the same
records."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from curate.sources.base import ReadContext
from curate.sources.registry import source
from curate.store.media import MediaStore

FIXTURES = Path(__file__).parent / "fixtures"
FILES = [
    ("agentnet", "agentnet/ubuntu/raw/agentnet_ubuntu.jsonl"),
    ("agentnet", "agentnet/win_mac/raw/agentnet_win_mac.jsonl"),
    ("gui360", "gui360/raw/train/data/excel/in_app/success/excel_9z_1.jsonl"),
    ("pc_agent", "pc_agent/raw/run_one.jsonl"),
]


def records(name: str, path: Path, media: Path) -> list[dict[str, Any]]:
    context = ReadContext(media=MediaStore(media), shown="file")
    found = []
    for item in source(name).read(path, context):
        said = msgspec.to_builtins(item)
        place = said["trajectory"]["source"] if "trajectory" in said else said
        place["line"] = None
        found.append(said)
    return found


@pytest.mark.parametrize("ending", [".json", ".jsonl"])
@pytest.mark.parametrize(("name", "file"), FILES)
def test_a_list_of_the_rows_gives_the_same_records(name: str, file: str, ending: str, tmp_path: Path) -> None:
    raw = FIXTURES / file.split("/raw/")[0] / "raw"
    copy = tmp_path / "copy"
    shutil.copytree(raw, copy)
    lines = copy / file.split("/raw/")[1]
    rows = [line for line in lines.read_text(encoding="utf-8").splitlines() if line.strip() and _is_json(line)]
    lines.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    wanted = records(name, lines, tmp_path / "media")
    lines.unlink()
    listed = lines.with_suffix(ending)
    listed.write_text(f"[{','.join(rows)}]", encoding="utf-8")
    assert source(name).recognise(listed)
    assert wanted
    assert records(name, listed, tmp_path / "media") == wanted


def _is_json(line: str) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True
