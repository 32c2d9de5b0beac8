"""The group that finds commands by module, and how every command ends: exit codes, one sentence an error.

Exit codes: 0 done; 1 an error, said in one sentence; 2 wrong usage or recipe; 3 the input cannot be read; 4 a gate
refused; 130 interrupted.
"""

from __future__ import annotations

import importlib
import io
import os
import pkgutil
import select
import stat
import sys
import traceback
from typing import Any

import click

import curate
from curate.cli._say import VERBOSITY, fail, verbosity
from curate.model.errors import CurateError
from curate.model.near import did_you_mean
from curate.model.printed import printable_lines
from curate.store.spare_memory import collect_seldom, spare_memory

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 110}


def _set_verbosity(step: int) -> Any:
    def callback(context: click.Context, _: click.Parameter, given: bool) -> None:
        if given:
            meta = context.find_root().meta
            meta[VERBOSITY] = meta.get(VERBOSITY, 0) + step

    return callback


def _verbosity_options() -> list[click.Option]:
    """-q and -v, understood before and after the command's name."""
    settings: dict[str, Any] = {"is_flag": True, "expose_value": False, "is_eager": True}
    return [
        click.Option(["-q", "--quiet"], callback=_set_verbosity(-1), help="Only results and errors.", **settings),
        click.Option(
            ["-v", "--verbose"], callback=_set_verbosity(1), help="More messages, and tracebacks.", **settings
        ),
    ]


class Commands(click.Group):
    """Commands found as modules of curate.cli, imported only when they are used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        package = importlib.import_module("curate.cli")
        return sorted(m.name.replace("_", "-") for m in pkgutil.iter_modules(package.__path__) if m.name[0] != "_")

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        command: click.Command = importlib.import_module(f"curate.cli.{cmd_name.replace('-', '_')}").command
        below = list(command.commands.values()) if isinstance(command, click.Group) else []
        for one in (command, *below):
            one.context_settings = {**_HELP, **one.context_settings}
            if not any("--quiet" in parameter.opts for parameter in one.params):
                one.params.extend(_verbosity_options())
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = click.utils.make_str(args[0])
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            hint = did_you_mean(name, self.list_commands(ctx)) or " `curate -h` lists the commands."
            raise click.UsageError(f"There is no command {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.command(cls=Commands, context_settings=_HELP, params=list(_verbosity_options()))
@click.version_option(curate.__version__, prog_name="curate")
def app() -> None:
    """Record, audit and curate trajectories of computer use: raw recordings in, a training set you can trust out.

    \b
    curate demo                                           the main job on a small dump that ships with the package
    curate run DUMP --recipe desktop --out RUN            your own recordings
    """


def main(arguments: list[str] | None = None) -> None:
    """The console script: run a command and leave with its exit code."""
    spare_memory()  # before a command imports what allocates
    collect_seldom()
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run a command; its exit code. Errors are printed on stderr."""
    context: click.Context | None = None
    try:
        with app.make_context("curate", list(sys.argv[1:] if arguments is None else arguments)) as context:
            result = app.invoke(context)
            sys.stdout.flush()
            return result if isinstance(result, int) else 0
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        told = io.StringIO()
        error.show(told)
        click.echo(printable_lines(told.getvalue()), err=True, nl=False)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        fail("Interrupted. The same command goes on where it stopped.")
        return 130
    except BrokenPipeError as error:
        if not _reader_has_gone():
            return _unexpected(error, context)  # another pipe: of a worker, say. Nothing is done
        # The reader (head, less) has seen enough; what is buffered goes nowhere, without a second complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except CurateError as error:
        fail(str(error))
        return error.exit_code
    except Exception as error:
        return _unexpected(error, context)


def _reader_has_gone() -> bool:
    """Whether nobody reads what goes to stdout any more."""
    try:
        sys.stdout.flush()
        if hasattr(select, "poll"):
            waiting = select.poll()
            waiting.register(sys.stdout.fileno(), 0)  # errors are always told
            return any(what & (select.POLLERR | select.POLLHUP) for _, what in waiting.poll(0))
        return stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)
    except BrokenPipeError:
        return True
    except (OSError, ValueError):  # no file at all
        return False


def _unexpected(error: Exception, context: click.Context | None) -> int:
    if context is not None and verbosity(context) > 0:
        traceback.print_exception(error)
    what = error.strerror if isinstance(error, OSError) and error.strerror else f"{type(error).__name__}: {error}"
    where = f" ({error.filename})" if isinstance(error, OSError) and error.filename else ""
    fail(f"{what}{where}. With -v before the command you see where; please report it if the message does not help.")
    return 1
