"""A GTK 3 window with a name, a password, a check box and a button, by the library itself (no bindings needed): a real
program with a real password field. `python gtk_form.py TITLE`."""

from __future__ import annotations

import ctypes
import sys

VERTICAL, TOPLEVEL, SPACING = 1, 0, 6


def main(title: str) -> None:
    """Show the window until it is killed."""
    gtk = ctypes.CDLL("libgtk-3.so.0")
    for name in (
        "window_new",
        "box_new",
        "entry_new",
        "label_new",
        "button_new_with_label",
        "check_button_new_with_label",
    ):
        getattr(gtk, f"gtk_{name}").restype = ctypes.c_void_p
    gtk.gtk_init(None, None)
    window = ctypes.c_void_p(gtk.gtk_window_new(TOPLEVEL))
    gtk.gtk_window_set_title(window, title.encode())
    gtk.gtk_window_set_default_size(window, 300, 200)
    box = ctypes.c_void_p(gtk.gtk_box_new(VERTICAL, SPACING))
    gtk.gtk_container_add(window, box)
    password = ctypes.c_void_p(gtk.gtk_entry_new())
    gtk.gtk_entry_set_visibility(password, False)
    for widget in (
        gtk.gtk_label_new(b"Who are you?"),
        gtk.gtk_entry_new(),
        password.value,
        gtk.gtk_check_button_new_with_label(b"Keep me"),
        gtk.gtk_button_new_with_label(b"Sign in"),
    ):
        gtk.gtk_container_add(box, ctypes.c_void_p(widget))
    gtk.gtk_widget_show_all(window)
    gtk.gtk_main()


if __name__ == "__main__":
    main(sys.argv[1])
