"""The reader's own loop: hears what happens, reads when it may, writes rows, tells of focus. Every platform the same;
what is asked of the system is behind `base.Backend`."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence

from curate.model.tree import Node
from curate.store.accessibility import AnyAccessibilityRow, ElementRow, FocusRow, TreeRow
from recorders.a11y.base import Backend, FocusSeen, UnavailableError
from recorders.a11y.messages import (
    Acted,
    Ask,
    Changed,
    FromReader,
    Front,
    Heard,
    Lost,
    Note,
    Opened,
    Pressed,
    Remember,
    Stop,
    Suspend,
    ToReader,
    Wrote,
)
from recorders.a11y.prune import Seen, in_open_menu, in_reading_order, prune, single
from recorders.a11y.reader import Focus, Setup
from recorders.a11y.rows import Rows
from recorders.a11y.secret_fields import SecretFields
from recorders.a11y.when import When
from recorders.privacy.names import Scrub

TREE_S = 3.0  # a tree that takes longer is given up: its window is busy, and shows something else by then
ELEMENT_S = 3.0  # and an element at a press
FOCUS_S, FOCUS_MAX_S = 1.0, 3.0
OPEN_S = 8.0
LOOK_AGAIN_S = 0.12  # after what may move the focus: by then programs have told of it, if they ever do
CAUSE_NS = 1_000_000_000  # a change of focus so soon after a press or a key is their doing
HELD_NS = 60_000_000  # else it is told within this (measured: half of it), and may be so much older
ASK_AGAIN_S = 0.3  # where nobody answered where keys go
SILENT = 3  # such answers are said
MOST_FAILURES = 5  # of asking that, one after another: then another process is to try


class Serving:
    """One recording's reading. `tell` sends to the recorder."""

    def __init__(self, setup: Setup, backend: Backend, rows: Rows, tell: Callable[[FromReader], None]) -> None:
        self._setup, self._backend, self._rows, self._tell = setup, backend, rows, tell
        self._size = (setup.screen.width, setup.screen.height)
        self._mask = Scrub(setup.names)
        self._when = When(time.monotonic_ns())
        self._front: Front | None = None
        self._suspended = False
        self._walk: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._last: tuple[str | None, str | None, list[Node], bool] | None = None
        self._last_is_in_front = False
        self._password: bool | None = None  # what was told last
        self._cause = 0  # the last press or key that may have moved the focus
        self._typed = 0
        self._focus_told = 0
        self._stopping = False
        self._secrets = SecretFields(setup.secrets)
        self._early: list[ToReader] | None = []  # what was heard before the interface was open
        self._heard = 0
        self._question = 0  # the latest of the recorder, until it is answered
        self._answering = False
        self.broken = False  # it cannot be told where keys go: this process is of no use any more

    async def run(self) -> None:
        """Until `Stop`."""
        try:
            async with asyncio.timeout(OPEN_S):
                notes = await self._backend.open(self._setup, self._focus)
        except (UnavailableError, TimeoutError, ImportError) as error:
            why = str(error) or "The accessibility interface does not answer."
            self._tell(Note(f"{why} Passwords typed anywhere would be in the recording."))
            self._tell(Opened(None))
            while not self._stopping:
                self._wake.clear()
                await self._wake.wait()
            return
        for note in notes:
            self._tell(Note(note))
        if not await self._found_focus():
            self._tell(Lost())
        self._tell(Opened(self._backend.name))
        early, self._early = self._early or [], None
        for message in early:
            self.hear(message)
        try:
            await self._read_when_due()
        finally:
            untold = self._backend.untold()
            if untold:
                names = ", ".join(self._mask(name) or "" for name in untold)
                self._tell(
                    Note(f"No accessibility tree came from: {names}. Passwords typed there would be in the recording.")
                )
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._backend.close(), 1.0)

    def hear(self, message: ToReader) -> None:
        """What the recorder tells; on the loop. Whatever goes wrong with it, the next is heard."""
        if isinstance(message, Stop):
            self.stop()
        elif self._early is not None:
            self._early.append(message)  # all of them, where it is never open: nothing can be answered
        else:
            try:
                self._obey(message)
            except Exception as error:
                self._lost(type(error).__name__)
            if isinstance(message, Ask) or (isinstance(message, Pressed | Acted) and message.is_answered):
                self._heard += 1
                self._tell(Heard(self._heard))
            self._wake.set()

    def _obey(self, message: ToReader) -> None:
        match message:
            case Pressed():
                self._pressed(message)
            case Ask():
                self._question = message.number
                if not self._answering:
                    self._answering = True
                    self._later(self._answer())
            case Acted():
                self._when.acted(message.t, message.typed)
                if message.typed:
                    self._typed = message.t
                    self._give_up()
                if message.moves_focus:
                    self._cause = message.t
                    self._later(self._check_focus())
            case Changed():
                self._when.changed(message.t)
            case Front():
                same_window = self._front is not None and (self._front.app, self._front.own, self._front.hidden) == (
                    message.app, message.own, message.hidden
                )  # fmt: skip
                self._front = message
                self._last_is_in_front = False
                self._when.front(message.t)
                self._give_up()
                if not same_window:
                    self._later(self._check_focus())
            case Suspend():
                self._suspended = message.on
                self._give_up()

    def stop(self) -> None:
        """End soon; on the loop."""
        self._stopping = True
        self._give_up()
        self._wake.set()

    # --- trees ------------------------------------------------------------------------------------------------

    async def _read_when_due(self) -> None:
        while not self._stopping:
            wait = self._when.wait(time.monotonic_ns()) if self._may_read() else None
            if wait == 0:
                self._walk = asyncio.create_task(self._read_tree())
                try:
                    await self._walk
                except asyncio.CancelledError:
                    pass
                except Exception as error:
                    self._failed(type(error).__name__)
                self._walk = None
                continue
            self._wake.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(None if wait is None else wait / 1e9 + 0.001):
                    await self._wake.wait()

    def _may_read(self) -> bool:
        front = self._front
        return not self._suspended and (front is None or not (front.own or front.hidden))

    async def _read_tree(self) -> None:
        since, cpu = time.monotonic_ns(), time.process_time_ns()
        self._when.began()
        found = None
        done = False
        try:
            async with asyncio.timeout(TREE_S):
                found = await self._backend.window()
            done = True
        except TimeoutError:
            done = True  # it is not asked again until something changes
        finally:
            if not done:
                self._when.gave_up(time.monotonic_ns())
        t = time.monotonic_ns()
        same = True
        if found is not None and self._may_read():
            self._mark(found.seen, found.app)
            nodes, cut = prune(in_reading_order(found.seen), self._size, self._mask)
            tree = (self._mask(found.app), self._mask(found.title), nodes, cut or found.cut)
            same = tree == self._last
            self._last, self._last_is_in_front = tree, True
            self._write(
                TreeRow(
                    t=t, since=since, app=tree[0], title=tree[1], cut=tree[3], same=same, nodes=[] if same else nodes
                )
            )
            self._compare_focus(found.seen, found.app, since)
        self._when.ended(t, time.process_time_ns() - cpu, same)

    def _give_up(self) -> None:
        if self._walk is not None:
            self._walk.cancel()

    # --- elements ---------------------------------------------------------------------------------------------

    def _pressed(self, press: Pressed) -> None:
        self._when.acted(press.t)
        self._give_up()
        self._cause = press.t
        if not self._suspended:
            self._later(self._read_element(press))
        self._later(self._check_focus())

    async def _read_element(self, press: Pressed) -> None:
        before = self._last if self._last_is_in_front else None
        found = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ELEMENT_S):
                found = await self._backend.element(press.x, press.y)
        if self._suspended:
            return
        if found is not None:
            self._mark(found.seen, found.app)
        if found is not None and found.seen and "password" in found.seen[-1].states:
            self._focus(FocusSeen(app=found.app, seen=found.seen[-1], sure=False))
        app, nodes = None, list[Node]()
        if found is not None:
            app, nodes = self._mask(found.app), prune(found.seen, self._size, self._mask)[0]
        if before is not None and (not nodes or nodes[-1].role == "menu"):  # the menu may have closed since the press
            item = in_open_menu(before[2], press.x, press.y)
            app, nodes = (before[0], item) if item else (app, nodes)
        if nodes:
            t = time.monotonic_ns()
            self._write(ElementRow(t=t, press=press.t, x=press.x, y=press.y, app=app, nodes=nodes))

    # --- focus ------------------------------------------------------------------------------------------------

    def _focus(self, found: FocusSeen, answers: int = 0) -> None:
        """Tell first, write then. `answers`: the recorder's question."""
        if found.failed is not None:
            self._lost(found.failed)
            return
        t = time.monotonic_ns()
        if found.seen is not None:
            self._mark([found.seen], found.app)
        if found.sure:
            self._focus_told = t
        if found.password != self._password or answers:
            since = self._begins(t) if found.password else self._ends(t)
            self._tell(Focus(t=t, since=since, password=found.password, app=self._mask(found.app), answers=answers))
        self._password = found.password
        if found.sure and not self._suspended:
            node = single(found.seen, self._size, self._mask) if found.seen is not None else None
            self._write(FocusRow(t=t, app=self._mask(found.app), node=node))

    def _begins(self, t: int) -> int:
        """From when on keys may have gone to the password field that is known of at `t`."""
        return min(t, self._cause + 1) if t - self._cause < CAUSE_NS else t - HELD_NS

    def _ends(self, t: int) -> int:
        """From when on keys are no part of the password that ended before `t`."""
        return min(t, self._cause) if t - self._cause < CAUSE_NS and self._typed <= self._cause else t

    def _compare_focus(self, seen: Sequence[Seen], app: str | None, since: int) -> None:
        """A tree says where the focus is, too."""
        with_it = [element for element in seen if "focused" in element.states]
        if with_it and self._focus_told < since and ("password" in with_it[-1].states) != self._password:
            self._focus(FocusSeen(app=app, seen=with_it[-1]))

    async def _check_focus(self) -> None:
        """Some programs do not tell: after a moment, whether the keys still go where they went is asked."""
        asked = time.monotonic_ns()
        await asyncio.sleep(LOOK_AGAIN_S)
        if self._focus_told < asked and self._password:
            await self._look_for_focus()

    async def _look_for_focus(self) -> None:
        began = time.monotonic_ns()
        async with asyncio.timeout(FOCUS_S):
            found = await self._backend.focused()
        if self._focus_told < began:
            self._focus(found)

    async def _found_focus(self) -> bool:
        """Ask where keys go; whether that could be told."""
        try:
            await self._look_for_focus()
        except TimeoutError:
            return False
        except Exception as error:
            self._failed(type(error).__name__)
            return False
        return True

    async def _answer(self) -> None:
        """Answer the recorder's question, however long it takes; what cannot be answered here ends this process."""
        failures = silent = 0
        try:
            while self._question and not self._stopping:
                question = self._question
                try:
                    async with asyncio.timeout(min(FOCUS_S * (silent + 1), FOCUS_MAX_S)):  # a page may be large
                        found = await self._backend.focused()
                    if question == self._question and found.failed is None:
                        self._focus(found, answers=question)
                        self._question = 0
                        break
                except TimeoutError:  # the program in front hangs, and takes no keys either; or it never answers
                    silent += 1
                    if silent == SILENT:
                        app = self._mask(self._front.app) if self._front is not None else None
                        self._tell(Note(f"{app or 'A program'} did not say where keys go: they were left out."))
                except Exception as error:
                    self._failed(type(error).__name__)
                    failures += 1
                if failures >= MOST_FAILURES:
                    self.broken = True
                    self.stop()
                await asyncio.sleep(ASK_AGAIN_S if question == self._question else 0)
        finally:
            self._answering = False

    def _lost(self, why: str) -> None:
        """It is not known any more where keys go; `why`: the type of an exception."""
        self._failed(why)
        self._tell(Lost())

    # --- the rest ---------------------------------------------------------------------------------------------

    def _later(self, work: Awaitable[None]) -> None:
        async def quietly() -> None:
            try:
                await work
            except TimeoutError:
                pass
            except Exception as error:
                self._lost(type(error).__name__)

        task = asyncio.get_running_loop().create_task(quietly())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _mark(self, seen: Sequence[Seen], app: str | None) -> None:
        """See SecretFields."""
        if self._secrets.mark(seen, app):
            self._tell(Remember(self._secrets.fields))

    def _failed(self, why: str) -> None:
        """Said, and nothing ends by it. Only the type: the text of an error may hold what is on the screen."""
        self._tell(Note(f"Something of accessibility could not be read ({why}); reading went on."))

    def _write(self, row: AnyAccessibilityRow) -> None:
        try:
            self._rows.write(row)
        except OSError as error:
            # where keys go is told all the same
            self._tell(Note(f"Accessibility could not be written: {error.strerror}."))
        else:
            self._tell(Wrote(self._rows.trees, self._rows.elements))
