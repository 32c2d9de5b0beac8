"""`curate forget`: a person or a run is taken out everywhere."""

from __future__ import annotations

import click
import msgspec

from curate.cli._say import result, result_json, say
from curate.engine.forgetting.forget import Done, forget, kind_of, split_arguments
from curate.view.report import write_report


@click.command()
@click.argument("arguments", metavar="ACTOR|ID... DATASET|RUN|INDEX...", nargs=-1, required=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a folder.")
def command(arguments: tuple[str, ...], as_json: bool) -> None:
    """Take a person (by the pseudonym of the actor) or single runs (by id) out of datasets, run folders and indexes of
    near-copies: records, examples, verdicts, mentions in others' verdicts, edits, and pictures that nobody else uses.
    The report is counted again, and the next `curate publish` of the run takes them off the Hub's newest revision.

    forgotten.json keeps that it was done, and not of whom. Raw recordings, exports, pages, mixtures that are not
    named and older revisions on the Hub are not touched: the last lines say so. A name that begins with "-" stands
    after "--".

    \b
    curate forget a-41f3 DATASET RUN INDEX
    curate forget agentnet:20241106114028_2c05 RUN
    """
    names, folders = split_arguments(arguments)
    done = forget(names, folders, say)
    for folder in folders:
        if kind_of(folder) == "run":
            write_report(folder)
    for one in done:
        result_json(msgspec.to_builtins(one)) if as_json else result(_line(one))
        for sentence in one.again:
            say(sentence)
    say(
        "Not looked at; delete what there is of it, too: recordings and other inputs, files of `curate export`, pages "
        "of `curate view --export`, folders of `curate check`, samples of audits, mixtures, downloads and other "
        "folders that were not named, copies elsewhere."
    )
    say("Revisions of a dataset on the Hub keep what they had: publish the next one, then have the old ones removed.")


def _line(one: Done) -> str:
    parts = f"{one.runs:,} runs, {one.examples:,} training examples, {one.media:,} files of media, {one.edits:,} edits"
    return f"{one.folder}: {parts} taken out"
