"""`curate doctor`: what works here, before anybody records. A list of checks; nothing it does can be seen by the person
but a move of the pointer by zero pixels, and nothing goes over the network."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from recorders.checks import desktop, helpers, machine, trials
from recorders.checks.base import Check, Looked, look

MACHINE, SCREEN, INPUT, MORE = "This machine", "Screen", "Input", "More"
PUBLISHING = "Publishing"
"""No concern of recording: it is not in the verdict."""

_EVERYWHERE = (
    Check(group=MACHINE, name="system", look=machine.system, needed=True),
    Check(group=MACHINE, name="packages", look=machine.python, needed=True),
    Check(group=MACHINE, name="disk", look=machine.disk, needed=True),
    Check(group=MACHINE, name="session", look=machine.session, needed=True, after=("system",)),
)
_X11 = (
    Check(group=SCREEN, name="display", look=desktop.display, needed=True, after=("session", "packages")),
    Check(group=SCREEN, name="extensions", look=desktop.extensions, needed=True, after=("display",)),
    Check(group=SCREEN, name="colours", look=desktop.depth, needed=True, after=("display",)),
    Check(group=SCREEN, name="monitors", look=desktop.monitors, needed=True, after=("display", "extensions")),
    Check(group=SCREEN, name="windows", look=desktop.window_manager, after=("display",)),
)
_ELSEWHERE = (
    Check(group=SCREEN, name="permissions", look=desktop.permissions, needed=True, after=("session", "packages")),
    Check(group=SCREEN, name="monitors", look=desktop.monitors, needed=True, after=("permissions",)),
)
_RECORDING = (
    Check(group=SCREEN, name="encoder", look=trials.encoder, needed=True, after=("packages",)),
    Check(group=SCREEN, name="pictures", look=trials.capture, needed=True, after=("monitors", "encoder", "colours")),
    Check(group=INPUT, name="events", look=trials.events, needed=True, after=("monitors", "extensions")),
)
_KEYBOARD = (Check(group=INPUT, name="keyboard", look=desktop.keyboard, after=("display", "extensions")),)
_MORE = (
    Check(group=MORE, name="accessibility", look=helpers.accessibility, after=("session",)),
    Check(group=MORE, name="replay", look=helpers.replay, after=("session", "display")),
    Check(group=MORE, name="clipboard", look=helpers.clipboard, after=("session",)),
    Check(group=PUBLISHING, name="Hub", look=machine.hub),
)


def checks(platform: str = sys.platform) -> tuple[Check, ...]:
    """The checks of a system, in the order in which they are shown."""
    linux = platform.startswith("linux")
    return (
        *_EVERYWHERE,
        *(_X11 if linux else _ELSEWHERE),
        *_RECORDING,
        *(_KEYBOARD if linux else ()),
        *_MORE,
    )


def examine(wanted: Iterable[Check] | None = None) -> Iterator[Looked]:
    """What each check finds, as it finds it; those that would only repeat what is missing are left out."""
    gone: set[str] = set()
    for check in checks() if wanted is None else wanted:
        if gone & set(check.after):
            gone.add(check.name)
            continue
        found = look(check)
        if found.state == "missing":
            gone.add(check.name)
        yield found


def verdict(found: Iterable[Looked]) -> tuple[bool, str]:
    """Whether recording works here, and the sentence that says so."""
    found = [one for one in found if one.group != PUBLISHING]
    absent = [f.name for f in found if f.state == "missing"]
    less = [f.name for f in found if f.state == "warning"]
    if absent:
        return False, f"Nothing can be recorded here yet: see {_list(absent)} above."
    if less:
        return True, f"You can record here. Worth a look above: {_list(less)}."
    return True, "You can record here."


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


SYSTEMS = {"windows": "Windows", "macos": "macOS", "linux": "X11"}


def untested() -> list[str]:
    """What nobody has tried with this recorder: of input, control, accessibility and replay, each with the system's
    name."""
    from recorders.a11y.untested import UNTESTED as TREES
    from recorders.events.untested import UNTESTED as INPUT_OF
    from recorders.terminal.untested import UNTESTED as CONTROL

    trees = [f"{SYSTEMS.get(system, system)}: {said}" for system, each in TREES.items() for said in each]
    return [f"{said.rstrip('.')}." for said in (*INPUT_OF, *CONTROL, *trees)]


def untested_here(platform: str = sys.platform) -> tuple[list[str], list[str]]:
    """The same, apart: of this system, and of others."""
    here = SYSTEMS[{"win32": "windows", "darwin": "macos"}.get(platform, "linux")]
    said = untested()
    mine = [sentence for sentence in said if here in sentence.partition(":")[0]]
    return mine, [sentence for sentence in said if sentence not in mine]
