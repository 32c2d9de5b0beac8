"""Whether `datasets` reads a revision: the first row of every split of every config, streamed, in a process of its own.

Of its own, because a stream that is left in the middle goes on being read ahead, and a process that ends meanwhile is
aborted (datasets#7467, arrow#45214): this one ends without waiting for anything."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from curate.model.errors import CurateError, StoreError
from curate.publish.hub import Hub

_TOLD = "configs: "


def first_rows(repo: str, commit: str, endpoint: str) -> list[str]:
    """The configs. Raises StoreError with a sentence."""
    arguments = [sys.executable, "-m", __name__, repo, commit]
    ours = {**os.environ, "HF_ENDPOINT": endpoint}
    done = subprocess.run(arguments, env=ours, capture_output=True, text=True, check=False)
    told = next((line for line in done.stdout.splitlines() if line.startswith(_TOLD)), None)
    if told is None:
        said = next((line for line in done.stdout.splitlines() if line), "it ended without saying why.")
        raise StoreError(f"All files are there, but `datasets` does not read them: {said}")
    return list(json.loads(told.removeprefix(_TOLD)))


def _main(repo: str, commit: str) -> None:
    def read() -> list[str]:
        import datasets

        names = list(datasets.get_dataset_config_names(repo, revision=commit))
        for name in names:
            splits = datasets.load_dataset(repo, name, revision=commit, streaming=True)
            for rows in splits.values():
                next(iter(rows), None)
        return names

    try:
        print(_TOLD + json.dumps(Hub(repo).asked(read)), flush=True)
    except CurateError as error:
        print(error, flush=True)
    os._exit(0)


if __name__ == "__main__":
    _main(*sys.argv[1:])
