"""What `curate check` found as one page, in the style of the report, and as lines for a terminal. No script, no
network; every recorded text is inert."""

from __future__ import annotations

from collections.abc import Iterator

from curate.engine.check.collect import amount
from curate.engine.check.types import Check, Finding, Sure
from curate.model.printed import printable
from curate.view.report import environment

_WIDTH = 150  # of a line on a terminal
_AREA_WORDS = {
    "source": "Sources and files", "frame": "Coordinates, scrolls and moments", "refused": "Refused records",
    "pictures": "Pictures", "pointer": "Pointer and hover", "steps": "Steps", "completion": "Outcome",
    "copies": "Copies", "leak": "Leaks", "splits": "Splits", "personal": "Personal data", "licences": "Licences",
}  # fmt: skip


def page(check: Check, files: list[str]) -> str:
    """The page. `files`: what lies beside it."""
    groups = {level: [one for one in check.findings if one.severity == level] for level in ("error", "warning", "note")}
    return (
        environment()
        .get_template("check.html")
        .render(
            check=check,
            groups=groups,
            words=_LEVELS,
            areas=_AREA_WORDS,
            amount=amount,
            told=_told,
            pieces=_pieces,
            sure=sure_words,
            files=files,
            summary=summary(check),
            looked=looked(check),
        )
    )


_LEVELS = {
    "error": ("Errors", "What makes a model learn something wrong, or a score mean nothing."),
    "warning": ("Warnings", "What somebody should decide about before training."),
    "note": ("Notes", "What is so, and what was found to be right."),
}


def summary(check: Check) -> str:
    """The whole in one sentence."""
    errors, warnings = check.count("error"), check.count("warning")
    read = f"{_many(check.records, 'record')} of {_many(check.steps, 'step')} read"
    refused = f", {check.refused:,} refused" if check.refused else ""
    if not check.records:
        found = "" if not errors and not warnings else f" ({_many(errors, 'error')}, {_many(warnings, 'warning')})"
        return f"{read}{refused}{found}: there is no run in it that could be looked at."
    if not errors and not warnings:
        return f"{read}{refused}: nothing found that speaks against it, as far as it could be measured."
    return f"{read}{refused}: {_many(errors, 'error')}, {_many(warnings, 'warning')}."


def looked(check: Check) -> str:
    """How much was looked at, in sentences."""
    sampled = check.sampled
    said = "Every record of every input was read."
    if sampled.limit is not None:
        said = (
            f"At most {sampled.limit:,} records of each input were read; {_many(sampled.cut, 'input')} may hold more."
        )
    if not sampled.pictures and not sampled.pictures_left:
        return said + " No picture was there to look into."
    left = f", {sampled.pictures_left:,} were not" if sampled.pictures_left else ""
    were = "was" if sampled.pictures == 1 else "were"
    return f"{said} {_many(sampled.pictures, 'picture')} of steps {were} decoded{left}."


def sure_words(sure: Sure) -> str:
    """How sure a finding is, in words."""
    if sure.by == "measured" and sure.low is not None and sure.high is not None:
        if sure.why is not None:
            return f"measured: {sure.low:.1%}, {sure.why}"
        of = f"{sure.yes:,} of {sure.known:,}, " if sure.yes is not None and sure.known is not None else ""
        return f"measured: {of}{sure.low:.0%} to {sure.high:.0%} (95 %)"
    words = {"exact": "exact: counted", "measured": "measured", "guess": "a guess"}[sure.by]
    return f"{words}; {sure.why}" if sure.why else words


def lines(check: Check, notes: bool) -> Iterator[str]:
    """A line a finding, worst first; notes only if asked for."""
    shown = [one for one in check.findings if notes or one.severity != "note"]
    numbers = [amount(one) for one in shown]
    wide = max(map(len, numbers), default=0)
    for one, number in zip(shown, numbers, strict=True):
        part = f" [{one.part}]" if one.part else ""
        yield printable(f"{one.severity:<8}{number:>{wide}}  {one.kind}{part}: {_told(one)}", _WIDTH)
    hidden = len(check.findings) - len(shown)
    if hidden:
        yield f"{'notes':<8}{hidden:>{wide}}  of what is so or was found right (-v shows them)"
    for missing in check.unmeasured:
        yield printable(f"{'?':<8}{'':>{wide}}  not measurable: {missing.what}: {missing.because}", _WIDTH)


def _told(one: Finding) -> str:
    """Its sentence without the numbers that stand before it."""
    start = f"{amount(one)}: "
    return one.title if one.sentence.startswith(start) else one.sentence


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Words and what stands between backticks (true), in order."""
    return [(piece, bool(number % 2)) for number, piece in enumerate(text.split("`"))]


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"
