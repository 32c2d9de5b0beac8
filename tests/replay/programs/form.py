"""A Tk form with one of everything. It writes its state and where its widgets are, both as JSON, several times a
second:  form.py STATE WHERE"""

from __future__ import annotations

import json
import sys
import tkinter as tk
from pathlib import Path
from tkinter import ttk
from typing import Any

FONT = ("DejaVu Sans", 11)
MODIFIERS = {0x1: "shift", 0x4: "ctrl", 0x8: "alt"}


class Form:
    """Widgets by name in `places`; `state()` is what they hold."""

    def __init__(self, root: tk.Tk) -> None:
        self.root, self.places = root, {}
        self.menus: dict[str, tk.Menu] = {}
        self.log: dict[str, list[Any]] = {"menu": [], "keys": [], "clicks": [], "saved": [], "wheel": []}
        left, middle, right = (tk.Frame(root) for _ in range(3))
        for column, frame in enumerate((left, middle, right)):
            frame.grid(row=1, column=column, sticky="nw", padx=8, pady=4)
        self._bar(root)
        self._fields(left)
        self._middle(middle)
        self._panes(right)

    def _keep(self, name: str, widget: Any, **how: Any) -> Any:
        widget.pack(anchor="w", pady=2, **how)
        self.places[name] = widget
        return widget

    def _bar(self, root: tk.Tk) -> None:
        bar = tk.Frame(root)
        bar.grid(row=0, column=0, columnspan=3, sticky="w")
        for title, entries in (("File", ("New", "Save")), ("Tools", ("Sort", "Count", "Clean"))):
            button = tk.Menubutton(bar, text=title, font=FONT, padx=10)
            menu = tk.Menu(button, tearoff=False, font=FONT)
            for entry in entries:
                self._entry(menu, title, entry)
            if title == "File":
                sub = tk.Menu(menu, tearoff=False, font=FONT)
                for entry in ("Text", "Table"):
                    self._entry(sub, "Export", entry)
                menu.add_cascade(label="Export", menu=sub)
                self.menus["Export"] = sub
            button["menu"] = menu
            button.pack(side="left")
            self.places[title] = button
            self.menus[title] = menu

    def _entry(self, menu: tk.Menu, title: str, entry: str) -> None:
        menu.add_command(label=entry, command=lambda: self.log["menu"].append(f"{title}/{entry}"))

    def _fields(self, frame: tk.Frame) -> None:
        self.name = self._keep("name", tk.Entry(frame, width=30, font=FONT))
        self.mail = self._keep("mail", tk.Entry(frame, width=30, font=FONT))
        self.name.insert(0, "old name here")
        self.notes = self._keep("notes", tk.Text(frame, width=30, height=4, font=FONT, undo=True))
        self.checks = {n: tk.BooleanVar() for n in ("news", "terms")}
        for name, value in self.checks.items():
            self._keep(name, tk.Checkbutton(frame, text=name, variable=value, font=FONT))
        self.colour = tk.StringVar(value="red")
        for name in ("red", "green", "blue"):
            self._keep(name, tk.Radiobutton(frame, text=name, value=name, variable=self.colour, font=FONT))
        self.size = tk.IntVar(value=10)
        self._keep("size", tk.Scale(frame, from_=0, to=100, orient="horizontal", length=220, variable=self.size))
        self.count = self._keep("count", tk.Spinbox(frame, from_=0, to=99, width=6, font=FONT))
        self.kind = self._keep("kind", ttk.Combobox(frame, values=["one", "two", "three"], width=12, font=FONT))
        self._keep("save", tk.Button(frame, text="Save", font=FONT, command=self._save))

    def _save(self) -> None:
        self.log["saved"].append([self.name.get(), self.mail.get(), self.colour.get()])

    def _middle(self, frame: tk.Frame) -> None:
        self.list = self._keep("list", tk.Listbox(frame, selectmode="extended", height=9, width=22, font=FONT,
                                                  exportselection=False))  # fmt: skip
        for i in range(9):
            self.list.insert("end", f"entry {i}")
        board = tk.Canvas(frame, width=260, height=170, bg="#f4f0e8", highlightthickness=0)
        self.board = self._keep("board", board)
        board.create_rectangle(180, 10, 250, 160, fill="#dde8d8", tags="bin")
        for i, colour in enumerate(("#c05050", "#5070c0", "#c09040")):
            board.create_rectangle(10, 10 + 52 * i, 50, 46 + 52 * i, fill=colour, tags=(f"piece{i}", "piece"))
        board.tag_bind("piece", "<ButtonPress-1>", self._grab)
        board.tag_bind("piece", "<B1-Motion>", self._pull)
        board.bind("<ButtonPress-3>", self._context)
        context = tk.Menu(board, tearoff=False, font=FONT)
        for entry in ("Rotate", "Paint", "Remove"):
            self._entry(context, "Context", entry)
        self.menus["Context"] = context
        pad = self._keep("pad", tk.Label(frame, text="click or type here", width=26, height=4, bg="#d8e0ee",
                                         takefocus=True, font=FONT))  # fmt: skip
        for number in (1, 2, 3):
            for prefix, times in (("", 1), ("Double-", 2), ("Triple-", 3)):
                pad.bind(f"<{prefix}Button-{number}>", lambda e, n=number, t=times: self._clicked(e, n, t))
        pad.bind("<Key>", self._key)
        pad.bind("<Button>", self._wheel)

    def _wheel(self, event: Any) -> None:
        self.log["wheel"].append([event.num, *held(event.state)])

    def _clicked(self, event: Any, number: int, times: int) -> str:
        event.widget.focus_set()
        if times > 1:  # the single click before it was told already
            self.log["clicks"].pop()
        self.log["clicks"].append([number, times, *held(event.state)])
        return "break"

    def _key(self, event: Any) -> None:
        if event.keysym not in ("Shift_L", "Control_L", "Alt_L", "ISO_Level3_Shift", "Super_L"):
            self.log["keys"].append([event.keysym, event.char, *held(event.state)])

    def _context(self, event: Any) -> None:
        self.menus["Context"].tk_popup(event.x_root, event.y_root)

    def _grab(self, event: Any) -> None:
        self._held, self._from = self.board.find_withtag("current")[0], (event.x, event.y)
        self._straight = bool(event.state & 1)

    def _pull(self, event: Any) -> None:
        across, down = event.x - self._from[0], 0 if self._straight else event.y - self._from[1]
        self.board.move(self._held, across, down)
        self._from = event.x, event.y

    def _panes(self, frame: tk.Frame) -> None:
        self.panes = []
        for name in ("upper", "lower"):
            pane = self._keep(name, tk.Text(frame, width=34, height=13, font=FONT, wrap="none"))
            pane.insert("1.0", "".join(f"{name} line {i:02d} with more words than fit in it\n" for i in range(90)))
            pane["state"] = "disabled"
            self.panes.append(pane)

    def state(self) -> dict[str, Any]:
        """What all widgets hold."""
        pieces = {}
        for i in range(3):
            left, top, right, bottom = self.board.coords(f"piece{i}")
            pieces[str(i)] = [left >= 178, round(top) if left < 178 else None, right > 0 and bottom > 0]
        return {
            "name": self.name.get(), "mail": self.mail.get(), "notes": self.notes.get("1.0", "end-1c"),
            "checks": {name: value.get() for name, value in self.checks.items()}, "colour": self.colour.get(),
            "size": self.size.get(), "count": self.count.get(), "kind": self.kind.get(),
            "chosen": [self.list.get(i) for i in self.list.curselection()], "pieces": pieces,
            "panes": [[pane.index("@0,0"), round(pane.xview()[0], 3)] for pane in self.panes], **self.log,
        }  # fmt: skip

    def where(self) -> dict[str, list[int]]:
        """Boxes of all that shows, in pixels of the screen."""
        found = {}
        for name, widget in self.places.items():
            found[name] = [widget.winfo_rootx(), widget.winfo_rooty(), widget.winfo_width(), widget.winfo_height()]
        x, y = self.list.winfo_rootx(), self.list.winfo_rooty()
        for i in range(self.list.size()):
            box = self.list.bbox(i)
            if box:
                found[f"entry {i}"] = [x + 2, y + box[1], 120, box[3]]
        x, y = self.board.winfo_rootx(), self.board.winfo_rooty()
        for tag in ("bin", "piece0", "piece1", "piece2"):
            left, top, right, bottom = (round(v) for v in self.board.coords(tag))
            found[tag] = [x + left, y + top, right - left, bottom - top]
        for title, menu in self.menus.items():
            for i in range((menu.index("end") or 0) + 1 if menu.winfo_ismapped() else 0):
                top = menu.yposition(i)
                found[f"{title}/{menu.entrycget(i, 'label')}"] = [
                    menu.winfo_rootx() + 4, menu.winfo_rooty() + top, menu.winfo_width() - 8, 18
                ]  # fmt: skip
        return found


def held(state: int) -> list[str]:
    """Names of the modifiers in an event's state."""
    return [name for bit, name in MODIFIERS.items() if int(state) & bit]


def main() -> None:
    """Show the form and keep telling."""
    state, where = (Path(name) for name in sys.argv[1:3])
    root = tk.Tk(className="Form")
    root.title("Form")
    form = Form(root)

    def tell() -> None:
        for path, value in ((where, form.where()), (state, form.state())):
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps(value), encoding="utf-8")
            fresh.replace(path)
        root.after(80, tell)

    root.after(100, tell)
    root.mainloop()


if __name__ == "__main__":
    main()
