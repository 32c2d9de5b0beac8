"""An order form on Tk that says what it shows: a strip of cells in its corner holds the number of its state and what
the pointer lights up, painted in the same turn as everything else; `where.json` holds where its widgets are,
`log.jsonl` when each state was painted.

    python form.py FOLDER
"""

from __future__ import annotations

import json
import sys
import time
import tkinter as tk
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cells import BITS, CELL, MARK, colours

GROUND, LIT, PAPER = "#e6e8ec", "#b9d4f5", "#ffffff"
TOOLTIP_MS, TOAST_MS = 550, 1800
ROWS = [f"Order {1040 + i}   {name}" for i, name in enumerate(["tea", "kettle", "cups", "honey", "spoons"] * 8)]


class Form:
    """The window. `state` is all that a person's action can change and that is seen; what the pointer lights up, the
    clock, the spinner and the caret are not in it."""

    def __init__(self, root: tk.Tk, folder: Path) -> None:
        self.root, self.folder = root, folder
        self.numbers: dict[str, int] = {}
        self.lights: dict[str, int] = {}
        self.hover = ""
        self.named: dict[str, tk.Misc] = {}
        self.state: dict[str, Any] = {"page": "order", "dialog": "", "busy": "", "toast": "", "card": [30, 30]}
        self.log = (folder / "log.jsonl").open("w", encoding="utf-8")
        self.tip: tk.Toplevel | None = None
        self.pending_tip: str | None = None
        self.opened: tk.Frame | None = None
        self.strip = tk.Canvas(root, width=BITS * CELL, height=CELL, highlightthickness=0, bd=0)
        self.strip.place(relx=1.0, x=-BITS * CELL - 4, y=4)
        self.cells = [
            self.strip.create_rectangle(i * CELL, 0, i * CELL + CELL, CELL, width=0, fill=MARK) for i in range(BITS)
        ]
        self._build()
        self.paint_pending = False
        self.changed()
        self._tick()
        self._spin(0)

    # --- what is there ------------------------------------------------------------------------------------

    def _build(self) -> None:
        bar = tk.Frame(self.root, bg=GROUND)
        bar.place(x=0, y=0, width=900, height=44)
        for i, (name, text) in enumerate(
            [("new", "New"), ("save", "Save"), ("report", "Report"), ("help", "Help"), ("clear", "Clear")]
        ):
            self._button(bar, name, text, getattr(self, f"do_{name}")).place(x=8 + 92 * i, y=6, width=84, height=32)
        self._menu(bar)
        self.texts: dict[str, tk.StringVar] = {}
        for i, name in enumerate(("name", "email", "street", "note")):
            tk.Label(self.root, text=name.title(), bg=GROUND, anchor="w").place(
                x=20, y=70 + 56 * i, width=80, height=30
            )
            self.texts[name] = tk.StringVar()
            entry = tk.Entry(self.root, textvariable=self.texts[name], font=("DejaVu Sans", 12), highlightthickness=2)
            entry.place(x=110, y=68 + 56 * i, width=330, height=34)
            entry.bind("<FocusIn>", lambda _: self.changed(), add=True)
            self.named[name] = entry
            self.texts[name].trace_add("write", lambda *_: self.changed())
        self.advice = tk.Label(self.root, text="", bg=GROUND, fg="#a03030", anchor="w")
        self.advice.place(x=110, y=158, width=330, height=18)
        self.amount = 1
        self.shown = tk.Label(self.root, text="1", bg=PAPER, relief="sunken", font=("DejaVu Sans", 12))
        self.shown.place(x=160, y=300, width=60, height=34)
        for name, x, by in (("minus", 110, -1), ("plus", 230, 1)):
            button = self._button(self.root, name, "−+"[by > 0], lambda by=by: self.more(by))
            button.place(x=x, y=300, width=40, height=34)
        self.ticks: dict[str, tk.IntVar] = {}
        for i, name in enumerate(("gift", "express", "newsletter")):
            self.ticks[name] = tk.IntVar()
            box = tk.Checkbutton(
                self.root, text=name.title(), variable=self.ticks[name], command=self.changed, bg=GROUND, anchor="w",
                activebackground=LIT,
            )  # fmt: skip
            box.place(x=110 + 120 * i, y=352, width=112, height=30)
            self._lights(name, box, native=True)
        self.clock = tk.Label(self.root, text="", bg=GROUND, font=("DejaVu Sans Mono", 11))
        self.clock.place(x=1000, y=592, width=120, height=24)
        self.spinner = tk.Canvas(self.root, width=36, height=36, bg=GROUND, highlightthickness=0)
        self.toast = tk.Label(self.root, text="", bg="#305030", fg="white")
        self._list()
        self._board()
        self.cover = tk.Frame(self.root, bg=PAPER)
        tk.Label(self.cover, text="Report", font=("DejaVu Sans", 22), bg=PAPER).place(x=30, y=20)
        self.summary = tk.Label(self.cover, text="", font=("DejaVu Sans", 12), bg=PAPER, justify="left", anchor="nw")
        self.summary.place(x=30, y=80, width=800, height=300)
        self._button(self.cover, "back", "Back", self.do_back).place(x=30, y=420, width=120, height=40)
        self._button(self.cover, "print", "Print", self.do_print).place(x=170, y=420, width=120, height=40)

    def _list(self) -> None:
        self.rows = tk.Listbox(self.root, font=("DejaVu Sans Mono", 11), activestyle="none", exportselection=False)
        bar = tk.Scrollbar(self.root, command=self.rows.yview)
        self.rows.config(yscrollcommand=lambda a, b: (bar.set(a, b), self.changed()))
        for row in ROWS:
            self.rows.insert("end", row)
        self.rows.place(x=480, y=68, width=330, height=310)
        bar.place(x=812, y=68, width=16, height=310)
        self.rows.bind("<<ListboxSelect>>", lambda _: self.changed())
        self.rows.bind("<Double-Button-1>", lambda _: self.ask("edit"))
        self.rows.bind("<Motion>", self._row_lit)
        self.rows.bind("<Leave>", lambda _: self._row_lit(None))
        self.lit_row: int | None = None
        self.named["rows"] = self.rows

    def _row_lit(self, event: Any) -> None:
        row = self.rows.nearest(event.y) if event is not None else None
        if row == self.lit_row:
            return
        if self.lit_row is not None:
            self.rows.itemconfig(self.lit_row, background=PAPER)
        self.lit_row = row
        if row is not None:
            self.rows.itemconfig(row, background="#eaf2fc")
        self.lit("" if row is None else f"row{row}")

    def _board(self) -> None:
        self.board = tk.Canvas(self.root, bg="#f7f4ea", highlightthickness=1)
        self.board.place(x=20, y=400, width=808, height=210)
        self.board.create_rectangle(600, 30, 760, 180, outline="#888", dash=(4, 4))
        self.card = self.board.create_rectangle(30, 30, 150, 90, fill="#f0c674", outline="#c09040")
        self.board.bind("<Button-1>", self._take)
        self.board.bind("<B1-Motion>", self._carry)
        self.held: tuple[int, int] | None = None
        self.named["board"] = self.board

    def _take(self, event: Any) -> None:
        x, y = self.state["card"]
        inside = x <= event.x < x + 120 and y <= event.y < y + 60
        self.held = (event.x - x, event.y - y) if inside else None

    def _carry(self, event: Any) -> None:
        if self.held:
            x, y = event.x - self.held[0], event.y - self.held[1]
            self.board.coords(self.card, x, y, x + 120, y + 60)
            self.state["card"] = [x, y]
            self.changed()

    def _menu(self, bar: tk.Frame) -> None:
        button = tk.Menubutton(bar, text="Options ▾", bg=GROUND, activebackground=LIT, relief="raised")
        self.menu = tk.Menu(button, tearoff=False, activebackground=LIT)
        self.choices = {name: tk.IntVar() for name in ("Round prices", "Show totals", "Dense rows", "Large text")}
        for name, variable in self.choices.items():
            self.menu.add_checkbutton(label=name, variable=variable, command=self.changed)
        button.config(menu=self.menu)
        button.place(x=480, y=6, width=110, height=32)
        self._lights("options", button, native=True)
        self.menu.bind("<Map>", lambda _: self._menu_open(True))
        self.menu.bind("<Unmap>", lambda _: self._menu_open(False))
        self.menu.bind("<<MenuSelect>>", lambda _: self._entry_lit())

    def _menu_open(self, is_open: bool) -> None:
        self.state["menu"] = is_open
        if not is_open:
            self.lit("")
        self.changed()

    def _entry_lit(self) -> None:
        active = self.menu.index("active") if self.state.get("menu") else None
        self.lit("" if active is None else f"entry{active}")

    def _button(self, parent: tk.Misc, name: str, text: str, command: Callable[[], None]) -> tk.Button:
        button = tk.Button(parent, text=text, command=command, bg=GROUND, activebackground=LIT)
        self._lights(name, button, native=True)
        return button

    def _lights(self, name: str, widget: tk.Misc, native: bool) -> None:
        self.named[name] = widget
        widget.bind("<Enter>", lambda _: self.lit(name), add=True)
        widget.bind("<Leave>", lambda _: self.lit(""), add=True)

    # --- what is done -------------------------------------------------------------------------------------

    def do_new(self) -> None:
        for text in self.texts.values():
            text.set("")
        self.more(1 - self.amount)

    def do_clear(self) -> None:
        for tick in self.ticks.values():
            tick.set(0)
        self.changed()

    def do_save(self) -> None:
        """A slow answer, then a notice that goes away by itself."""
        self.state["busy"] = "save"
        self.spinner.place(x=860, y=300)
        self.changed()
        self.root.after(1300, self._saved)

    def _saved(self) -> None:
        self.state["busy"] = ""
        self.spinner.place_forget()
        self.state["toast"] = "Saved"
        self.toast.config(text="The order was saved")
        self.toast.place(x=850, y=540, width=220, height=36)
        self.changed()
        self.root.after(TOAST_MS, self._toast_gone)

    def _toast_gone(self) -> None:
        self.state["toast"] = ""
        self.toast.place_forget()
        self.changed()

    def do_report(self) -> None:
        """A page that takes a while."""
        self.state["busy"] = "report"
        self.spinner.place(x=860, y=300)
        self.changed()
        self.root.after(700, self._report)

    def _report(self) -> None:
        self.state["busy"], self.state["page"] = "", "report"
        self.spinner.place_forget()
        lines = [f"{name}: {text.get()}" for name, text in self.texts.items()] + [f"amount: {self.amount}"]
        self.summary.config(text="\n".join(lines))
        self.cover.place(x=0, y=44, width=980, height=596)
        self.cover.lift()
        self.changed()

    def do_back(self) -> None:
        self.state["page"] = "order"
        self.cover.place_forget()
        self.changed()

    def do_print(self) -> None:
        self.ask("print")

    def do_help(self) -> None:
        self.ask("help")

    def more(self, by: int) -> None:
        self.amount = max(0, self.amount + by)
        self.shown.config(text=str(self.amount))
        self.changed()

    def ask(self, what: str) -> None:
        """A dialogue within the window; `help` comes up right under the pointer."""
        self.state["dialog"] = what
        frame = self.opened = tk.Frame(self.root, bg="#fbfbfb", relief="raised", bd=3)
        tk.Label(frame, text=f"{what.title()}: are you sure?", bg="#fbfbfb", font=("DejaVu Sans", 13)).place(x=20, y=20)
        if what == "edit":
            self.texts.setdefault("edit", tk.StringVar())
            self.texts["edit"].trace_add("write", lambda *_: self.changed())
            entry = tk.Entry(frame, textvariable=self.texts["edit"], font=("DejaVu Sans", 12))
            entry.place(x=20, y=60, width=320, height=32)
            entry.bind("<FocusIn>", lambda _: self.changed(), add=True)
            self.named["edit"] = entry
        self._button(frame, "ok", "OK", self.close).place(x=150, y=112, width=90, height=34)
        self._button(frame, "cancel", "Cancel", self.close).place(x=250, y=112, width=90, height=34)
        x, y = (160, 10) if what == "help" else (300, 200)
        frame.place(x=x, y=y, width=370, height=166)
        frame.lift()
        self.changed()

    def close(self) -> None:
        if self.opened is not None:
            self.opened.destroy()
        self.opened, self.state["dialog"] = None, ""
        for name in ("ok", "cancel", "edit"):
            self.named.pop(name, None)
        self.lit("")
        self.changed()

    # --- what is shown ------------------------------------------------------------------------------------

    def changed(self) -> None:
        """The state may have changed: painted with everything else of this turn."""
        if not getattr(self, "paint_pending", True):
            self.paint_pending = True
            self.root.after_idle(self._paint)

    def lit(self, name: str) -> None:
        """What the pointer lights up now; a tooltip follows."""
        self.hover = name
        if self.tip is not None:
            self.tip.destroy()
            self.tip = None
        if self.pending_tip is not None:
            self.root.after_cancel(self.pending_tip)
            self.pending_tip = None
        if name in ("new", "save", "report", "help", "clear"):
            self.pending_tip = self.root.after(TOOLTIP_MS, self._show_tip)
        self._cells()

    def _show_tip(self) -> None:
        self.pending_tip = None
        x, y = self.root.winfo_pointerxy()
        self.tip = tk.Toplevel(self.root)
        self.tip.overrideredirect(True)
        tk.Label(self.tip, text=f"Press to {self.hover}", bg="#ffffd0", relief="solid", bd=1).pack()
        self.tip.geometry(f"+{x + 12}+{y + 18}")

    def _number(self) -> int:
        focus = self.root.focus_get()
        email = self.texts["email"].get()
        bad = bool(email) and ("@" not in email or "." not in email.split("@")[-1])
        self.advice.config(text="This is no address" if bad else "")
        told = {
            **self.state, "texts": [text.get() for text in self.texts.values()], "amount": self.amount,
            "ticks": [tick.get() for tick in self.ticks.values()], "top": self.rows.nearest(0),
            "selected": self.rows.curselection(), "choices": [v.get() for v in self.choices.values()],
            "focus": str(focus) if isinstance(focus, tk.Entry) else "",
        }  # fmt: skip
        return self.numbers.setdefault(json.dumps(told, sort_keys=True), len(self.numbers) + 1)

    def _cells(self) -> None:
        lit = self.lights.setdefault(self.hover, len(self.lights) % 31 + 1) if self.hover else 0
        for cell, colour in zip(self.cells, colours(self.number, lit, 0), strict=True):
            self.strip.itemconfig(cell, fill=colour)
        self.strip.tk.call("raise", self.strip)

    number = 0

    def _paint(self) -> None:
        self.paint_pending = False
        begun = time.monotonic_ns()
        self.number = self._number()
        self._cells()
        self.root.update_idletasks()
        self.root.winfo_pointerx()  # a round trip: the server has it all
        row = {"number": self.number, "begun": begun, "painted": time.monotonic_ns()}
        self.log.write(json.dumps(row) + "\n")
        self.log.flush()
        self._tell()

    def _tell(self) -> None:
        boxes = {
            name: [w.winfo_rootx(), w.winfo_rooty(), w.winfo_width(), w.winfo_height()]
            for name, w in self.named.items()
            if w.winfo_viewable()
        }
        x, y = self.board.winfo_rootx() + self.state["card"][0], self.board.winfo_rooty() + self.state["card"][1]
        boxes["card"] = [x, y, 120, 60]
        if self.state.get("menu"):
            for i in range(len(self.choices)):
                top = self.menu.winfo_rooty() + self.menu.yposition(i)
                boxes[f"entry{i}"] = [self.menu.winfo_rootx() + 4, top, self.menu.winfo_width() - 8, 20]
        first = self.rows.nearest(0)
        for row in range(first, first + 14):
            bounds = self.rows.bbox(row)
            if bounds:
                boxes[f"row{row - first}"] = [
                    self.rows.winfo_rootx(), self.rows.winfo_rooty() + bounds[1], self.rows.winfo_width(), bounds[3]
                ]  # fmt: skip
        idle = [[self.clock.winfo_rootx(), self.clock.winfo_rooty(), 120, 24]]
        new = self.folder / "where.new"
        told = {"state": self.state, "boxes": boxes, "idle": idle, "at": time.monotonic_ns()}
        new.write_text(json.dumps(told), encoding="utf-8")
        new.replace(self.folder / "where.json")

    def _tick(self) -> None:
        self.clock.config(text=time.strftime("%H:%M:%S"))
        self.root.after(1000, self._tick)

    def _spin(self, angle: int) -> None:
        self.spinner.delete("all")
        self.spinner.create_arc(4, 4, 32, 32, start=angle, extent=100, style="arc", width=4, outline="#3465a4")
        self.root.after(90, lambda: self._spin((angle + 40) % 360))


def main() -> None:
    """Open the window."""
    root = tk.Tk(className="orderform")
    root.title("Orders")
    root.configure(bg=GROUND)
    root.geometry("1120x640+60+30")
    form = Form(root, Path(sys.argv[1]))
    root.bind_all("<Control-s>", lambda _: form.do_save())
    root.mainloop()


if __name__ == "__main__":
    main()
