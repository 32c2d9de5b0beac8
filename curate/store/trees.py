"""Accessibility trees of steps as media: one JSON object (`tree.v1`) packed with zstd. The same tree gives the same
bytes."""

from __future__ import annotations

import msgspec
import pyarrow as pa

from curate.model.constants import MAX_TREE_BYTES
from curate.model.errors import InputError
from curate.model.tree import Tree
from curate.store.media import MediaStore

EXTENSION = "json.zst"
_MAGIC = b"\x28\xb5\x2f\xfd"


def add_tree(media: MediaStore, tree: Tree) -> str:
    """Store a tree; its reference. Raises StoreError."""
    return media.add_bytes(bytes(pa.compress(msgspec.json.encode(tree), codec="zstd", asbytes=True)), EXTENSION)


def read_tree(media: MediaStore, reference: str) -> Tree:
    """The tree of a reference. Raises PathError, FileNotFoundError, and InputError for what is no tree."""
    packed = media.read(reference)
    try:
        if not packed.startswith(_MAGIC):
            raise ValueError("it is not packed with zstd")
        with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
            data = stream.read(MAX_TREE_BYTES + 1)
        if len(data) > MAX_TREE_BYTES:
            raise ValueError(f"it holds more than {MAX_TREE_BYTES:,} bytes")
        return msgspec.json.decode(data, type=Tree)
    except (msgspec.MsgspecError, pa.ArrowException, OSError, ValueError, RecursionError) as error:
        raise InputError(f"{reference} is no accessibility tree: {error}.") from error
