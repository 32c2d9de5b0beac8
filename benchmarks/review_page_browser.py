"""What a person waits for on the review page, in a real Chromium over a real server: milliseconds until the screen
shows it (two frames after the last change), median of five with the least and the most.

    python benchmarks/review_page_browser.py [--size 10000]

A dataset of made records without pictures; the load of the machine is printed, for it counts."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
SHOWN = "await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));"


def key(name: str) -> str:
    return f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{name}', bubbles: true}}));"


def until(condition: str) -> str:
    return f"while (!({condition})) await new Promise(done => setTimeout(done, 1));"


def taken(page: Page, does: str) -> float:
    """Milliseconds until what a script does is on the screen."""
    script = f"async () => {{ const start = performance.now(); {does} {SHOWN} return performance.now() - start; }}"
    return float(page.evaluate(script))


def tell(what: str, work: Callable[[], float]) -> None:
    times = [work() for _ in range(5)]
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    print(f"{what:<34} {median(times):6.0f} ms   {min(times):.0f} to {max(times):.0f}   {load}")


def opened(browser: Browser, address: str) -> tuple[Page, float]:
    """A page in a browser that has nothing of it yet, and what it took from the address to rows of the list."""
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(address, wait_until="commit")
    rows = until("document.querySelector('.rows .row')")
    return page, float(page.evaluate(f"async () => {{ {rows} {SHOWN} return performance.now(); }}"))


def measure(browser: Browser, address: str, size: int) -> None:
    tell("list, from opening", lambda: opened(browser, address)[1])
    page, _ = opened(browser, address)
    tell("a filter", lambda: taken(page, "document.querySelector('#facets input[type=checkbox]').click();"))
    page.evaluate("location.hash = '#/list'")
    numbers = iter(range(size // 13, size, max(1, size // 17)))

    def search() -> float:
        word = f"text{next(numbers)}"
        typed = f"const box = document.getElementById('search'); box.value = '{word}';"
        typed += "box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));"
        return taken(page, typed + until(f"document.getElementById('chips').textContent.includes('{word}')"))

    print(f"{'first search (loads the texts)':<34} {search():6.0f} ms")
    tell("search", search)

    def run() -> float:
        at = next(numbers)
        return taken(page, f"location.hash = '#/run/{at}/0';" + until(f"document.body.dataset.position === '{at}'"))

    tell("a trajectory anywhere", run)
    moved = until("document.body.dataset.position !== before")
    tell("next trajectory", lambda: taken(page, f"const before = document.body.dataset.position; {key('j')} {moved}"))
    numbers = iter(range(1, 7))
    tell("next or previous step", lambda: taken(page, key("ArrowRight" if next(numbers) % 2 else "ArrowLeft")))


def main() -> None:
    from tests.view.review.browser.make_data import make_many

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=10_000)
    size = parser.parse_args().size
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = make_many(Path(scratch) / "data", size)
        command = [sys.executable, "-m", "curate", "view", str(folder), "--no-open"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT)
        assert server.stdout is not None
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        try:
            measure(browser, server.stdout.readline().strip(), size)
            status = Path(f"/proc/{server.pid}/status")
            held = re.search(r"VmRSS:\s+(\d+)", status.read_text()) if status.exists() else None
            print(f"memory of the server               {int(held.group(1)) // 1024 if held else 0:6} MB")
        finally:
            browser.close()
            server.terminate()
            server.wait(20)


if __name__ == "__main__":
    main()
