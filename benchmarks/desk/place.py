"""Where the programs' widgets are, as the programs themselves tell: the form by a file, the page by posts."""

from __future__ import annotations

import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "tools" / "dump"))

from hand import Box  # noqa: E402

TIMEOUT_S = 12.0


class FormPlaces:
    """Of form.py, which writes them after each change."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "where.json"

    def box(self, name: str) -> Box:
        """Where a widget is, once it is there. Raises RuntimeError where it does not come."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            try:
                boxes = json.loads(self._file.read_text(encoding="utf-8"))["boxes"]
            except (OSError, ValueError):
                boxes = {}
            if name in boxes:
                return Box(*boxes[name])
            time.sleep(0.02)
        raise RuntimeError(f"The form has no visible {name}.")


class PagePlaces:
    """Serves shop.html on `port` and hears from it."""

    def __init__(self) -> None:
        self._boxes: dict[str, list[int]] = {}
        self._heard = 0.0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                body = (HERE / "shop.html").read_bytes()
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self) -> None:
                outer._boxes = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["boxes"]
                outer._heard = time.monotonic()
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def box(self, name: str) -> Box:
        """Where an element is, as told after this call. Raises RuntimeError where it does not turn up."""
        asked = time.monotonic()
        while time.monotonic() < asked + TIMEOUT_S:
            if self._heard > asked and name in self._boxes:
                return Box(*self._boxes[name])
            time.sleep(0.01)
        raise RuntimeError(f"The page has no visible element {name}.")

    def close(self) -> None:
        """End the server."""
        self._server.shutdown()
