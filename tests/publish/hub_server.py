"""A Hub on loopback: as much of its protocol as publishing and reading back speak, with faults on order.

    python hub_server.py ROOT        prints the port it listens on; contents of objects lie in ROOT

By hand: HF_ENDPOINT=http://127.0.0.1:PORT, HF_HOME a folder of its own, HF_HUB_DISABLE_XET=1, HF_TOKEN the one token
it knows, of `user`, who may write: "hf_" and 34 times "g" (`_config` below sets others). `hub.py` does this for tests.

It speaks HTTP, and datasets only: whoami, create, settings, preupload, LFS (batch, PUT in one or several parts,
verify), commit with parentCommit, refs, tags, tree in pages (Link header), paths-info, resolve with Range. It cannot
speak Xet.

`POST /_faults [{...}]` orders faults, each used `times` times (1) on requests whose "METHOD path" holds `on`, after the
first `skip` of them:
    {"on": "PUT /lfs/", "do": "status", "status": 503, "retry_after": 1}
    {"on": "PUT /lfs/", "do": "cut", "after": 1000}         reads so many bytes of the body, then hangs up
    {"on": "GET /datasets/", "do": "cut", "after": 1000}    sends so many bytes of the answer, then hangs up
    {"on": "POST /api/datasets/u/n/commit", "do": "lose"}   does what was asked, then hangs up without an answer
    {"on": "PUT /lfs/", "do": "stall"}                      reads nothing more and says nothing, until it is ended
    {"on": "/tree/", "do": "slow", "seconds": 2}            answers after so long
    {"on": "whoami", "do": "page", "status": 200}           a page in HTML, as a proxy between answers
    {"on": "/refs", "do": "move", "to": "/elsewhere"}       307 to another path (without `to`: to the same one)
    {"on": "commit/main", "do": "late", "status": 500}      does what was asked, and answers that it could not
`GET /_log` gives every request so far: method, path, bytes of its body that came, status. `POST /_config` sets `page`
(entries of a page), `part` (bytes of a part of an upload; null: in one), `users` ({token: [name, role]}).
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

LARGE = (".parquet", ".png", ".zst", ".zip", ".mp4")
REGULAR_MOST = 10 << 20
DATE = "2026-01-01T00:00:00.000Z"


class State:
    """Everything the server knows. Repositories are datasets by name."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.lock = threading.RLock()
        self.repos: dict[str, dict[str, Any]] = {}
        self.faults: list[dict[str, Any]] = []
        self.log: list[dict[str, Any]] = []
        self.config: dict[str, Any] = {"page": 3, "part": None, "users": {"hf_" + "g" * 34: ["user", "write"]}}

    def keep(self, data: bytes) -> str:
        sha = hashlib.sha256(data).hexdigest()
        self.object(sha).write_bytes(data)
        return sha

    def object(self, sha: str) -> Path:
        return self.root / sha

    def commit(self, name: str, files: dict[str, Any], title: str) -> str:
        repo = self.repos[name]
        seed = json.dumps([len(repo["commits"]), title, sorted(files)]).encode() + name.encode()
        sha = hashlib.sha1(seed).hexdigest()
        repo["commits"].append({"id": sha, "title": title, "files": files})
        repo["refs"]["main"] = sha
        return sha

    def at(self, repo: dict[str, Any], revision: str) -> dict[str, Any] | None:
        sha = repo["tags"].get(revision) or repo["refs"].get(revision) or revision
        return next((one for one in repo["commits"] if one["id"] == sha), None)


class CutError(Exception):
    """The connection ends here."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: State
    came = 0
    status = 0
    fault: dict[str, Any] | None = None

    def log_message(self, *arguments: object) -> None:
        """Says nothing: what was asked is in the log."""

    def _go(self) -> None:
        self.came, self.status, self.fault = 0, 0, self._next_fault()
        entry = {"method": self.command, "path": self.path, "bytes": 0, "status": 0}
        if not self.path.startswith("/_"):
            self.state.log.append(entry)
        try:
            self._answer()
        except (CutError, ConnectionError):
            self.close_connection = True
        finally:
            entry["bytes"], entry["status"] = self.came, self.status

    do_GET = do_POST = do_PUT = do_HEAD = do_DELETE = _go  # noqa: N815

    def _next_fault(self) -> dict[str, Any] | None:
        line = f"{self.command} {self.path}"
        with self.state.lock:
            for fault in self.state.faults:
                if fault["on"] not in line or fault.get("times", 1) <= 0:
                    continue
                if fault.get("skip", 0) > 0:
                    fault["skip"] -= 1
                    continue
                fault["times"] = fault.get("times", 1) - 1
                return fault
        return None

    def _answer(self) -> None:
        fault = self.fault or {}
        if fault.get("do") == "stall":
            self._read(1 << 16)
            time.sleep(3600)
        if fault.get("do") == "cut" and self.command in ("PUT", "POST"):
            self._read(fault.get("after", 0))
            raise CutError
        body = self._body()
        if fault.get("do") == "slow":
            time.sleep(fault["seconds"])
        if fault.get("do") == "page":
            page = b"<!DOCTYPE html><html><title>Proxy</title><body>Please log in to the network</body></html>"
            return self._send(fault["status"], page, {"Content-Type": "text/html"})
        if fault.get("do") == "move":
            return self._send(307, b"", {"Location": self._base + fault.get("to", self.path)})
        if fault.get("do") == "status":
            headers = {"Retry-After": str(fault["retry_after"])} if "retry_after" in fault else {}
            return self._json(fault["status"], {"error": fault.get("error", "planned")}, headers)
        url = urlsplit(self.path)
        path, query = unquote(url.path), parse_qs(url.query)
        if path.startswith("/_"):
            return self._control(path, body)
        if path.startswith("/lfs/"):
            return self._object(path, query, body)
        user = self._user()
        if user is None and self.headers.get("Authorization"):
            return self._error(401, "", "Invalid credentials in Authorization header")
        if path == "/api/whoami-v2":
            if user is None:
                return self._error(401, "", "no token")
            token = {"displayName": "t", "role": user[1]}
            return self._json(200, {"type": "user", "name": user[0], "orgs": [], "auth": {"accessToken": token}})
        if path == "/api/validate-yaml":
            return self._yaml(body)
        if path == "/api/repos/create":
            return self._create(json.loads(body), user)
        if found := re.fullmatch(r"/datasets/([^/]+/[^/]+)\.git/info/lfs/objects/batch", path):
            return self._batch(found[1], json.loads(body), user)
        if found := re.fullmatch(r"/datasets/([^/]+/[^/]+)\.git/info/lfs/verify", path):
            told = json.loads(body)
            there = self.state.object(told["oid"])
            right = there.is_file() and there.stat().st_size == told["size"]
            return self._json(200 if right else 404, {})
        if found := re.fullmatch(r"/datasets/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path):
            return self._resolve(*found.groups(), user=user)
        if found := re.fullmatch(r"/api/datasets/([^/]+/[^/]+)(?:/([a-z-]+)(?:/(.*))?)?", path):
            repo = self._seen(found[1], user)
            if repo is not None:
                with self.state.lock:
                    self._of_repo(found[1], repo, found[2], found[3] or "", query, body, user)
            return None
        return self._error(404, "", f"unknown route {path}")

    # --- what is asked of a repository -------------------------------------------------------------------

    def _of_repo(
        self, name: str, repo: dict[str, Any], what: str | None, rest: str, query: dict[str, list[str]], body: bytes,
        user: list[str] | None,
    ) -> None:  # fmt: skip
        if what in ("preupload", "commit", "tag", "settings") and (user is None or user[1] != "write"):
            return self._error(403, "", "You don't have the rights to do that")
        if what == "settings":
            repo["private"] = json.loads(body)["visibility"] == "private"
            return self._json(200, {"private": repo["private"]})
        if what == "refs":
            tags = [{"name": k, "ref": f"refs/tags/{k}", "targetCommit": v} for k, v in repo["tags"].items()]
            heads = [{"name": k, "ref": f"refs/heads/{k}", "targetCommit": v} for k, v in repo["refs"].items()]
            return self._json(200, {"branches": heads, "tags": tags, "converts": []})
        revision, _, below = rest.partition("/")
        commit = self.state.at(repo, revision or "main")
        if commit is None:
            return self._error(404, "RevisionNotFound", f"Invalid rev id: {revision}")
        if what == "preupload":
            return self._preupload(commit, json.loads(body))
        if what == "commit":
            return self._commit(name, commit, body)
        if what == "tag":
            tag = json.loads(body)["tag"]
            if tag in repo["tags"]:
                return self._error(409, "", "Tag reference exists already")
            repo["tags"][tag] = commit["id"]
            return self._json(200, {})
        if what == "tree":
            return self._tree(commit, below, query)
        if what == "paths-info":
            asked = json.loads(body)["paths"] if body[:1] == b"{" else parse_qs(body.decode()).get("paths", [])
            asked = [asked] if isinstance(asked, str) else asked
            files = [_entry(path, commit["files"][path]) for path in asked if path in commit["files"]]
            return self._json(200, files + [_folder(p) for p in asked if _is_folder(commit["files"], p)])
        if what in (None, "revision"):
            return self._json(200, self._about(name, repo, commit))
        return self._error(404, "", f"unknown {what}")

    def _about(self, name: str, repo: dict[str, Any], commit: dict[str, Any]) -> dict[str, Any]:
        siblings = [{"rfilename": path, "size": file["size"], "blobId": file["oid"]} for path, file in
                    sorted(commit["files"].items())]  # fmt: skip
        return {
            "_id": name, "id": name, "author": name.split("/")[0], "sha": commit["id"], "private": repo["private"],
            "lastModified": DATE, "createdAt": DATE, "gated": False, "disabled": False, "tags": [], "downloads": 0,
            "likes": 0, "siblings": siblings,
        }  # fmt: skip

    def _preupload(self, commit: dict[str, Any], asked: dict[str, Any]) -> None:
        files = []
        for one in asked["files"]:
            large = one["path"].endswith(LARGE) or one["size"] > REGULAR_MOST
            there = commit["files"].get(one["path"])
            oid = None if there is None else there["sha"] if there["lfs"] else there["oid"]
            mode = "lfs" if large else "regular"
            files.append({"path": one["path"], "uploadMode": mode, "shouldIgnore": False, "oid": oid})
        self._json(200, {"files": files})

    def _commit(self, name: str, parent: dict[str, Any], body: bytes) -> None:
        files, title = dict(parent["files"]), ""
        for line in body.splitlines():
            kind, value = json.loads(line)["key"], json.loads(line)["value"]
            if kind == "header":
                title = value.get("summary", "")
                if value.get("parentCommit") not in (None, parent["id"]):
                    return self._error(412, "", "A commit has happened since. Please refresh and try again.")
            elif kind == "file":
                data = base64.b64decode(value["content"])
                oid = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
                files[value["path"]] = {"sha": self.state.keep(data), "size": len(data), "oid": oid, "lfs": False}
            elif kind == "lfsFile":
                there = self.state.object(value["oid"])
                if not there.is_file():
                    return self._error(400, "", f"LFS object {value['oid']} was never uploaded")
                size = there.stat().st_size
                oid = hashlib.sha1(value["oid"].encode()).hexdigest()
                files[value["path"]] = {"sha": value["oid"], "size": size, "oid": oid, "lfs": True}
            elif kind == "deletedFile":
                if files.pop(value["path"], None) is None:
                    return self._error(404, "EntryNotFound", "A file with this name doesn't exist")
            elif kind == "deletedFolder":
                files = {path: file for path, file in files.items() if not path.startswith(value["path"])}
        sha = self.state.commit(name, files, title)
        if (self.fault or {}).get("do") == "lose":
            raise CutError
        if (self.fault or {}).get("do") == "late":
            return self._json((self.fault or {})["status"], {"error": "planned"})
        self._json(200, {"success": True, "commitOid": sha, "commitUrl": f"{self._base}/datasets/{name}/commit/{sha}"})

    def _tree(self, commit: dict[str, Any], below: str, query: dict[str, list[str]]) -> None:
        recursive = query.get("recursive", ["false"])[0].lower() in ("true", "1")
        before = f"{below.strip('/')}/" if below else ""
        found: dict[str, dict[str, Any]] = {}
        for path, file in commit["files"].items():
            if not path.startswith(before):
                continue
            parts = path[len(before) :].split("/")
            for depth in range(1, len(parts) if recursive else min(2, len(parts))):
                folder = before + "/".join(parts[:depth])
                found[folder] = _folder(folder)
            if recursive or len(parts) == 1:
                found[path] = _entry(path, file)
        if below and not found:
            return self._error(404, "EntryNotFound", "not found")
        entries = [found[path] for path in sorted(found)]
        start, page = int(query.get("cursor", ["0"])[0]), int(self.state.config["page"])
        headers = {}
        if start + page < len(entries):
            plain = urlsplit(self.path)
            more = "&".join(one for one in plain.query.split("&") if one and not one.startswith("cursor="))
            link = f"{self._base}{plain.path}?{more}{'&' if more else ''}cursor={start + page}"
            headers["Link"] = f'<{link}>; rel="next"'
        return self._json(200, entries[start : start + page], headers)

    # --- objects -----------------------------------------------------------------------------------------

    def _batch(self, name: str, asked: dict[str, Any], user: list[str] | None) -> None:
        if user is None or user[1] != "write":
            return self._error(403, "", "You don't have the rights to do that")
        objects, part = [], self.state.config["part"]
        for one in asked["objects"]:
            told: dict[str, Any] = {"oid": one["oid"], "size": one["size"]}
            if not self.state.object(one["oid"]).is_file():
                upload: dict[str, Any] = {"href": f"{self._base}/lfs/{one['oid']}?signature=secret"}
                if part is not None and one["size"] > part:
                    count = -(-one["size"] // part)
                    parts = {f"{k:05d}": f"{self._base}/lfs/{one['oid']}?part={k}" for k in range(1, count + 1)}
                    whole = f"{self._base}/lfs/{one['oid']}/complete"
                    upload = {"href": whole, "header": {"chunk_size": part, **parts}}
                verify = {"href": f"{self._base}/datasets/{name}.git/info/lfs/verify"}
                told["actions"] = {"upload": upload, "verify": verify}
            objects.append(told)
        return self._json(200, {"transfer": "basic", "objects": objects})

    def _object(self, path: str, query: dict[str, list[str]], body: bytes) -> None:
        sha = path.split("/")[2]
        if self.command == "PUT" and "part" in query:
            self.state.object(f"{sha}.{int(query['part'][0]):05d}").write_bytes(body)
            return self._json(200, None, {"ETag": f'"{hashlib.md5(body).hexdigest()}"'})
        if path.endswith("/complete"):
            parts = sorted(self.state.root.glob(f"{sha}.*"))
            body = b"".join(part.read_bytes() for part in parts)
            for part in parts:
                part.unlink()
        if hashlib.sha256(body).hexdigest() != sha:
            return self._error(400, "", "the content is not what its name says")
        self.state.keep(body)
        return self._json(200, {})

    def _resolve(self, name: str, revision: str, path: str, *, user: list[str] | None) -> None:
        repo = self._seen(name, user)
        if repo is None:
            return None
        commit = self.state.at(repo, revision)
        if commit is None:
            return self._error(404, "RevisionNotFound", "Invalid rev id")
        file = commit["files"].get(path)
        if file is None:
            return self._error(404, "EntryNotFound", "Entry not found", {"X-Repo-Commit": commit["id"]})
        data = self.state.object(file["sha"]).read_bytes()
        etag = f'"{file["sha"] if file["lfs"] else file["oid"]}"'
        headers = {"ETag": etag, "X-Linked-Etag": etag, "X-Linked-Size": str(len(data)), "Accept-Ranges": "bytes",
                   "X-Repo-Commit": commit["id"], "Content-Type": "application/octet-stream"}  # fmt: skip
        status, asked = 200, re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", ""))
        if asked and data:
            start = int(asked[1]) if asked[1] else max(0, len(data) - int(asked[2]))
            stop = min(int(asked[2]), len(data) - 1) if asked[1] and asked[2] else len(data) - 1
            headers["Content-Range"] = f"bytes {start}-{stop}/{len(data)}"
            status, data = 206, data[start : stop + 1]
        return self._send(status, data, headers)

    # --- the rest ----------------------------------------------------------------------------------------

    def _create(self, asked: dict[str, Any], user: list[str] | None) -> None:
        if user is None or user[1] != "write":
            return self._error(403 if user else 401, "", "You don't have the rights to create a dataset")
        name = f"{asked.get('organization') or user[0]}/{asked['name']}"
        if name.split("/")[0] != user[0]:
            return self._error(403, "", "You don't have the rights to create a dataset under that namespace")
        url = f"{self._base}/datasets/{name}"
        if name in self.state.repos:
            return self._json(409, {"error": "You already created this dataset repo", "url": url})
        private = asked.get("visibility") == "private"
        self.state.repos[name] = {"commits": [], "refs": {}, "tags": {}, "private": private}
        data = b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"
        oid = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        first = {"sha": self.state.keep(data), "size": len(data), "oid": oid, "lfs": False}
        self.state.commit(name, {".gitattributes": first}, "initial commit")
        return self._json(200, {"url": url, "name": name, "id": name})

    def _yaml(self, body: bytes) -> None:
        import yaml

        content = json.loads(body)["content"]
        head = content.split("---\n")[1] if content.startswith("---\n") else "{}"
        try:
            loaded = yaml.safe_load(head)
            wrong = [] if isinstance(loaded, dict) else [{"message": "no mapping"}]
        except yaml.YAMLError as error:
            wrong = [{"message": str(error)}]
        return self._json(400 if wrong else 200, {"errors": wrong, "warnings": []})

    def _control(self, path: str, body: bytes) -> None:
        if path == "/_log":
            return self._json(200, self.state.log)
        if path == "/_repos":
            return self._json(200, self.state.repos)
        if path == "/_faults":
            self.state.faults[:] = json.loads(body)
        elif path == "/_config":
            self.state.config.update(json.loads(body))
        elif path == "/_forget_log":
            self.state.log.clear()
        return self._json(200, {})

    def _user(self) -> list[str] | None:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        found: list[str] | None = self.state.config["users"].get(token)
        return found

    def _seen(self, name: str, user: list[str] | None) -> dict[str, Any] | None:
        """The repository, or the answer that the Hub gives for one that is not to be seen."""
        repo = self.state.repos.get(name)
        if repo is not None and (not repo["private"] or (user is not None and user[0] == name.split("/")[0])):
            return repo
        self._error(404 if user else 401, "RepoNotFound", "Repository not found")
        return None

    @property
    def _base(self) -> str:
        return f"http://{self.headers['Host']}"

    def _read(self, most: int) -> bytes:
        data = self.rfile.read(min(most, int(self.headers.get("Content-Length") or most)))
        self.came += len(data)
        return data

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding") == "chunked":
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self._read_exactly(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)
        return self._read_exactly(int(self.headers.get("Content-Length") or 0))

    def _read_exactly(self, size: int) -> bytes:
        pieces, left = [], size
        while left and (piece := self.rfile.read1(min(left, 1 << 16))):
            pieces.append(piece)
            left -= len(piece)
            self.came += len(piece)
        if left:
            raise CutError
        return b"".join(pieces)

    def _error(self, status: int, code: str, message: str, more: dict[str, str] | None = None) -> None:
        self._json(status, {"error": message}, {"X-Error-Code": code, "X-Error-Message": message, **(more or {})})

    def _json(self, status: int, told: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(told).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.status = status
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        fault = self.fault or {}
        if fault.get("do") == "cut":
            self.wfile.write(data[: fault.get("after", 0)])
            self.wfile.flush()
            raise CutError
        self.wfile.write(data)


def _entry(path: str, file: dict[str, Any]) -> dict[str, Any]:
    entry = {"type": "file", "path": path, "size": file["size"], "oid": file["oid"]}
    if file["lfs"]:
        entry["lfs"] = {"oid": file["sha"], "size": file["size"], "pointerSize": 134}
    return entry


def _folder(path: str) -> dict[str, Any]:
    return {"type": "directory", "path": path, "size": 0, "oid": hashlib.sha1(path.encode()).hexdigest()}


def _is_folder(files: dict[str, Any], path: str) -> bool:
    return path not in files and any(other.startswith(f"{path.rstrip('/')}/") for other in files)


def main() -> None:
    """Serve until killed."""
    root = Path(sys.argv[1])
    root.mkdir(parents=True, exist_ok=True)
    Handler.state = State(root)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
