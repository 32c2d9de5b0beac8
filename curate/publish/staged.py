"""A publication as it lies on the disk before it is sent."""

from __future__ import annotations

from pathlib import Path

import msgspec

from curate.publish.manifest import Manifest


class Staged(msgspec.Struct, kw_only=True, frozen=True):
    """A folder that holds exactly what is to be published: the files that `manifest.json` names (with size, SHA-256
    and rows), and `manifest.json` itself. `manifest` also holds every number of the card."""

    folder: Path
    manifest: Manifest
