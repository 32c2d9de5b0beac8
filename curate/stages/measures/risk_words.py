"""Words that show a run meets a captcha, a login or a payment, or that a step changes something for others.

Only what is on the screen and in the instruction is read, never the model's own thoughts. English words; a run in
another language is simply not flagged.
"""

from __future__ import annotations

import re
from typing import Literal

from curate.model.actions import Click, DoubleClick, Enter, Hotkey, LongPress, Press, main_action
from curate.model.trajectory import Step

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

_WRITES = (
    r"(?:post|publish|tweet|send|submit|reply|delete|remove|buy(?: now)?|order(?: now)?|purchase|pay(?: now)?|checkout"
    r"|place (?:your )?order|subscribe|unsubscribe|follow|unfollow|transfer|donate|book(?: now)?|reserve|upload"
    r"|confirm (?:purchase|order|payment|booking|deletion)|(?:change|reset) password|(?:close|deactivate) account)"
)
_WRITES_LABEL = re.compile(rf"^{_WRITES}\b(?!\s+(?:type|history|status|options?|settings|by))", re.IGNORECASE)
_WRITES_WORDS = re.compile(
    rf"^(?:click|tap|press|hit|select|choose)s?\s+(?:on\s+)?(?:the\s+)?[\"'“‘]?{_WRITES}[\"'”’]?"
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
    return "\n".join(part for part in (step.window, step.url, element, step.action) if part)


def mentions(kind: Kind, text: str) -> str | None:
    """The word in the text that shows `kind`, None without one. `kind` is captcha, login or payment."""
    lower = text.lower()
    if not any(needle in lower for needle in _NEEDLES[kind]):
        return None
    found = _SHOWN[kind].search(text)
    return found.group(0) if found else None


def writes_state(step: Step) -> str | None:
    """The label that was pressed to change something for others (post, send, delete, buy), None otherwise.
    Composing is not; pressing "Post" is."""
    main = main_action(step.actions)
    if main is not None and not isinstance(main, Click | DoubleClick | LongPress | Press | Hotkey | Enter):
        return None
    if step.element and step.element.name and isinstance(main, Click | DoubleClick | LongPress | None):
        name = " ".join(step.element.name.split())
        first = re.split(r"\W", name, maxsplit=1)[0].lower()
        return name if first in _FIRST_WORDS and _WRITES_LABEL.match(name) else None
    words = " ".join((step.action or "").split())
    return words if _WRITES_WORDS.match(words) else None
