"""What reading accessibility is to a recording: what the session tells the reader, and what it hears back.

    reader = AccessibilityProcess(Setup(file=str(folder / ACCESSIBILITY), screen=screen, ...))
    reader.start(told)                      # returns at once
    reader.wait_ready()                     # before input is recorded: whether keys already go to a password field
    ...  reader.pressed / typed / moved_focus / scrolled / changed / front / suspend / resume, from any thread
    reader.stop()                           # rows are on the disk; `trees`, `elements`, `notes` are final

What fails is a sentence in `notes`. Only this ends a recording, as its `fault`: a reader that served and cannot be
brought back, since passwords could not be told from other keys then. Every method returns at once but `wait_ready`
and `stop`, which have limits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from curate.model.trajectory import Screen
from recorders.a11y.secret_fields import SecretField
from recorders.privacy.exclusions import Exclusions


class Setup(msgspec.Struct, kw_only=True, frozen=True):
    """What a reader is started with; plain data, since it goes to another process.

    `file`: where rows are appended (a11y.jsonl). `screen`: of the recorded region, in pixels. `origin`: the region's
    top left in the system's coordinates (pixels; points on macOS). `names`: of the machine and user, masked in all
    text. `excluded`: windows that are not read at all. `secrets`: fields that an earlier process of the recording knew
    as ones for passwords."""

    file: str
    screen: Screen
    origin: tuple[int, int] = (0, 0)
    names: tuple[str, ...] = ()
    excluded: Exclusions = Exclusions()
    secrets: tuple[SecretField, ...] = ()


class Focus(msgspec.Struct, kw_only=True, frozen=True, tag="focus"):
    """Keys go somewhere else, as was known at `t`; `password`: to a password field. For the gate:
    `hide("password", since)` and `show("password", since)`. Where a key or press moved the focus, `since` is just after
    it for a password field that begins (what is typed next is hidden), and just that key for one that ends, unless
    others were typed since: the tab that leaves the field is no part of the password.

    `known` false: nobody can tell where keys go from `since` on (the reader ended, hangs, or is being started again);
    `password` says nothing then. `answers`: not 0 where this ends such a time, at `t`."""

    t: int
    since: int
    password: bool
    app: str | None = None
    known: bool = True
    answers: int = 0


Told = Callable[[Focus], None]
"""Called for every change of focus, from a thread of the reader; returns at once."""


class Reader(Protocol):
    """One recording's accessibility. Times are monotonic nanoseconds, points are pixels of the recorded region.

    `name`: of the back end, for `recording.json`; None where none serves here. `notes`: sentences for `recording.json`.
    `fault`: why the recording must end. `trees`, `elements`: rows written so far."""

    name: str | None
    notes: list[str]
    fault: str | None

    @property
    def trees(self) -> int: ...

    @property
    def elements(self) -> int: ...

    def start(self, told: Told) -> None:
        """Begin. Call it as early as possible: switching accessibility on takes programs a moment."""
        ...

    def wait_ready(self, timeout: float = 8.0) -> bool:
        """Wait until the reader knows where keys go (told through `told`), or that it cannot know. False: too late."""
        ...

    def pressed(self, t: int, x: float, y: float) -> None:
        """A mouse button went down: the element there is asked for at once."""
        ...

    def typed(self, t: int) -> None:
        """A key went down that may type: no tree is read until keys have been quiet for a while."""
        ...

    def moved_focus(self, t: int) -> None:
        """A key went down that may move the focus (tab, enter, escape, an access key): where keys go is asked for.
        Also counts as `typed`."""
        ...

    def scrolled(self, t: int) -> None:
        """The wheel turned: what shows will have changed by the person's doing."""
        ...

    def changed(self, t: int) -> None:
        """The screen changed (a frame was captured that differs)."""
        ...

    def front(self, t: int, app: str | None, title: str | None, *, own: bool = False, hidden: bool = False) -> None:
        """Another window is in front, or its title changed; app and title as the system says them, not masked. `own`:
        the recorder's, `hidden`: excluded; neither is read."""
        ...

    def suspend(self) -> None:
        """Read nothing (pause, "do not record this") until `resume`. Focus goes on being told, not written."""
        ...

    def resume(self) -> None:
        """Read again."""
        ...

    def unanswered(self) -> int | None:
        """Rows from this time on are not to be written yet: the reader has not said that it heard of them. To be asked
        before rows are written. Where it takes too long, `told` hears that nobody knows where keys go, and this is
        None again."""
        ...

    def stop(self) -> None:
        """End: whatever is being read is given up after a moment, and all rows are on the disk."""
        ...
