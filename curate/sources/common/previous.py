"""What a row of a step says was done before it, as prompts list it: `Step 1: Click ...`, a line each."""

from __future__ import annotations

import re

_ENTRY = re.compile(r"^\s*Step (\d+)\s*:\s*", re.MULTILINE)
_NOTHING = frozenset({"", "none", "n/a", "null"})


def listed(text: str) -> list[str]:
    """The texts of a numbered list in their order, without the quotes around them; empty for `None`."""
    if text.strip().rstrip(".").lower() in _NOTHING:
        return []
    found = list(_ENTRY.finditer(text))
    if not found:
        return [text.strip()]
    ends = [one.start() for one in found[1:]] + [len(text)]
    return [plain(text[one.end() : end]) for one, end in zip(found, ends, strict=True)]


def plain(text: str) -> str:
    """A text as both sides of a history write it: without quotes around it and without line breaks."""
    words = " ".join(text.split())
    return words[1:-1].strip() if len(words) > 1 and words[0] == words[-1] == '"' else words
