"""All sessions."""

from __future__ import annotations

from tests.replay.sessions import chromium, mousepad, tk_form, xterm

SESSIONS = [*tk_form.SESSIONS, *mousepad.SESSIONS, *xterm.SESSIONS, *chromium.SESSIONS]
QUICK = [session for session in SESSIONS if session.quick]
