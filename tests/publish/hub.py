"""The stand-in for the Hub as tests use it: started as a process of its own, told to fail, asked what it saw."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from curate.publish.hub import Hub
from curate.publish.manifest import Manifest, PublishedFile
from curate.publish.staged import Staged

SERVER = Path(__file__).with_name("hub_server.py")
TOKEN = "hf_" + "g" * 34
REPO = "user/traj"


class Server:
    """A running stand-in."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    def faults(self, *faults: dict[str, Any]) -> None:
        """Order faults (hub_server.py lists them), in place of those ordered before."""
        self._ask("/_faults", list(faults))

    def config(self, **settings: Any) -> None:
        self._ask("/_config", settings)

    def forget_log(self) -> None:
        self._ask("/_forget_log", {})

    def log(self, on: str = "") -> list[dict[str, Any]]:
        """Requests so far whose "METHOD path" holds a text."""
        rows: list[dict[str, Any]] = self._ask("/_log")
        return [row for row in rows if on in f"{row['method']} {row['path']}"]

    def repository(self, name: str = REPO) -> dict[str, Any]:
        found: dict[str, Any] = self._ask("/_repos")[name]
        return found

    def repositories(self) -> dict[str, Any]:
        found: dict[str, Any] = self._ask("/_repos")
        return found

    def files(self, name: str = REPO) -> dict[str, str]:
        """What users see: the SHA-256 of each file of the last commit, by path."""
        return {path: file["sha"] for path, file in self.repository(name)["commits"][-1]["files"].items()}

    def environment(self, home: Path, token: str | None = TOKEN) -> dict[str, str]:
        """In which clients of other processes find this server and nothing else."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
        own = {
            "HF_ENDPOINT": self.url, "HF_HOME": str(home / "hf"), "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1", "CURATE_CACHE": str(home / "cache"), "HOME": str(home),
        }  # fmt: skip
        return {**kept, **own, **({"HF_TOKEN": token} if token else {})}

    def _ask(self, path: str, told: Any = None) -> Any:
        data = None if told is None else json.dumps(told).encode()
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data=data), timeout=30) as answer:
            return json.load(answer)


@contextlib.contextmanager
def running(root: Path) -> Iterator[Server]:
    """A server that keeps its objects in `root`."""
    root.mkdir(parents=True)
    process = subprocess.Popen([sys.executable, str(SERVER), str(root)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield Server(int(process.stdout.readline()))
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


class Waits:
    """Instead of sleeping, notes how long."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def client(server: Server, waits: Waits | None = None) -> Hub:
    """The real client, of this process, against the server."""
    return Hub(REPO, endpoint=server.url, wait=waits or Waits())


def staged(folder: Path, files: dict[str, bytes], rows: dict[str, int] | None = None) -> Staged:
    """A staged publication of these files."""
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    entries = [
        PublishedFile(
            path=path, bytes=len(data), sha256=hashlib.sha256(data).hexdigest(), rows=(rows or {}).get(path)
        )
        for path, data in sorted(files.items())
    ]  # fmt: skip
    manifest = Manifest(repo=REPO, files=entries)
    (folder / "manifest.json").write_bytes(msgspec.json.encode(manifest))
    return Staged(folder=folder, manifest=manifest)
