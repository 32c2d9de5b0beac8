"""What `curate publish` says: what would be sent, what the gate found, what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from curate.cli._say import next_command, result, result_json, say
from curate.model.constants import PUBLISH_ROWS_SHOWN
from curate.model.printed import printable
from curate.publish.manifest import MANIFEST, PublishedFile

if TYPE_CHECKING:
    from curate.publish.download_check import Compared
    from curate.publish.gate.found import Gate, GateFinding, GateRow
    from curate.publish.options import PublishOptions
    from curate.publish.publishing import Prepared
    from curate.publish.upload import Published


def print_plan(prepared: Prepared, options: PublishOptions) -> None:
    """Repository, visibility, licence, files with sizes and rows."""
    manifest = prepared.staged.folder / MANIFEST
    files = [*prepared.staged.manifest.files, PublishedFile(path=MANIFEST, bytes=manifest.stat().st_size, sha256="")]
    total = sum(file.bytes for file in files)
    seen = "public: everybody sees it" if options.public else "private (with --public everybody sees it)"
    licence = options.license if options.license != "other" else f"other: {options.license_name}"
    result(f"repository  {options.repo}\nvisibility  {seen}\nlicence     {licence}")
    result(f"folder      {printable(str(prepared.staged.folder))}")
    result(f"files       {len(files):,}, {total:,} bytes; CHANGELOG.md gets a line")
    for file in files:
        rows = "" if file.rows is None else f"  {file.rows:,} rows"
        result(f"  {file.bytes:>14,}  {printable(file.path)}{rows}")


def print_gate(gate: Gate) -> None:
    """Every finding with its first rows, and what was not looked at."""
    for one in gate.findings:
        result(f"{_word(one)}  {one.code}: {printable(one.sentence, 400)}")
        for row in one.rows[:PUBLISH_ROWS_SHOWN]:
            result(f"            {_place(row)}")
        more = one.count - min(len(one.rows), PUBLISH_ROWS_SHOWN)
        if one.rows and more > 0:
            result(f"            and {more:,} more{f', all in {one.rows_file}' if one.rows_file else ''}")
        if one.weight != "note" and not one.accepted:
            result(f"            {printable(one.do, 400)}")
    if not gate.findings:
        result("The gate finds nothing.")
    for un in gate.unlooked:
        result(f"not looked  {printable(un.what, 200)}: {printable(un.because, 200)}")


def _word(one: GateFinding) -> str:
    return "refused   " if one.refuses else "accepted  " if one.accepted else "note      "


def _place(row: GateRow) -> str:
    where = row.id or row.file or ""
    more = f" step {row.step}" if row.step is not None else f" line {row.line}" if row.line is not None else ""
    return printable(f"{where}{more}: {row.what}" if row.what else f"{where}{more}", 160)


def print_done(done: Published, compared: Compared | None, as_json: bool) -> None:
    """The revision, and how to read it."""
    if as_json:
        result_json({"published": done, "compared": compared})
    else:
        kind = "Published" if done.new else "Nothing new: the same content is there"
        result(f"{kind}: {done.url} {done.revision or ''} ({done.commit})\n{printable(done.changes, 400)}")
    if done.sent_files:
        say(f"Sent {done.sent_files:,} files, {done.sent_bytes:,} bytes; what the Hub had already was not sent again.")
    if done.removed:
        say(f"Taken away from the last revision: {', '.join(done.removed[:5])}")
    if done.left_alone:
        say(f"Left alone, since no publication put them there: {', '.join(done.left_alone[:5])}")
    if compared is not None:
        say(f"Downloaded again: {compared.files:,} files, {compared.bytes:,} bytes, all as they were sent.")
    code = f"from datasets import load_dataset; print(load_dataset('{done.repo}', 'steps', streaming=True))"
    next_command(f'python -c "{code}"')


def as_json(prepared: Prepared, options: PublishOptions) -> dict[str, Any]:
    """The plan and the gate for machines."""
    return {
        "repository": options.repo, "public": options.public, "license": options.license,
        "folder": str(prepared.staged.folder), "files": prepared.staged.manifest.files,
        "findings": prepared.gate.findings, "unlooked": prepared.gate.unlooked,
        "refused": [one.code for one in prepared.gate.refusing],
    }  # fmt: skip
