"""Arrow looks for pandas the first time it makes an array, and importing it takes a second of every command. Nothing
here hands data to pandas, so Arrow is told once, early, that there is none; whoever calls `to_pandas` still gets it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _Refuses(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is not looked for here", name=name)
        return None


def spare_pandas() -> None:
    """Let Arrow's first look for pandas find none. Without effect where pandas is imported already."""
    if "pandas" in sys.modules:
        return
    import pyarrow as pa

    finder = _Refuses()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(finder)
