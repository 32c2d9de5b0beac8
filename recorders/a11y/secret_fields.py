"""What was a password field once stays one for the recording: "show password" makes it an ordinary one for the program,
and what is in it is no less secret."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from curate.model.roles import role_of
from recorders.a11y.prune import Box, Seen

SLACK_PX = 3  # a field that is drawn anew may be a little larger
MOST = 500  # fields remembered; a page with more is none that a person fills in


class SecretField(msgspec.Struct, frozen=True):
    """As it was seen last. `program`: by its name on the bus, or as the window's."""

    program: str | None
    ref: tuple[str, str] | None
    name: str | None
    box: Box | None


class SecretFields:
    """A field is known again by its object; or, where the program made another object of it, as a field of the same
    program in the same place, or of the same name and size (it was scrolled or its window moved). Another field that
    later lies exactly there is taken for it: its keys stay out rather than those of a password come in."""

    def __init__(self, fields: Iterable[SecretField] = ()) -> None:
        self.fields = list(fields)

    def mark(self, seen: Iterable[Seen], app: str | None) -> bool:
        """Make password fields of these elements where they were ones before, and remember those that are now; whether
        `fields` changed. `app`: whose they are, where they have no `ref`."""
        before = list(self.fields)
        for element in seen:
            now = "password" in element.states
            if not now and not (self.fields and _takes_text(element)):
                continue
            program = element.ref[0] if element.ref is not None else app
            index = self._known(element, program)
            if not now and index is None:
                continue
            if not now:
                element.states = [*element.states, "password"]
            element.value = None
            if index is None:
                self.fields = self.fields[1 - MOST :]
                self.fields.append(SecretField(program, element.ref, element.name, element.box))
                continue
            old = self.fields[index]
            self.fields[index] = SecretField(
                program, element.ref or old.ref, element.name or old.name, element.box or old.box
            )
        return self.fields != before

    def _known(self, element: Seen, program: str | None) -> int | None:
        same = [(index, field) for index, field in enumerate(self.fields) if field.program == program]
        by_object = [index for index, field in same if element.ref is not None and field.ref == element.ref]
        if by_object:
            return by_object[-1]
        alike = [index for index, field in same if _in_place(field, element) or _by_name(field, element)]
        return alike[-1] if alike else None


def _takes_text(element: Seen) -> bool:
    return (element.role or role_of(element.raw_role)) in ("edit", "combobox") or "editable" in element.states


def _in_place(field: SecretField, element: Seen) -> bool:
    if field.box is None or element.box is None:
        return False
    return all(abs(a - b) <= SLACK_PX for a, b in zip(field.box, element.box, strict=True))


def _by_name(field: SecretField, element: Seen) -> bool:
    if field.box is None or element.box is None or not field.name or field.name != element.name:
        return False
    (left, top, right, bottom), box = field.box, element.box
    return abs(right - left - box[2] + box[0]) <= SLACK_PX and abs(bottom - top - box[3] + box[1]) <= SLACK_PX
