"""What of reading accessibility only a machine of another system can prove, by name, for `doctor` and the docs."""

from __future__ import annotations

UNTESTED: dict[str, tuple[str, ...]] = {
    "windows": (
        "UI Automation: trees, elements at a press, states and values of real programs",
        "UI Automation: that a password field is known before its first key (asked every 50 ms)",
        "UI Automation: boxes on scaled displays and on several monitors",
    ),
    "macos": (
        "AX: trees, elements at a press, states and values of real programs",
        "AX: that a password field is known before its first key (asked every 50 ms)",
        "AX: boxes on Retina and mixed displays",
        "AX: that reading trees of Chromium and Electron does not make them type again (the rule is kept)",
    ),
    "linux": (
        "AT-SPI of Qt and LibreOffice programs",
        "AT-SPI where the program in front hangs for minutes",
    ),
}
"""A sentence for each, by platform."""
