"""The gate of the event writer: nothing hidden is ever written, nothing else is ever kept out, all is accounted for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.store.recording import (
    ButtonRow,
    ClipboardRow,
    KeyRow,
    MoveRow,
    RedactionRow,
    ScrollRow,
    WindowRow,
)
from recorders.privacy.gate import INPUT_KINDS, PASSWORD_KINDS, PRIVATE_KINDS, Gate
from recorders.rows import Row

REASONS = ("password", "private", "excluded")


def key(t: int, name: str = "a", pressed: bool = True, repeat: bool = False) -> KeyRow:
    return KeyRow(
        seq=0, t=t, key=name, code=ord(name[0]), pressed=pressed, text=name if pressed else None, repeat=repeat
    )


def run(gate: Gate, rows: Sequence[Any]) -> list[Any]:
    return [out for row in rows for out in gate.passes(row)]


def kinds(rows: list[Any]) -> list[str]:
    return [f"{row.__struct_config__.tag}@{row.t}" for row in rows]


def test_keys_of_a_span_stay_out_and_the_span_is_told() -> None:
    gate = Gate()
    gate.hide("password", 10, PASSWORD_KINDS)
    rows = [MoveRow(seq=0, t=9, x=1, y=1), key(11), key(12, pressed=False), MoveRow(seq=0, t=13, x=2, y=1)]
    out = run(gate, rows)
    gate.show("password", 20)
    out += run(gate, [key(21, "b"), key(22, "b", pressed=False)])
    assert kinds(out) == ["move@9", "redaction@10", "move@13", "redaction@20", "key@21", "key@22"]
    begin, end = (row for row in out if isinstance(row, RedactionRow))
    assert (begin.since, end.since, end.reason, end.kinds) == (10, 10, "password", ["clipboard", "key"])
    assert gate.hidden == 2 and gate.reckon(handed=6, written=6) is None


def test_a_key_belongs_where_its_press_fell() -> None:
    gate = Gate()
    gate.hide("password", 10)
    gate.show("password", 20)
    before_in = run(gate, [key(5, "a"), key(12, "a", repeat=True), key(15, "a", pressed=False)])
    inside_after = run(gate, [key(18, "b"), key(21, "b", repeat=True), key(25, "b", pressed=False), key(26, "b")])
    assert kinds(before_in) == ["key@5", "redaction@10", "key@15"]
    assert kinds(inside_after) == ["redaction@20", "key@26"]


def test_a_drag_out_of_what_is_hidden_leaves_no_half_of_it() -> None:
    gate = Gate()
    gate.hide("excluded", 10)
    gate.show("excluded", 20)
    down = ButtonRow(seq=0, t=15, x=1, y=1, button="left", pressed=True)
    rows = [down, MoveRow(seq=0, t=22, x=5, y=5), msgspec.structs.replace(down, t=25, pressed=False)]
    assert kinds(run(gate, rows)) == ["redaction@10", "redaction@20", "move@22"]


def test_a_paste_into_a_password_field_leaves_neither_keys_nor_clipboard() -> None:
    gate = Gate()
    gate.hide("password", 10, PASSWORD_KINDS)
    rows: list[Row] = [key(11, "ctrl_l"), key(12, "v"), ClipboardRow(seq=0, t=13, text="hunter2")]
    assert kinds(run(gate, rows)) == ["redaction@10"]


def test_reasons_overlap_and_each_ends_by_itself() -> None:
    gate = Gate()
    gate.hide("excluded", 10)
    gate.hide("password", 12, PASSWORD_KINDS)
    gate.show("excluded", 14)
    gate.show("password", 20)
    out = run(
        gate, [key(11), key(13, "b"), MoveRow(seq=0, t=13, x=0, y=0), key(15, "c"), MoveRow(seq=0, t=16, x=0, y=0)]
    )
    out += run(gate, [key(21, "d")])
    assert kinds(out) == ["redaction@10", "redaction@12", "redaction@14", "move@16", "redaction@20", "key@21"]


def test_one_reason_hides_two_things_and_shows_them_apart() -> None:
    gate = Gate()
    gate.hide("excluded", 10, ["key"])
    gate.hide("excluded", 10, ["move"])
    gate.show("excluded", 15, ["move"])
    assert kinds(run(gate, [key(16), MoveRow(seq=0, t=17, x=0, y=0)]))[-1] == "move@17"
    gate.show("excluded", 20)
    assert kinds(run(gate, [key(21, "b")]))[-1] == "key@21"


def test_the_window_in_front_after_a_private_span_is_told_when_it_ends() -> None:
    gate = Gate()
    gate.hide("private", 10, PRIVATE_KINDS)
    out = run(gate, [WindowRow(seq=0, t=11, title="bank"), WindowRow(seq=0, t=12, title="notes")])
    gate.show("private", 20)
    out += run(gate, [key(21)])
    assert kinds(out) == ["redaction@10", "redaction@20", "window@20", "key@21"]
    assert out[2].title == "notes"
    assert gate.hidden == 1 and gate.reckon(handed=3, written=4) is None


def test_a_recording_that_ends_hidden_is_closed() -> None:
    gate = Gate()
    gate.hide("private", 10, PRIVATE_KINDS)
    run(gate, [key(11), WindowRow(seq=0, t=12, title="bank")])
    closing = gate.end(30)
    assert [(row.since, row.t) for row in closing] == [(10, 30)]
    assert gate.hidden == 2


def test_nothing_is_told_of_a_span_of_no_length_or_one_that_never_came() -> None:
    gate = Gate()
    gate.hide("password", 10)
    gate.show("password", 10)
    gate.hide("private", 50)
    assert kinds(run(gate, [key(11)])) == ["key@11"]
    assert gate.end(40) == []


def test_hiding_that_comes_too_late_is_a_fault_and_claims_nothing() -> None:
    gate = Gate()
    run(gate, [key(10), key(11, pressed=False)])
    gate.hide("password", 5)
    out = run(gate, [key(12, "b")])
    assert gate.late == 1
    assert isinstance(out[0], RedactionRow) and out[0].since == 12


def test_the_reckoning_names_no_number_that_tells_how_long_a_password_is() -> None:
    gate = Gate()
    assert gate.reckon(5, 4) == "5 events were taken and 4 written."
    gate.hide("password", 1)
    run(gate, [key(t) for t in range(2, 9)])
    said = gate.reckon(handed=50, written=3)
    assert said is not None and not any(char.isdigit() for char in said)


def test_the_mark_is_due_before_any_row_comes() -> None:
    gate = Gate()
    gate.hide("password", 10)
    assert gate.due(9) == []
    assert kinds(gate.due(10)) == ["redaction@10"]
    assert gate.due(11) == []


class _Call(msgspec.Struct, frozen=True):
    t: int
    show: bool
    reason: str
    kinds: frozenset[str]


_rows = st.one_of(
    st.builds(lambda t, n, p, r: key(t, n, p, r and p), st.integers(0, 200), st.sampled_from("abc"), st.booleans(),
              st.booleans()),
    st.builds(lambda t: MoveRow(seq=0, t=t, x=1, y=1), st.integers(0, 200)),
    st.builds(lambda t, p: ButtonRow(seq=0, t=t, x=1, y=1, button="left", pressed=p), st.integers(0, 200),
              st.booleans()),
    st.builds(lambda t: ScrollRow(seq=0, t=t, x=1, y=1, dx=0, dy=1), st.integers(0, 200)),
    st.builds(lambda t: WindowRow(seq=0, t=t, title=str(t)), st.integers(0, 200)),
    st.builds(lambda t: ClipboardRow(seq=0, t=t, text=str(t)), st.integers(0, 200)),
)  # fmt: skip
_calls = st.builds(
    _Call, st.integers(0, 200), st.booleans(), st.sampled_from(REASONS),
    st.sampled_from([INPUT_KINDS, PASSWORD_KINDS, PRIVATE_KINDS]),
)  # fmt: skip
HOLD = 15


@settings(max_examples=300, deadline=None)
@given(st.lists(_rows, max_size=60), st.lists(_calls, max_size=12), st.integers(0, HOLD))
def test_no_hidden_row_passes_and_every_row_is_accounted_for(rows: list[Row], calls: list[_Call], delay: int) -> None:
    """Calls come up to the writer's hold after the moment they are about, as long as rows wait at least that long. An
    independent account of the spans, written from the promise, judges each row."""
    rows = sorted(rows, key=lambda row: row.t)
    calls = sorted(calls, key=lambda call: call.t)
    spans: list[list[Any]] = []  # reason, kinds, since, until
    for call in calls:
        open_now = [s for s in spans if s[0] == call.reason and s[3] is None]
        if call.show:
            for span in open_now:
                span[3] = call.t
        elif not any(s[1] == call.kinds for s in open_now):
            spans.append([call.reason, call.kinds, call.t, None])
    gate, out, waiting = Gate(), [], list(calls)
    for row in rows:
        while waiting and waiting[0].t + delay <= row.t + HOLD:
            call = waiting.pop(0)
            if call.show:
                gate.show(call.reason, call.t)  # type: ignore[arg-type]
            else:
                gate.hide(call.reason, call.t, call.kinds)  # type: ignore[arg-type]
        out += gate.passes(row)
    out += gate.end(500)
    written = [row for row in out if not isinstance(row, RedactionRow)]
    marks = [row for row in out if isinstance(row, RedactionRow)]
    for row in written:
        covering = [
            s for s in spans if row.__struct_config__.tag in s[1] and s[2] <= row.t and (s[3] is None or row.t < s[3])
        ]
        release = isinstance(row, KeyRow | ButtonRow) and not row.pressed
        assert not covering or release
    uncovered = [
        row for row in rows
        if isinstance(row, MoveRow | ScrollRow | ClipboardRow) and not any(
            row.__struct_config__.tag in s[1] and s[2] <= row.t and (s[3] is None or row.t < s[3]) for s in spans)
    ]  # fmt: skip
    assert [row for row in written if isinstance(row, MoveRow | ScrollRow | ClipboardRow)] == uncovered
    assert len(written) + gate.hidden == len(rows) and gate.reckon(len(rows), len(out)) is None
    assert gate.late == 0
    assert [row.t for row in out] == sorted(row.t for row in out)
    begun = sorted((m.reason, m.since) for m in marks if m.t == m.since)
    assert begun == sorted((m.reason, m.since) for m in marks if m.t > m.since)  # one where it begins, one at its end


def test_hide_and_show_from_other_threads_keep_the_account() -> None:
    gate = Gate()
    done = threading.Event()

    def flicker() -> None:
        t = 0
        while not done.is_set():
            gate.hide("excluded", t)
            gate.show("excluded", t + 1)
            t += 7

    thread = threading.Thread(target=flicker)
    thread.start()
    out = [row for t in range(0, 6000, 3) for row in gate.passes(MoveRow(seq=0, t=t, x=0, y=0))]
    done.set()
    thread.join()
    out += gate.end(7000)
    assert gate.reckon(2000, len(out)) is None
