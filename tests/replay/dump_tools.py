"""The scripted hand and the eyes of tools/dump, which records the shipped dump."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [path for path in (str(ROOT / "tools" / "dump"),) if path not in sys.path]

from hand import NAMED, WHEEL, Box, Hand  # noqa: E402
from look import Look, paper, rows, words  # noqa: E402

__all__ = ["NAMED", "ROOT", "WHEEL", "Box", "Hand", "Look", "paper", "rows", "words"]
