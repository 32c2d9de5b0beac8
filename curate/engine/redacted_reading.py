"""Reading where something is taken out, by the stage redact or by a reviewer who blackens pictures: what the source
stores goes to a folder of its own, and only what is left in a finished record comes into the run. Where nothing is, all
goes into the run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from curate.engine.recipe import Recipe
from curate.model.trajectory import Trajectory
from curate.sources.base import Input
from curate.stages import registry
from curate.stages.base import TakesOut
from curate.store.atomic import make_folder
from curate.store.media import MediaStore
from curate.store.paths import PathError


class RedactedReading:
    """Reading of one shard. `media_root`: where the source stores pictures: the run folder `root`, or, with a stage
    that takes something out or with `apart`, away from it, below `folder` (`is_apart`)."""

    def __init__(self, root: Path, folder: Path, recipe: Recipe, apart: bool = False) -> None:
        self._root, self._scratch = root, folder / "not_redacted"
        self._stage = _taking_out(recipe)
        self.is_apart = apart or self._stage is not None
        self.media_root = self._scratch if self.is_apart else root
        self.close()  # what a killed run left

    @property
    def is_redacted(self) -> bool:
        return self._stage is not None

    def open(self, one: Input) -> Path:
        """What is read of an input. Raises InputError, GateError."""
        if self._stage is None:
            return one.path
        stage, options = self._stage
        return stage.open_input(one.path, one.source, options, make_folder(self._scratch / "inputs"))

    def mask(self, text: str) -> str:
        """A text that is no part of a record, as it may be written."""
        return text if self._stage is None else self._stage[0].mask(text, self._stage[1])

    def keep(self, record: Trajectory) -> None:
        """Store in the run what the finished record names."""
        if not self.is_apart:
            return
        read, run = MediaStore(self._scratch), MediaStore(self._root)
        named = [ref for step in record.steps for ref in (step.image, step.image_after, step.tree)]
        for ref in {*named, record.final_image, record.video, record.trace}:
            if ref is None:
                continue
            try:
                if read.has(ref):
                    run.add_bytes(read.read(ref), Path(ref).name.split(".", 1)[1])
            except PathError:
                continue

    def close(self) -> None:
        """Nothing of it stays."""
        if self.is_apart:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _taking_out(recipe: Recipe) -> tuple[TakesOut, Any] | None:
    """The stage that takes something out, with its options."""
    for name in recipe.order:
        stage = registry.stage(name)
        if isinstance(stage, TakesOut):
            return stage, recipe.options[name]
    return None


def mask_name(recipe: Recipe, name: str) -> str:
    """The name of an input as outputs may show it."""
    found = _taking_out(recipe)
    return name if found is None else found[0].mask(name, found[1])
