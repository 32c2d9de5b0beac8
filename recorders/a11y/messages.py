"""What goes between the recorder and the process that reads accessibility: one JSON object a line on its standard
input and output. The first line to it is a `Setup`; the end of its input is its end, so that it never outlives the
recorder. Every `t` is in nanoseconds of the monotonic clock."""

from __future__ import annotations

import msgspec

from recorders.a11y.reader import Focus
from recorders.a11y.secret_fields import SecretField


class Pressed(msgspec.Struct, tag="pressed", frozen=True):
    """A mouse button went down there, in pixels of the recorded region."""

    t: int
    x: float
    y: float

    @property
    def is_answered(self) -> bool:
        """Whether the reader says that it heard of it (`Heard`)."""
        return True


class Acted(msgspec.Struct, tag="acted", frozen=True):
    """A key (`typed`), one that may move the focus (`moves_focus`), or the wheel (neither)."""

    t: int
    typed: bool = False
    moves_focus: bool = False

    @property
    def is_answered(self) -> bool:
        """Whether the reader says that it heard of it (`Heard`)."""
        return self.typed


class Changed(msgspec.Struct, tag="changed", frozen=True):
    """The screen changed."""

    t: int


class Front(msgspec.Struct, tag="front", frozen=True):
    """The window in front. `own`: the recorder's; `hidden`: excluded."""

    t: int
    app: str | None
    title: str | None
    own: bool = False
    hidden: bool = False


class Suspend(msgspec.Struct, tag="suspend", frozen=True):
    """Read nothing, or read again."""

    on: bool


class Ask(msgspec.Struct, tag="ask", frozen=True):
    """Say where keys go: a `Focus` that `answers` this number."""

    number: int


class Stop(msgspec.Struct, tag="stop", frozen=True):
    """End."""


class Opened(msgspec.Struct, tag="opened", frozen=True):
    """Where keys go has been told, or cannot be known. `backend`: null where nothing can be read here."""

    backend: str | None


class Heard(msgspec.Struct, tag="heard", frozen=True):
    """So many presses and keys have been heard of: it is alive."""

    count: int


class Lost(msgspec.Struct, tag="lost", frozen=True):
    """Where keys go is not known any more: something failed. It must be asked for."""


class Remember(msgspec.Struct, tag="remember", frozen=True):
    """The fields that are or were for passwords: for the next process, should this one end."""

    fields: list[SecretField]


class Wrote(msgspec.Struct, tag="wrote", frozen=True):
    """Rows of the file so far, by this process."""

    trees: int
    elements: int


class Note(msgspec.Struct, tag="note", frozen=True):
    """A sentence for `notes` of recording.json."""

    text: str


ToReader = Pressed | Acted | Changed | Front | Suspend | Ask | Stop
FromReader = Focus | Opened | Heard | Lost | Remember | Wrote | Note
