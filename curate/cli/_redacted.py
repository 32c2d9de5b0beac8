"""What `curate redact` says of each recording."""

from __future__ import annotations

from collections.abc import Iterator

from curate.reduce.redaction.recording import Redacted


def told(name: str, done: Redacted | None) -> Iterator[str]:
    """Sentences on one recording; `done` is None where it was there already."""
    if done is None:
        yield f"{name}: is there already, with the same secrets; left as it is"
        return
    black = f"{done.frames} pictures with something black"
    if done.frames:
        black += f" ({done.share:.1%} of them on average, {done.most:.1%} at most)"
    yield f"{name}: {done.typed} typed, {done.boxes} in trees, {black}"
    if done.released:
        yield f"{name}: {done.released} places changed while it was typed but show something else: black only then"
    if done.left_out:
        yield f"{name}: {done.left_out} lines or files that could not be read were left out"
    if done.doubts:
        stood = " and ".join(done.doubts)
        yield f"{name}: a secret stood {stood}: short or half covered parts of it may still show; look at it"
