"""Trees as media: nodes, or a source's own text."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.model.errors import InputError
from curate.model.tree import Node, Tree
from curate.store.media import MediaStore
from curate.store.trees import add_text_tree, add_tree, read_text_tree, read_tree


def test_a_tree_comes_back_as_it_was_and_the_same_tree_is_one_file(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    tree = Tree(time=0.5, nodes=[Node(role="window"), Node(parent=0, role="button", box=(0.1, 0.2, 0.3, 0.4))])
    reference = add_tree(media, tree)
    assert reference.endswith(".json.zst") and add_tree(media, tree) == reference
    assert read_tree(media, reference) == tree


def test_a_sources_own_text_comes_back_character_by_character(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    text = "[1] RootWebArea 'Größe' focused: True\n\t[2] link 'über 東京 \U0001f4a1'"
    reference = add_text_tree(media, text)
    assert reference.endswith(".txt.zst") and read_text_tree(media, reference) == text


def test_half_a_character_which_no_file_can_hold_is_a_question_mark(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    assert read_text_tree(media, add_text_tree(media, "a\ud83d\n", "html.zst")) == "a?\n"


def test_what_is_no_tree_is_said_in_a_sentence(tmp_path: Path) -> None:
    media = MediaStore(tmp_path)
    reference = media.add_bytes(b"no zstd", "txt.zst")
    with pytest.raises(InputError, match="no accessibility tree"):
        read_text_tree(media, reference)
    with pytest.raises(InputError, match="no accessibility tree"):
        read_tree(media, add_text_tree(media, "[1] text"))
