"""Every kind of finding: how grave it is, its title, and what to do. Page, terminal and docs say it from here."""

from __future__ import annotations

from typing import NamedTuple

from curate.engine.check.types import Severity

AREAS = (
    "source", "frame", "refused", "pictures", "pointer", "steps", "completion", "copies", "leak", "splits", "personal",
    "licences",
)  # fmt: skip
"""In the order in which findings of one severity come."""


class Kind(NamedTuple):
    """`unit`: what is counted. `title` and `do` are sentences."""

    severity: Severity
    unit: str
    title: str
    do: str


_SETTING = "State it with `--set import.{part}=...` (`curate import auto PATH --explain` shows the steps that tell)."

KINDS: dict[str, Kind] = {
    "source.unknown": Kind(
        "warning", "files", "Files that no source recognises.",
        "Say which source reads them (`curate import SOURCE PATH`), or take them out of the folder.",
    ),
    "source.repeated_id": Kind(
        "warning", "records", "Records whose id an earlier record has.",
        "Joins by id mix them up: `curate import` gives each an id of its own and notes it in the lineage.",
    ),
    "frame.contradicted": Kind(
        "error", "steps", "The data says something else than the source declares.", _SETTING,
    ),
    "frame.undecided": Kind(
        "warning", "steps", "Not documented by the source, and the data does not decide it.", _SETTING,
    ),
    "frame.decided": Kind(
        "note", "steps", "Not documented by the source; the data decides it.",
        "Nothing, if the interval is narrow enough for you; else state it with `--set import.{part}=...`.",
    ),
    "frame.confirmed": Kind("note", "steps", "The data says what the source declares.", "Nothing."),
    "refused.records": Kind(
        "error", "records", "Records that cannot be read.",
        "Repair what the rows name, or leave these records out knowingly: a script that skips errors loses them "
        "without a word.",
    ),
    "refused.no_runs": Kind(
        "note", "records", "Records that are no runs on a screen.", "Nothing: there is nothing in them to train on.",
    ),
    "pictures.missing": Kind(
        "error", "steps", "Steps name a picture that is not there.",
        "Fetch what is missing (all parts of the archives?); such a step is no training target.",
    ),
    "pictures.damaged": Kind(
        "error", "steps", "Pictures that cannot be decoded, or are damaged in their archive.",
        "Fetch these files again and compare their checksums.",
    ),
    "pictures.wrong_size": Kind(
        "error", "steps", "Pictures of another size than the record states.",
        "Points in pixels of the stated size miss: find out which of the two the coordinates speak of.",
    ),
    "pictures.blank": Kind(
        "warning", "steps", "Pictures that are nearly all white.",
        "Nothing was on the screen yet: leave these steps out of the targets (`images.blank=drop_target`).",
    ),
    "pictures.unused": Kind(
        "note", "files", "Pictures that no record names.",
        "Look whether their records are missing, or whether they only cost space.",
    ),
    "pictures.unchanged": Kind(
        "note", "steps", "Steps whose picture is that of the step before, pixel by pixel.",
        "Look at some: the action did nothing that shows, or the picture is of the wrong moment.",
    ),
    "pictures.none": Kind(
        "warning", "records", "Records without a single picture.",
        "They teach words alone: keep them apart from runs with pictures.",
    ),
    "pointer.on_target": Kind(
        "error", "steps", "The picture shows the pointer on the target more often than chance does.",
        "A model learns to click where the pointer is: choose keyframes from before the pointer arrives "
        "(`curate reduce`, docs/keyframes.md).",
    ),
    "pointer.hover": Kind(
        "error", "steps", "The picture shows the target lit up by the pointer more often than chance does.",
        "Choose keyframes from before the pointer arrives (`curate reduce`, docs/keyframes.md).",
    ),
    "pointer.clean": Kind(
        "note", "steps", "Pointer and hover do not give the target away beyond their floor.", "Nothing.",
    ),
    "steps.gap": Kind(
        "warning", "records", "Step numbers have gaps: steps are missing.",
        "The step after a gap starts from a screen that nothing led to: leave it out, or find the missing rows.",
    ),
    "steps.repeated_index": Kind(
        "error", "records", "Step numbers repeat or go backwards.",
        "Steps joined by number get the picture of another: number them anew, or find out which row is the right one.",
    ),
    "steps.loop": Kind(
        "warning", "records", "The same action, or set of actions, three times in a row.",
        "Look at them: stuck runs teach being stuck (`validate.loops=drop`).",
    ),
    "steps.no_terminate": Kind(
        "note", "records", "Runs that do not end with a terminate step.",
        "A model that never sees an end does not learn to stop.",
    ),
    "steps.after_end": Kind(
        "warning", "records", "Steps after the run said that it was over.",
        "Cut these runs at their end; what follows is of another run or of nobody.",
    ),
    "steps.no_steps": Kind("warning", "records", "Runs without any step.", "Leave them out."),
    "steps.flagged": Kind("note", "steps", "Steps with something odd about them.", "Read what the flag says."),
    "steps.risk": Kind(
        "note", "records", "Runs that meet a captcha, login or payment, or change state for others.",
        "Decide whether these are to be learnt (`validate.captcha`, `.login`, `.payment`, `.writes_state`).",
    ),
    "completion.contradicts": Kind(
        "error", "records", "The last step says that the run succeeded and the record that it did not, or the reverse.",
        "Train on neither word before you know who is right: a model learns to claim success.",
    ),
    "completion.unknown": Kind(
        "note", "records", "Runs of which nobody says whether they completed their task.",
        "Have them judged (by people or a model) before you train on successes only.",
    ),
    "completion.failed": Kind(
        "warning", "records", "Runs that did not complete their task.",
        "Leave them out of imitation (`outcome.keep`), or keep their right steps.",
    ),
    "copies.repeat": Kind(
        "warning", "records", "The same run, recorded once and there twice.", "Keep one (`curate run` does).",
    ),
    "copies.near": Kind(
        "warning", "records", "Near-copies: the same task done by the same actions as an earlier run.",
        "Drop or weigh them down (`nearcopies.action`): they count as one, not as many.",
    ),
    "leak.strong": Kind(
        "error", "records", "Runs that give a test task away.",
        "Take them out before training (`curate run --set leaks.tests=...`): scores on this test mean nothing else.",
    ),
    "leak.weak": Kind(
        "warning", "records", "Runs that may give a test task away.",
        "Have a person look at them; the rows name the test task.",
    ),
    "leak.none": Kind("note", "records", "No run gives a test task away.", "Nothing."),
    "splits.same_id": Kind(
        "error", "records", "Ids that are in two splits.",
        "Take them out of one: the test is in the training data.",
    ),
    "splits.near_copy": Kind(
        "error", "records", "Near-copies across splits.",
        "Split again with near-copies kept together (`split` does): the test measures memory.",
    ),
    "splits.same_task": Kind(
        "warning", "records", "Instructions that are in two splits.",
        "Split by task, app or site (`split.by`) if the test is to measure new tasks.",
    ),
    "personal.secret": Kind(
        "error", "records", "Keys, tokens or passwords.",
        "Revoke them, then take them out (`curate redact`): whoever has the data has them.",
    ),
    "personal.bank": Kind(
        "error", "records", "Numbers of bank cards or accounts, their checksum right.",
        "Take them out (`curate redact`) unless they are test numbers.",
    ),
    "personal.contact": Kind(
        "warning", "records", "E-mail addresses or phone numbers.",
        "Ask whether these people agreed; take them out (`curate redact`) if not.",
    ),
    "personal.user_name": Kind(
        "warning", "records", "Names of users in paths of home folders.", "Mask them (`curate redact`).",
    ),
    "personal.file_name": Kind(
        "warning", "files", "Personal data in the names of files.", "Rename the files; the records name them too.",
    ),
    "licences.missing": Kind(
        "warning", "records", "Records without a licence.",
        "Find out under which licence they are (`--set import.license=...`).",
    ),
    "licences.conflict": Kind(
        "warning", "licences", "Several licences for one source, or another one than its documents state.",
        "Keep the parts apart, and publish under what all of them allow.",
    ),
    "licences.stated": Kind("note", "records", "The licence of these records, as stated.", "Read it."),
}  # fmt: skip
