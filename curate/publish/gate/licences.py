"""Licences of the parts, against the one that is stated."""

from __future__ import annotations

from curate.publish.gate.found import Found, at
from curate.publish.gate.licence_terms import OTHER, plain, why_not
from curate.publish.kept import Kept
from curate.publish.statements import count as counted
from curate.sources.registry import source

MISSING, CONFLICT = "licences.missing", "licences.conflict"


class Licences:
    """Looks at what each record states. `whole`: the stated licence, as the Hub knows it. Recordings of one's own state
    none: whoever publishes them is the one who may."""

    def __init__(self, found: Found, whole: str) -> None:
        self._found, self._whole = found, whole
        self._why: set[str] = set()
        self._runs = 0

    def add(self, kept: Kept) -> None:
        """The next run."""
        self._runs += 1
        origin = kept.record.source
        if origin.license is None:
            if not _own(origin.name):
                self._found.add(MISSING, at(kept, f"{origin.name} states no licence"))
            return
        part = plain(origin.license)
        why = None if self._whole == OTHER and not _binds(part) else why_not(part, self._whole)
        if why is not None:
            self._found.add(CONFLICT, at(kept, f"{origin.name} is {origin.license}: {why}"))
            self._why.add(f"{origin.name} is {origin.license}, and {why}")

    def finish(self) -> None:
        """Totals."""
        runs = counted(self._found.count(MISSING), "published run of others states", "published runs of others state")
        self._found.say(MISSING, f"{runs} no licence.", self._runs)
        told = "; ".join(sorted(self._why)[:5])
        self._found.say(CONFLICT, f"Parts may not be published under {self._whole}: {told}.", self._runs)


def _binds(part: str) -> bool:
    """Whether a part asks more than to be named, so that a licence that is not known here need not keep it."""
    return why_not(part, "mit") is not None


def _own(name: str) -> bool:
    """Whether a source is recordings."""
    try:
        return bool(source(name).raw)
    except KeyError:  # of a source that this version does not have
        return False
