"""Where a recipe takes something out (the stage redact), records are read apart: what the source stores goes to a
folder of its own, and only what is left in a finished record comes into the run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from curate.engine.recipe import Recipe
from curate.model.trajectory import Trajectory
from curate.sources.base import Input
from curate.stages import registry
from curate.store.atomic import make_folder
from curate.store.media import MediaStore
from curate.store.paths import PathError


class Apart:
    """Reading of one shard. `media_root`: where the source stores pictures: the run folder `root`, or apart from it,
    below `folder`."""

    def __init__(self, root: Path, folder: Path, recipe: Recipe) -> None:
        self._root, self._scratch = root, folder / "apart"
        found = _taking_out(recipe)
        self._stage: Any = found[0] if found is not None else None
        self._options: Any = found[1] if found is not None else None
        self.media_root = root if self._stage is None else self._scratch
        self.close()  # what a killed run left

    @property
    def is_apart(self) -> bool:
        return self._stage is not None

    def open(self, one: Input) -> Path:
        """What is read of an input. Raises InputError, GateError."""
        if self._stage is None:
            return one.path
        found: Path = self._stage.open_input(one.path, one.source, self._options, make_folder(self._scratch / "inputs"))
        return found

    def mask(self, text: str) -> str:
        """A text that is no part of a record, as it may be written."""
        return text if self._stage is None else str(self._stage.mask(text, self._options))

    def keep(self, record: Trajectory) -> None:
        """Store in the run what the finished record names."""
        if self._stage is None:
            return
        apart, run = MediaStore(self._scratch), MediaStore(self._root)
        named = [ref for step in record.steps for ref in (step.image, step.image_after, step.tree)]
        for ref in {*named, record.final_image, record.video, record.trace}:
            if ref is None:
                continue
            try:
                if apart.has(ref):
                    run.add_bytes(apart.read(ref), Path(ref).name.split(".", 1)[1])
            except PathError:
                continue

    def close(self) -> None:
        """Nothing of it stays."""
        if self._stage is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)


def _taking_out(recipe: Recipe) -> tuple[Any, Any] | None:
    for name in recipe.order:
        if hasattr(registry.stage(name), "open_input"):
            return registry.stage(name), recipe.options[name]
    return None


def mask_name(recipe: Recipe, name: str) -> str:
    """The name of an input as outputs may show it."""
    found = _taking_out(recipe)
    return name if found is None else str(found[0].mask(name, found[1]))
