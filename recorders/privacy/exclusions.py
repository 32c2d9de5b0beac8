"""What the person took out of the recording beforehand: programs, windows by title, monitors."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from recorders.errors import RecorderError


class Exclusions(msgspec.Struct, kw_only=True, frozen=True):
    """`apps`: names of programs as `window` rows have them, without case. `titles`: regular expressions found
    anywhere in a window's title, without case. `monitors`: numbers from 1, in the order of recording.json.
    Plain data: it goes to other processes as it is."""

    apps: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    monitors: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.apps or self.titles or self.monitors)

    def hides(self, app: str | None, title: str | None) -> bool:
        """Whether a window of this program and title is excluded."""
        if app is not None and app.casefold() in {name.casefold() for name in self.apps}:
            return True
        return title is not None and any(re.search(p, title, re.IGNORECASE) for p in self.titles)

    def as_given(self) -> list[str]:
        """For recording.json: `app:NAME`, `title:PATTERN`, `monitor:N`."""
        apps, titles = [f"app:{name}" for name in self.apps], [f"title:{pattern}" for pattern in self.titles]
        return [*apps, *titles, *(f"monitor:{number}" for number in self.monitors)]


def read_exclusions(given: Sequence[str]) -> Exclusions:
    """From words like `app:keepassxc`, `title:private|incognito`, `monitor:2`; a word alone is a program. Raises
    RecorderError for a pattern or number that is none."""
    apps: list[str] = []
    titles: list[str] = []
    monitors: list[int] = []
    for word in given:
        kind, _, rest = word.partition(":")
        if kind == "title" and rest:
            try:
                re.compile(rest)
            except re.error as error:
                raise RecorderError(f"{word!r} is no pattern for titles: {error}.") from error
            titles.append(rest)
        elif kind == "monitor":
            if not rest.isdecimal() or int(rest) < 1:
                raise RecorderError(f"{word!r} names no monitor: write monitor:1, monitor:2 and so on.")
            monitors.append(int(rest))
        else:
            apps.append(rest if kind == "app" and rest else word)
    return Exclusions(apps=tuple(apps), titles=tuple(titles), monitors=tuple(monitors))
