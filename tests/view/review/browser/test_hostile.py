"""Recorded text stays text: markup, directions of writing, control characters, sizes."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from playwright.sync_api import Page

from tests.view.review.browser.conftest import Pages, Served, go, press, probe, settle, wait
from tests.view.review.browser.make_data import HOSTILE

SHOWN = HOSTILE.replace("\u202e", "⟨U+202E⟩").replace("\u200b", "⟨U+200B⟩").replace("\x07", "⟨U+0007⟩")


def unhurt(page: Page) -> None:
    """Nothing of the text became an element or ran."""
    assert probe(page, "hurt") == {"ran": None, "made": 0, "foreign": []}


def test_everywhere_it_is_shown(page: Page) -> None:
    unhurt(page)
    assert SHOWN[:60] in page.locator("#rows").inner_text()
    assert page.get_by_role("group", name="App").get_by_text(SHOWN[:40]).count() == 1
    page.get_by_role("group", name="App").get_by_text(SHOWN[:40]).click()
    assert SHOWN[:60] in page.locator("#chips").inner_text()
    go(page, "#/run/5/0")
    unhurt(page)
    panel = page.locator(".panel").inner_text()
    assert SHOWN in panel and "Observation" in panel and "Reflection" in panel
    assert SHOWN[:60] in page.locator("#run-title").inner_text()
    press(page, "ArrowRight")
    assert SHOWN[:80] in page.locator("#caption").inner_text()
    whole = page.evaluate("document.body.innerText")
    assert not set(whole) & set("\u202e\u200b\x07")
    unhurt(page)


def test_what_a_reviewer_writes_is_text_too(page: Page) -> None:
    go(page, "#/run/0/0")
    press(page, "i")
    page.keyboard.insert_text("<img src=x onerror='window.hurt=3'> \u202eabc")
    press(page, "Control+Enter")
    wait(page, "() => document.getElementById('run-title').textContent.includes('⟨U+202E⟩abc')")
    unhurt(page)
    page.reload()
    settle(page, "#/run/")
    assert "<img src=x" in page.locator("#run-title").inner_text()
    unhurt(page)


def test_huge_texts_are_shown_in_part(page: Page) -> None:
    """The thought of run 5 has half a million characters, its instruction more."""
    go(page, "#/run/5/0")
    size = "document.querySelector('.panel').textContent.length"
    assert page.evaluate(size) < 20_000
    more = page.get_by_role("button", name="Show all").first
    more.click()
    assert page.evaluate(size) > 40_000 and page.get_by_role("button", name="Show all").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_addresses_that_lead_nowhere(pages: Pages, served: Served) -> None:
    pages.expected.append("Failed to load resource")
    page = pages.open(served.address)
    for place in (
        "#/run/99",
        "#/run/x/y",
        "#/nothing/else",
        "#/run/0/55",
        "#/list?steps=a~b&sort=evil&app=__proto__",
        "#/witness/99",
        "#/%00",
    ):
        page.evaluate("place => { location.hash = place; }", place)
        settle(page)
        wait(page, "() => document.querySelector('#main .problem, #rows, #run-title, #witness') !== null")
        unhurt(page)
    page.evaluate("() => { location.hash = '#/run/99'; }")
    wait(page, "() => document.querySelector('.problem') !== null")
    assert "There is no trajectory 99" in page.get_by_role("alert").inner_text()
    page.get_by_role("link", name="To the list").click()
    settle(page, "#/list")
    assert page.locator("#matches").inner_text() == "8 trajectories"


def test_another_server_of_this_computer_is_not_sent_the_cookie(pages: Pages, served: Served) -> None:
    """It has the same host to a browser, which knows no ports in cookies."""
    seen: list[str | None] = []

    class Other(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers.get("Cookie"))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *said: object) -> None:
            pass

    page = pages.open(served.address)
    assert page.context.cookies(page.url), "the page has its cookie"
    with HTTPServer(("127.0.0.1", 0), Other) as other:
        thread = threading.Thread(target=other.handle_request)
        thread.start()
        page.context.request.get(f"http://127.0.0.1:{other.server_port}/")
        thread.join(20)
    assert seen == [None]
    page.reload()
    settle(page)
    assert page.locator("#reviewer").inner_text() == "Reviewer anna"
