"""`curate publish`: a run as a dataset on the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from curate.cli._publish_options import publish_options
from curate.cli._publish_said import as_json as plain
from curate.cli._publish_said import print_done, print_gate, print_plan
from curate.cli._say import result_json, say, verbosity


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("repo", metavar="USER/NAME")
@publish_options
def command(
    run: Path, repo: str, change_visibility: bool, ocr: int | None, check: bool, dry_run: bool, as_json: bool,
    **told: Any,
) -> None:  # fmt: skip
    """Publish a finished run as the next revision of a dataset on the Hub, unless the gate finds a reason not to.

    Private unless --public. The exit code is 4 where the gate refuses, with --dry-run too.

    \b
    curate publish RUN user/name --license cc-by-4.0 --dry-run
    curate publish RUN user/name --license cc-by-4.0 --accept pointer.unsure --accept leak.unchecked
    curate publish RUN user/name --license cc-by-4.0 --public --version 1.2.0 --check
    """
    from curate.engine.progress import Shown
    from curate.publish.options import PublishOptions
    from curate.publish.publishing import prepare, refuse
    from curate.view.report import write_report

    options = PublishOptions(repo=repo, **told)
    with Shown(quiet=verbosity() < 0) as progress:
        prepared = prepare(run, options, progress, write_report=write_report, ocr=ocr)
    if as_json and (dry_run or prepared.gate.refusing):
        result_json(plain(prepared, options))
    elif not as_json:
        print_plan(prepared, options)
        print_gate(prepared.gate)
    refuse(prepared.gate)
    if dry_run:
        say("Nothing was sent: this was --dry-run.")
        return
    from curate.publish.download_check import download_check
    from curate.publish.hub import Hub
    from curate.publish.upload import upload

    hub = Hub(repo)
    with Shown(quiet=verbosity() < 0) as progress:
        done = upload(prepared.staged, options, progress, change_visibility=change_visibility, hub=hub)
        compared = download_check(done, prepared.staged, hub, progress) if check else None
    print_done(done, compared, as_json)
