"""Serves the dump's pages to the browser on this machine under made-up host names, and hears from them where their
elements are."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from hand import Box

PAGES = Path(__file__).parent / "pages"
SITES = {
    "bellandkettle.example": "shop.html",
    "mail.lark.example": "mail.html",
    "console.harbour.example": "console.html",
    "corkboard.example": "board.html",
}


class Web:
    """`port` is where it listens; `box(id)` is where an element is on the screen."""

    def __init__(self) -> None:
        self._rects: dict[str, list[int]] = {}
        self._heard = 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                host = (self.headers.get("Host") or "").split(":")[0]
                name = "where.js" if self.path == "/where.js" else SITES.get(host, "")
                if not name or self.path not in ("/", "/where.js"):
                    self.send_error(404)
                    return
                body = (PAGES / name).read_bytes()
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if name.endswith("js") else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                outer._rects = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer._heard = time.monotonic()
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def forget(self) -> None:
        """Before another page: what was heard is of the last one."""
        self._rects = {}

    def box(self, identity: str, timeout: float = 10) -> Box:
        """Where an element is, as told after this call. Raises where it does not turn up."""
        asked = time.monotonic()
        while time.monotonic() < asked + timeout:
            if self._heard > asked and identity in self._rects:
                return Box(*self._rects[identity])
            time.sleep(0.05)
        raise RuntimeError(f"The page has no visible element {identity}.")
