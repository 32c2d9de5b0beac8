"""The numbers of a run's edits, as report.json has them."""

from __future__ import annotations

import msgspec


class EditNumbers(msgspec.Struct, kw_only=True):
    """What came of the edits of `files` files. read = in_force + superseded + undone + undos, and in_force = applied +
    left_out, where those of a disagreement count under `edits.disagreement`. `applied` by kind, `left_out` by reason,
    `reviewers`: edits of each; `records`: how many are other records for them; `disagreements`: matters that reviewers
    decided differently."""

    files: int
    read: int
    in_force: int
    superseded: int = 0
    undone: int = 0
    undos: int = 0
    applied: dict[str, int] = {}
    left_out: dict[str, int] = {}
    disagreements: int = 0
    reviewers: dict[str, int] = {}
    records: int = 0
