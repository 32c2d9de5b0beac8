"""The largest memory of each phase of a run, so that one sees which phase holds what.

    python benchmarks/memory.py INPUT [--watch MODULE:NAME ...] [options of `curate run`]

Prints, when a phase begins and when the run is done: the most that was resident in the phase that ended (VmHWM, set
back at each phase; Linux only), what is resident now, how much of that is not files, and what Arrow's pool holds. With
`--watch curate.engine.deciding:decide_all` (any function, or `Class.method`, by the name its caller knows) each call of
it is a phase of its own. One worker: the run's own process does everything.
"""

from __future__ import annotations

import functools
import importlib
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from curate.store.spare_memory import spare_memory

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
HEAD = f"{'phase':44} {'peak MB':>8} {'now':>6} {'anon':>6} {'arrow':>6} {'CPU s':>7}"


def resident() -> dict[str, int]:
    """MB by the names of /proc/self/status."""
    rows = (line.split() for line in STATUS.read_text().splitlines())
    return {row[0].rstrip(":"): int(row[1]) // 1024 for row in rows if row[0].startswith(("Vm", "Rss"))}


class Watch:
    """Which phase is at work, and the most that was resident since it began."""

    def __init__(self) -> None:
        self.stack = ["start"]
        self.peaks: dict[str, int] = {}
        self.most = 0

    def tell(self) -> None:
        """A line on the phase that ends here; the next starts from what is resident now."""
        now, name = resident(), self.stack[-1]
        self.most = max(self.most, now["VmHWM"])
        self.peaks[name] = max(self.peaks.get(name, 0), now["VmHWM"])
        arrow = importlib.import_module("pyarrow").total_allocated_bytes() >> 20
        told = f"{name:44} {now['VmHWM']:8} {now['VmRSS']:6} {now['RssAnon']:6} {arrow:6} {time.process_time():7.1f}"
        print(told, file=sys.stderr, flush=True)
        CLEAR.write_text("5")  # sets VmHWM back

    def phase(self, name: str, total: int) -> None:
        self.tell()
        self.stack = [name]

    def advance(self, pieces: int = 1) -> None:
        pass

    def watched(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **named: Any) -> Any:
            self.tell()
            self.stack.append(name)
            try:
                return function(*args, **named)
            finally:
                self.tell()
                self.stack.pop()

        return call


def watch(names: list[str], by: Watch) -> None:
    """Let these functions tell when they are entered and left."""
    for name in names:
        module, _, path = name.partition(":")
        *owners, last = path.split(".")
        owner = functools.reduce(getattr, owners, importlib.import_module(module))
        setattr(owner, last, by.watched(getattr(owner, last), path))


def main() -> None:
    given, names = sys.argv[1:], []
    while "--watch" in given:
        at = given.index("--watch")
        names.append(given[at + 1])
        del given[at : at + 2]
    if not given or not CLEAR.exists():
        raise SystemExit(__doc__)
    spare_memory()  # as the console script does, before what allocates is imported
    shown = importlib.import_module("curate.engine.progress")
    by = Watch()

    class Shown:
        def __init__(self, quiet: bool = False) -> None: ...

        def __enter__(self) -> Watch:
            return by

        def __exit__(self, *error: object) -> None: ...

    shown.Shown = Shown  # type: ignore[attr-defined]
    watch(names, by)
    with tempfile.TemporaryDirectory() as folder:
        if "--out" not in given:
            given += ["--out", str(Path(folder) / "run")]
        print(HEAD, file=sys.stderr)
        sys.argv = ["curate", "run", *given, "--workers", "1"]
        try:
            importlib.import_module("curate.cli").main()
        finally:
            by.tell()
            print(f"most: {by.most} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
