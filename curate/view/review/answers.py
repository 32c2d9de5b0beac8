"""What the page asks for by name, made once for the server and for the export (docs/view.md lists the names)."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.view.review.auditing import Audit
from curate.view.review.columns import the_list, the_text
from curate.view.review.data import NotThereError, ReviewData
from curate.view.review.detail import the_run
from curate.view.review.limits import CLIPS_HELD
from curate.view.review.raw_events import the_events
from curate.view.review.raw_recordings import Recordings
from curate.view.review.reviewing import the_edits, why_read_only
from curate.view.review.witnesses import the_witnesses

SCHEMA = "view.v1"
CLIPS = "clips"  # the folder of clips, as the page names it
_NAME = re.compile(r"[a-z]{1,10}(/[0-9]{1,12}){0,2}")
_CLIP = re.compile(r"[0-9]{1,12}-[0-9]{1,12}\.mp4")
_NUMBERS = {"run": 1, "witness": 1, "events": 2, "clip": 2}


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """What a page is opened with. `by`: under which name edits are stored. `mode`: who answers. `recordings`: where
    the recordings lie that records were made from, beside the places that are looked at anyway. `audit`: the file of
    a blind sample, of which alone the page speaks then."""

    by: str = "reviewer"
    mode: Literal["server", "export"] = "server"
    recordings: tuple[Path, ...] = ()
    audit: Path | None = None


class Answers:
    """The answers over one opened folder. `clips`: the folder for clips that are made when asked for. Each answer
    raises NotThereError, ChangedError or InputError with the sentence that the page shows."""

    def __init__(self, data: ReviewData, options: Options, clips: Path) -> None:
        self.data, self.options = data, options
        self._recordings = Recordings(data, options.recordings, goes_away=options.mode == "export")
        self._clip_folder = clips
        self._known: dict[str, Callable[..., Any]] = {
            "about": self.about,
            "list": lambda: the_list(data),
            "text": lambda: the_text(data),
            "run": lambda position: the_run(data, position),
            "witness": lambda position: the_witnesses(data, position),
            "events": lambda position, step: the_events(self._recordings, data.record(position), step),
            "clip": self.clip,
            "edits": lambda: the_edits(data),
        }
        self.audit = None if options.audit is None else Audit(data, options.audit, options.by)
        if self.audit is not None:
            self._known = {"about": self.about, "clip": self.clip, **self.audit.known}

    @cached_property
    def _clips(self) -> Any:
        from curate.view.review.clips import Clips  # it loads a video decoder, which only clips need

        return Clips(self._recordings)

    def named(self, name: str) -> Any:
        """The object of a name such as `list` or `run/12`."""
        kind, *numbers = name.split("/") if _NAME.fullmatch(name) else [""]
        answer = self._known.get(kind)
        if self.audit is not None and kind in (*_NUMBERS, "list", "text") and answer is None:
            raise NotThereError("An audit is open: it shows its items, and nothing of what was decided.")
        if answer is None or len(numbers) != _NUMBERS.get(kind, 0):
            raise NotThereError("The page asked for something that this version does not know: reload it.")
        return answer(*map(int, numbers))

    def about(self) -> dict[str, Any]:
        """`about`: what is looked at, and what codes mean."""
        data = self.data
        read_only = why_read_only(data) if self.options.mode == "server" else None
        about = {
            "schema": SCHEMA,
            "title": title_of(data.root),
            "kind": data.kind,
            "mode": self.options.mode,
            "by": self.options.by,
            "version": data.version if self.options.mode == "server" else None,
            "counts": {"trajectories": len(data)},
            "stages": [{"name": file.name, "number": file.number} for file in data.stages],
            "audit": None,
            "editable": read_only is None,
            "not_editable": read_only,
            "reasons": REASONS,
            "flags": FLAGS,
        }
        return about if self.audit is None else {**about, **self.audit.about()}

    def clip(self, position: int, step: int) -> Any:
        """`clip/<position>/<step>`, its file made if it is not there."""
        if self.audit is not None:
            self.audit.check(position)
        name = f"{position}-{step}.mp4"
        self._clip_folder.mkdir(parents=True, exist_ok=True)
        if self.options.mode == "server":
            for old in sorted(self._clip_folder.glob("*.mp4"), key=_made)[:-CLIPS_HELD]:
                old.unlink(missing_ok=True)
        return self._clips.of(self.data.record(position), step, self._clip_folder / name, f"{CLIPS}/{name}")

    def clip_file(self, name: str) -> Path | None:
        """The file of a clip that was made; None for any other name."""
        path = self._clip_folder / name
        return path if _CLIP.fullmatch(name) and path.is_file() else None


def _made(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def title_of(root: Path) -> str:
    """The folder's own name, never where it lies."""
    return root.resolve().name.encode("utf-8", "replace").decode() or "data"


def encoded(found: Any) -> bytes:
    """An answer as JSON; what is no number is null."""
    return msgspec.json.encode(found)
