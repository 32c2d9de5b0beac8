"""What macOS calls keys and what option makes of them: tables that only a Mac's recordings need."""

from __future__ import annotations

LETTERS = dict(zip(
    (0, 11, 8, 2, 14, 3, 5, 4, 34, 38, 40, 37, 46, 45, 31, 35, 12, 15, 1, 17, 32, 9, 13, 7, 16, 6),
    "abcdefghijklmnopqrstuvwxyz", strict=True,
))  # fmt: skip
"""Virtual key codes (kVK_ANSI_A and so on) of the letters, by their place on a US keyboard."""

KEYPAD = {65: "decimal", 67: "multiply", 69: "add", 75: "divide", 76: "enter", 78: "subtract"}
KEYPAD |= {82 + digit + (digit > 7): f"num{digit}" for digit in range(10)}
"""Virtual key codes of the keypad."""

KEYPAD_ENTER = "c"
"""The keypad's Enter types U+0003, elsewhere ctrl+c. (With ctrl held pynput names a Mac's keys by their letter.)"""

OPTION = dict(zip(
    "å∫ç∂´ƒ©˙ˆ∆˚¬µ˜øπœ®ß†¨√∑≈¥Ω¡™£¢∞§¶•ªº–≠“‘«…æ≤≥÷",
    "abcdefghijklmnopqrstuvwxyz1234567890-=[]\\;',./", strict=True,
))  # fmt: skip
"""The sign that option makes of a key on the US keyboard, and the key."""

OPTION_DEAD = {"e": ("\u0301", "´"), "u": ("\u0308", "¨"), "i": ("\u0302", "ˆ"), "n": ("\u0303", "˜")}
"""Keys that are dead with option: the mark on the next letter, and the sign that stands alone. Of these pynput knows
no character, only the code."""
