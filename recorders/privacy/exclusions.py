"""What the person took out of the recording beforehand: programs, windows by title, monitors.

No regular expressions: a page chooses its title, and some expressions take for ever on some titles.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from curate.model.errors import UsageError

_KINDS = ("app", "title", "monitor")
_OF_REGULAR_EXPRESSIONS = {"app": "\\^$?[]{}", "title": "\\^$()[]{}"}
_MONITOR_DIGITS = 3


class Exclusions(msgspec.Struct, kw_only=True, frozen=True):
    """`apps`: names of programs as `window` rows have them, whole. `titles`: what is found anywhere in a window's
    title. In both, case does not count, `*` is any text, and `|` stands between alternatives. `monitors`: numbers from
    1, in the order of recording.json. Plain data: it goes to other processes as it is."""

    apps: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    monitors: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.apps or self.titles or self.monitors)

    def hides(self, app: str | None, title: str | None) -> bool:
        """Whether a window of this program and title is excluded."""
        if app is not None and any(_is(one, app.casefold()) for one in _alternatives(self.apps)):
            return True
        return title is not None and any(_is(f"*{one}*", title.casefold()) for one in _alternatives(self.titles))

    def as_given(self) -> list[str]:
        """For recording.json: `app:NAME`, `title:PATTERN`, `monitor:N`."""
        apps, titles = [f"app:{name}" for name in self.apps], [f"title:{pattern}" for pattern in self.titles]
        return [*apps, *titles, *(f"monitor:{number}" for number in self.monitors)]


def read_exclusions(given: Sequence[str]) -> Exclusions:
    """From words like `app:keepassxc`, `title:private|incognito`, `monitor:2`; a word alone is a program. Raises
    UsageError for a word that would keep nothing out, or everything."""
    found: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for word in given:
        kind, colon, rest = word.partition(":")
        kind, rest = (kind.strip().lower(), rest.strip()) if colon else ("app", word.strip())
        if kind not in found:
            raise UsageError(
                f"--exclude {word!r} names no kind of thing: write app:NAME, title:TEXT or monitor:NUMBER"
                " (app:a:b for a program that is called a:b)."
            )
        if kind == "monitor":
            _check_monitor(word, rest)
        else:
            _check_pattern(word, kind, rest)
        found[kind].append(rest)
    monitors = tuple(int(number) for number in found["monitor"])
    return Exclusions(apps=tuple(found["app"]), titles=tuple(found["title"]), monitors=monitors)


def _check_monitor(word: str, rest: str) -> None:
    if not (rest.isascii() and rest.isdecimal() and len(rest) <= _MONITOR_DIGITS and int(rest) >= 1):
        raise UsageError(f"--exclude {word!r} names no monitor: write monitor:1, monitor:2 and so on.")


def _check_pattern(word: str, kind: str, rest: str) -> None:
    what = "program" if kind == "app" else "title"
    if not all(one.replace("*", "").strip() for one in rest.split("|")):
        everything = "every" if rest else "no"
        raise UsageError(f"--exclude {word!r} means {everything} {what}: write {kind}: and part of its name.")
    strange = [sign for sign in _OF_REGULAR_EXPRESSIONS[kind] if sign in rest]
    if kind == "title" and any(sign in rest for sign in (".*", ".+", ".?")):
        strange.append(".")
    if strange:
        raise UsageError(
            f"--exclude {word!r} looks like a regular expression ({strange[0]}), and would be taken letter by letter:"
            f" only * (any text) and | (or) mean something in a {what}. Write * for a sign that is really in it."
        )


def _alternatives(patterns: Sequence[str]) -> list[str]:
    return [one.strip().casefold() for pattern in patterns for one in pattern.split("|")]


def _is(pattern: str, text: str) -> bool:
    """Whether the whole text is as the pattern says. Each piece between stars is looked for once, behind the one
    before: no text makes it slow."""
    first, *rest = pattern.split("*")
    if not rest:
        return text == first
    *middle, last = rest
    if len(text) < len(first) + len(last) or not (text.startswith(first) and text.endswith(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for piece in middle:
        found = text.find(piece, at, end)
        if found < 0:
            return False
        at = found + len(piece)
    return True
