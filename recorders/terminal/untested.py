"""What of control only a Windows or macOS machine, or another desktop, can prove; for `curate doctor`."""

from __future__ import annotations

UNTESTED: tuple[str, ...] = (
    "Windows: questions, the status line and waiting for Enter in its consoles; putting the console's window away and"
    " bringing it back (`GetConsoleWindow`, Windows Terminal).",
    "Windows and macOS: which window is in front is not known, so input to the recorder's own is not told apart: end"
    " with the shortcut, not in the terminal.",
    "Windows and macOS: no strip on the screen says that nothing is recorded; the bell and the window's title do.",
    "macOS: the terminal's window is not put away; minimise it yourself before the start.",
    "X11: window managers that have no minimising (tiling ones): the terminal stays and is black in the pictures.",
    "X11: desktops that animate minimising for longer than 0.4 s; GNOME's and KDE's terminals, tmux and screen in a"
    " real session (the choice of the window is tested, on made-up lists).",
)
