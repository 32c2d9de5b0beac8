"""Which keys a replay lent characters to, noted at the X server: a replay that is killed gives nothing back, and the
next one, or the doctor, can tell its keys from those of the layout.

A property of the root window, gone with the server: the number of the process, then code and keysym of each key.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Mapping
from typing import Any

from recorders.x11 import root_of

_NAME = b"_CUA_CURATE_LENT_KEYS"
_MOST = 1 << 10


def note(connection: Any, lent: Mapping[int, int]) -> None:
    """These keys (code -> keysym) are lent by this process. Before they are."""
    from xcffib import xproto

    numbers = [os.getpid(), *(number for pair in lent.items() for number in pair)]
    data = struct.pack(f"={len(numbers)}I", *numbers)
    root, name = root_of(connection).root, _atom(connection)
    connection.core.ChangeProperty(xproto.PropMode.Replace, root, name, xproto.Atom.CARDINAL, 32, len(numbers), data)


def forget(connection: Any) -> None:
    """They were given back."""
    connection.core.DeleteProperty(root_of(connection).root, _atom(connection))
    connection.core.GetInputFocus().reply()


def left_lent(connection: Any) -> list[int]:
    """Codes of keys that a replay lent which is no more, and that still have its characters."""
    from xcffib import xproto

    root = root_of(connection).root
    reply = connection.core.GetProperty(False, root, _atom(connection), xproto.Atom.CARDINAL, 0, _MOST).reply()
    data = bytes(reply.value.buf()) if reply.format == 32 else b""
    if len(data) < 4:
        return []
    owner, *pairs = struct.unpack(f"={len(data) // 4}I", data)
    if _runs(owner):
        return []
    setup = connection.get_setup()
    keys = zip(pairs[::2], pairs[1::2], strict=False)
    return [
        code
        for code, keysym in keys
        if setup.min_keycode <= code <= setup.max_keycode
        and keysym == connection.core.GetKeyboardMapping(code, 1).reply().keysyms[0]
    ]


def give_back(connection: Any) -> int:
    """Make keys that were left lent free again; how many."""
    codes = left_lent(connection)
    for code in codes:
        connection.core.ChangeKeyboardMapping(1, code, 1, [0])
    if codes:
        forget(connection)
    return len(codes)


def _atom(connection: Any) -> int:
    return int(connection.core.InternAtom(False, len(_NAME), _NAME).reply().atom)


def _runs(process: int) -> bool:
    if sys.platform == "win32" or process == os.getpid():
        return process == os.getpid()
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # another person's
    return True
