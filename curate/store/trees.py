"""Accessibility trees of steps as media: one JSON object (`tree.v1`) packed with zstd, or, where actions name elements
by the numbers that a source's own text gives them, that text, packed as well. The same tree gives the same bytes."""

from __future__ import annotations

import msgspec
import pyarrow as pa

from curate.model.constants import MAX_TREE_BYTES
from curate.model.errors import InputError
from curate.model.tree import Tree
from curate.store.media import MediaStore

EXTENSION = "json.zst"
TEXT_EXTENSIONS = ("txt.zst", "html.zst", "xml.zst")
_MAGIC = b"\x28\xb5\x2f\xfd"


def add_tree(media: MediaStore, tree: Tree) -> str:
    """Store a tree; its reference. Raises StoreError."""
    return media.add_bytes(bytes(pa.compress(msgspec.json.encode(tree), codec="zstd", asbytes=True)), EXTENSION)


def add_text_tree(media: MediaStore, text: str, extension: str = "txt.zst") -> str:
    """Store a tree in the source's own text (one of TEXT_EXTENSIONS); its reference. Halves of characters become `?`.
    Raises StoreError."""
    data = text.encode("utf-8", "replace")
    return media.add_bytes(bytes(pa.compress(data, codec="zstd", asbytes=True)), extension)


def read_text_tree(media: MediaStore, reference: str) -> str:
    """The text of such a tree. Raises PathError, FileNotFoundError, and InputError for what is none."""
    packed = media.read(reference)
    try:
        return _unpacked(packed).decode("utf-8")
    except (pa.ArrowException, OSError, ValueError) as error:
        raise InputError(f"{reference} is no accessibility tree: {error}.") from error


def read_tree(media: MediaStore, reference: str) -> Tree:
    """The tree of a reference. Raises PathError, FileNotFoundError, and InputError for what is no tree."""
    packed = media.read(reference)
    try:
        return msgspec.json.decode(_unpacked(packed), type=Tree)
    except (msgspec.MsgspecError, pa.ArrowException, OSError, ValueError, RecursionError) as error:
        raise InputError(f"{reference} is no accessibility tree: {error}.") from error


def _unpacked(packed: bytes) -> bytes:
    if not packed.startswith(_MAGIC):
        raise ValueError("it is not packed with zstd")
    with pa.CompressedInputStream(pa.BufferReader(packed), "zstd") as stream:
        data = stream.read(MAX_TREE_BYTES + 1)
    if len(data) > MAX_TREE_BYTES:
        raise ValueError(f"it holds more than {MAX_TREE_BYTES:,} bytes")
    return bytes(data)
