"""Personal data in what records say: instructions, words of steps, typed texts, windows, addresses, names of elements,
trees; and in the names of files. Shown masked, never as it stands."""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence

import msgspec

from curate.engine.check.collect import Collected, at
from curate.engine.check.types import Row, Sure
from curate.model.constants import CHECK_TREE_CHARACTERS
from curate.model.errors import InputError
from curate.model.trajectory import Trajectory
from curate.stages.measures.personal_data import SURE, Personal, find
from curate.store.media import MediaStore
from curate.store.paths import PathError
from curate.store.trees import read_text_tree

_KINDS = {
    "email": "personal.contact", "phone": "personal.contact", "card": "personal.bank", "iban": "personal.bank",
    "token": "personal.secret", "user_name": "personal.user_name",
}  # fmt: skip
_TITLES = {
    "email": "E-mail addresses.", "phone": "Phone numbers.", "card": "Numbers of bank cards, their checksum right.",
    "iban": "Numbers of bank accounts, their checksum right.",
}  # fmt: skip
_STEP_TEXTS = ("observation", "thought", "action", "low_level", "code", "window", "url", "app", "reflection")


class PersonalData:
    """Searches records, a batch at a time. Of each record one row a kind and text: the same address in forty
    observations is one finding."""

    def __init__(self, found: Collected, media: MediaStore) -> None:
        self._found, self._media = found, media
        self._met: set[str] = set()
        self._seen_trees: set[str] = set()

    def add(self, records: Sequence[Trajectory]) -> None:
        """The records of a batch."""
        for record in records:
            self._of(record)

    def _of(self, record: Trajectory) -> None:
        pieces = list(_texts(record))
        pieces += [(index, "tree", text) for index, text in self._trees(record)]
        starts, length, whole = [], 0, []
        for _, _, text in pieces:
            starts.append(length)
            whole.append(text)
            length += len(text) + 1
        met: set[tuple[str, str]] = set()
        joined = "\n".join(whole)
        for one in find(joined):
            index, field, _ = pieces[bisect.bisect_right(starts, one.start) - 1]
            value = joined[one.start : one.stop]
            if (one.kind, value) in met:
                continue
            met.add((one.kind, value))
            self._found.add(_KINDS[one.kind], at(record, f"{field}: {one.shown}", index), part=one.kind, times=0)
        for kind in {kind for kind, _ in met}:
            self._met.add(kind)
            self._found.add(_KINDS[kind], part=kind)

    def _trees(self, record: Trajectory) -> Iterator[tuple[int, str]]:
        """Texts of trees, each tree once."""
        for step in record.steps:
            if step.tree is None or step.tree in self._seen_trees:
                continue
            if len(self._seen_trees) > 10_000:
                self._seen_trees.clear()
            self._seen_trees.add(step.tree)
            try:
                yield step.index, read_text_tree(self._media, step.tree)[:CHECK_TREE_CHARACTERS]
            except (PathError, OSError, InputError):
                continue

    def add_names(self, names: Sequence[str]) -> None:
        """The names of files, as they lie in the inputs."""
        for name in names:
            for kind in {one.kind for one in find(name)}:
                self._found.add("personal.file_name", Row(file=name), part=kind)

    def finish(self, records: int) -> None:
        """Sentences with their totals."""
        for kind in sorted(self._met):
            by, why = SURE[kind]
            sure = Sure(by=by, why=why)
            self._found.say(_KINDS[kind], part=kind, of=records, sure=sure, title=_TITLES.get(kind))
        for finding in self._found.parts("personal.file_name"):
            sure_by, reason = SURE[finding.part or ""]
            finding.sure = Sure(by=sure_by, why=reason)
            finding.sentence = f"{(finding.part or '').replace('_', ' ')} in names of files"


def _texts(record: Trajectory) -> Iterator[tuple[int | None, str, str]]:
    """Every text of a record: the step's index, the field's name, the text."""
    yield None, "instruction", record.instruction
    for name, text in record.wordings.items():
        yield None, f"wording {name[:40]}", text
    task = [record.task.prerequisites, *(record.task.steps or []), record.task.expected, record.outcome.reason]
    for told in (*task, record.actor.name, record.source.url, record.template):
        if told:
            yield None, "task", told
    others: list[tuple[str, Sequence[str | None]]] = [
        ("attempt", [record.attempt]), ("apps", record.apps), ("sites", record.sites), ("lineage", record.lineage)
    ]  # fmt: skip
    for name, texts in others:
        yield from ((None, name, text) for text in texts if text)
    for step in record.steps:
        for name in _STEP_TEXTS:
            text = getattr(step, name)
            if text and not (name == "code" and step.actions):  # its actions say the same
                yield step.index, name, text
        for action in step.actions:
            for name in action.__struct_fields__:
                if isinstance(text := getattr(action, name), str) and len(text) > 4:
                    yield step.index, msgspec.to_builtins(action).get("type", "action"), text
        if step.element is not None and step.element.name:
            yield step.index, "element", step.element.name


__all__ = ["Personal", "PersonalData"]
