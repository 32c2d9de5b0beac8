"""Texts that would make a pattern go over them again and again are read in time that grows with their length: two
hundred thousand characters of what patterns look for and never find the end of."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import pytest

from curate.sources import agenttrek, web_axtree
from curate.sources.common import page_trees
from curate.sources.common.reading import UnreadableError
from curate.sources.parts import mind2web_steps, os_genesis_raw, os_genesis_rows
from curate.store.media import MediaStore

PARTS = [
    " ", "\n", "[", "]", "#", "# ", "# \n", "'", "\\", "<", "step 1: ", "action: {", "```", "] [ ", "(active tab)\n",
    "UI element 1:", "bbox_pixels=(", "text='", "\n[1] ", "Accessibility tree: ", "Action history: \n", "1: x\n",
    "<think>", "<action>", "RootWebArea '", "<html ", "-> ", "In summary",
]  # fmt: skip


def row(user: str, assistant: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": user}, {"role": "assistant", "content": assistant}]}


@pytest.mark.parametrize("part", PARTS)
def test_no_text_is_gone_over_again_and_again(part: str, tmp_path: Path) -> None:
    """The test is that it ends: a pattern that is quadratic takes minutes over all of these."""
    text = part * (200_000 // len(part))
    prompt = f"## Goal:\ng\n## AXTree:\n{text}\n## Currently open tabs:\n{text}\n# History of interaction\n{text}"
    agenttrek._row(row(prompt, text), MediaStore(tmp_path))
    seen = f"OBSERVATION:\n{text}\nURL: u\nOBJECTIVE: o\nPREVIOUS ACTIONS:\n{text}"
    ax = web_axtree.Row(messages=[web_axtree.Message("user", seen), web_axtree.Message("assistant", text)])
    assert web_axtree._seen(ax).objective == "o"
    web_axtree._in_short(text)
    for before in ("", "[1] ", "[1] link ", "[1] [a] ["):
        page_trees.element_of(before + text, "1")
    for ask in (
        f"High-level instruction: a\n\nAction history: {text}\n\nAccessibility tree: {text}",
        f"Instruction: a\n\nAccessibility tree: {text}\n\nAction History: {text}",
    ):
        with contextlib.suppress(UnreadableError):
            os_genesis_rows.read_row({"conversations": [{"value": ask}, {"value": text + "action: {}"}]}, 1)
    os_genesis_raw.listed(f"UI element 1:{text}", 1)
    mind2web_steps._in_words(f"[a] {text}")
    mind2web_steps.page_size(text)
