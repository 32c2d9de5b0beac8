"""Rules of the house that a machine can check."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

import pytest

from curate.model.flags import FLAGS
from curate.model.reasons import REASONS

ROOT = Path(__file__).resolve().parents[1]
MODULES = sorted([*ROOT.glob("curate/**/*.py"), *ROOT.glob("recorders/**/*.py"), *ROOT.glob("tools/*.py")])
MAX_LINES, MAX_FUNCTION = 400, 60
# A state machine that reads better whole says why in its docstring, with these words.
EXCUSE = "longer than usual because"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") < MAX_LINES, f"{path.relative_to(ROOT)} has {text.count(chr(10))} lines"
    long = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > MAX_FUNCTION and EXCUSE not in (ast.get_docstring(node) or "").replace("\n", " "):
                long.append(f"{node.name}: {lines} lines")
    assert not long, f"{path.relative_to(ROOT)}: {long}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_nothing_evaluates_or_unpickles(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    safe = {
        n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and "yaml.SafeLoader" in map(ast.unparse, n.bases)
    }
    called = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name == "yaml.load" and ast.unparse(node.args[1]) in safe:
                continue  # a loader that only adds checks to the safe one
            called.add(name)
            for keyword in node.keywords:
                assert not (keyword.arg == "shell" and ast.unparse(keyword.value) == "True"), f"{path}: shell=True"
    assert not called & {"eval", "exec", "pickle.load", "pickle.loads", "torch.load", "marshal.loads", "yaml.load"}


CODE = re.compile(r"[\"']((?:read|reduce|validate|images|outcome|leaks|nearcopies|unroll|redact)\.[a-z_]+)[\"']")


def test_reason_codes_in_the_code_are_listed() -> None:
    options = {"reduce.review", "reduce.option"}
    unknown = {}
    for path in MODULES:
        if path.name == "reasons.py" or "tools" in path.parts:
            continue
        used = set(CODE.findall(path.read_text(encoding="utf-8"))) - options
        if used - set(REASONS):
            unknown[str(path.relative_to(ROOT))] = sorted(used - set(REASONS))
    assert not unknown


@pytest.mark.parametrize("table", [REASONS, FLAGS], ids=["reasons", "flags"])
def test_every_code_has_one_sentence(table: dict[str, str]) -> None:
    for code, sentence in table.items():
        assert re.fullmatch(r"[a-z_]+(\.[a-z_]+)?", code)
        assert sentence.endswith(".") and sentence[0].isupper() and "\n" not in sentence, code


def test_nothing_of_a_machine_is_committed() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split(
        "\n"
    )
    if not listed[0]:
        pytest.skip("not a git checkout")
    assert not [name for name in listed if Path(name).name in {"uv.lock", "poetry.lock", "Pipfile.lock"}]
    machine = re.compile(r"/(?:work|root|home/\w+)/[a-z.]|https?://[^/ ]*(?:pypi|pythonhosted|debian)\.org/simple")
    found = []
    for name in listed:
        path = ROOT / name
        if (
            path.suffix in {".py", ".md", ".sh", ".yaml", ".toml", ".lock", ".ipynb"}
            and path.is_file()
            and name != "tests/test_house.py"
        ):
            found += [name] if machine.search(path.read_text(encoding="utf-8")) else []
    assert not found


def test_no_constant_is_defined_twice() -> None:
    """The second definition would change what the first one's readers get."""
    tree = ast.parse((ROOT / "curate/model/constants.py").read_text(encoding="utf-8"))
    targets = [one for node in tree.body if isinstance(node, ast.Assign) for one in node.targets]
    targets += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    names = [node.id for one in targets for node in ast.walk(one) if isinstance(node, ast.Name)]
    assert len(names) > 100 and sorted(names) == sorted(set(names))
