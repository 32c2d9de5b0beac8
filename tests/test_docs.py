"""README, help, changelog and docs say what is so."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import click
import pytest

import curate
from curate.cli._app import app

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))
import write_docs  # noqa: E402

PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("name", write_docs.PAGES)
def test_pages_from_the_code_are_as_committed(name: str) -> None:
    committed = (ROOT / "docs" / name).read_text(encoding="utf-8")
    assert committed == write_docs.PAGES[name](), "run: python tools/write_docs.py"


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8"))
    assert not [link for link in links if not (path.parent / link).exists()]


def shown_commands(path: Path) -> list[str]:
    """The `curate ...` lines of code blocks, comments taken off."""
    blocks = re.findall(r"```[a-z]*\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.S)
    lines = [line.split("  #")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if re.match(r"curate [a-z]", line)]


@pytest.mark.parametrize("path", [ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
def test_commands_shown_exist_with_their_options(path: Path) -> None:
    context = click.Context(app)
    for line in shown_commands(path):
        _, name, *words = shlex.split(line)
        command = app.get_command(context, name)
        assert command is not None, f"{path.name} shows `curate {name}`, which is no command"
        known = {opt for parameter in command.params for opt in (*parameter.opts, *parameter.secondary_opts)}
        for word in words:
            if word.startswith("-"):
                assert word.split("=")[0] in known, f"{path.name}: {line}"


@pytest.mark.parametrize("path", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_commands_named_in_sentences_exist(path: Path) -> None:
    named = set(re.findall(r"`curate ([a-z]+)", path.read_text(encoding="utf-8")))
    assert named <= set(app.list_commands(click.Context(app))), f"{path.name} names commands that do not exist"


def test_every_command_has_help_with_an_example() -> None:
    context = click.Context(app)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None and command.get_short_help_str()
        assert f"curate {name}" in (command.help or ""), f"`curate {name} -h` shows no example"


def test_the_changelog_names_the_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{curate.__version__}]" in text or "## [Unreleased]" in text
    for name in app.list_commands(click.Context(app)):
        assert name in text, f"CHANGELOG.md does not mention `curate {name}`"


def test_the_files_that_readme_promises_are_what_a_run_writes() -> None:
    from curate.store import run_folder

    promised = set(re.findall(r"`RUN/([a-z_]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    source = Path(run_folder.__file__).read_text(encoding="utf-8") + Path(run_folder.__file__).with_name(
        "dataset.py"
    ).read_text(encoding="utf-8")
    assert not {name for name in promised if name not in source and name != "media"}
