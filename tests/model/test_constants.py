"""The one module of defaults."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

from curate.model import constants


def test_no_constant_is_set_twice() -> None:
    """A second assignment would silently change what an earlier rule goes by."""
    names: Counter[str] = Counter()
    for node in ast.parse(Path(constants.__file__).read_text(encoding="utf-8")).body:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        names.update(target.id for target in targets if isinstance(target, ast.Name))
    assert names and [name for name, count in names.items() if count > 1] == []
