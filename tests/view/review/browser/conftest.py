"""The review page in a real Chromium, over real servers on real run folders. Where there is no Chromium the tests say
so and are skipped. A page that logs an error, throws, or asks anything of another origin fails its test."""

from __future__ import annotations

import asyncio
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from curate.view.review.answers import Options
from curate.view.review.server import ReviewServer
from tests.view.review.browser.make_data import make_many, make_reviewed_run

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
MANY = 10_000
PROBES = Path(__file__).with_name("probes.js").read_text(encoding="utf-8").partition("\n")[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One process has the browser and the runs; the others do not make them again."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("review_page"))


class Served:
    """A server over a folder, in a thread with a loop of its own."""

    def __init__(self, folder: Path, by: str = "anna", audit: Path | None = None) -> None:
        self.folder, self.by = folder, by
        self._server = ReviewServer(folder, Options(by=by, audit=audit))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._call(self._server.start(0))
        self.address = self._server.address

    def _call(self, awaited: object) -> None:
        asyncio.run_coroutine_threadsafe(awaited, self._loop).result(30)  # type: ignore[arg-type]

    def stop(self) -> None:
        self._call(self._server.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def run_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_reviewed_run(tmp_path_factory.mktemp("reviewed"))


@pytest.fixture
def run_folder(run_made: Path) -> Path:
    """The run, reviewed by nobody yet."""
    shutil.rmtree(run_made.with_name("run.edits"), ignore_errors=True)
    return run_made


@pytest.fixture(scope="session")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_many(tmp_path_factory.mktemp("many") / "data", MANY)


class Pages:
    """Opens pages, and knows afterwards what they asked for and what went wrong in them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._closers: list[object] = []
        self.asked: list[str] = []
        self.trouble: list[str] = []
        self.expected: list[str] = []  # parts of messages that a test brings about itself

    def open(
        self, address: str, *, size: tuple[int, int] = (1280, 720), scheme: str = "light", ratio: float = 1
    ) -> Page:
        context = self._browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme=scheme,  # type: ignore[arg-type]
            device_scale_factor=ratio,
            accept_downloads=True,
            reduced_motion="reduce",
        )
        page = context.new_page()
        origin = urlsplit(address)

        def guard(route: Route) -> None:
            to = urlsplit(route.request.url)
            self.asked.append(route.request.url)
            if (to.scheme, to.netloc) != (origin.scheme, origin.netloc) and to.scheme not in ("data", "blob"):
                self.trouble.append(f"asks another origin: {route.request.url}")
                route.abort()
            else:
                route.continue_()

        page.route("**/*", guard)
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("console", lambda said: said.type == "error" and self.trouble.append(f"console: {said.text}"))
        page.on("dialog", lambda dialog: self.trouble.append(f"dialog: {dialog.message}"))
        page.goto(address)
        wait(page, "() => document.querySelector('#main > :not(.waiting)') !== null")
        return page

    def names(self, part: str) -> list[str]:
        """What was asked for whose address holds a part."""
        return [url for url in self.asked if part in url]

    def check(self) -> None:
        bad = [line for line in self.trouble if not any(part in line for part in self.expected)]
        assert not bad

    def close(self) -> None:
        for context in self._browser.contexts:
            context.close()


@pytest.fixture
def pages(chromium: Browser) -> Iterator[Pages]:
    opened = Pages(chromium)
    yield opened
    opened.close()
    opened.check()


@pytest.fixture
def served(run_folder: Path, pages: Pages) -> Iterator[Served]:
    server = Served(run_folder)
    yield server
    pages.close()  # before its server: a page that still loads a picture would say that there is none
    server.stop()


@pytest.fixture
def page(pages: Pages, served: Served) -> Page:
    """The list of the reviewed run, opened by anna."""
    return pages.open(served.address)


def go(page: Page, place: str) -> None:
    """To a place of the page, such as `#/run/0/3`, until its picture (if any) is there."""
    page.evaluate("place => { location.hash = place; }", place)
    settle(page, place)


def wait(page: Page, function: str, argument: object = None) -> None:
    """Until a function of the page gives true. (Playwright's own evaluates a text there, which its policy forbids.)"""
    end = time.monotonic() + 20
    while not page.evaluate(function, argument):
        assert time.monotonic() < end, f"waited in vain for {function} {argument}"
        page.wait_for_timeout(15)


def settle(page: Page, place: str | None = None) -> None:
    if place is not None:
        view, _, rest = place.removeprefix("#/").partition("?")[0].partition("/")
        wait(page, "view => document.body.dataset.view === view", view)
        if rest:
            wait(page, "at => document.body.dataset.position === at", rest.partition("/")[0])
    wait(page, "() => { const p = document.getElementById('picture'); return !p?.getAttribute('src') || p.complete; }")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def probe(page: Page, name: str, argument: object = None) -> Any:
    """What a function of probes.js finds in the page."""
    return page.evaluate(f"argument => {PROBES.strip()}.{name}(argument)", argument)


def said(page: Page) -> str:
    """What the live region says."""
    return page.locator("#said").inner_text()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def wait_said(page: Page, part: str) -> None:
    """Until the live region has said something that holds a part."""
    wait(page, "part => document.getElementById('said').textContent.includes(part)", part)
