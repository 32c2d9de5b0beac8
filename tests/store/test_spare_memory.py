"""That the settings reach the libraries: in a process of its own, for they look once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_ASK = """
from curate.store.spare_memory import spare_memory
spare_memory()
import pyarrow
print(pyarrow.default_memory_pool().backend_name)
"""


def _pool(**environment: str) -> str:
    clean = {name: value for name, value in os.environ.items() if name != "ARROW_DEFAULT_MEMORY_POOL"}
    done = subprocess.run(
        [sys.executable, "-c", _ASK], env={**clean, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere nothing is set")
def test_arrow_takes_its_memory_from_the_system() -> None:
    assert _pool() == "system"


def test_what_a_user_has_set_stays() -> None:
    assert _pool(ARROW_DEFAULT_MEMORY_POOL="mimalloc") == "mimalloc"


def test_the_command_line_sets_it_before_arrow_is_imported() -> None:
    imported = "import sys, curate.cli; print('pyarrow' in sys.modules or 'polars' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", imported], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
