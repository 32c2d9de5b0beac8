"""What a check is, and what it finds. Each is looked at on its own: none that fails or hangs keeps the others."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal

import msgspec

from curate.model.errors import CurateError

LIMIT_S = 8.0
"""A check that takes longer is given up."""
State = Literal["ok", "warning", "missing"]


class Finding(msgspec.Struct, kw_only=True, frozen=True):
    """`missing`: nothing can be recorded like this. `warning`: it can, with less. `said`: what was found, one
    sentence. `do`: what to do about it."""

    state: State
    said: str
    do: str | None = None


class Check(msgspec.Struct, kw_only=True, frozen=True):
    """`needed`: without it nothing can be recorded (what else is not there is a `warning`). `after`: names of checks
    without which this one says nothing new; it is left out when one of them is missing."""

    group: str
    name: str
    look: Callable[[], Finding]
    needed: bool = False
    after: tuple[str, ...] = ()


class Looked(msgspec.Struct, kw_only=True, frozen=True):
    """What a check found, with its names."""

    group: str
    name: str
    state: State
    said: str
    do: str | None = None


def ok(said: str) -> Finding:
    return Finding(state="ok", said=said)


def warning(said: str, do: str | None = None) -> Finding:
    return Finding(state="warning", said=said, do=do)


def missing(said: str, do: str | None = None) -> Finding:
    return Finding(state="missing", said=said, do=do)


def look(check: Check, limit: float = LIMIT_S) -> Looked:
    """Look at one thing. Whatever it raises is a finding; what takes longer than `limit` seconds too."""
    found: list[Finding] = []

    def work() -> None:
        try:
            found.append(check.look())
        except CurateError as error:
            found.append(missing(str(error)))
        except Exception as error:  # whichever library it was, this check has an answer and the others come
            found.append(missing(f"It could not be looked at ({type(error).__name__}: {_short(error)})."))

    thread = threading.Thread(target=work, name=f"check-{check.name}", daemon=True)
    thread.start()
    thread.join(limit)
    finding = found[0] if found else missing(f"It did not answer within {limit:g} seconds.")
    state = "warning" if finding.state == "missing" and not check.needed else finding.state
    return Looked(group=check.group, name=check.name, state=state, said=finding.said, do=finding.do)


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 160 else text[:157] + "..."
