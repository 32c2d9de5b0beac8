"""Who is answered: whoever has the token of this server, from a page of this server, under its own name.

A page of another site that a person has open may send requests to 127.0.0.1 too, and may give its own name the address
127.0.0.1 (rebinding): the first lacks the cookie and says where it comes from, the second asks under another Host.
Cookies know no ports: one for `/` would be sent to whatever else listens on 127.0.0.1, which on a shared computer may
be another person's. So the page has a place of its own that nobody can guess, and the cookie is for that alone."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from http.cookies import CookieError, SimpleCookie

_NOTHING_ELSE = "default-src 'none'; base-uri 'none'; form-action 'none'"
FILE_POLICY = (
    f"{_NOTHING_ELSE}; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; media-src 'self' file:"
)
"""Of exported pages: they fetch nothing. `file:` where they are opened from a folder, which is no origin everywhere."""
HEADERS = {
    "Content-Security-Policy": (
        f"{_NOTHING_ELSE}; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; connect-src 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Of every answer."""

CSRF_HEADER = "X-Curate"  # a form of another page cannot set it


class Guard:
    """The rules of one server: its port and its token."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.place = f"/{secrets.token_urlsafe(12)}/"  # where the page is; its own addresses are all relative
        self.cookie = f"curate_view_{port}"  # two servers each have their own
        self._once: set[str] = set()
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    def refused(self, headers: Mapping[str, str], given: str | None, writes: bool) -> str | None:
        """Why a request is not answered, None if it is. `given`: the token in its address. `writes`: it is to change
        something."""
        host = headers.get("Host", "").lower()
        if host not in self._hosts:
            return "This server answers only under its own address, 127.0.0.1."
        origin = headers.get("Origin")
        if origin is not None and origin.lower() != f"http://{host}":
            return "This server answers only pages of its own."
        if headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin") and given is None:
            return "This server answers only pages of its own."
        if not (self._is_token(given) or self._is_token(self._in_cookie(headers))):
            return "The token is missing or wrong: open the address that `curate view` printed."
        if writes and headers.get(CSRF_HEADER) != "1":
            return f"What changes something needs the header {CSRF_HEADER}: 1."
        return None

    def set_cookie(self) -> str:
        """The value of Set-Cookie by which a page that was opened with the token goes on without it."""
        return f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path={self.place}"

    def once(self) -> str:
        """A token that serves for one opening of the page, and then no more."""
        made = secrets.token_urlsafe(24)
        self._once.add(made)
        return made

    def _is_token(self, given: str | None) -> bool:
        if given in self._once:
            self._once.remove(given)
            return True
        return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def _in_cookie(self, headers: Mapping[str, str]) -> str | None:
        try:
            found = SimpleCookie(headers.get("Cookie", "")).get(self.cookie)
        except CookieError:
            return None
        return None if found is None else found.value
