"""Every finding of the gate: its title, what to do about it, and whether a person may accept it by name. The terminal,
the card and docs/publish_gate.md say it from here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from curate.model.errors import UsageError
from curate.model.near import did_you_mean

Weight = Literal["never", "by_name", "note"]
"""`never`: it refuses, and nobody can accept it. `by_name`: it refuses unless it is accepted. `note`: only told."""


class Code(NamedTuple):
    """`title` and `do` are sentences."""

    weight: Weight
    unit: str
    title: str
    do: str


CODES: dict[str, Code] = {
    "leak.strong": Code(
        "never", "runs", "Published runs give test tasks away.",
        "Run again with the pack (`--set leaks.tests=PACK`): what gives a test task away is dropped.",
    ),
    "leak.unchecked": Code(
        "by_name", "runs", "The run was held against no pack of test tasks.",
        "Make packs of the benchmarks that your readers will test on (`curate tests add`), and run again with them.",
    ),
    "leak.weak": Code(
        "note", "runs", "Published runs share something with test tasks that may give them away.",
        "Have a person look at them; the run's report names the test tasks.",
    ),
    "pointer.on_target": Code(
        "by_name", "steps", "Pictures show the pointer on the target more often than chance does.",
        "Reduce again with `keyframes.pointer=previous`, or leave these steps out "
        "(`--set images.pointer_on_target=drop_target`).",
    ),
    "pointer.hover": Code(
        "by_name", "steps", "Pictures show the target lit up more often than chance does.",
        "Reduce again with `keyframes.pointer=previous` (docs/keyframes.md).",
    ),
    "pointer.unsure": Code(
        "by_name", "rates", "So few steps tell that the pointer may lie on targets more often than chance does.",
        "Publish more runs: no step of 189 has an upper bound of 2 %. Or accept it for a small dataset.",
    ),
    "licences.missing": Code(
        "by_name", "runs", "Published runs of others whose licence nobody states.",
        "Find out under which licence they are, and import again with `--set import.license=...`.",
    ),
    "licences.conflict": Code(
        "by_name", "runs", "Parts may not be published under the stated licence.",
        "Publish the parts apart, or all under what each of them allows.",
    ),
    "personal.secret": Code(
        "never", "places", "Keys, tokens or passwords.",
        "Revoke them, take them out (`curate redact`), and run again: whoever has the data has them.",
    ),
    "personal.bank": Code(
        "by_name", "places", "Numbers of bank cards or accounts, their checksum right.",
        "Take them out (`curate redact`) unless they are test numbers.",
    ),
    "personal.contact": Code(
        "by_name", "places", "E-mail addresses or phone numbers.",
        "Ask whether these people agreed; take them out (`curate redact`) if not.",
    ),
    "personal.user_name": Code(
        "by_name", "places", "Names of users in paths of home folders.", "Mask them (`curate redact`).",
    ),
    "personal.place": Code(
        "by_name", "pictures", "Pictures say where on Earth they were taken.", "Write the pictures without EXIF.",
    ),
    "personal.file_name": Code(
        "by_name", "files", "Personal data in the names of files.", "Rename the files, and run again.",
    ),
    "paths.machine": Code(
        "by_name", "places", "Names of this computer, its user or its folders.",
        "If a recording holds them, take them out (`curate redact`); if this program wrote them, please report it.",
    ),
    "paths.absolute": Code(
        "by_name", "places", "Absolute paths where a record says what it is of.",
        "Import again from relative paths; readers cannot open these.",
    ),
    "coordinates.frame": Code(
        "by_name", "runs", "Runs whose frame, order, sign or moment was decided from the data, and not for certain.",
        "State it (`--set import.space=...`; `curate import auto PATH --explain` shows the steps that tell).",
    ),
    "coordinates.point": Code(
        "by_name", "steps", "Steps whose point, scroll or picture is in doubt.",
        "Look at some (`curate view RUN`); the flags say what the doubt is.",
    ),
    "coordinates.size": Code(
        "by_name", "pictures", "Pictures of another size than their step states.",
        "Points in pixels of the stated size miss: find out which of the two the coordinates speak of.",
    ),
    "pictures.missing": Code(
        "never", "pictures", "Steps name a picture that is not there, or is not what its name says.",
        "Run again: the run folder has lost files.",
    ),
    "pictures.lost": Code(
        "by_name", "steps", "Steps whose picture the source names and does not have.",
        "Fetch what is missing (all parts of the archives?), and import again.",
    ),
    "outcomes.unknown": Code(
        "by_name", "runs", "Nobody says how more runs ended than the recipe allows.",
        "Have them judged (`curate view`), or allow more (`--set publish.unknown_outcomes=0.8`).",
    ),
    "redactions.unreviewed": Code(
        "by_name", "steps", "Something was taken out of steps, and nobody has looked whether all of it is gone.",
        "Look at them (`curate view RUN --by NAME`) and leave a note (n) at each.",
    ),
    "edits.disagreement": Code(
        "by_name", "edits", "Reviewers decided differently, and neither was followed.",
        "Let them settle it (`curate view` lists it), and run again with `--edits`.",
    ),
}  # fmt: skip
"""In the order in which findings are told."""


def checked_codes(accepted: Iterable[str]) -> tuple[str, ...]:
    """The codes that a person accepts by name. Raises UsageError for one that is none, or that nobody may accept."""
    codes = tuple(dict.fromkeys(accepted))
    for code in codes:
        known = CODES.get(code)
        if known is None:
            raise UsageError(f"{code!r} is no finding of the gate.{did_you_mean(code, CODES)}")
        if known.weight == "never":
            raise UsageError(f"{code} cannot be accepted: {known.title[0].lower()}{known.title[1:]} {known.do}")
    return codes
