"""One name for one app or site, so that `Google Chrome` and `chrome.exe`, or `https://www.amazon.co.uk/x` and
`amazon.co.uk`, are the same place."""

from __future__ import annotations

import contextlib
import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from curate.model.constants import APP_ALIASES, APP_HOSTS, SITE_ALIASES

_APP_ENDING = re.compile(r"\.(?:exe|app|desktop|lnk)$")
_IP = re.compile(r"^\d{1,3}(?:\.\d{1,3}){3}$|^\[")


@lru_cache(8192)
def app_key(name: str) -> str:
    """`Visual Studio Code.app` -> `vscode`. A name without an alias is itself, lower case."""
    plain = " ".join(unicodedata.normalize("NFKC", name).casefold().replace("_", " ").split())
    plain = _APP_ENDING.sub("", plain)
    return APP_ALIASES.get(plain, plain)


@lru_cache(8192)
def site_key(place: str) -> str:
    """The registrable domain of a host or URL (`mail.google.com` -> `google.com`). Addresses and single names keep
    their port, since benchmark sites differ by nothing else (`localhost:7770`)."""
    plain = unicodedata.normalize("NFKC", place).strip().casefold()
    try:
        parts = urlsplit(plain if "://" in plain else f"//{plain}")
        host, port = (parts.hostname or plain).strip().rstrip("."), parts.port
    except ValueError:  # not an address at all: it is a name
        return plain
    if _IP.match(host) or "." not in host:
        return f"{host}:{port}" if port else host
    domain = registrable(host)
    return SITE_ALIASES.get(domain, domain)


@lru_cache(maxsize=1 << 14)
def registrable(host: str) -> str:
    """The part of a host name that somebody registered, by the public suffix list that ships with the package
    `publicsuffixlist` (`a.b.co.uk` -> `b.co.uk`, `a.me.github.io` -> `me.github.io`). A name that is a public suffix
    itself, and one with empty labels, is its own. Punycode is read as what it stands for."""
    if "xn--" in host:
        with contextlib.suppress(UnicodeError):
            host = host.encode("ascii").decode("idna")
    return _public_suffixes().privatesuffix(host) or host


@lru_cache(maxsize=1)
def _public_suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList  # 20 ms: who names no site need not wait for its list

    return PublicSuffixList()


def app_keys(names: Iterable[str]) -> list[str]:
    """Each app once, in order; processes that only hold other programs' windows are none."""
    return list(dict.fromkeys(key for name in names if (key := app_key(name)) and key not in APP_HOSTS))


def site_keys(places: Iterable[str]) -> list[str]:
    """Each site once, in order."""
    return list(dict.fromkeys(key for place in places if (key := site_key(place))))
