"""Under which licence the records are: none stated, several for one source, another one than a document beside the
data says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from curate.engine.check.collect import Collected, at
from curate.engine.check.types import Row
from curate.model.trajectory import Trajectory

UNKNOWN = "unknown"
_CARDS = ("README.md", "README.MD", "dataset_card.md")
_CARD_BYTES = 1 << 16
_STATED = re.compile(r"^licen[sc]e:[ \t]*['\"]?([\w .+-]{2,60}?)['\"]?[ \t]*$", re.MULTILINE)


class Licences:
    """Counts the licences of records, by source."""

    def __init__(self, found: Collected) -> None:
        self._found = found
        self.by_source: dict[str, dict[str, int]] = {}

    def add(self, records: Sequence[Trajectory]) -> None:
        """The records of a batch."""
        for record in records:
            name = record.source.license or UNKNOWN
            counts = self.by_source.setdefault(record.source.name, {})
            counts[name] = counts.get(name, 0) + 1
            if record.source.license is None:
                self._found.add("licences.missing", at(record), part=record.source.name)

    def finish(self, folders: Iterable[Path]) -> None:
        """What it comes to. `folders`: where a card of the dataset may lie."""
        for source, counts in sorted(self.by_source.items()):
            total = sum(counts.values())
            self._found.say("licences.missing", part=source, of=total)
            known = {name: count for name, count in counts.items() if name != UNKNOWN}
            listed = ", ".join(f"{name} ({count:,} of {total:,} records)" for name, count in sorted(known.items()))
            if len(known) > 1:
                self._found.add("licences.conflict", part=source, times=len(known))
                self._found.say("licences.conflict", f"{source}: {listed}", part=source)
            elif known:
                self._found.add("licences.stated", part=source, times=sum(known.values()))
                self._found.say("licences.stated", f"{source}: {', '.join(known)}", part=source, of=total)
        self._cards(folders)

    def _cards(self, folders: Iterable[Path]) -> None:
        folders = list(folders)
        cards = {said for folder in folders for card in _CARDS if (said := _of_card(folder / card)) is not None}
        if len(folders) == len(cards) == 1:  # what the card of the whole states holds of each of its records
            title = "Records that state no licence themselves."
            for one in self._found.parts("licences.missing"):
                said = f"The dataset's card says {next(iter(cards))}."
                self._found.say(one.kind, said, part=one.part, of=one.of, severity="note", title=title)
        stated = {_plain(name) for counts in self.by_source.values() for name in counts if name != UNKNOWN}
        for folder in folders:
            for card in _CARDS:
                said = _of_card(folder / card)
                if said is not None and stated and _plain(said) not in stated:
                    what = f"the card says {said}"
                    self._found.add("licences.conflict", Row(file=card, what=what), part="card")
                    self._found.say("licences.conflict", f"{what}, the records say otherwise", part="card")


def _of_card(path: Path) -> str | None:
    """The licence in the head of a dataset's card."""
    try:
        with path.open("rb") as file:
            text = file.read(_CARD_BYTES).decode("utf-8", "replace")
    except OSError:
        return None
    if not text.startswith("---"):
        return None
    match = _STATED.search(text.split("\n---", 1)[0])
    return match[1].strip() if match else None


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
