"""The revisions of a published dataset: their versions, the tags under which they stay, and CHANGELOG.md, a line each
with what changed in numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from curate.model.errors import UsageError
from curate.publish.manifest import Manifest
from curate.store.published import STEPS_FOLDER, TRAJECTORIES_FOLDER

CHANGELOG = "CHANGELOG.md"
_HEAD = (
    "# Changes\n\nA line a revision, the newest first. Each stays under its tag: `load_dataset(..., revision=TAG)`.\n\n"
)
_TAG = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
_LINE = re.compile(r"^- \*\*(v[0-9A-Za-z.+-]{1,60})\*\*", re.MULTILINE)
_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,59}")
_COUNTED = {"trajectories": f"{TRAJECTORIES_FOLDER}/", "steps": f"{STEPS_FOLDER}/", "examples": "examples/"}


class Changed(msgspec.Struct, kw_only=True, frozen=True):
    """What a revision changes: `rows` by what they are, and before (None: there was no revision); files that are new,
    other than before, and gone."""

    rows: dict[str, int]
    before: dict[str, int] | None
    new: int
    other: int
    gone: int


def rows_of(manifest: Manifest) -> dict[str, int]:
    """Rows of a publication: trajectories, steps, examples."""
    return {
        name: sum(file.rows or 0 for file in manifest.files if file.path.startswith(folder))
        for name, folder in _COUNTED.items()
    }


def next_tag(version: str | None, tags: Iterable[str]) -> str:
    """The tag of the next revision: of the version a person gave, else one minor version after the highest there is.
    Raises UsageError for a version that is taken or none."""
    tags = set(tags)
    if version is not None:
        plain = version.removeprefix("v")
        if not _VERSION.fullmatch(plain):
            raise UsageError(f"{version!r} is no version: digits, letters and dots, such as 1.2.0.")
        if f"v{plain}" in tags:
            raise UsageError(f"Version {plain} is published already, with other content: choose another --version.")
        return f"v{plain}"
    known = [tuple(map(int, found.groups())) for tag in tags if (found := _TAG.fullmatch(tag))]
    if not known:
        return "v1.0.0"
    major, minor, _ = max(known)
    return f"v{major}.{minor + 1}.0"


def newest(changelog: str) -> str | None:
    """The tag of the newest revision that a CHANGELOG.md tells of."""
    found = _LINE.search(changelog)
    return None if found is None else found[1]


def with_line(changelog: str | None, tag: str, day: str, changed: Changed) -> str:
    """CHANGELOG.md with a line for the new revision on top. What stands in it stays, whoever wrote it."""
    line = f"- **{tag}** ({day}): {what_changed(changed)}\n"
    if changelog is None:
        return _HEAD + line
    found = _LINE.search(changelog)
    if found is None:
        return f"{changelog.rstrip()}\n\n{line}"
    return changelog[: found.start()] + line + changelog[found.start() :]


def what_changed(changed: Changed) -> str:
    """A revision in numbers: `8 trajectories (+2), 81 steps (+20), 79 examples (+19); 3 files other, 1 gone.`"""
    counts = []
    for name, count in changed.rows.items():
        than = "" if changed.before is None else f" ({count - changed.before.get(name, 0):+,})"
        counts.append(f"{count:,} {name}{than}")
    if changed.before is None:
        return f"{', '.join(counts)}; the first revision."
    files = {"new": changed.new, "other than before": changed.other, "gone": changed.gone}
    told = [f"{count:,} {what}" for what, count in files.items() if count]
    return f"{', '.join(counts)}; files: {', '.join(told)}."
