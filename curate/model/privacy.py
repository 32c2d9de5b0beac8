"""Names that identify a person, taken out of what a recorder wrote about the machine: folder and host names, e-mail
and hardware addresses, home folders.

This is about metadata: window titles, names of elements, paths. What a person typed and what the task says is the
data itself; masking that needs a person to say what is private.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

ACCOUNT = "[account]"
ADDRESS = "[address]"
USER = "[user]"
NAME = "[name]"

# someone@example.com, and a terminal's user@host
_ACCOUNT = re.compile(r"(?<![\w.+-])[\w][\w.+-]*@[\w](?:[\w.-]*[\w])?", re.UNICODE)
_MAC = re.compile(r"(?<![0-9A-Fa-f:.-])(?:[0-9A-Fa-f]{2}([:-]))(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}(?![0-9A-Fa-f])")
_MAC_CISCO = re.compile(r"(?<![0-9A-Fa-f.])(?:[0-9A-Fa-f]{4}\.){2}[0-9A-Fa-f]{4}(?![0-9A-Fa-f.])")
# A home folder at the beginning of a path, whatever stands before the path (a quote, the `*` of an unsaved file);
# within a longer path or a web address `/home/` is a folder like any other. Windows' names may hold blanks.
_HOME = re.compile(
    r"((?<![\w.~%-])(?:/var|/mnt/[a-z]|/run)?/(?:home|Users|media)/)([^/\\:*?\"<>|\s]+)"
    r"|([A-Za-z]:[\\/]+(?:Users|Documents and Settings)[\\/]+)((?:[^/\\:*?\"<>|\r\n]+(?=[\\/]))|[^/\\:*?\"<>|\s]+)"
)
_SHORTEST_NAME = 4  # a shorter name is also a part of ordinary words


class Masker:
    """Masks addresses, accounts and home folders in any text, and the given names of this recording.

    `names`: what its metadata says of the machine or person (host, user, identifiers); names of fewer than four
    characters are left out, since they would mask ordinary words.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        known = {name.strip() for name in names}
        usable = sorted((n for n in known if len(n) >= _SHORTEST_NAME), key=lambda n: (-len(n), n))
        self._names = re.compile("|".join(re.escape(n) for n in usable), re.IGNORECASE) if usable else None

    def __call__(self, text: str) -> str:
        """The text with every identifying part replaced."""
        text = _ACCOUNT.sub(ACCOUNT, text)
        text = _MAC_CISCO.sub(ADDRESS, _MAC.sub(ADDRESS, text))
        text = _HOME.sub(lambda found: (found[1] or found[3]) + USER, text)
        return self._names.sub(NAME, text) if self._names else text

    def maybe(self, text: str | None) -> str | None:
        """The same for a text that may be unknown."""
        return None if text is None else self(text)
