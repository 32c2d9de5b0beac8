"""The engines of near-copies are compared here on small problems: what is compiled is not kept for large ones."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from curate.stages.copies.kernels import compiled


@pytest.fixture(autouse=True, scope="package")
def compiled_for_few() -> Iterator[None]:
    """From the first run on. For the package, as Hypothesis calls a test many times for one fixture."""
    usual, compiled.COMPILED_FROM = compiled.COMPILED_FROM, 0
    yield
    compiled.COMPILED_FROM = usual
