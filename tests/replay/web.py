"""Serves the pages of tests/replay/pages to the browser, hears from them what state they are in and where their
elements are, and sends the browser from one page to the next without a new start."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.replay.desk import wait_for
from tests.replay.dump_tools import Box

PAGES = Path(__file__).parent / "pages"
_TYPES = {".js": "text/javascript", ".html": "text/html; charset=utf-8", ".css": "text/css"}


class Web:
    """`port` is where it listens. A page is told by number, so that what an earlier one says late is not believed."""

    def __init__(self) -> None:
        self._number, self._page = 0, "blank.html"
        self._told: dict[str, Any] = {}
        self._heard = 0.0
        self._posts: list[Any] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address = urlsplit(self.path)
                time.sleep(float(parse_qs(address.query).get("after", ["0"])[0]))
                path = PAGES / Path(address.path).name
                if path.is_file():
                    self._answer(path.read_bytes(), _TYPES[path.suffix])
                else:
                    self._answer(b"", "text/html", 404)

            def do_POST(self) -> None:
                address = urlsplit(self.path)
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                time.sleep(float(parse_qs(address.query).get("after", ["0"])[0]))
                if address.path == "/tell":
                    outer._hear(body)
                else:
                    outer._posts.append(body)
                self._answer(json.dumps({"n": str(outer._number), "page": outer._page}).encode(), "application/json")

            def _answer(self, body: bytes, kind: str, code: int = 200) -> None:
                with contextlib.suppress(ConnectionError):  # the page that asked is gone
                    self.send_response(code)
                    self.send_header("Content-Type", kind)
                    self.send_header("Cache-Control", "no-store")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def _hear(self, said: dict[str, Any]) -> None:
        if said["n"] == str(self._number):
            self._told, self._heard = said, time.monotonic()

    def go(self, page: str) -> None:
        """Send the browser to a page, fresh."""
        self._number, self._page, self._told = self._number + 1, page, {}
        self._posts.clear()
        wait_for(f"the page {page}", lambda: self._told.get("page") == f"/{page}" and self._told)

    def knows_place(self) -> bool:
        """Whether the page has learnt, from a move of the pointer, where it is on the screen."""
        return bool(self._told.get("placed"))

    def box(self, identity: str) -> Box:
        """Where a visible element is, as told after this call."""
        asked = time.monotonic()
        rects = wait_for(
            f"an element {identity}",
            lambda: self._heard > asked and identity in self._told.get("rects", {}) and self._told["rects"],
        )
        return Box(*rects[identity])

    def state(self) -> dict[str, Any]:
        """What the page in front says of itself, and what was sent to the server since `go`."""
        asked = time.monotonic()
        wait_for("word from the page", lambda: self._heard > asked)
        return {"page": self._told["page"], "state": self._told["state"], "sent": list(self._posts)}

    def close(self) -> None:
        """End the server."""
        self._server.shutdown()
        self._server.server_close()
