"""The server of the review page: on 127.0.0.1 only, for whoever has its token (`security.py`). Reading is done in
threads, so that one slow answer holds up nobody."""

from __future__ import annotations

import asyncio
import gzip
import logging
import secrets
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aiohttp import web

from curate.model.errors import CurateError, StoreError
from curate.view.review.answers import CLIPS, Answers, Options, encoded
from curate.view.review.data import ChangedError, NotThereError, ReviewData
from curate.view.review.files import INDEX, asked_range, bundle_file, content_headers, media_file
from curate.view.review.limits import CHUNK, POST_BYTES
from curate.view.review.reviewing import RefusedError, store_edit
from curate.view.review.security import HEADERS, Guard

HOST = "127.0.0.1"
_OPENED = web.RequestKey("opened", bool)  # the page was opened with the token, and goes on with the cookie
_SILENT = logging.getLogger("curate.view.review")  # what a stranger sends that is no request is nobody's news
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False
_HELD = ("list", "text")  # answers that are made once
_GZIP_LEVEL, _GZIP_FROM = 3, 1024


class ReviewServer:
    """Answers over one folder. `await start(port)`, then `address` is what a browser opens; `await stop()`."""

    def __init__(self, root: Path, options: Options) -> None:
        self._root, self._options = root, options
        self._scratch = tempfile.TemporaryDirectory(prefix="curate-view-", ignore_cleanup_errors=True)
        self._answers = self._opened()
        self._ready: dict[str, bytes] = {}
        self._making = threading.Lock()
        self._runner: web.AppRunner | None = None
        self.guard = Guard(0, "")

    async def start(self, port: int = 0) -> None:
        """Listen; port 0: one that is free. Raises StoreError where the port is taken."""
        app = web.Application(middlewares=[self._guarded], client_max_size=POST_BYTES)
        app.router.add_route("*", "/{path:.*}", self._answer)
        app.on_response_prepare.append(self._with_headers)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, logger=_SILENT)
        await self._runner.setup()
        site = web.TCPSite(self._runner, HOST, port)
        try:
            await site.start()
        except (OSError, OverflowError) as error:
            await self.stop()
            raise StoreError(f"Cannot listen on port {port} of {HOST}: choose another --port, or none.") from error
        bound = self._runner.addresses[0][1]
        self.guard = Guard(bound, secrets.token_urlsafe(24))

    async def stop(self) -> None:
        """Answer nobody any more."""
        if self._runner is not None:
            await self._runner.cleanup()
        self._scratch.cleanup()

    def _opened(self) -> Answers:
        data = ReviewData(self._root)
        return Answers(data, self._options, Path(self._scratch.name) / data.version)

    @property
    def address(self) -> str:
        """What a browser opens, with the token."""
        return f"http://{HOST}:{self.guard.port}{self.guard.place}?token={self.guard.token}"

    @property
    def address_once(self) -> str:
        """The same for one opening only: others on this computer may read the arguments of a browser's process."""
        return f"http://{HOST}:{self.guard.port}{self.guard.place}?token={self.guard.once()}"

    async def _with_headers(self, request: web.Request, answer: web.StreamResponse) -> None:
        answer.headers.update(HEADERS)
        answer.headers["Server"] = "curate"
        answer.headers.setdefault("Cache-Control", "no-store")
        if request.get(_OPENED):
            answer.headers["Set-Cookie"] = self.guard.set_cookie()

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Callable[[web.Request], Any]) -> web.StreamResponse:
        given = request.query.get("token") if request.path == self.guard.place else None
        refused = self.guard.refused(request.headers, given, request.method not in ("GET", "HEAD"))
        if refused is not None:
            return _error(403, refused)
        request[_OPENED] = given is not None
        try:
            answer: web.StreamResponse = await handler(request)
        except web.HTTPException as error:
            return _error(error.status, "The request is larger than this server takes." if error.status == 413 else
                          "The request cannot be read.")  # fmt: skip
        except NotThereError as error:
            return _error(404, str(error))
        except ChangedError as error:
            return _error(409, str(error))
        except CurateError as error:
            return _error(400, str(error))
        except Exception as error:
            return _error(500, f"The server failed at this: {type(error).__name__}.")
        return answer

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        path = request.path.removeprefix(self.guard.place).removeprefix("/")
        if request.method == "POST" and path == "api/edits":
            return _json(await asyncio.to_thread(self._store_edit, await request.read()), False)
        if request.method == "POST" and path == "api/audit":
            return _json(await asyncio.to_thread(self._store_label, await request.read()), False)
        if request.method not in ("GET", "HEAD"):
            return _error(405, "This can only be read.")
        if path.startswith("api/") and path.endswith(".json"):
            body = await asyncio.to_thread(self._json, path[4:-5], "gzip" in request.headers.get("Accept-Encoding", ""))
            return _json(*body)
        if path.startswith("media/"):
            return await self._file(request, media_file(self._answers.data.media, path))
        if path.startswith(f"{CLIPS}/"):
            return await self._file(request, self._answers.clip_file(path.removeprefix(f"{CLIPS}/")))
        return await self._file(request, bundle_file(path or INDEX))

    def _json(self, name: str, packed: bool) -> tuple[bytes, bool]:
        """An answer's bytes, and whether they are gzipped."""
        self._look_again(name)
        held = name in _HELD
        with self._making if held else threading.Lock():
            key = f"{name}.gz" if packed else name
            body = self._ready.get(key)
            if body is None:
                body = encoded(self._answers.named(name))
                packed = packed and len(body) >= _GZIP_FROM
                body = gzip.compress(body, _GZIP_LEVEL) if packed else body
                if held:
                    self._ready[f"{name}.gz" if packed else name] = body
        return body, packed

    def _store_edit(self, body: bytes) -> bytes:
        self._answers.data.check()
        if self._answers.audit is not None:
            raise RefusedError("An audit is open: it takes answers, and no edits.")
        return encoded(store_edit(self._answers.data, self._options.by, body))

    def _store_label(self, body: bytes) -> bytes:
        self._answers.data.check()
        if self._answers.audit is None:
            raise RefusedError("No audit is open: `curate view RUN --audit SAMPLE` opens one.")
        return encoded(self._answers.audit.store(body))

    def _look_again(self, name: str) -> None:
        """The page begins with `about`: then changed data is opened anew. Raises ChangedError for anything else."""
        try:
            self._answers.data.check()
        except ChangedError:
            if name != "about":
                raise
            with self._making:
                self._answers, self._ready = self._opened(), {}

    async def _file(self, request: web.Request, path: Path | None) -> web.StreamResponse:
        """A file, or the part of it that is asked for."""
        if path is None:
            raise NotThereError("There is no such file here.")
        try:
            size = (await asyncio.to_thread(path.stat)).st_size
            wanted = asked_range(request.headers, size)
        except OSError:
            raise NotThereError("There is no such file here.") from None
        except ValueError:
            return web.Response(status=416, headers={"Content-Range": f"bytes */{size}"})
        first, stop = wanted or (0, size)
        answer = web.StreamResponse(status=200 if wanted is None else 206, headers=content_headers(path))
        answer.headers["Accept-Ranges"] = "bytes"
        if wanted is not None:
            answer.headers["Content-Range"] = f"bytes {first}-{stop - 1}/{size}"
        answer.content_length = stop - first
        media = path.name not in ("index.html",) and "media" in path.parts[-3:]
        answer.headers["Cache-Control"] = "private, max-age=3600, immutable" if media else "no-store"
        await answer.prepare(request)
        if request.method != "HEAD":
            await _send(answer, path, first, stop)
        return answer


async def _send(answer: web.StreamResponse, path: Path, first: int, stop: int) -> None:
    with await asyncio.to_thread(path.open, "rb") as file:
        await asyncio.to_thread(file.seek, first)
        while first < stop:
            piece = await asyncio.to_thread(file.read, min(CHUNK, stop - first))
            if not piece:
                break  # it has become shorter: the connection ends before its length, which a browser tells
            first += len(piece)
            await answer.write(piece)
    await answer.write_eof()


def _json(body: bytes, packed: bool) -> web.Response:
    headers = {"Vary": "Accept-Encoding", **({"Content-Encoding": "gzip"} if packed else {})}
    return web.Response(body=body, content_type="application/json", headers=headers)


def _error(status: int, sentence: str) -> web.Response:
    return web.Response(status=status, body=encoded({"error": sentence}), content_type="application/json")
