"""What `curate audit` does and says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curate.cli._say import next_command, result, result_json, say
from curate.engine.auditing.evaluating import audit_labels
from curate.engine.auditing.sampling import draw_sample, write_sample
from curate.model.printed import printable, quoted
from curate.view.audit_table import result_lines, sample_line


def draw(run: Path, about: Any, size: int, seed: int, out: Path, as_json: bool) -> None:
    """Draw a sample into a new file."""
    sample = draw_sample(run, about, size, seed)
    write_sample(out, sample)
    if as_json:
        result_json({"out": str(out), "about": about, "size": size, "seed": seed, "drawn": len(sample.items)})
    else:
        result(str(out))
    say(sample_line(about, len(sample.items), sample.population))
    next_command(f"curate view {quoted(run)} --audit {quoted(out)} --by NAME")


def show(run: Path, labels: Sequence[Path], most: int, as_json: bool) -> None:
    """What labels mean, sample by sample."""
    found = audit_labels(run, labels, _tell_of_others)
    for number, one in enumerate(found):
        if as_json:
            result_json(one)
            continue
        for line in ([""] if number else []) + list(result_lines(one, most)):
            result(printable(line, 400))
    say("docs/audit.md says what each figure means.")


def _tell_of_others(others: int, every: int) -> None:
    say(f"{others:,} of {every:,} labels are of another run than this one as it is now: they count nowhere.")
