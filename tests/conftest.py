"""Fixtures every test may use. Conformance tests read `CURATE_SHARED` (default ../shared beside the checkout)."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

# How long an example takes says how busy the machine is, nothing about the code.
hypothesis.settings.register_profile("curate", deadline=None)
hypothesis.settings.load_profile("curate")

ROOT = Path(__file__).resolve().parents[1]
SHARED = Path(os.environ.get("CURATE_SHARED", ROOT.parent / "shared"))


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real recordings and public records; tests that need it are skipped where it is absent."""
    if not (SHARED / "data").is_dir():
        if os.environ.get("CURATE_REQUIRE_SHARED"):
            pytest.fail("conformance data is required here and not found: set CURATE_SHARED")
        pytest.skip("conformance data is not here: set CURATE_SHARED")
    return SHARED


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "shared" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.conformance)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not (SHARED / "data").is_dir():
        terminalreporter.write_line(f"conformance was not run: no data at CURATE_SHARED ({SHARED.name})")
