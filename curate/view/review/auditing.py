"""The review page while an audit is open: the items of a blind sample, the runs they are of without anything that
anybody or any stage said of them, and the answers, stored beside the data.

What a page is told of a run is listed here name by name: a field that records get later is not told until it stands
here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from curate.engine.auditing.sampling import check_of_run, read_sample
from curate.model.actions import Terminate
from curate.model.audit_label import AuditItem, AuditLabel
from curate.model.errors import InputError
from curate.model.trajectory import Step, Trajectory
from curate.store.edits import edits_folder, labels_file, utc_now
from curate.view.review.data import NotThereError, ReviewData
from curate.view.review.detail import the_run
from curate.view.review.reviewing import RefusedError, why_read_only

_OF_RUN = ("instruction", "apps", "sites", "platform")
_OF_STEP = ("index", "actions", "action", "low_level", "element", "app", "window", "url", "screen", "time")
_SHOWN = ("index", "image", "image_after", "marks", "lines", "code", "thought", "observation", "events", "clip")
_OF_AN_END = ("action", "low_level", "lines", "code", "thought", "actions")
"""What a step that ends the run would say of how it ended."""


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    """What the page sends of an answer."""

    item: str
    answer: str


class Audit:
    """One sample, open for one person. Raises InputError for a file that is no sample of this run, or whose labels
    cannot be read."""

    def __init__(self, data: ReviewData, path: Path, by: str) -> None:
        self._data, self._by = data, by
        items = read_sample(path)
        check_of_run(items, path, data.root)
        names = [name for item in items for name in (item.id, item.other)]
        found = data.positions(names)
        self._items = {item.item: item for item in items}
        self._places: dict[str, tuple[int, int | None]] = {}
        for item, at, other in zip(items, found[::2], found[1::2], strict=True):
            if at is None or (item.other is not None and other is None):
                raise InputError(f"{path} names a run that the data does not have ({item.id}): draw a new sample.")
            self._places[item.item] = at, other
        self._positions = {at for place in self._places.values() for at in place if at is not None}
        self._about = items[0].about if items else None
        self.known: dict[str, Callable[..., Any]] = {
            "audit": self.items, "run": self.run, "edits": lambda: {"edits": [], "disagreements": []},
        }  # fmt: skip
        self._answers()  # a file that cannot be read is said before the page opens

    def about(self) -> dict[str, Any]:
        """What `about` says otherwise while the audit is open."""
        first = next(iter(self._items.values()), None)
        sample = None if first is None else f"size {first.size}, seed {first.seed}"
        told = {"about": self._about, "sample": sample}
        return {
            "audit": told,
            "stages": [],
            "reasons": {},
            "flags": {},
            "counts": {"trajectories": len(self._positions)},
        }

    def items(self) -> dict[str, Any]:
        """`audit` of the page (docs/view.md): the items, with this person's own answers."""
        mine = self._answers()
        return {"items": [self._shown(item, mine.get(item.item)) for item in self._items.values()]}

    def _shown(self, item: AuditItem, answer: str | None) -> dict[str, Any]:
        at, other = self._places[item.item]
        return {
            "item": item.item, "about": item.about, "position": at, "step": item.step,
            "pair": None if other is None else [at, other], "answer": answer,
        }  # fmt: skip

    def check(self, position: int) -> None:
        """Raises NotThereError for a run that the sample is not of."""
        if position not in self._positions:
            raise NotThereError("This run is not in the sample.")

    def run(self, position: int) -> dict[str, Any]:
        """`run/<position>` without what was said of the run."""
        self.check(position)
        record = self._data.record(position)
        shown = the_run(self._data, position)
        return {
            "position": position,
            "record": _record(record),
            "steps": [_step(step, one) for step, one in zip(record.steps, shown["steps"], strict=True)],
            "final_image": shown["final_image"],
        }

    def store(self, body: bytes) -> dict[str, str]:
        """Store an answer; it is on the disk when this returns. Raises RefusedError, StoreError."""
        why = why_read_only(self._data)
        if why is not None:
            raise RefusedError(why)
        try:
            asked = msgspec.json.decode(body, type=_Asked)
            item = self._items.get(asked.item)
            if item is None:
                raise RefusedError("The sample has no such item: reload the page.")
            label = AuditLabel(
                about=item.about, run=item.run, size=item.size, seed=item.seed, item=item.item, answer=asked.answer,
                by=self._by, at=utc_now(),
            )  # fmt: skip
        except (msgspec.MsgspecError, UnicodeDecodeError, ValueError) as error:
            raise RefusedError(f"This is no answer: {error}.") from error
        labels_file(edits_folder(self._data.root), item.about, self._by).append(label)
        return {"item": item.item, "answer": label.answer}

    def _answers(self) -> dict[str, str]:
        """This person's answers by item, the last of each."""
        if self._about is None:
            return {}
        labels = labels_file(edits_folder(self._data.root), self._about, self._by).read()
        return {label.item: label.answer for label in labels if label.by == self._by}


def _record(record: Trajectory) -> dict[str, Any]:
    return {**{name: getattr(record, name) for name in _OF_RUN}, "steps": [_of_step(step) for step in record.steps]}


def _of_step(step: Step) -> dict[str, Any]:
    found = {name: getattr(step, name) for name in _OF_STEP}
    return _without_end(step, found)


def _step(step: Step, shown: dict[str, Any]) -> dict[str, Any]:
    return _without_end(step, {name: shown[name] for name in _SHOWN})


def _without_end(step: Step, found: dict[str, Any]) -> dict[str, Any]:
    """Of a step that ends the run, that it does, and not how well."""
    if not any(isinstance(action, Terminate) for action in step.actions):
        return found
    hidden: dict[str, Any] = {name: [] if name in ("lines", "actions") else None for name in _OF_AN_END}
    ends = {"action": "The run ends here.", "lines": ["The run ends here."]}
    return found | {name: value for name, value in (hidden | ends).items() if name in found}
