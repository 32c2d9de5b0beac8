"""Which of Explorer's pictures belongs to which action. The tool numbers its pictures by attempts: an action that could
not be done is not in the list, but its picture was taken and counted, as was the one on which the run stopped.

- An action that names its marked picture (`screenshot_action_som_4.png`, later versions) says its number.
- As many pictures as actions, or one more in a run shorter than the tool's limit (the one it stopped on): each action
  has the picture of its own number.
- Else the pages say it: `html_k.html` was saved with picture k, and the texts of an action's tree stand in its own
  page. Where more than one number fits the pages equally well, and their pictures differ, an action has none.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from curate.model.constants import EXPLORER_MAX_STEPS, MAX_TREE_BYTES
from curate.store.paths import own_file

_PICTURE = re.compile(r"screenshot_(\d{1,4})\.png")
_MARKED = re.compile(r"screenshot_action_som_(\d{1,4})\.png")
_LINE = re.compile(r"^\[\d*\] \[[^\]]*\] \[(.+)\]\s*$", re.MULTILINE)
_MOST = 12  # of pictures and actions that are matched by their pages; a run has at most ten of each


def numbers_of(folder: Path, trees: Sequence[str], marked: Sequence[str | None]) -> list[int | None]:
    """The number of each action's picture, None where it is not sure. `trees`, `marked`: of each action the text of its
    tree and the name of its marked picture."""
    said = [_MARKED.fullmatch(name or "") for name in marked]
    if said and all(said):
        return [int(found[1]) for found in said if found]
    count = _pictures_in(folder)
    steps = len(trees)
    stopped = count == steps + 1 and count < EXPLORER_MAX_STEPS
    if count <= steps or stopped:
        return list(range(steps))
    return _by_pages(folder, trees, count) if count <= _MOST else [None] * steps


def _pictures_in(folder: Path) -> int:
    """How many pictures were taken, by the highest number; 0 where none lies in the folder (archives may hold them)."""
    if not folder.is_dir():
        return 0
    numbers = [int(found[1]) for path in folder.iterdir() if (found := _PICTURE.fullmatch(path.name))]
    return max(numbers) + 1 if numbers else 0


def _by_pages(folder: Path, trees: Sequence[str], count: int) -> list[int | None]:
    """The numbers on which all best assignments agree: rising, and with the most texts of the trees in their pages."""
    texts = [{_plain(text) for text in _LINE.findall(tree)} for tree in trees]
    pages = [_page(folder, number) for number in range(count)]
    fits = [[sum(text in page for text in wanted) for page in pages] for wanted in texts]
    best, chosen = -1, list[tuple[int, ...]]()
    for numbers in combinations(range(count), len(trees)):
        total = sum(fits[step][number] for step, number in enumerate(numbers))
        if total >= best:
            best, chosen = total, [numbers] if total > best else [*chosen, numbers]
    if best <= 0:
        return [None] * len(trees)
    return [_one_of(folder, sorted(set(found))) for found in zip(*chosen, strict=True)]


def _one_of(folder: Path, numbers: Sequence[int]) -> int | None:
    """The number, or the last of several whose pictures are the same (an attempt that failed changed nothing)."""
    if len(numbers) == 1:
        return numbers[0]
    paths = [own_file(folder, f"screenshot_{number}.png") for number in numbers]
    same = None not in paths and len({path.read_bytes() for path in paths if path is not None}) == 1
    return numbers[-1] if same else None


def _page(folder: Path, number: int) -> str:
    path = own_file(folder, f"html_{number}.html")
    if path is None:
        return ""
    with path.open("rb") as file:
        text = file.read(MAX_TREE_BYTES).decode("utf-8", "replace")
    return _plain(html.unescape(re.sub(r"<[^<>]*>", " ", text)))


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", text)
