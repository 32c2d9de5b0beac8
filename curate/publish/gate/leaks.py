"""Whether published runs give test tasks away: by what the run itself decided, and held again against every pack that
is installed here now, which may be newer than the run, or another."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pyarrow.compute

from curate.engine.report.tables import run_tables, stage_paths
from curate.model.arrow import to_table
from curate.model.constants import LEAK_COVERAGE, LEAK_PHRASE_WORDS
from curate.model.errors import CurateError
from curate.publish.gate.found import Found, GateRow
from curate.publish.kept import Kept
from curate.publish.statements import count as counted
from curate.stages.base import MeasureContext
from curate.stages.leakage.judging import leak_of
from curate.stages.leakage.measuring import Pack, measure
from curate.stages.leakage.pack import read_packs
from curate.store.pack_folder import named_pack, pack_names
from curate.store.run_folder import RunFolder

pc: Any = pyarrow.compute  # its stubs know no nulls
STRONG, WEAK, UNCHECKED = "leak.strong", "leak.weak", "leak.unchecked"
_BATCH = 256


class Leaks:
    """Holds the records against the packs, a batch at a time; the stage's own tables at the end."""

    def __init__(self, found: Found, run: RunFolder, run_json: dict[str, Any]) -> None:
        self._found, self._run = found, run
        self._checked = sorted(name.partition(": ")[2] for name in _files(run_json) if name.startswith("leaks: "))
        self._coverage = ((run_json.get("recipe") or {}).get("leaks") or {}).get("coverage") or LEAK_COVERAGE
        self._told: set[str] = set()
        self._runs = 0
        self._waiting: list[Kept] = []
        self._scratch = tempfile.TemporaryDirectory(prefix="curate-gate-")
        self._context = MeasureContext(media_root=Path(self._scratch.name))
        self._packs = self._installed()

    def _installed(self) -> list[tuple[str, Pack]]:
        packs = []
        for name in pack_names():
            try:
                packs.append((name, Pack(read_packs([named_pack(name)]), LEAK_PHRASE_WORDS)))
            except CurateError as error:
                self._found.cannot(f"the installed pack {name}", str(error).rstrip("."))
        return packs

    def add(self, kept: Kept) -> None:
        """The next run."""
        self._runs += 1
        if self._packs:
            self._waiting.append(kept)
            if len(self._waiting) == _BATCH:
                self._hold()

    def _hold(self) -> None:
        if not self._waiting:
            return
        table = to_table([kept.record for kept in self._waiting])
        for name, pack in self._packs:
            for row in measure(table, pack, self._context).select(["id", "hits"]).to_pylist():
                leaks = [leak for hit in row["hits"] or () if (leak := leak_of(hit, self._coverage, ()))]
                strong = next((leak for leak in leaks if leak.strength == "strong"), None)
                if strong is not None and row["id"] not in self._told:
                    self._told.add(row["id"])
                    self._found.add(STRONG, GateRow(id=row["id"], what=f"{name}: {strong.detail}"))
        self._waiting = []

    def finish(self, published: Any) -> None:
        """`published`: ids of the runs."""
        self._hold()
        self._scratch.cleanup()
        self._decided(published)
        if not self._checked and self._runs:
            self._found.add(UNCHECKED, times=self._runs)
            also = f" The packs installed here ({', '.join(name for name, _ in self._packs)}) find no strong leak."
            found_none = also if self._packs and not self._found.count(STRONG) else ""
            self._found.say(UNCHECKED, f"The run was held against no pack of test tasks.{found_none}", self._runs)
        held = ", ".join(name for name, _ in self._packs)
        again = f"; held again against: {held}" if held else ""
        of = ", ".join(self._checked) or "nothing"
        runs = counted(self._found.count(STRONG), "published run gives", "published runs give")
        self._found.say(STRONG, f"{runs} test tasks away (the run was held against: {of}{again}).", self._runs)

    def _decided(self, published: Any) -> None:
        """Evidence that the run's own decisions tell of runs that it kept."""
        for path in stage_paths(self._run, "leaks"):
            for table in run_tables(path, ["id", "verdict", "strength", "detail"]):
                if "strength" not in table.column_names:
                    break
                told = pc.and_(pc.equal(table["verdict"], "keep"), pc.is_valid(table["strength"]))
                table = table.filter(pc.and_(told, pc.is_in(table["id"], value_set=published)))
                for row in table.to_pylist():
                    if row["id"] not in self._told:
                        self._told.add(row["id"])
                        code = STRONG if row["strength"] == "strong" else WEAK
                        self._found.add(code, GateRow(id=row["id"], what=row["detail"]))


def _files(run_json: dict[str, Any]) -> list[str]:
    """Files that stages read, by `stage: name`."""
    return list(run_json.get("files") or {})
