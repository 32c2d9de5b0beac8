"""The rules by which no password is written when reading accessibility goes wrong, without a display."""

from __future__ import annotations

import asyncio
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curate.model.trajectory import Screen
from curate.store.accessibility import FocusRow, TreeRow
from recorders.a11y import process as processes
from recorders.a11y.base import FocusSeen, UnavailableError, WindowSeen
from recorders.a11y.last_words import LastWords
from recorders.a11y.liveness import Liveness
from recorders.a11y.messages import Acted, Ask, FromReader, Heard, Lost, Note, Opened, Pressed, Stop
from recorders.a11y.process import FAULT, AccessibilityProcess
from recorders.a11y.prune import NOWHERE, Seen, single
from recorders.a11y.reader import Focus, Setup
from recorders.a11y.reading_loop import Serving
from recorders.a11y.rows import Rows
from recorders.a11y.secret_fields import SecretFields
from recorders.privacy.names import Scrub
from tests.recorders.a11y_session import rows_of, wait_until

BOX = (100.0, 100.0, 300.0, 120.0)


# --- one element by itself ------------------------------------------------------------------------------------


@given(
    st.builds(
        Seen,
        parent=st.none() | st.integers(0, 50),
        raw_role=st.sampled_from(["entry", "password text", "menu item", ""]),
        box=st.none() | st.sampled_from([BOX, (-9.0, -9.0, -1.0, -1.0), (float(NOWHERE), 0.0, 0.0, 0.0)]),
        shows=st.booleans(),
    )
)
def test_an_element_of_a_tree_can_be_looked_at_alone(element: Seen) -> None:
    node = single(element, (800, 600), Scrub([]))
    visible = element.shows and element.box in (None, BOX)
    assert (node is not None) is visible
    assert node is None or (node.parent is None and node.box == element.box)


# --- what was a password field --------------------------------------------------------------------------------


def field(password: bool = False, **more: Any) -> Seen:
    states = ["password"] if password else ["editable"]
    given: dict[str, Any] = {"name": "Secret", "box": BOX, "ref": (":1.7", "/9"), "value": "hunter2", **more}
    return Seen(parent=None, raw_role="entry", states=states, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("later", "secret"),
    [
        (field(), True),
        (field(box=(0.0, 0.0, 10.0, 10.0), name="Other"), True),  # the same object, wherever it went
        (field(ref=(":1.7", "/10")), True),  # made anew in its place
        (field(ref=(":1.7", "/10"), name=None), True),
        (field(ref=(":1.7", "/10"), box=(100.0, 400.0, 300.0, 420.0)), True),  # made anew, and scrolled
        (field(ref=(":1.7", "/10"), box=(100.0, 400.0, 300.0, 420.0), name="Name"), False),
        (field(ref=(":1.8", "/9")), False),  # of another program
        (field(ref=None), False),
    ],
)
def test_a_field_that_was_for_passwords_stays_one(later: Seen, secret: bool) -> None:
    fields = SecretFields()
    assert fields.mark([field(password=True)], "chromium")
    handed_on = Setup(file="", screen=Screen(width=8, height=6), secrets=tuple(fields.fields))
    again = SecretFields(msgspec.json.decode(msgspec.json.encode(handed_on), type=Setup).secrets)
    again.mark([later], "chromium")
    assert ("password" in later.states) is secret and (later.value is None) is secret


def test_what_takes_no_text_is_never_a_password_field() -> None:
    fields = SecretFields()
    fields.mark([field(password=True)], None)
    button = Seen(parent=None, raw_role="push button", name="Secret", box=BOX, ref=(":1.7", "/10"))
    assert not fields.mark([button], None) and button.states == []


# --- whether the reader lives ---------------------------------------------------------------------------------


def test_what_was_not_answered_is_known_by_its_earliest_time() -> None:
    alive = Liveness()
    for t in (30, 10, 20):
        alive.told(t, now=t + 100)
    assert alive.first_unanswered == 10 and alive.waited(200) == 70
    alive.answered(2)
    assert alive.first_unanswered == 20
    alive.answered(3)
    assert alive.first_unanswered is None and alive.waited(10**9) == 0


def test_only_the_answer_to_the_latest_question_counts() -> None:
    alive = Liveness()
    first, second = alive.lose(), alive.lose()
    assert not alive.find(0) and not alive.find(first) and alive.question == second
    assert alive.find(second) and not alive.find(second) and alive.question == 0


def run_reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str) -> tuple[AccessibilityProcess, list[Focus]]:
    monkeypatch.setattr(processes, "PAUSE_S", 0.001)
    monkeypatch.setattr(processes, "STARTS", 3)
    setup = Setup(file=str(tmp_path / "a"), screen=Screen(width=8, height=6), names=("hansolo",))
    told: list[Focus] = []
    reader = AccessibilityProcess(setup, (sys.executable, "-c", code))
    reader.start(told.append)
    reader.wait_ready(20)
    return reader, told


def test_a_reader_that_ends_again_and_again_ends_the_recording_and_keys_stay_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = 'import sys; sys.stdin.readline(); print(\'{"type":"opened","backend":"x"}\', flush=True); {}["s3cret"]'
    reader, told = run_reader(monkeypatch, tmp_path, code)
    wait_until(lambda: reader.fault is not None, "a fault")
    assert reader.fault == FAULT and told and not any(focus.known for focus in told)
    assert any("KeyError in <string>, line 1" in note for note in reader.notes), reader.notes
    assert not any("s3cret" in note for note in reader.notes), "the text of an error may be what is on the screen"
    reader.stop()


def test_where_there_never_was_a_reader_recording_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = 'import sys; sys.stdin.readline(); print(\'{"type":"opened","backend":null}\', flush=True); sys.stdin.read()'
    reader, told = run_reader(monkeypatch, tmp_path, code)
    reader.typed(time.monotonic_ns())
    assert reader.unanswered() is None and told == [] and reader.fault is None
    reader.stop()
    assert told == []


def test_keys_that_are_not_answered_are_held_back_and_then_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = 'import sys; sys.stdin.readline(); print(\'{"type":"opened","backend":"x"}\', flush=True); sys.stdin.read()'
    reader, told = run_reader(monkeypatch, tmp_path, code)
    t = time.monotonic_ns()
    reader.typed(t)
    reader.typed(t + 1)
    assert reader.unanswered() == t and told == []
    wait_until(lambda: reader.unanswered() is None, "the end of patience")
    (focus,) = told
    assert not focus.known and focus.since <= t
    reader.stop()


def test_what_a_process_said_last() -> None:
    def words(said: bytes) -> str:
        last = LastWords()
        last.listen(io.BytesIO(said))
        return last.sentence

    trace = b"Traceback (most recent call last):\n"
    trace += b'  File "/opt/x/loop.py", line 7, in f\n    a[0]\nIndexError: list hunter2\n'
    assert words(trace) == " (IndexError in loop.py, line 7)"
    assert words(b"asyncio.exceptions.InvalidStateError: x\n") == " (asyncio.exceptions.InvalidStateError)"
    assert words(b"Segmentation fault\n") == " (it said: Segmentation fault)"
    assert words(b"") == ""
    assert len(words(b"x" * 100_000)) < 200


# --- the file of rows -----------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=40).map(lambda b: b.replace(b"\n", b""))), st.binary(max_size=200_000))
def test_half_a_row_of_a_killed_reader_is_taken_away_and_nothing_else(lines: list[bytes], half: bytes) -> None:
    import tempfile

    whole = b"".join(line + b"\n" for line in lines)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a"
        file.write_bytes(whole + half.replace(b"\n", b"x"))
        Rows(str(file)).write(FocusRow(t=5))
        assert file.read_bytes() == whole + msgspec.json.encode(FocusRow(t=5)) + b"\n"


# --- the loop goes on -----------------------------------------------------------------------------------------


class Paper:
    """An interface drawn on paper; `fails`: how often asking for the focus raises."""

    name = "paper@1"

    def __init__(self, fails: int = 0, opens: float = 0.0) -> None:
        self.fails, self.opens = fails, opens
        self.is_open = False
        self.tree = [Seen(parent=None, raw_role="frame", box=(0.0, 0.0, 800.0, 600.0)), field()]
        self.tree[1].parent, self.tree[1].states = 0, ["editable", "focused"]

    async def open(self, setup: Setup, focus: Callable[[FocusSeen], None]) -> list[str]:
        await asyncio.sleep(self.opens)
        self.is_open, self.tell = True, focus
        return []

    async def window(self) -> WindowSeen | None:
        return WindowSeen(app="p", title="t", seen=[msgspec.structs.replace(seen) for seen in self.tree])

    async def element(self, x: float, y: float) -> WindowSeen | None:
        assert self.is_open
        raise IndexError("gone")

    async def focused(self) -> FocusSeen:
        if self.fails:
            self.fails -= 1
            raise ValueError("hunter2")
        return FocusSeen(app="p", seen=field(password=True))

    def untold(self) -> list[str]:
        return []

    async def close(self) -> None: ...


def serve(backend: Any, file: Path, seconds: float, messages: list[Any]) -> tuple[list[FromReader], Serving]:
    said: list[FromReader] = []
    serving = Serving(
        Setup(file=str(file), screen=Screen(width=800, height=600)), backend, Rows(str(file)), said.append
    )

    async def run() -> None:
        loop = asyncio.get_running_loop()
        for message in messages:
            loop.call_soon(serving.hear, message)
        loop.call_later(seconds, serving.hear, Stop())
        await serving.run()

    asyncio.run(run())
    return said, serving


def test_a_press_before_the_interface_is_open_is_answered_afterwards(tmp_path: Path) -> None:
    said, _ = serve(Paper(opens=0.2), tmp_path / "a", 0.6, [Pressed(1, 5, 5), Acted(2, typed=True)])
    heard = [message for message in said if isinstance(message, Heard)]
    assert heard == [Heard(1), Heard(2)] and said.index(heard[0]) > said.index(Opened("paper@1"))


def test_what_raises_is_said_without_its_words_and_makes_the_focus_unknown(tmp_path: Path) -> None:
    said, serving = serve(Paper(), tmp_path / "a", 0.6, [Pressed(1, 5, 5), Ask(4)])
    notes = [message.text for message in said if isinstance(message, Note)]
    assert notes and all("IndexError" in note and "gone" not in note for note in notes)
    assert any(isinstance(message, Lost) for message in said) and not serving.broken
    assert [message.password for message in said if isinstance(message, Focus) and message.answers == 4] == [True]


def test_a_focus_within_a_tree_is_compared_and_a_shown_password_is_not_written(tmp_path: Path) -> None:
    """The field of the first answer is a password's; the tree says that the same one is ordinary now."""
    said, _ = serve(Paper(), tmp_path / "a", 1.0, [])
    assert not any(isinstance(message, Note | Lost) for message in said), said
    (tree,) = rows_of(tmp_path / "a", TreeRow)
    assert "password" in tree.nodes[1].states and tree.nodes[1].value is None
    assert [message.password for message in said if isinstance(message, Focus)] == [True]


def test_a_focus_that_is_an_element_of_a_tree_does_not_end_the_reader(tmp_path: Path) -> None:
    backend = Paper()
    backend.tree[1].ref, backend.tree[1].box = (":1.7", "/77"), (500.0, 500.0, 600.0, 520.0)
    backend.tree[1].name = "Another"
    said, _ = serve(backend, tmp_path / "a", 1.0, [])
    assert [message.password for message in said if isinstance(message, Focus)] == [True, False]
    assert not any(isinstance(message, Note) for message in said)


def test_a_reader_that_can_never_answer_is_of_no_use(tmp_path: Path) -> None:
    said, serving = serve(Paper(fails=100), tmp_path / "a", 8.0, [Ask(1)])
    assert serving.broken and any(isinstance(message, Lost) for message in said)
    assert not any(isinstance(message, Focus) and message.answers for message in said)
    said, serving = serve(Paper(fails=3), tmp_path / "b", 2.0, [Ask(1)])
    assert not serving.broken
    assert [m.answers for m in said if isinstance(m, Focus) and m.answers] == [1]


def test_an_interface_that_is_not_there_is_said_and_waited_out(tmp_path: Path) -> None:
    class Nothing(Paper):
        async def open(self, setup: Setup, focus: Callable[[FocusSeen], None]) -> list[str]:
            raise UnavailableError("Nothing is here.")

    said, _ = serve(Nothing(), tmp_path / "a", 0.2, [Pressed(1, 5, 5)])
    assert [type(message) for message in said] == [Note, Opened]
