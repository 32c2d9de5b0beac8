"""The Python interface: every name is there, is documented, and costs nothing until it is used."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import curate

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", sorted(curate.__all__))
def test_every_name_is_there_and_documented(name: str) -> None:
    assert getattr(curate, name) is not None
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    assert name == "__version__" or re.search(rf"`{name}\b", page), f"docs/api.md does not name {name}"


def test_every_documented_name_is_there() -> None:
    page = (ROOT / "docs" / "api.md").read_text("utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    names = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    assert names == set(curate.__all__) - {"__version__"}


def test_importing_is_quick_and_touches_nothing() -> None:
    code = "import sys, curate, json; print(json.dumps(sorted(m for m in sys.modules if m.startswith('curate'))))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert json.loads(done.stdout) == ["curate"]


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_thing"):
        curate.no_such_thing  # noqa: B018


@pytest.mark.parametrize("path", sorted((ROOT / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_import_public_names_only(path: Path) -> None:
    cells = json.loads(path.read_bytes())["cells"]
    for cell in cells:
        if cell["cell_type"] != "code":
            continue
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith(("curate.", "recorders")), ast.unparse(node)
                if node.module == "curate":
                    assert {alias.name for alias in node.names} <= set(curate.__all__)
            elif isinstance(node, ast.Import):
                assert not any(alias.name.startswith(("curate.", "recorders")) for alias in node.names)
