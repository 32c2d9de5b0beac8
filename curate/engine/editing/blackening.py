"""Regions of a picture that nobody is to see again. They are filled with black, not blurred: a blur keeps what it
smears, and text under one has been read back again and again (Hill et al., "On the (In)effectiveness of Mosaicing and
Blurring as Tools for Document Redaction", 2016). Black keeps nothing, is the same whatever the order of regions and
however often they are filled, and is what `redact` leaves too. The new picture is a PNG: filling twice gives the same
file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from curate.model.edits import Region
from curate.model.errors import InputError
from curate.model.tree import Node
from curate.store.media import MediaStore, read_rgb
from curate.store.paths import PathError
from curate.store.trees import add_tree, read_tree

_MOSTLY = 0.5  # of an element's box in the regions: then what it says was drawn there


def blacken_picture(media: MediaStore, reference: str, regions: Iterable[Region]) -> str | None:
    """The reference of the picture with black regions: whole pixels, each that a region touches. None for one that is
    not there or cannot be decoded."""
    try:
        rgb = read_rgb(media.read(reference))
    except (OSError, PathError):
        return None
    if rgb is None:
        return None
    height, width = rgb.shape[:2]
    black = rgb.copy()
    for left, top, right, bottom in regions:
        x0, y0 = math.floor(left * width), math.floor(top * height)
        black[y0 : math.ceil(bottom * height), x0 : math.ceil(right * width)] = 0
    return reference if reference.endswith(".png") and (black == rgb).all() else media.add_png(black)


def blacken_tree(media: MediaStore, reference: str, regions: Sequence[Region]) -> str | None:
    """The reference of the tree without the texts of elements that lie for the greater part in the regions. None where
    nobody can tell which those are: the tree is in a source's own text, or cannot be read."""
    try:
        tree = read_tree(media, reference)
    except (InputError, PathError, OSError):
        return None
    silent = msgspec.structs.replace(tree, nodes=[_silent(node, regions) for node in tree.nodes])
    return reference if silent == tree else add_tree(media, silent)


def _silent(node: Node, regions: Sequence[Region]) -> Node:
    if node.box is None or not any(_lies_in(node.box, region) for region in regions):
        return node
    return msgspec.structs.replace(node, name=None, value=None, description=None)


def _lies_in(box: tuple[float, float, float, float], region: Region) -> bool:
    width = min(box[2], region[2]) - max(box[0], region[0])
    height = min(box[3], region[3]) - max(box[1], region[1])
    area = (box[2] - box[0]) * (box[3] - box[1])
    return width >= 0 and height >= 0 and width * height >= _MOSTLY * area
