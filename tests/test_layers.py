"""Imports go to lower layers only; nothing at module level touches a display, the network or an optional package."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
LAYERS = [
    {"model"},
    {"store"},
    {"reduce", "formats"},
    {"sources", "stages", "judge"},
    {"engine"},
    {"publish", "view"},
    {"cli"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
MODULES = sorted([*ROOT.glob("curate/**/*.py"), *ROOT.glob("recorders/**/*.py")])
# The commands that may bring in the recorder, and only inside a function.
RECORDER_COMMANDS = {"record", "recover", "replay", "doctor"}
NOT_AT_IMPORT = {
    "xcffib", "mss", "pyautogui", "pynput", "huggingface_hub", "datasets", "socket", "requests", "httpx", "ray",
    "fsspec", "s3fs", "tkinter",
}  # fmt: skip


def imported(tree: ast.AST) -> list[tuple[str, int]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found += [(node.module, node.lineno)]
            found += [(f"{node.module}.{alias.name}", node.lineno) for alias in node.names]
    return found


def runs_at_import(tree: ast.Module) -> list[ast.stmt]:
    """The statements that importing the module runs: not the bodies of functions, not `if TYPE_CHECKING:`."""
    found: list[ast.stmt] = []
    todo: list[ast.stmt] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        found.append(node)
        for field in ("body", "orelse", "finalbody"):
            todo += getattr(node, field, [])
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_go_down(path: Path) -> None:
    parts = path.relative_to(ROOT).parts
    wrong = []
    for name, line in imported(ast.parse(path.read_text(encoding="utf-8"))):
        target = name.split(".")
        if parts[0] == "recorders":
            bad = target[0] == "curate" and len(target) > 1 and target[1] not in {"model", "store", "__version__"}
        elif target[0] == "recorders":
            bad = not (parts[1] == "cli" and path.stem in RECORDER_COMMANDS)
        elif target[0] == "curate" and len(target) > 1 and target[1] in LEVEL and len(parts) > 2:
            here = LEVEL[parts[1]]
            bad = target[1] != parts[1] and LEVEL[target[1]] >= here
        else:
            bad = False
        if bad:
            wrong.append(f"line {line}: {name}")
    assert not wrong, f"{path.relative_to(ROOT)} imports upwards or sideways: {wrong}"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(ROOT)))
def test_importing_touches_nothing_optional(path: Path) -> None:
    wrong = []
    for statement in runs_at_import(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            wrong += [
                f"line {line}: {name}" for name, line in imported(statement) if name.split(".")[0] in NOT_AT_IMPORT
            ]
    assert not wrong, f"{path.relative_to(ROOT)} imports at module level what not every machine has: {wrong}"


def house_of(module: str) -> str:
    """The package of the recorder that a module is in; a module beside them stands for itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else ""


def test_packages_of_the_recorder_need_each_other_one_way() -> None:
    """Wherever an import stands, at the top or in a function. `recorders/__init__.py` only hands on what is asked for
    by name."""
    needs: dict[str, set[str]] = {}
    for path in ROOT.glob("recorders/**/*.py"):
        here = house_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        names = {name for name, _ in imported(ast.parse(path.read_text(encoding="utf-8")))}
        there = {house_of(name) for name in names if name.startswith("recorders.")}
        needs[here] = needs.get(here, set()) | (there - {here})
    del needs["__init__"]
    below = list(TopologicalSorter(needs).static_order())  # raises CycleError, which names the circle
    assert {"events", "privacy", "session"} <= set(below)


def test_every_package_is_a_layer() -> None:
    packages = {p.name for p in (ROOT / "curate").iterdir() if (p / "__init__.py").exists()}
    assert packages <= set(LEVEL)


def test_importing_the_recorder_needs_no_display() -> None:
    """The same as above, done: in a process that has no display and nothing on its path."""
    names = ("events.x11_events", "desktop.x11_desktop", "events.pynput_source", "screen.capture", "__main__")
    code = "import " + ", ".join(f"recorders.{name}" for name in names)
    done = subprocess.run([sys.executable, "-c", code], env={"PATH": ""}, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
