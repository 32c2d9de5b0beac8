"""What a check says of the public records that lie in CURATE_SHARED: each is read, and none is accused of a frame,
order, sign or moment that is not its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.engine.check.checking import CheckOptions, check
from curate.engine.check.types import Check


@pytest.fixture(scope="module")
def sources(shared: Path) -> Check:
    tests = sorted((shared / "data" / "test-tasks").glob("*.jsonl"))
    return check([shared / "data" / "sources"], CheckOptions(tests=[(path.stem, path) for path in tests]))


def test_every_source_is_looked_at_and_none_is_accused(sources: Check) -> None:
    assert sources.records >= 20 and len(sources.sources) >= 12
    assert [one.part for one in sources.findings if one.kind == "frame.contradicted"] == []
    confirmed = [one for one in sources.findings if one.kind in ("frame.confirmed", "frame.decided")]
    assert len({(one.part or "").split("/")[0] for one in confirmed}) >= 7


def test_what_is_known_of_them_is_found(sources: Check) -> None:
    """AgentNetBench numbers its steps with gaps; two pictures of it are here; nobody copied a test task."""
    gaps = {row.id for one in sources.findings if one.kind == "steps.gap" for row in one.rows}
    assert any((id or "").startswith("agentnetbench:") for id in gaps)
    missing = next(one for one in sources.findings if one.kind == "pictures.missing")
    assert missing.severity == "error" and (missing.of or 0) > missing.count > 40
    assert [one.kind for one in sources.findings if one.kind.startswith("leak.")].count("leak.none") == 3


def test_a_recording_gives_no_target_away(shared: Path) -> None:
    result = check([shared / "data" / "agentnet-recording"])
    clean = [one for one in result.findings if one.kind == "pointer.clean"]
    assert {one.part for one in clean} == {"on_target", "hover"}
    assert all(one.sure.by == "measured" and one.sure.yes == 0 for one in clean)
