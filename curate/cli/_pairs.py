"""What `curate show --pairs` does: the pairs that a run found, or pairs for a person to label."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from curate.cli._say import next_command, result, result_json, say
from curate.engine.pair_sample import sample_pairs
from curate.model.constants import LABEL_FLOOR
from curate.model.printed import quoted
from curate.view.pair_labels import HEADER, check_of_run, read_labels, threshold_rows, write_labels
from curate.view.pairs import near_copy_pairs
from curate.view.side_by_side import pair_lines


def show_found(folder: Path, ids: Collection[str], as_json: bool) -> None:
    """The near-copies that the run found."""
    for pair in near_copy_pairs(folder):
        if not ids or {pair.id, pair.witness} & set(ids):
            result_json(pair) if as_json else result(pair.sentence())
    if not as_json:
        next_command(f"curate show {quoted(folder)} --pairs --labels labels.jsonl")


def show_labels(folder: Path, labels: Path, count: int, seed: int, as_json: bool) -> None:
    """Draw pairs into a new file of labels; of one that is there, what it says of thresholds."""
    again = f"curate show {quoted(folder)} --pairs --labels {quoted(labels)}"
    if not labels.exists():
        pairs = sample_pairs(folder, count, seed)
        write_labels(labels, pairs)
        for line in pair_lines(folder, pairs):
            result(line)
        say(f'{len(pairs)} pairs are in {labels}: set "same" of each to true or false, then run the same command.')
        next_command(again)
        return
    pairs = read_labels(labels)
    check_of_run(folder, labels, pairs)
    said = sum(pair.same is not None for pair in pairs)
    if not said:
        for line in pair_lines(folder, pairs):
            result(line)
        say(f'No pair of {labels} is labelled yet: set "same" to true or false, then run the same command.')
        return
    rows = threshold_rows(folder, pairs)
    if not as_json:
        result(HEADER)
    for row in rows:
        result_json(row) if as_json else result(row.sentence())
    say(f"From {said} of {len(pairs)} pairs labelled; recall is among pairs of at least {LABEL_FLOOR}.")
