"""An S3-compatible server of this machine: real HTTP over loopback, nothing of the network."""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

KEY, SECRET = "AKIAMADEUPFORTESTS", "not-a-real-secret-of-anyone"


@contextlib.contextmanager
def s3_server(cache: Path) -> Iterator[pytest.MonkeyPatch]:
    """Serves an empty store; this process, and those it starts, find it by their environment."""
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    host, port = server.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        patch.setenv("AWS_ACCESS_KEY_ID", KEY)
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        patch.setenv("CURATE_CACHE", str(cache))
        forget_connections()
        try:
            yield patch
        finally:
            server.stop()


def forget_connections() -> None:
    """The environment has changed, which a program does not do while it runs."""
    import s3fs

    s3fs.S3FileSystem.clear_instance_cache()


def upload(folder: Path, url: str) -> None:
    """Every file below a folder, and the bucket to put it in."""
    import s3fs

    fs = s3fs.S3FileSystem(skip_instance_cache=True)
    bucket = url.removeprefix("s3://").split("/")[0]
    if not fs.exists(bucket):
        fs.mkdir(bucket)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            fs.put_file(str(path), f"{url.removeprefix('s3://')}/{path.relative_to(folder).as_posix()}")


def objects(url: str) -> dict[str, bytes]:
    """Every object below a URL."""
    import s3fs

    fs = s3fs.S3FileSystem(skip_instance_cache=True)
    root = url.removeprefix("s3://")
    return {str(name)[len(root) + 1 :]: fs.cat_file(name) for name in sorted(fs.find(root))}
