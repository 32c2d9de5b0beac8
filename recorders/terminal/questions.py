"""What the person is asked, before and after a recording. Nothing is guessed: an empty answer leaves it open."""

from __future__ import annotations

from typing import Literal, cast

import msgspec

from curate.model.errors import GateError
from curate.store.recording import Consent, Outcome
from recorders.control.chords import Chords, shown
from recorders.terminal.consent import is_agreed, remember
from recorders.terminal.start_key import start_key
from recorders.terminal.summary import STATUSES
from recorders.terminal.terminal import Terminal

Before = Literal["start", "skip", "quit"]
After = Literal["keep", "again", "throw away", "once more"]
"""`again`: it stays until another one is kept. `once more`: it is thrown away and the task recorded again."""


def keys_table(chords: Chords) -> list[str]:
    """Which keys do what while recording."""
    rows = {
        shown(chords.stop): "stops (or Ctrl-C in this window)",
        shown(chords.pause): "pauses, and goes on",
        shown(chords.private): "hides what you do, until pressed again",
        shown(chords.discard): "discards",
    }
    width = max(map(len, rows))
    return [f"  {keys:<{width}}  {what}" for keys, what in rows.items()]


def ask_consent(terminal: Terminal, consent: Consent) -> Consent | None:
    """Show the text and have it agreed to, once for each version. Without a terminal: what was agreed to before, or
    None. Raises GateError where the person does not agree."""
    if is_agreed(consent):
        return consent
    if not terminal.interactive:
        return None
    terminal.show(f"{consent.text}\n")
    if terminal.choose("Do you agree? (yes/no)", {"yes": "yes", "no": "no"}) != "yes":
        raise GateError("Nothing is recorded without your agreement.")
    if not remember(consent):
        terminal.say("(That you agreed could not be remembered on this computer: you will be asked again.)")
    terminal.say()
    return consent


def ask_start(terminal: Terminal, instruction: str, place: str, chords: Chords) -> Before:
    """Show the task and wait for Enter, or for the start shortcut pressed anywhere. `place`: `3 of 20`, or nothing."""
    told = "".join(f"\n    {line}" for line in instruction.splitlines())
    terminal.show(f"Task {place}".strip() + f":{told}\n\n")
    others = {"s": "skip", "q": "quit"} if place else {"q": "quit"}
    words = ", ".join(f"{key} {name}s" for key, name in others.items())
    question = f"Enter or {shown(chords.start)} starts, {words}:"
    with start_key(chords.start) as pressed:
        while True:
            said = terminal.wait_for_enter(question, pressed.is_set)
            if not said:
                return "start"
            if said.casefold() in ("s", "skip") and place:
                return "skip"
            if said.casefold() in ("q", "quit"):
                return "quit"
            terminal.show(f"{said!r} is none of that.")


def ask_outcome(terminal: Terminal) -> Outcome | None:
    """How the task ended, as the person says; None where they do not."""
    answers = {name: name for name in STATUSES}
    said = terminal.choose("How did it end? d done, f failed, i impossible, Enter: not said.", answers, enter="")
    if not said:
        return None
    reason = terminal.ask("Why? (a few words, Enter: no reason)") if said != "done" else ""
    return msgspec.structs.replace(STATUSES[said], reason=reason or None)


def ask_keep(terminal: Terminal, discarding: bool) -> After:
    """What becomes of the recording. `discarding`: the discard shortcut was pressed, so Enter alone decides nothing."""
    if discarding:
        answers: dict[str, After] = {
            "yes": "throw away", "throw away": "throw away", "no": "keep", "keep": "keep", "again": "once more",
        }  # fmt: skip
        question = "Throw it away? y yes, n no, a yes and record it again."
        return cast(After, terminal.choose(question, answers))
    answers = {"keep": "keep", "yes": "keep", "again": "again", "throw away": "throw away"}
    question = "Keep it? k keep, a again (this one stays until another is kept), t throw away, Enter: keep."
    return cast(After, terminal.choose(question, answers, enter="keep"))
