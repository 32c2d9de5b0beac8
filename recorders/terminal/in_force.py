"""What is said before a recording of what it will hold and not hold: passwords that would be recorded, what is kept
out, when it stops by itself."""

from __future__ import annotations

from collections.abc import Collection

from recorders.a11y.beforehand import Beforehand, NothingToldError
from recorders.backends import open_windows
from recorders.control.chords import shown
from recorders.control.status import clock
from recorders.options import Options
from recorders.privacy.exclusions import Exclusions


def options_told(options: Options) -> list[str]:
    """What was asked for on the command line, as it will be."""
    lines = []
    given = kept_out(options.exclusions, open_windows() if options.exclusions else None)
    if given:
        lines.append(f"Kept out: {', '.join(given)}.")
    if options.clipboard:
        lines.append("Recorded, too: what is copied.")
    if options.seconds is not None:
        lines.append(f"It stops by itself after {clock(options.seconds)}.")
    return lines


def kept_out(exclusions: Exclusions, windows: Collection[tuple[str | None, str | None]] | None) -> list[str]:
    """Each exclusion as it was given, with a remark where no window (program and title) is of it. `windows`: None
    where they cannot be listed."""
    told = []
    alone = [Exclusions(apps=(app,)) for app in exclusions.apps] + [Exclusions(titles=(t,)) for t in exclusions.titles]
    for one in alone:
        there = windows is None or any(one.hides(app, title) for app, title in windows)
        told += [f"{word}{'' if there else ' (no such window now)'}" for word in one.as_given()]
    return [*told, *Exclusions(monitors=exclusions.monitors).as_given()]


def passwords_told(beforehand: Beforehand | None, own: Collection[int], options: Options) -> str | None:
    """Whose passwords would be recorded, and what can be done; None where every program tells its fields.
    `beforehand`: None where accessibility is not to be read."""
    hide = f"press {shown(options.chords.private)} before you type one, and after it"
    if beforehand is None:
        return f"Accessibility is not read (--no-a11y): passwords typed anywhere would be recorded; {hide}."
    try:
        silent = [name for name in beforehand.silent(own) if not options.exclusions.hides(name, None)]
    except NothingToldError as error:
        return f"{error} Passwords typed anywhere would be recorded; {hide}."
    if not silent:
        return None
    return (
        f"Passwords typed in {_listed(silent)} would be recorded, for no accessibility tree comes from there:"
        f" restart it now (browsers publish one when they start from now on), or {hide}."
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
