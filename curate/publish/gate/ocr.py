"""Text in pictures, where an engine is installed: RapidOCR (the extra [privacy], its models are in its wheel), else the
program Tesseract."""

from __future__ import annotations

import importlib.util
import io
import shutil
import subprocess
from typing import Any, Protocol

HOW = "pip install 'cua-curate[privacy]', or the program tesseract"
_SECONDS = 120.0  # for one picture, after which it counts as not read


class Engine(Protocol):
    """What reads pictures."""

    name: str

    def read(self, data: bytes) -> str | None:
        """The text in a picture, a line a line; None where it cannot be read."""
        ...


def engine() -> Engine | None:
    """The engine that is installed; None where there is none."""
    if importlib.util.find_spec("rapidocr") is not None and importlib.util.find_spec("onnxruntime") is not None:
        return _Rapid()
    program = shutil.which("tesseract")
    return None if program is None else _Tesseract(program)


class _Rapid:
    name = "RapidOCR"

    def __init__(self) -> None:
        self._engine: Any = None

    def read(self, data: bytes) -> str | None:
        import numpy as np

        from curate.store.late import Image

        if self._engine is None:
            rapidocr: Any = importlib.import_module("rapidocr")
            self._engine = rapidocr.RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False})
        try:
            with Image.open(io.BytesIO(data)) as picture:
                pixels = np.asarray(picture.convert("RGB"))[:, :, ::-1]
            return "\n".join(self._engine(pixels, use_cls=False).txts or ())
        except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return None


class _Tesseract:
    name = "Tesseract"

    def __init__(self, program: str) -> None:
        self._program = program

    def read(self, data: bytes) -> str | None:
        command = [self._program, "stdin", "stdout", "--psm", "11"]  # words wherever they stand
        try:
            done = subprocess.run(command, input=data, capture_output=True, timeout=_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
