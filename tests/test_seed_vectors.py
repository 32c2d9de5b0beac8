"""The seed documents' vectors of schema, pictures, validation, near-copies, leaks, splits, unrolling, weights, judges
and the whole pipeline, as they should be (`seed_bug`: `should_be`). The checks are in tests/vectors; which vectors have
none, and why, is docs/vectors.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.vectors")

from tests.runs import run_here  # noqa: E402
from tests.vectors import copies, judges, record, runs, splits  # noqa: E402  (each registers its checks)
from tests.vectors.registry import CHECKS, Vector  # noqa: E402

REGISTERED = (copies, judges, record, runs, splits)
MINE = ("schema", "image", "validate", "normalize", "dedup", "leak", "split", "unroll", "weight", "pipeline",
        "judge")  # fmt: skip
ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def vectors(shared: Path) -> dict[str, Vector]:
    found = json.loads((shared / "vectors/seed_vectors.json").read_text(encoding="utf-8"))
    return {v["id"]: v for v in [*found["vectors"], *found["real_code_vectors"]] if v["capability"].startswith(MINE)}


@pytest.mark.parametrize("name", sorted(CHECKS))
def test_vector(name: str, vectors: dict[str, Vector], tmp_path: Path) -> None:
    CHECKS[name](vectors[name], tmp_path)


def left_out() -> set[str]:
    """The ids in the first table of docs/vectors.md."""
    text = (ROOT / "docs/vectors.md").read_text(encoding="utf-8").split("Where a vector shows")[0]
    cells = (line.split("|")[1] for line in text.splitlines() if line.startswith("| `"))
    return {name.strip(" `") for cell in cells for name in cell.split(",")}


def test_every_vector_is_tested_or_listed(vectors: dict[str, Vector]) -> None:
    assert not CHECKS.keys() & left_out()
    assert CHECKS.keys() | left_out() == vectors.keys()


def test_the_recipe_lesson_gives_the_printed_counts(vectors: dict[str, Vector], tmp_path: Path) -> None:
    """The same six runs through reading, the recipe and the format, as `curate run --recipe lesson` takes them."""
    v = vectors["build_six"]
    dump = tmp_path / "six.jsonl"
    dump.write_text("".join(json.dumps(row) + "\n" for row in v["inputs"]["runs"]), encoding="utf-8")
    run_here([dump], tmp_path / "run", recipe="lesson")
    report = json.loads((tmp_path / "run/report.json").read_text(encoding="utf-8"))
    left = {stage["name"]: stage["kept"] for stage in report["stages"]}
    counts = [report["read"], left["outcome"], left["nearcopies"], left["leaks"], sum(report["examples"].values())]
    assert counts == list(v["expected"].values()) == [6, 5, 4, 2, 6]
    (file,) = (tmp_path / "run/examples").glob("*.jsonl")
    made = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    assert [row["input"]["previous"] for row in made] == [row["previous"] for row in v["rows"]]
    assert [row["weight"] for row in made] == [row["weight"] for row in v["rows"]]
