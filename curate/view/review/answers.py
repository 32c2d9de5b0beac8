"""What the page asks for by name, made once for the server and for the export (docs/view.md lists the names)."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.view.review.columns import the_list, the_text
from curate.view.review.data import NotThereError, ReviewData
from curate.view.review.detail import the_run
from curate.view.review.witnesses import the_witnesses

SCHEMA = "view.v1"
_NAME = re.compile(r"[a-z]{1,10}(/[0-9]{1,12}){0,2}")


class Options(msgspec.Struct, kw_only=True, frozen=True):
    """What a page is opened with. `by`: under which name edits are stored. `mode`: who answers."""

    by: str = "reviewer"
    mode: str = "server"


class Answers:
    """The answers over one opened folder. Each raises NotThereError, ChangedError with the sentence the page shows."""

    def __init__(self, data: ReviewData, options: Options) -> None:
        self.data, self.options = data, options
        self._known: dict[str, Callable[..., Any]] = {
            "about": self.about,
            "list": lambda: the_list(data),
            "text": lambda: the_text(data),
            "run": lambda position: the_run(data, position),
            "witness": lambda position: the_witnesses(data, position),
        }

    def named(self, name: str) -> Any:
        """The object of a name such as `list` or `run/12`."""
        kind, *numbers = name.split("/") if _NAME.fullmatch(name) else [""]
        answer = self._known.get(kind)
        if answer is None or len(numbers) != _NUMBERS.get(kind, 0):
            raise NotThereError("The page asked for something that this version does not know: reload it.")
        return answer(*map(int, numbers))

    def about(self) -> dict[str, Any]:
        """`about`: what is looked at, and what codes mean."""
        data = self.data
        return {
            "schema": SCHEMA,
            "title": title_of(data.root),
            "kind": data.kind,
            "mode": self.options.mode,
            "by": self.options.by,
            "version": data.version,
            "counts": {"trajectories": len(data)},
            "stages": [{"name": file.name, "number": file.number} for file in data.stages],
            "audit": None,
            "editable": False,
            "reasons": REASONS,
            "flags": FLAGS,
        }


_NUMBERS = {"run": 1, "witness": 1, "events": 2, "clip": 2}


def title_of(root: Path) -> str:
    """The folder's own name, never where it lies."""
    return root.resolve().name.encode("utf-8", "replace").decode() or "data"


def encoded(found: Any) -> bytes:
    """An answer as JSON; what is no number is null."""
    return msgspec.json.encode(found)
