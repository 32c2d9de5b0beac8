"""Shipped folders are found from a checkout and from an installation, and a lack is said."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import pytest

from curate.model import data


def test_folders_of_the_checkout() -> None:
    root = Path(data.__file__).resolve().parents[2]
    assert data.folder("schemas") == root / "schemas"
    assert data.folder("pipelines") == root / "pipelines"


def _installed(site: Path) -> object:
    """The module as a wheel lays it out."""
    target = site / "curate" / "model" / "data.py"
    target.parent.mkdir(parents=True)
    shutil.copy(data.__file__, target)
    spec = importlib.util.spec_from_file_location("installed_data", target)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_folders_of_an_installation(tmp_path: Path) -> None:
    module = _installed(tmp_path)
    (tmp_path / "curate" / "_data" / "schemas").mkdir(parents=True)
    assert module.folder("schemas") == tmp_path / "curate" / "_data" / "schemas"  # type: ignore[attr-defined]
    with pytest.raises(FileNotFoundError, match="install the package again"):
        module.folder("pipelines")  # type: ignore[attr-defined]
