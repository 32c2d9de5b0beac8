"""A run to audit, made once."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.auditing.made import make_audited_run


@pytest.fixture(scope="session")
def audited_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be changed."""
    return make_audited_run(tmp_path_factory.mktemp("audited"))
