"""What key events do: the rules of keyboard.py, modifiers.py, typed_text.py and shortcuts.py, applied to one event
after another."""

from __future__ import annotations

from curate.model.actions import Press
from curate.model.constants import CONTROL_CHARACTER_S
from curate.model.events import RawEvent
from curate.reduce.events import mac_keys
from curate.reduce.events.keyboard import Key, letter_by_code, on_a_mac
from curate.reduce.events.ledger import Draft
from curate.reduce.events.modifiers import ALONE, HeldModifier, Snapshot
from curate.reduce.events.shortcuts import REPEATABLE, Entry, Shortcut
from curate.reduce.events.state import State
from curate.reduce.events.typed_text import Typed, TypedText, character, waits_for_letter

_UNDER_SHIFT = {"space": "2", "^": "6"}  # U+0000 and U+001E come of ctrl, shift and these digits


class Keystrokes:
    """Keys going down and up."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.keys = state.keys
        self.modifiers = state.modifiers
        self.ledger = state.ledger
        self.composing = False  # the Compose key was pressed: what the next keys make is not known

    # --- which rule ---------------------------------------------------------------------------------------------

    def down(self, event: RawEvent, key: Key, lost: bool) -> None:
        """A key goes down; `lost`: a modifier whose release is not in the recording."""
        key = self._on_a_mac(key)
        if key.family is not None:
            self.keys.other_key_pressed()
            self.modifiers.press(event, key, lost)
        elif key.silent:
            if key.name == "capslock" and not self.keys.is_repeat(event, key):
                self.state.caps.toggle()
            self.composing = self.composing or key.name == "iso_multi_key"
            self.keys.press(event, key, False, None)
            self.ledger.leave_out(event.index, "reduce.modifier")
        else:
            self._act(event, key)

    def up(self, event: RawEvent, key: Key) -> None:
        """A key goes up. Its row belongs to the step of its press."""
        key = self._on_a_mac(key)
        held = self.modifiers.find(event, key) if key.family is not None or key.group else None
        if key.family is not None or held is not None:
            if isinstance(self.state.open, Shortcut) and held in self.state.open.holders:
                self.state.finish_open()
            tapped = self.modifiers.release(event, key, self.state.current())
            if tapped is not None:
                self._tap(tapped)
            return
        pressed = self.keys.release(event, key, self.modifiers.snapshot(event.time).shift)
        if key.silent:
            self.ledger.leave_out(event.index, "reduce.modifier")
        elif pressed is None:
            self.ledger.leave_out(event.index, "reduce.orphan_release")
        elif pressed.draft is None or pressed.draft.gone:
            self.ledger.leave_out(event.index, pressed.reason)
        elif pressed.draft is self.state.current():
            pressed.draft.take(event)
        else:
            pressed.draft.events.append(event.index)  # the next action began before: it does not lengthen this one

    def _on_a_mac(self, key: Key) -> Key:
        return on_a_mac(key, self.modifiers.families) if self.state.platform == "macos" else key

    def _tap(self, held: HeldModifier) -> None:
        """Win or alt pressed and released alone opens the start menu or the menu bar."""
        self.state.finish_open()
        draft = Draft.of("press", held.events[0])
        for event in held.events[1:]:
            draft.take(event)
        draft.actions = [Press(ALONE[held.family])]
        self.ledger.close(draft)

    def _act(self, event: RawEvent, key: Key) -> None:
        """A key that is no modifier goes down: it types, deletes within its run, or is a key or shortcut of its own."""
        repeat = self.keys.is_repeat(event, key)
        stuck = not repeat and self.keys.find(event, key) is not None
        only_key = key.only_key or key.control is not None or self._is_capital_name(event, key)
        held = self.modifiers.snapshot(event.time, key.char, only_key)
        if repeat and self._repeat(event, key):
            return
        is_shortcut = bool(held.commands) and not self._is_option_text(held, key)
        typed = None if is_shortcut else self._typed(event, key, held)
        dead = None if is_shortcut else waits_for_letter(event, key)
        if typed is not None or dead is not None:
            self._type(event, key, held, typed, dead, repeat, stuck)
        elif not is_shortcut and key.name == "backspace" and self._take_back(event, key, held, repeat):
            pass
        elif self._key_of(event, key, held) is None or (not is_shortcut and self._says_nothing(event, key)):
            self._unknown(event, key)
        else:
            self._press(event, key, held, stuck)

    def _says_nothing(self, event: RawEvent, key: Key) -> bool:
        """A character key that typed nothing as far as its recorder knows, or of which only the number is known: what
        it typed depends on the layout."""
        return key.only_key or (event.text == "" and key.char is not None)

    def _is_capital_name(self, event: RawEvent, key: Key) -> bool:
        """A capital without shift and caps lock names the key: AgentNetTool writes control characters and keys
        without a character so."""
        char = key.char or ""
        if event.text is not None or not (char.isascii() and char.isupper()):
            return False
        return not self.modifiers.snapshot(event.time).shift and not self.state.caps.on

    def _is_option_text(self, held: Snapshot, key: Key) -> bool:
        """On a Mac option and a letter type another character."""
        return (
            self.state.platform == "macos"
            and held.commands == {"alt"}
            and (key.dead is not None or (key.char is not None and not key.char.isascii()))
        )

    def _typed(self, event: RawEvent, key: Key, held: Snapshot) -> Typed | None:
        """The character the press types, None for none."""
        if key.only_key or event.text == "":
            return None
        after_ctrl = 0 <= event.time - self.modifiers.ctrl_released <= CONTROL_CHARACTER_S
        if event.text is None and key.char is not None and not held.shift and not after_ctrl:
            self.state.caps.note(key.char)
        typed = character(key, event.text, held.shift, self.state.caps, after_ctrl)
        if typed is None:
            return None
        doubt = bool(held.commands) or self.composing
        doubt = doubt or (key.keypad and event.text is None and not key.numbered and self.state.platform != "macos")
        return Typed(typed.char, certain=False) if doubt else typed

    # --- what it does -------------------------------------------------------------------------------------------

    def _repeat(self, event: RawEvent, key: Key) -> bool:
        """The keyboard repeats a key: more of the same press. A repeat after another action began acts as a press of
        its own only if the key acts each time. False: the press goes on to the other rules."""
        pressed = self.keys.find(event, key)
        action = self.state.open
        if isinstance(action, Shortcut) and pressed is not None and action.entries[-1].draft is pressed.draft:
            entry = action.entries[-1]
            entry.draft.take(event)
            entry.repeat()
            self.keys.press(event, key, pressed.shift, entry.draft)
            return True
        if key.name in REPEATABLE or key.char is not None:
            return False
        self.keys.press(event, key, False, pressed.draft if pressed is not None else None)
        self.ledger.leave_out(event.index, "reduce.auto_repeat")
        return True

    def _run(self, event: RawEvent) -> TypedText:
        """The run of typing that a character belongs to, with its event."""
        action = self.state.open
        if isinstance(action, TypedText) and action.goes_on(event.time):
            action.draft.take(event)
        else:
            self.state.finish_open()
            action = TypedText(Draft.of("typing", event))
            self.state.open = action
        action.last_press = event.time
        return action

    def _type(
        self, event: RawEvent, key: Key, held: Snapshot, typed: Typed | None, dead: tuple[str, str] | None,
        repeat: bool, stuck: bool,
    ) -> None:  # fmt: skip
        run = self._run(event)
        self.keys.press(event, key, held.shift, run.draft)
        self.modifiers.use(held, run.draft, event.time)
        run.draft.flag(*(["auto_repeat"] if repeat else []), *(["stuck_key"] if stuck else []))
        if dead is not None:
            run.hold_dead(*dead)
            run.draft.flag(*(["text_unverified"] if held.commands else []))
        elif typed is not None:
            run.add(typed, is_text_known=event.text is not None)
            if self.composing:
                self.composing = not typed.char.isalpha()

    def _take_back(self, event: RawEvent, key: Key, held: Snapshot, repeat: bool) -> bool:
        """Backspace within a run of typing; False if it deletes what was there before."""
        run = self.state.open
        if not isinstance(run, TypedText) or not run.goes_on(event.time) or not run.backspace():
            return False
        run.draft.take(event)
        run.last_press = event.time
        self.keys.press(event, key, held.shift, run.draft)
        self.modifiers.use(held, run.draft, event.time)
        if repeat:
            run.draft.flag("auto_repeat")
        return True

    def _unknown(self, event: RawEvent, key: Key) -> None:
        """A key nobody can name: nothing is typed or pressed for it."""
        run = self.state.open
        if key.ime or (isinstance(run, TypedText) and run.goes_on(event.time)):
            run = self._run(event)
            run.unknown()
            self.keys.press(event, key, False, run.draft)
            return
        self.keys.press(event, key, False, None, "reduce.unknown_key")
        self.ledger.leave_out(event.index, "reduce.unknown_key")

    def _key_of(self, event: RawEvent, key: Key, held: Snapshot) -> str | None:
        """The key's name in a shortcut: a control character is its letter while ctrl is held, and a letter of another
        script is the Latin one of its key where the key's code tells (pynput#7, #134)."""
        if key.control is not None and "ctrl" in held.commands:
            return _UNDER_SHIFT.get(key.control, key.control) if held.shift else key.control
        if self.state.platform == "macos" and "alt" in held.commands and key.char in mac_keys.OPTION:
            return mac_keys.OPTION[key.char]
        if key.name is not None and len(key.name) == 1 and not key.name.isascii():
            return letter_by_code(event.code, self.state.platform) or key.name
        return key.name

    def _press(self, event: RawEvent, key: Key, held: Snapshot, stuck: bool) -> None:
        """A key or shortcut of its own, or one more key under the same held alt, win or command."""
        name = self._key_of(event, key, held)
        assert name is not None
        action = self.state.open
        if not isinstance(action, Shortcut) or not action.goes_on(held.holders):
            self.state.finish_open()
            action = Shortcut(held.holders)
            self.state.open = action
        draft = Draft.of("hotkey" if held.all else "press", event)
        self.modifiers.use(held, draft, event.time)
        self.keys.press(event, key, held.shift, draft)
        doubtful = not name.isascii() or (name != key.name and key.control is None and event.code is None)
        draft.flag(*(["stuck_key"] if stuck else []), *(["text_unverified"] if doubtful else []))
        action.entries.append(Entry(held.all, name, draft))
