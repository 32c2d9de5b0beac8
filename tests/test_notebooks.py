"""Notebooks run from their first cell to their last, on what the project's own main job has just made."""

from __future__ import annotations

from pathlib import Path

import msgspec
import nbclient
import nbformat
import pytest

from curate.cli._app import run
from curate.engine.report.types import Report
from curate.model import data

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run folder of `curate demo`."""
    try:
        data.folder("dump")
    except FileNotFoundError:
        pytest.skip("the dump of recordings is not in this checkout")
    out = tmp_path_factory.mktemp("demo") / "run"
    assert run(["-q", "demo", "--out", str(out)]) == 0
    return out


def execute(name: str, run_folder: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> str:
    """Run a notebook with this Python, whatever kernels the machine has; everything its cells put out, as text."""
    notebook = nbformat.read(FOLDER / name, as_version=4)
    monkeypatch.setenv("CURATE_RUN", str(run_folder))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "1")
    for variable in ("JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(variable, str(home / variable.lower()))
    client = nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(home)}}
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    drawn = sum("image/png" in output.get("data", {}) for output in outputs)
    texts = [o.get("text", "") or o.get("data", {}).get("text/plain", "") for o in outputs]
    return "".join(f"{text}\n" for text in [*texts, f"plots: {drawn}"])


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_are_stored_without_output(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs") and cell.get("execution_count") is None


def test_first_look_says_what_the_report_says(demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = execute("first_look.ipynb", demo, monkeypatch, tmp_path)
    report = msgspec.json.decode((demo / "report.json").read_bytes(), type=Report)
    assert f"{report.read} runs read, {report.trajectories} gave {sum(report.examples.values())} examples" in shown
    for stage in report.stages:
        assert stage.name in shown
    for action in {row.action for row in report.actions}:
        steps = sum(row.steps for row in report.actions if row.action == action)
        assert [line for line in shown.splitlines() if line.split()[1:4:2] == [action, str(steps)]], (action, steps)
    for group in report.near_copies:
        assert group.witness[:8] in shown
    assert "plots: 2" in shown


def test_mixing_and_scaling_says_what_the_seed_prints(
    demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shown = execute("mixing_and_scaling.ipynb", demo, monkeypatch, tmp_path)
    assert "1.44, 0.14, 0.72, 0.34" in shown  # printed: per thousand
    assert "over the whole: 0.66; per doubling: 2.28 (r2 0.97)" in shown
    assert "people recorded 100% of the mixture" in shown
    assert "plots: 2" in shown


def test_thresholds_and_judges_choose_and_audit(demo: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The judge of the notebook by hand: of ten runs nine are completed, and two of these end in neither button nor
    key; the judge of a hundred is that of tests/judge."""
    shown = execute("thresholds_and_judges.ipynb", demo, monkeypatch, tmp_path)
    lines = shown.splitlines()
    rows = [line.split() for line in lines if "  precision " in line]
    assert len(rows) == 9
    kept = [int(row[row.index("keeps") + 1]) for row in rows]
    assert kept == sorted(kept) and kept[0] < kept[-1], "a higher threshold keeps no fewer runs"
    recall = [float(row[row.index("recall") + 1]) for row in rows]
    assert recall == sorted(recall, reverse=True) and recall[0] == 1
    assert "at least 70 % is surely right: 0.5" in shown
    assert "completed: passed 7, failed 2; not completed: passed 0, failed 1" in lines
    hundred = "accuracy 0.810 (0.722 to 0.875); precision 0.736 (0.604 to 0.836); recall 0.886 (0.760 to 0.951)"
    assert any(line.startswith(f"a hundred: {hundred}") for line in lines)
    assert "plots: 2" in shown
