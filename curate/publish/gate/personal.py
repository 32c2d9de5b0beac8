"""Personal data in what is published: in every text of every record, its accessibility trees, what is written in its
pictures (where an engine for that is installed), what picture files say of themselves, and names of files."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator

from curate.model.errors import InputError
from curate.publish.gate.found import Found, GateRow
from curate.publish.gate.record_texts import texts_of
from curate.publish.kept import Kept
from curate.publish.statements import count as counted
from curate.stages.measures.personal_data import find
from curate.store.media import MediaStore
from curate.store.paths import PathError
from curate.store.trees import read_text_tree

CODES_OF = {
    "email": "personal.contact", "phone": "personal.contact", "card": "personal.bank", "iban": "personal.bank",
    "token": "personal.secret", "user_name": "personal.user_name",
}  # fmt: skip
"""The code of each kind that `personal_data.find` knows."""
FILE_NAME = "personal.file_name"
_WORDS = {
    "personal.contact": "E-mail addresses or phone numbers", "personal.bank": "Numbers of bank cards or accounts",
    "personal.secret": "Keys, tokens or passwords", "personal.user_name": "Names of users in paths of home folders",
}  # fmt: skip
_TREES_MET = 50_000  # hashes of trees that are not searched twice


class PersonalData:
    """Searches the records. Of each record one row a kind and value: the same address in forty observations is one
    place."""

    def __init__(self, found: Found, media: MediaStore) -> None:
        self._found, self._media = found, media
        self._trees: set[str] = set()
        self._unread = 0

    def add(self, kept: Kept) -> None:
        """The next run."""
        self.look(kept, [*texts_of(kept.record), *self._texts_of_trees(kept)])

    def look(self, kept: Kept, pieces: Iterable[tuple[str, int | None, str]]) -> None:
        """Texts of a run: where they stand, the step, the text."""
        pieces = list(pieces)
        starts, length = [], 0
        for _, _, text in pieces:
            starts.append(length)
            length += len(text) + 1
        joined = "\n".join(text for _, _, text in pieces)
        met: set[tuple[str, str]] = set()
        for one in find(joined):
            value = joined[one.start : one.stop]
            if (one.kind, value) in met:
                continue
            met.add((one.kind, value))
            field, step, _ = pieces[bisect.bisect_right(starts, one.start) - 1]
            code = CODES_OF[one.kind]
            row = GateRow(id=kept.record.id, step=step, what=f"{one.kind.replace('_', ' ')} in {field}: {one.shown}")
            self._found.add(code, row)

    def _texts_of_trees(self, kept: Kept) -> Iterator[tuple[str, int | None, str]]:
        for step in kept.record.steps:
            if step.tree is None or step.tree in self._trees:
                continue
            if len(self._trees) >= _TREES_MET:
                self._trees.clear()
            self._trees.add(step.tree)
            try:
                yield "accessibility tree", step.index, read_text_tree(self._media, step.tree)
            except (PathError, OSError, InputError):
                self._unread += 1

    def finish(self) -> None:
        """Totals."""
        if self._unread:
            self._found.cannot(f"{self._unread:,} accessibility trees", "they cannot be read")
        for code, words in _WORDS.items():
            self._found.say(code, f"{words} in {counted(self._found.count(code), 'place')}.")
        self._found.cannot("names of persons, postal addresses, faces", "no pattern knows them; a person has to look")


def look_at_names(found: Found, names: Iterable[str]) -> None:
    """Names of the files that are published."""
    for name in names:
        for one in find(name):
            found.add(FILE_NAME, GateRow(file=name, what=one.kind.replace("_", " ")))
    found.say(FILE_NAME, f"Personal data in the names of {counted(found.count(FILE_NAME), 'file')}.")


def look_at_text(found: Found, name: str, text: str) -> None:
    """A published file that no record is in: report, recipe, card, manifest."""
    for one in find(text):
        line = text.count("\n", 0, one.start) + 1
        found.add(CODES_OF[one.kind], GateRow(file=name, line=line, what=f"{one.kind.replace('_', ' ')}: {one.shown}"))
