"""Which accessibility tree belongs to a step: the one of what its picture shows, or none. A tree of another moment is
worse than none, since it would name what the picture does not hold."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from itertools import pairwise

import msgspec

from curate.model.constants import TILE_PX
from curate.model.coordinates import place_box
from curate.model.events import RawRecording, ScreenAt, TreeAt
from curate.model.privacy import Masker
from curate.model.tree import Node, Tree
from curate.reduce.types import Picture, ReducedStep
from curate.reduce.video.screen_changes import ReelChanges
from curate.reduce.video.screen_reel import ScreenReel
from curate.store.media import MediaStore
from curate.store.trees import add_tree

CARET_MAX_PX = (2 * TILE_PX, 4 * TILE_PX)  # a caret of a large heading, in whole tiles
_TIME_DECIMALS = 3

Box = tuple[float, float, float, float]


def with_trees(
    recording: RawRecording,
    pictures: Iterable[tuple[ReducedStep, Picture]],
    screen: ScreenReel | None,
    zero: float,
    media: MediaStore,
    screens: Iterable[ScreenAt] = (),
) -> Iterator[tuple[ReducedStep, Picture]]:
    """Each step with its picture, whose `tree` is set where one belongs to it; lazily, in order of time. `zero`: time
    of the first raw event; `screens`: changes of the screen in mid-recording."""
    chooser = TreeChooser(recording, screen, zero, [*recording.screens, *screens])
    previous: ReducedStep | None = None
    for step, picture in pictures:
        tree = chooser.tree_of(step, picture, previous)
        if tree is not None:
            packed = chooser.packed(tree)
            picture.tree = add_tree(media, packed) if packed.nodes else None
        yield step, picture
        previous = step


class TreeChooser:
    """Chooses for one recording."""

    def __init__(
        self, recording: RawRecording, screen: ScreenReel | None, zero: float, screens: Iterable[ScreenAt] = ()
    ) -> None:
        self._recording, self._reel, self._zero = recording, screen, zero
        self._changes = ReelChanges(screen) if screen is not None else None
        self._times = [tree.time for tree in recording.trees]
        self._windows = sorted(recording.windows, key=lambda window: window.time)
        self._window_times = [window.time for window in self._windows]
        self._rescaled = min((change.time for change in screens), default=float("inf"))
        self._mask = Masker()

    def tree_of(self, step: ReducedStep, picture: Picture, previous: ReducedStep | None) -> TreeAt | None:
        """The latest tree that was read completely before the step began, if it was begun after the previous action,
        is of the window in front, and the screen was the same then as in the step's picture."""
        position = bisect.bisect_right(self._times, step.start) - 1
        if position < 0 or picture.keyframe is None:
            return None
        tree = self._recording.trees[position]
        shown = picture.keyframe.time + self._zero
        if previous is not None and tree.started < previous.end:
            return None
        if tree.time >= self._rescaled or not self._in_front(tree, step.start):
            return None
        return tree if self._same_screen(tree, shown) else None

    def packed(self, tree: TreeAt) -> Tree:
        """As a record holds it: text masked, boxes as fractions of the picture."""
        return Tree(
            app=self._mask.maybe(tree.app),
            title=self._mask.maybe(tree.title),
            time=round(tree.time - self._zero, _TIME_DECIMALS),
            nodes=[self._node(node) for node in tree.load()],
        )

    def _node(self, node: Node) -> Node:
        region = self._recording.screen
        box = None
        if node.box is not None and region is not None:
            box = place_box(*node.box, region.width, region.height)
        return msgspec.structs.replace(
            node,
            name=self._mask.maybe(node.name),
            value=None if "password" in node.states else self._mask.maybe(node.value),
            description=self._mask.maybe(node.description),
            box=box,
        )

    def _in_front(self, tree: TreeAt, act: float) -> bool:
        """Whether the window that was in front when the tree was begun still is, and the tree is its."""
        then, now = (bisect.bisect_right(self._window_times, time) - 1 for time in (tree.started, act))
        if now < 0:
            return True  # nothing is known of windows
        if then < 0:
            return False
        before, after = self._windows[then], self._windows[now]
        if (before.app, before.title) != (after.app, after.title):
            return False
        return tree.app is None or after.app is None or tree.app.casefold() == after.app.casefold()

    def _same_screen(self, tree: TreeAt, shown: float) -> bool:
        """Whether the screen was the same while the tree was read and in the picture, but for what changes by itself or
        under the pointer."""
        first, last = min(tree.started, shown), max(tree.time, shown)
        times = self._recording.frame_times
        if times is not None and bisect.bisect_right(times, first) == bisect.bisect_right(times, last):
            return True  # not one new frame
        if self._changes is None or self._reel is None or self._reel.at(last) is None or self._reel.at(first) is None:
            return False
        moments = sorted({tree.started, tree.time, shown})
        return all(self._as_before(tree, start, end) for start, end in pairwise(moments))

    def _as_before(self, tree: TreeAt, start: float, end: float) -> bool:
        """Nobody acts between the two moments: what is as small as a caret, in the field that has the focus, is one."""
        assert self._changes is not None
        if not self._changes.changed(start, end):
            return True
        fields = [
            node.box for node in tree.load() if node.box is not None and {"focused", "editable"} <= set(node.states)
        ]
        return all(
            region[2] - region[0] <= CARET_MAX_PX[0]
            and region[3] - region[1] <= CARET_MAX_PX[1]
            and any(_touches(region, field) for field in fields)
            for region in self._changes.changed_regions(start, end)
        )


def _touches(region: Box, field: Box) -> bool:
    return region[0] < field[2] and field[0] < region[2] and region[1] < field[3] and field[1] < region[3]
