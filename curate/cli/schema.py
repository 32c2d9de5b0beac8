"""`curate schema`: the JSON Schemas, from the model."""

from __future__ import annotations

from pathlib import Path

import click

from curate.cli._say import next_command, result, say
from curate.engine.schemas import all_schemas
from curate.model.data import folder
from curate.model.errors import UsageError
from curate.model.near import did_you_mean
from curate.model.schemas import to_text, write


@click.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--write", "to_write", is_flag=True, help="Write all of them into schemas/, or the folder of --out.")
@click.option("--out", metavar="DIR", type=click.Path(path_type=Path), help="Another folder to write to.")
def command(name: str | None, to_write: bool, out: Path | None) -> None:
    """Print the names of the JSON Schemas, one of them, or write them all.

    \b
    curate schema
    curate schema trajectory.v1
    curate schema --write --out schemas
    """
    schemas = all_schemas()
    if to_write or out is not None:
        place = out or folder("schemas")
        changed = write(place, schemas)
        say(f"{len(schemas)} schemas in {place}, {len(changed)} of them new.")
        return
    if name is None:
        for known in schemas:
            result(known)
        next_command("curate schema trajectory.v1")
        return
    if name not in schemas:
        hint = did_you_mean(name, schemas) or f" There are {', '.join(schemas)}."
        raise UsageError(f"There is no schema {name!r}.{hint}")
    result(to_text(schemas[name]).rstrip("\n"))
