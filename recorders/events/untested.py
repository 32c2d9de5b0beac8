"""What of input only a Windows or macOS machine, or hardware, can prove: printed by `curate doctor` and the docs."""

from __future__ import annotations

UNTESTED: tuple[str, ...] = (
    "Windows: pynput's hooks themselves, that both are installed when the recorder says so, and that nothing is lost at"
    " the stop.",
    "Windows: that the process sees physical pixels on monitors of different scale (set before the first hook)"
    ", and points left of and above the main monitor.",
    "Windows: parts of a wheel notch from touchpads, taken out of the hook's own data.",
    "Windows: AltGr (left ctrl and right alt), dead keys and caps lock as a real keyboard sends them; text is not known"
    " (null) while the window in front has another layout than the recorder.",
    "Windows: the keypad's decimal key, whose text is not known; characters that a layout makes of one key in several"
    " code points, of which pynput gives the first.",
    "Windows: whether selecting text in the console window the recorder was started from (QuickEdit) delays input.",
    "Windows: input to windows of higher rights (an administrator's), which hooks of a normal process do not see.",
    "macOS: whether both permissions (Accessibility, Input Monitoring) are asked about rightly before the start.",
    "macOS: that a tap which the system switches off for being slow is noticed (callbacks only fill a queue).",
    "macOS: points turned into pixels on Retina monitors, and on several monitors of different scale.",
    "macOS: the sign of sideways scrolling, natural scrolling, and the trackpad's small turns.",
    "macOS: dead keys and option's characters, whose text is what the event says, and null where it says nothing.",
    "macOS: that reading input sources off the main thread does not crash in this pynput (its reports 510 to 512).",
    "macOS: secure input (password fields of the system), during which no key is reported to anybody.",
    "Windows and macOS: keys cannot be kept from programs, so the recorder's shortcuts reach the program in front.",
    "X11: real keyboards and mice (input was injected, also in the name of a keyboard); a remote X server.",
    "X11: an arrangement of buttons for one mouse alone (xinput set-button-map); of all together it is tested.",
    "X11: `injected` of buttons and the wheel is not known (null); of keys it is.",
    "X11: input methods (IBus, Fcitx): keys are recorded, the text that a method makes of them is not.",
)
