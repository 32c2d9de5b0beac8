"""Which windows are open, by the names that exclusions go by."""

from __future__ import annotations

import struct

from recorders.desktop.x11_window_facts import FactReader
from recorders.x11 import close, connect


def named_windows() -> list[tuple[str | None, str | None]] | None:
    """Program and title of each window that the window manager lists, once for each of the program's two names. None
    where nobody lists them. Raises RecorderError where there is no display."""
    connection = connect()
    try:
        facts = FactReader(connection)
        name = "_NET_CLIENT_LIST"
        atom = connection.core.InternAtom(True, len(name), name).reply().atom
        reply = connection.core.GetProperty(False, facts.root.root, atom, 0, 0, 1 << 16).reply() if atom else None
        if reply is None or reply.format != 32:
            return None
        raw = bytes(reply.value.buf())
        found = [facts.facts(window) for (window,) in struct.iter_unpack("=I", raw)]
        return [(app, one.title) for one in found for app in one.names or (None,)]
    finally:
        close(connection)
