"""Dates an instruction names in full. A date without its year says nothing about whether it has passed."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date

_MONTHS = {name.lower(): i for i, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): i for i, name in enumerate(calendar.month_abbr) if name} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = re.compile(r"\d{4}")
_ISO = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({_MONTH})\.?,?\s+(\d{{4}})\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b({_MONTH})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.IGNORECASE)
_MONTH_YEAR = re.compile(rf"\b({_MONTH})\.?,?\s+(\d{{4}})\b", re.IGNORECASE)
_SLASHES = re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b")


def named_dates(text: str) -> list[date]:
    """The dates the text names with day, month and year, or month and year (then the month's last day), ascending.
    Where day and month could be swapped (03/04/2025) the later reading is taken: a date is called passed only if it
    has passed either way. Impossible dates (31 February) are none."""
    if not _YEAR.search(text):
        return []
    return sorted({day for day in _found(text) if day is not None})


def _found(text: str) -> Iterator[date | None]:
    for year, month, day in _ISO.findall(text):
        yield _day(year, month, day)
    for day, month, year in _DAY_MONTH.findall(text):
        yield _day(year, _MONTHS[month.lower()], day)
    for month, day, year in _MONTH_DAY.findall(text):
        yield _day(year, _MONTHS[month.lower()], day)
    rest = _MONTH_DAY.sub(" ", _DAY_MONTH.sub(" ", text))  # "3 May 2023" is not also "May 2023"
    for month, year in _MONTH_YEAR.findall(rest):
        number = _MONTHS[month.lower()]
        if int(year) >= 1:
            yield _day(year, number, calendar.monthrange(int(year), number)[1])
    for first, second, year in _SLASHES.findall(text):
        readings = [d for d in (_day(year, first, second), _day(year, second, first)) if d]
        yield max(readings, default=None)


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None
