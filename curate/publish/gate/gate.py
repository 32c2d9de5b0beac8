"""Asks everything that must be so before anything is published: first the run (then it can be staged, and the card says
what was found), then what was staged, byte by byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from curate.engine.progress import Silent, Tells
from curate.model.constants import PUBLISH_OCR_PICTURES
from curate.publish.gate.codes import checked_codes
from curate.publish.gate.coordinates import Coordinates
from curate.publish.gate.found import Found, Gate, GateFinding, GateRow, Unlooked
from curate.publish.gate.leaks import Leaks
from curate.publish.gate.licence_terms import checked_licence
from curate.publish.gate.licences import Licences
from curate.publish.gate.machine import Machine
from curate.publish.gate.ocr import engine
from curate.publish.gate.outcomes import Outcomes
from curate.publish.gate.paths import look_at_files
from curate.publish.gate.personal import PersonalData, look_at_names
from curate.publish.gate.pictures import Pictures
from curate.publish.gate.pointer import Pointer
from curate.publish.gate.redactions import Redactions
from curate.publish.kept import finished_run, kept_records
from curate.publish.manifest import MANIFEST
from curate.publish.options import PublishOptions, limits_of
from curate.publish.staged import Staged

__all__ = ["Gate", "GateFinding", "GateRow", "Looking", "Unlooked", "rows_folder"]

_IDS = 4096  # ids that are Python objects at a time


def rows_folder(run: Path) -> Path:
    """Where all rows of the findings go: `<run>.gate` beside the run."""
    whole = run.resolve()
    return whole.with_name(f"{whole.name}.gate")


class Looking:
    """One look: `at_run`, then `at_staged`. `ocr`: how many pictures are read for text (None: all).

    Raises UsageError for an option that is wrong, InputError for a run that cannot be read."""

    def __init__(
        self, run: Path, options: PublishOptions, progress: Tells | None = None,
        ocr: int | None = PUBLISH_OCR_PICTURES,
    ) -> None:  # fmt: skip
        self._folder, self._tells, self._ocr = finished_run(run), progress or Silent(), ocr
        self._licence = checked_licence(options.license, options.license_name)
        self._run_json, self._report = self._folder.read_run(), self._folder.read_report()
        self._limits = limits_of(self._run_json, options)
        self._found = Found(rows_folder(run), checked_codes(options.accept))
        self._machine = Machine(self._found, run)

    def at_run(self) -> Gate:
        """What is found in the published runs."""
        found, folder = self._found, self._folder
        personal = PersonalData(found, folder.media)
        pictures = Pictures(found, folder.media, personal, self._machine, engine(), self._ocr)
        leaks = Leaks(found, folder, self._run_json)
        parts: list[Any] = [
            leaks, Pointer(found, self._limits), Licences(found, self._licence), personal, pictures,
            Coordinates(found), Outcomes(found, self._limits), Redactions(found, folder.root, self._report),
        ]  # fmt: skip
        self._tells.phase("published runs looked through", int(self._report.get("trajectories") or 0))
        ids, waiting = [pa.array([], pa.string())], []
        with found.closing():
            for kept in kept_records(folder):
                waiting.append(kept.record.id)
                if len(waiting) == _IDS:
                    ids.append(pa.array(waiting, pa.string()))
                    waiting = []
                for part in parts:
                    part.add(kept)
                self._tells.advance()
            published = pa.concat_arrays([*ids, pa.array(waiting, pa.string())])
            leaks.finish(published)
            for finish in _finishers(parts[1:]):
                finish()
            return found.gate()

    def at_staged(self, staged: Staged) -> Gate:
        """The same, and what is found in the bytes that would be sent."""
        names = [*(file.path for file in staged.manifest.files), MANIFEST]
        self._tells.phase("staged files looked through", 0)
        with self._found.closing():
            look_at_names(self._found, names)
            look_at_files(self._found, self._machine, staged.folder, names)
            return self._found.gate()


def _finishers(parts: list[Any]) -> list[Callable[[], None]]:
    return [part.finish for part in parts]
