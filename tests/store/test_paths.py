"""Paths that stand in data never lead out of their folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.store.media import MediaStore
from curate.store.paths import PathError, inside

HOSTILE = [
    "/etc/passwd", "../secret", "a/../../secret", "..", "a/..", "C:\\Users\\x", "C:/x", "\\\\server\\share\\x",
    "\\etc\\passwd", "..\\secret", "file:///etc/passwd", "http://example.org/x.png", "", "a\x00b", "//server/x",
]  # fmt: skip


@pytest.mark.parametrize("path", HOSTILE)
def test_hostile_paths_are_refused(tmp_path: Path, path: str) -> None:
    with pytest.raises(PathError):
        inside(tmp_path, path)


@given(
    st.lists(st.sampled_from(["a", "b", "..", ".", "", "c d", "\\", "/", "~", "%2e%2e", "é"]), min_size=1, max_size=8)
)
def test_whatever_it_says_the_file_lies_inside(parts: list[str]) -> None:
    root = Path("/some/root")
    try:
        path = inside(root, "/".join(parts))
    except PathError:
        return
    assert os.path.normpath(path).startswith(os.path.normpath(root))


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "real").mkdir(parents=True)
    outside.mkdir()
    (outside / "x.png").write_bytes(b"x")
    (root / "real" / "x.png").write_bytes(b"x")
    (root / "out").symlink_to(outside)
    (root / "out.png").symlink_to(outside / "x.png")
    (root / "within").symlink_to(root / "real")
    (root / "loop").symlink_to(root / "loop")
    assert inside(root, "within/x.png").read_bytes() == b"x"
    for path in ("out/x.png", "out.png", "out/missing.png"):
        with pytest.raises(PathError, match="link"):
            inside(root, path)
    with pytest.raises(PathError):
        inside(root, "loop/x")
    # the root itself may be reached through a link: the user named it
    (tmp_path / "alias").symlink_to(root)
    assert inside(tmp_path / "alias", "real/x.png").is_file()


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_media_references(tmp_path: Path) -> None:
    store = MediaStore(tmp_path)
    reference = store.add_bytes(b"picture", "png")
    assert store.read(reference) == b"picture" and store.check(reference)
    digest = reference.split("/")[2]
    for wrong in [
        *HOSTILE,
        "media/../x",
        f"media/zz/{digest}",
        f"media/00/{digest}",
        f"/{reference}",
        reference + "\n",
    ]:
        with pytest.raises(PathError):
            store.path(wrong)
        assert not store.has(wrong)
    secret = tmp_path.parent / "secret"
    secret.write_bytes(b"secret")
    (tmp_path / reference).unlink()
    (tmp_path / reference).symlink_to(secret)
    with pytest.raises(PathError):
        store.open(reference)
