"""A small desk calculator on Tk, for one of the dump's recordings. Prints where its keys are, as JSON, when asked to
(`--where`): the script that plays the person cannot know otherwise."""

from __future__ import annotations

import json
import tkinter as tk
from decimal import Decimal, InvalidOperation

KEYS = [["C", "←", "%", "÷"], ["7", "8", "9", "×"], ["4", "5", "6", "−"], ["1", "2", "3", "+"], ["0", ".", "±", "="]]
OPERATIONS = {
    "÷": lambda a, b: a / b,
    "×": lambda a, b: a * b,
    "−": lambda a, b: a - b,
    "+": lambda a, b: a + b,
}


class Calculator:
    """State of the display and of what is pending."""

    def __init__(self, root: tk.Tk) -> None:
        self.shown, self.first, self.pending, self.fresh = "0", Decimal(0), "", True
        self.tape = tk.StringVar(value="")
        self.text = tk.StringVar(value="0")
        tk.Label(root, textvariable=self.tape, anchor="e", font=("DejaVu Sans", 12), fg="#667").pack(
            fill="x", padx=14, pady=(10, 0)
        )
        tk.Label(root, textvariable=self.text, anchor="e", font=("DejaVu Sans", 28), bg="#f7f7f2").pack(
            fill="x", padx=12, pady=8
        )
        grid = tk.Frame(root)
        grid.pack(padx=10, pady=(0, 10))
        self.buttons = {}
        for r, row in enumerate(KEYS):
            for c, key in enumerate(row):
                button = tk.Button(
                    grid, text=key, width=4, height=1, font=("DejaVu Sans", 17), command=lambda k=key: self.press(k)
                )
                button.grid(row=r, column=c, padx=3, pady=3)
                self.buttons[key] = button

    def press(self, key: str) -> None:
        """One key."""
        try:
            self._press(key)
        except (InvalidOperation, ZeroDivisionError):
            self.shown, self.fresh = "Error", True
        self.text.set(self.shown)

    def _press(self, key: str) -> None:
        if key.isdigit() or key == ".":
            self.shown = key if self.fresh and key != "." else ("0" if self.fresh else self.shown) + key
            self.fresh = False
        elif key == "C":
            self.shown, self.pending, self.fresh = "0", "", True
            self.tape.set("")
        elif key == "←":
            self.shown = self.shown[:-1] or "0"
        elif key == "±":
            self.shown = str(-Decimal(self.shown))
        elif key == "%":
            self.shown = f"{(Decimal(self.shown) / 100).normalize():f}"
        elif key == "=":
            if self.pending:
                self.tape.set(f"{self.first:f} {self.pending} {self.shown} =")
                self.shown = f"{OPERATIONS[self.pending](self.first, Decimal(self.shown)).normalize():f}"
            self.pending, self.fresh = "", True
        else:
            self.first, self.pending, self.fresh = Decimal(self.shown), key, True
            self.tape.set(f"{self.shown} {key}")


def main() -> None:
    """Show the calculator; print where its keys are once it is on the screen."""
    root = tk.Tk(className="Calculator")
    root.title("Calculator")
    root.geometry("+470+110")
    root.resizable(False, False)
    app = Calculator(root)

    def where() -> None:
        found = {
            key: [b.winfo_rootx(), b.winfo_rooty(), b.winfo_width(), b.winfo_height()] for key, b in app.buttons.items()
        }
        print(json.dumps(found), flush=True)

    root.after(1500, where)
    root.mainloop()


if __name__ == "__main__":
    main()
