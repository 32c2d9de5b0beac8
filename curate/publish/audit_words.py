"""What the card and the Croissant file say of audits, from the manifest's number `audit`."""

from __future__ import annotations

from typing import Any

LOOKED_AT = {
    "verdicts": "outcomes of runs (positive: completed)",
    "pairs": "pairs of similar runs (positive: near-copies)",
    "keyframes": "pictures of steps (positive: right)",
}
FIGURES = ("accuracy", "precision", "recall", "tnr", "npv", "base_rate")
_HEAD = ("what was looked at", "answered", *(name.replace("_", " ") for name in FIGURES))


def share(estimate: dict[str, Any]) -> str:
    """`93.1 % (88.0 to 96.2 %)`; `not known`."""
    if estimate["share"] is None:
        return "not known"
    return f"{100 * estimate['share']:.1f} % ({100 * estimate['low']:.1f} to {100 * estimate['high']:.1f} %)"


def table(rows: list[dict[str, Any]]) -> str:
    """A row for each sample, and below what the shares do not say."""
    lines = [
        "People answered on blind samples of the run, without being shown the run's own answer. Shares are weighted to "
        "the whole run, with 95 % intervals.",
        "",
        f"| {' | '.join(_HEAD)} |",
        "|---|---:|---|---|---|---|---|---|",
    ]
    for row in rows:
        figures = " | ".join(share(row["figures"][name]) for name in FIGURES)
        lines.append(f"| {_looked_at(row)} | {row['labelled']:,} of {row['drawn']:,} | {figures} |")
    return "\n".join([*lines, "", *(f"- {_looked_at(row)}: {_more(row)}" for row in rows)])


def lines(rows: list[dict[str, Any]]) -> list[str]:
    """One sentence or more for each sample."""
    told = []
    for row in rows:
        figures = ", ".join(f"{name.replace('_', ' ')} {share(row['figures'][name])}" for name in FIGURES)
        answered = f"{row['labelled']:,} of {row['drawn']:,} items answered"
        told.append(f"{_looked_at(row)}: {answered}; {figures}. {_more(row)}")
    return told


def _looked_at(row: dict[str, Any]) -> str:
    return LOOKED_AT.get(row["about"], str(row["about"]))


def _more(row: dict[str, Any]) -> str:
    boxes, silent = row["counts"], row["silent"]
    told = [
        f"{row['people']:,} {'person' if row['people'] == 1 else 'people'}; {row['drawn']:,} items drawn of "
        f"{row['population']:,} (size {row['size']}, seed {row['seed']}), {row['unsure']:,} unsure, "
        f"{row['disputed']:,} disputed, {row['missing']:,} not answered. Right passes {boxes['tp']:,.0f}, wrong passes "
        f"{boxes['fp']:,.0f}, right failures {boxes['tn']:,.0f}, wrong failures {boxes['fn']:,.0f}; they weigh as "
        f"much as {row['effective']:g} equal items."
    ]
    for pair in row["agreements"]:
        kappa = pair["kappa"]
        known = "kappa not known"
        if kappa["share"] is not None:
            known = f"kappa {kappa['share']:.2f} ({kappa['low']:.2f} to {kappa['high']:.2f})"
        told.append(f"Two people: {pair['same']:,} of {pair['both']:,} answers alike, {known}.")
    if row["kept"]["share"] is not None:
        told.append(f"Of the runs that gave examples, completed: {share(row['kept'])}.")
    if silent["labelled"]:
        told.append(f"Of {silent['labelled']:,} items the run says nothing; positive: {share(silent['positive'])}.")
    if row["unseen"]:
        told.append(f"Of {row['unseen']:,} nobody has answered one of their kind: no figure speaks of them.")
    if row["not_published"]:
        told.append(
            f"{row['not_published']:,} of the {row['labelled']:,} items answered are of runs that are not published: "
            "the figures speak of the run, not of what is published alone."
        )
    if row["of_other_runs"]:
        told.append(f"{row['of_other_runs']:,} labels in the same files are of other runs, and count nowhere.")
    return " ".join(told)
