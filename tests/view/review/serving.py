"""A review page's server for tests: in this process, asked over real HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.view.review.answers import Options
from curate.view.review.server import ReviewServer


class Answer(msgspec.Struct):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def plain(self) -> Any:
        return msgspec.json.decode(self.body)


class Asked:
    """Asks one server, as a browser that has its cookie (`cookie=False`: that has not)."""

    def __init__(self, server: ReviewServer) -> None:
        self.server, self.port, self.token = server, server.guard.port, server.guard.token
        self._cookie = f"{server.guard.cookie}={self.token}"

    def __call__(
        self, path: str, method: str = "GET", body: bytes | None = None, cookie: bool = True, **headers: str
    ) -> Answer:
        """`headers`: with `_` for `-`; the path goes out as it is written."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Cookie": self._cookie} if cookie else {}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(connection):
            connection.putrequest(method, path, skip_host="Host" in sent, skip_accept_encoding=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())

    def json(self, name: str) -> Any:
        """The object of a name."""
        answer = self(f"/api/{name}.json")
        assert answer.status == 200, answer.body
        return answer.plain

    def edit(self, **said: Any) -> Answer:
        """Send an edit as the page does."""
        return self("/api/edits", "POST", msgspec.json.encode(said), X_Curate="1")


@contextlib.contextmanager
def serving(root: Path, **options: Any) -> Iterator[Asked]:
    """A server over a folder, while the block runs."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = ReviewServer(root, Options(**options))
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(60)
    try:
        yield Asked(server)
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(60)
        loop.close()
