"""What a judge says, read from its words; and whether a run is kept that a model failed and people looked at."""

from __future__ import annotations

import re
from typing import Literal

Verdict = Literal["success", "failure", "unknown"]
_MARKS = r"[\s*_`\"'“”‘’]*"
_STATUS = re.compile(rf"\bstatus\b{_MARKS}[:=]{_MARKS}([a-z]+(?:[ _/|-]+[a-z]+)?)", re.IGNORECASE)
_SCORE = re.compile(rf"\bscore\b{_MARKS}[:=]{_MARKS}(-?\d+(?:\.\d+)?)(?![\d.]*\d)", re.IGNORECASE)
_SUCCESS = frozenset({"success", "successful", "succeeded"})
_FAILURE = frozenset({"failure", "fail", "failed", "unsuccessful", "not success", "not successful"})
_CHOICE = frozenset({"/", "|", "or"})


def parse_status(reply: str) -> Verdict:
    """The verdict of a reply that ends with a line `Status: success` or `failure`, in any case, quoted or marked up.
    The last such line counts, for reasoning comes first. What says neither, or repeats the choice, is unknown: no
    success, and no failure."""
    found = _STATUS.findall(reply)
    if not found:
        return "unknown"
    words = re.findall(r"[a-z]+|[/|]", found[-1].lower())
    if len(words) > 1 and words[1] in _CHOICE:
        return "unknown"
    for form in (" ".join(words), words[0]):
        if form in _FAILURE:
            return "failure"
        if form in _SUCCESS:
            return "success"
    return "unknown"


def parse_score(reply: str, low: float, high: float) -> float | None:
    """The number of the last `Score: 4` of a reply; None where there is none, or one outside its range."""
    found = _SCORE.findall(reply)
    value = float(found[-1]) if found else None
    return value if value is not None and low <= value <= high else None


def passes(model: Verdict, people: tuple[bool, bool] | None) -> bool | None:
    """Whether a run is kept where a model that lets few failures pass judges first (DigiData): what it passes is kept;
    of anything else two people must both say success. None as long as they have not been asked."""
    if model == "success":
        return True
    return None if people is None else people[0] and people[1]
