"""The seed documents' vectors of schema, pictures, validation, near-copies, leaks, splits, unrolling, weights and the
whole pipeline, as they should be (`seed_bug`: `should_be`). The checks are in tests/vectors; which vectors have none,
and why, is docs/vectors.md."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.register_assert_rewrite("tests.vectors")

from tests.vectors import copies, record, runs, splits  # noqa: E402  (each registers its checks)
from tests.vectors.registry import CHECKS, Vector  # noqa: E402

REGISTERED = (copies, record, runs, splits)
MINE = ("schema", "image", "validate", "normalize", "dedup", "leak", "split", "unroll", "weight", "pipeline")
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
