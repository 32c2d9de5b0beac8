"""Words that show a run meets a captcha, a login or a payment, or that a step changes something for others.

Only what is on the screen and in the instruction is read, never the model's own thoughts. English words; a run in
another language is simply not flagged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute

from curate.model.actions import (
    Action,
    Click,
    DoubleClick,
    Enter,
    Hotkey,
    KeyDown,
    KeyUp,
    LongPress,
    MoveTo,
    Press,
    main_action,
)
from curate.model.steps import Steps, is_kind
from curate.model.trajectory import Step

pc: Any = pyarrow.compute  # its stubs know no columns
Kind = Literal["captcha", "login", "payment", "writes_state"]

_SHOWN: dict[Kind, re.Pattern[str]] = {
    "captcha": re.compile(
        r"\b(?:re|h)?captcha\b|\bnot a robot\b|\bare you (?:a )?(?:human|robot)\b|\bverify (?:that )?you are human\b"
        r"|\bcf-challenge\b|\bchallenges\.cloudflare\.com\b|\bunusual traffic\b",
        re.IGNORECASE,
    ),
    "login": re.compile(
        r"\blog[ -]?in\b|\bsign[ -]?in\b|\blogin\b|\bsignin\b|\bpassword\b|\bpasscode\b|\b2fa\b"
        r"|\btwo[ -]factor\b|\b(?:verification|one[ -]time) code\b|\baccounts\.google\.com\b|/oauth\b",
        re.IGNORECASE,
    ),
    "payment": re.compile(
        r"(?<!git )\bcheck-?out\b|\bpay now\b|\bpayment\b|\bplace (?:your )?order\b|\bbuy now\b|\bcredit card\b"
        r"|\bcard number\b|\bcvv\b|\bbilling address\b|\bcomplete purchase\b|\bpaypal\b",
        re.IGNORECASE,
    ),
}

_NEEDLES: dict[Kind, tuple[str, ...]] = {
    "captcha": ("captcha", "robot", "human", "challenge", "unusual traffic"),
    "login": (
        "log in", "log-in", "login", "sign in", "sign-in", "signin", "password", "passcode", "2fa", "factor",
        "tion code", "time code", "time-code", "accounts.google", "/oauth",
    ),
    "payment": (
        "checkout", "check-out", "pay now", "payment", "place order", "place your order", "buy now", "credit card",
        "card number", "cvv", "billing address", "complete purchase", "paypal",
    ),
}  # fmt: skip
"""Pieces of which each match of _SHOWN holds one: nearly every text is told by these alone, ten times faster."""

_ANY_NEEDLE = "|".join(re.escape(needle) for needles in _NEEDLES.values() for needle in needles)

SHOWN_KINDS: tuple[Kind, ...] = ("captcha", "login", "payment")
"""What words on a screen show."""

_WRITES = (
    r"(?:post|publish|tweet|send|submit|reply|delete|remove|buy(?: now)?|order(?: now)?|purchase|pay(?: now)?|checkout"
    r"|place (?:your )?order|subscribe|unsubscribe|follow|unfollow|transfer|donate|book(?: now)?|reserve|upload"
    r"|confirm (?:purchase|order|payment|booking|deletion)|(?:change|reset) password|(?:close|deactivate) account)"
)
_PRESSES = r"(?:click|tap|press|hit|select|choose)s?\s+(?:on\s+)?(?:the\s+)?[\"'“‘]?"
_WRITES_LABEL = re.compile(rf"^{_WRITES}\b(?!\s+(?:type|history|status|options?|settings|by))", re.IGNORECASE)
_WRITES_WORDS = re.compile(
    rf"^{_PRESSES}{_WRITES}[\"'”’]?"
    rf"(?:\s+(?:button|link|icon|key))?\s*[.!]?$",
    re.IGNORECASE,
)


_FIRST_WORDS = frozenset(
    word
    for line in (
        "post publish tweet send submit reply delete remove buy order purchase pay checkout place subscribe",
        "unsubscribe follow unfollow transfer donate book reserve upload confirm change reset close deactivate",
    )
    for word in line.split()
)
"""What a label has to begin with for _WRITES to match: most labels are told by one look-up."""


def shown_text(step: Step) -> str:
    """What the screen said, as far as the record knows: window, address, element, and the words of the action."""
    element = step.element.name if step.element else None
    return "\n".join(filter(None, (step.window, step.url, element, step.action)))


def may_show(steps: Steps) -> dict[int, list[Step]]:
    """By run (its position) of which a text holds a piece of any kind's words: its steps that show one (none where it
    is the instruction alone). No other step's `shown_text`, and no other run's instruction, `mentions` a kind."""
    instructions = _hold_pieces([record.instruction for record in steps.records])
    found: dict[int, list[Step]] = {run: [] for run in np.flatnonzero(instructions).tolist()}
    holds = np.zeros(len(steps), bool)
    for column in (steps.element_names, *map(steps.of, ("action", "window", "url"))):
        texts = list(set(column))  # elements and windows come again and again
        holding = {text for text, held in zip(texts, _hold_pieces(texts), strict=True) if held}
        if holding:
            holds |= np.fromiter(map(holding.__contains__, column), bool, len(column))
    for at in np.flatnonzero(holds).tolist():
        found.setdefault(int(steps.run[at]), []).append(steps.all[at])
    return found


def _hold_pieces(texts: Sequence[str | None]) -> list[bool]:
    """For each text whether it holds a piece of any kind's words, whatever their case: one pass for all pieces."""
    if not any(texts):
        return [False] * len(texts)
    held: list[bool] = pc.match_substring_regex(pa.array(texts, pa.string()), _ANY_NEEDLE, ignore_case=True).to_pylist()
    return held


def pieces_in(kind: Kind, text: str) -> list[str]:
    """The pieces of the kind's words that a text in small letters holds."""
    return [piece for piece in _NEEDLES[kind] if piece in text]


def mentions(kind: Kind, text: str, pieces: Sequence[str] | None = None) -> str | None:
    """The word in the text that shows `kind`, None without one. `kind` is captcha, login or payment. `pieces`: those
    that it may hold, where that is known."""
    small = text.lower()
    if not any(piece in small for piece in (_NEEDLES[kind] if pieces is None else pieces)):
        return None
    found = _SHOWN[kind].search(text)
    return found.group(0) if found else None


def first_writings(steps: Steps) -> dict[int, tuple[int, str]]:
    """By run (its position) that has one: the index of its first step that changes something for others, and the label
    that was pressed for it."""
    kinds = np.full(len(steps), -1, np.int8)
    kinds[steps.acted[::-1]] = steps.kinds[::-1]  # of its first action
    names = steps.element_names
    harmless = {name for name in set(names) if name and not begins_to_write(name)}
    told = np.fromiter(map(harmless.__contains__, names), bool, len(names))
    none = kinds < 0
    at = np.flatnonzero((none | ~_NEVER[kinds]) & ~(told & (none | _LABELLED[kinds])))
    found: dict[int, tuple[int, str]] = {}
    for place, run in zip(at.tolist(), steps.run[at].tolist(), strict=True):
        step = steps.all[place]
        if run not in found and may_write(step) and (label := writes_state(step)):
            found[run] = (step.index, label)
    return found


def may_write(step: Step) -> bool:
    """Whether `writes_state` has to look at the step: False for nearly all, by the kind of action and the label."""
    kind = type(step.actions[0]) if step.actions else None
    if kind in _NEVER_WRITES:
        return False
    name = step.element.name if step.element is not None else None
    if name and kind in LABELLED:
        return begins_to_write(name)
    return kind in _PRELUDES or _WRITES_BEGIN.match(step.action or "") is not None


@lru_cache(16384)
def begins_to_write(label: str) -> bool:
    """Whether a label begins with a word of those that change something for others."""
    return re.split(r"\W", " ".join(label.split()), maxsplit=1)[0].lower() in _FIRST_WORDS


_MAY_WRITE = Click | DoubleClick | LongPress | Press | Hotkey | Enter
_PRELUDES = frozenset((MoveTo, KeyDown, KeyUp))
_NEVER_WRITES = frozenset(get_args(Action)) - _PRELUDES - frozenset(get_args(_MAY_WRITE))
"""A step whose first action is of such a kind has it for its main one."""
_NEVER, _LABELLED = is_kind(*_NEVER_WRITES), is_kind(Click, DoubleClick, LongPress)
LABELLED = frozenset((Click, DoubleClick, LongPress, None))
"""Kinds of main actions (None: none) that press what the element's label says."""
_WRITES_BEGIN = re.compile(rf"\s*{_PRESSES}(?:{'|'.join(sorted(_FIRST_WORDS))})", re.IGNORECASE)


def writes_state(step: Step) -> str | None:
    """The label that was pressed to change something for others (post, send, delete, buy), None otherwise.
    Composing is not; pressing "Post" is."""
    main = main_action(step.actions)
    if main is not None and not isinstance(main, _MAY_WRITE):
        return None
    if step.element and step.element.name and isinstance(main, Click | DoubleClick | LongPress | None):
        name = " ".join(step.element.name.split())
        return name if begins_to_write(name) and _WRITES_LABEL.match(name) else None
    words = " ".join((step.action or "").split())
    return words if _WRITES_WORDS.match(words) else None
