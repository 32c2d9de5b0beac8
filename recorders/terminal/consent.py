"""What the person agrees to before anything is recorded: the text, its version, and remembering that it was agreed
to."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path

import msgspec

from curate.model.errors import CurateError, InputError
from curate.store.atomic import write_json
from curate.store.recording import Consent

VERSION = "2026-12"
TEXT = """\
This program records your screen, mouse and keyboard while you do a task.

What is recorded: pictures of the whole screen, pointer movements and clicks, every key you press, the names of \
programs and titles of windows, and what programs tell assistive technology (labels, texts, values).

What is not: sound, the camera, keys typed into password fields (where programs say that they are some), and anything \
while you pause or ask for privacy. Names of this computer and of its user are masked in texts.

Where it goes: into a folder on this computer. Nothing is sent anywhere. You are told the folder at the end and can \
throw it away. What was kept can be deleted later, or secrets taken out of it (curate redact).

Please use test accounts and made-up data: what shows on the screen is in the pictures.
"""
_FILE = "consent.json"


def load_consent(file: Path | None) -> Consent:
    """The text to agree to: the recorder's own, or that of a file, whose first line may be `Version: ...` (else its
    content is its version). Raises InputError."""
    if file is None:
        return Consent(version=VERSION, text=TEXT)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8: save the consent text as UTF-8.") from error
    except OSError as error:
        raise InputError(f"The consent text {file} cannot be read: {error.strerror}.") from error
    first, _, rest = text.partition("\n")
    if first.lower().startswith("version:") and first.partition(":")[2].strip():
        version, text = first.partition(":")[2].strip(), rest
    else:
        version = hashlib.sha256(text.encode()).hexdigest()[:12]
    if not text.strip():
        raise InputError(f"{file} holds no consent text.")
    return Consent(version=version, text=text.strip() + "\n")


def config_folder() -> Path:
    """Where programs keep what they know of their user."""
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "cua-curate"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "cua-curate"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "cua-curate"


def is_agreed(consent: Consent, folder: Path | None = None) -> bool:
    """Whether the person agreed to this version of this text before."""
    return _mark(consent) in _agreed(folder or config_folder())


def remember(consent: Consent, folder: Path | None = None) -> bool:
    """Keep that it was agreed to, so that it is not asked again; False where that cannot be kept."""
    folder = folder or config_folder()
    agreed = _agreed(folder)
    try:
        write_json(folder / _FILE, {"agreed": sorted({*agreed, _mark(consent)})})
    except (CurateError, OSError):
        return False
    return True


def _mark(consent: Consent) -> str:
    return f"{consent.version} {hashlib.sha256(consent.text.encode()).hexdigest()[:16]}"


def _agreed(folder: Path) -> set[str]:
    try:
        found = msgspec.json.decode((folder / _FILE).read_bytes(), type=dict[str, list[str]])
    except (OSError, msgspec.DecodeError):  # ValidationError is one too; a broken file is asked about again
        return set()
    return set(found.get("agreed", ()))
