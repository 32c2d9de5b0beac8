"""Writes the pages of docs/ that come from the code: commands, options, reasons and flags, what nobody has
tried. A test holds the committed pages against what this gives.

    python tools/write_docs.py
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any, get_type_hints

import click
import msgspec

from curate.cli._app import app
from curate.engine.check.kinds import KINDS
from curate.engine.recipe import PUBLISHING, READING
from curate.formats.base import formats
from curate.model.flags import FLAGS
from curate.model.reasons import REASONS
from curate.publish.fields import STEP_FIELDS, TRAJECTORY_FIELDS
from curate.publish.gate.codes import CODES
from curate.publish.untested import UNTESTED
from curate.sources.common.facts import Facts
from curate.sources.registry import sources
from curate.stages import registry
from recorders.checks.doctor import untested as untested_sentences

DOCS = Path(__file__).resolve().parents[1] / "docs"
WIDTH = 110


def commands() -> str:
    """`-h` of every command."""
    parts = ["# Commands\n\nWritten from `curate -h` and `curate COMMAND -h`.\n", _help(app, None, "curate")]
    context = click.Context(app, info_name="curate", max_content_width=WIDTH, terminal_width=WIDTH)
    for name in app.list_commands(context):
        command = app.get_command(context, name)
        assert command is not None
        parts.append(f"## curate {name}\n\n{_help(command, context, name)}")
        if isinstance(command, click.Group):
            within = click.Context(command, info_name=name, parent=context)
            for below, one in command.commands.items():
                parts.append(f"### curate {name} {below}\n\n{_help(one, within, below)}")
    return "\n".join(parts)


def _help(command: click.Command, parent: click.Context | None, name: str) -> str:
    settings = {**command.context_settings, "max_content_width": WIDTH, "terminal_width": WIDTH}
    context = click.Context(command, info_name=name, parent=parent, **settings)
    lines = (line.rstrip() for line in command.get_help(context).splitlines())
    return "```\n" + "\n".join(lines) + "\n```\n"


def options() -> str:
    """Every option of every section of a recipe."""
    sections: dict[str, type[msgspec.Struct]] = dict(READING)
    sections.update({name: stage.options for name, stage in registry.stages().items()})
    sections.update(PUBLISHING)
    parts = [
        "# Options of recipes\n",
        "In a recipe: a key of the section. On the command line: `--set section.option=value`.\n",
    ]
    for name, struct in sections.items():
        parts += [
            f"## {name}\n",
            (inspect.getdoc(struct) or "").strip() + "\n",
            "| option | values | default |",
            "|---|---|---|",
        ]
        hints = get_type_hints(struct)
        for field in msgspec.structs.fields(struct):
            parts.append(f"| `{name}.{field.name}` | {_type(hints[field.name])} | `{_default(field)}` |")
        parts.append("")
    return "\n".join(parts)


def _type(hint: Any) -> str:
    text = inspect.formatannotation(hint)
    for noise in ("typing.", "msgspec.", "builtins."):
        text = text.replace(noise, "")
    return "`" + text.replace("|", "\\|") + "`"


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.default is not msgspec.NODEFAULT:
        return repr(field.default)
    return "required" if field.default_factory is msgspec.NODEFAULT else repr(field.default_factory())


def reasons() -> str:
    """Every reason code and every flag, with its sentence."""
    parts = ["# Reasons and flags\n", "## Reasons\n", "Why a run, step, line or raw event did not come out.\n"]
    parts += ["| code | what it says |", "|---|---|", *(f"| `{code}` | {text} |" for code, text in REASONS.items())]
    parts += ["\n## Flags\n", "What is known to be odd about a step. A flag drops nothing by itself.\n"]
    parts += ["| flag | what it says |", "|---|---|", *(f"| `{code}` | {text} |" for code, text in FLAGS.items()), ""]
    return "\n".join(parts)


def untested() -> str:
    """What nobody has tried, by system."""
    parts = ["# What nobody has tried\n"]
    parts.append("Of recording (`curate doctor` says it, too) and of publishing. Written from `untested.py` files.\n")
    by_system: dict[str, list[str]] = {}
    for sentence in (*untested_sentences(), *UNTESTED):
        system, _, what = sentence.partition(": ")
        by_system.setdefault(system, []).append(what)
    for system, sentences in sorted(by_system.items()):
        parts += [f"## {system}\n", *(f"- {what[0].upper()}{what[1:]}" for what in sentences), ""]
    return "\n".join(parts)


_BEGIN = "<!-- from here to the end mark: written by tools/write_docs.py -->"
_END = "<!-- end of what tools/write_docs.py writes -->"
_FRAMES = {
    None: "asked of the data, or stated", "fraction": "fractions", "permille": "thousandths",
    "picture_pixel": "pixels of the picture", "screen_pixel": "pixels of the screen",
    "page_pixel": "pixels of the page", "none": "elements, no points",
}  # fmt: skip
_SCROLLS = {
    None: "-", "plus_up": "+ is up", "plus_down": "+ is down", "view": "a word: what is seen next",
    "finger": "the finger's way",
}  # fmt: skip


def published() -> str:
    """docs/sources.md: what its author wrote, and between two marks a row for each published source and its faults."""
    page = (DOCS / "sources.md").read_text(encoding="utf-8")
    before, rest = page.split(_BEGIN)
    behind = rest.split(_END)[1]
    rows = [(name, one.facts) for name, one in sources().items() if one.facts is not None]
    parts = [
        "| source | published as | points | order | scrolls | pictures | how it tells the outcome | licence |",
        "|---|---|---|---|---|---|---|---|",
        *(_source_row(name, facts) for name, facts in rows),
        "\nWhat is known to be wrong with each as it is published, and what becomes of it:\n",
    ]
    for name, facts in rows:
        if facts.faults:
            parts += [f"**`{name}`**\n", *(f"- {fault}" for fault in facts.faults), ""]
    return f"{before}{_BEGIN}\n\n" + "\n".join(parts).rstrip("\n") + f"\n\n{_END}{behind}"


def _source_row(name: str, facts: Facts) -> str:
    frame = _FRAMES[facts.space]
    order = "-" if facts.space == "none" else facts.order or "asked of the data"
    pictures = (facts.timing or "asked of the data") if facts.pictures else "none"
    scroll = _SCROLLS[facts.scroll]
    if facts.scroll is None and any("scroll" in fault for fault in facts.faults):
        scroll = "asked of words and data"
    title = f"[{facts.title}]({facts.card})" if facts.card.startswith("https://") else facts.title
    licences = ", ".join(f"{part}: {_licence(of)}" if part else _licence(of) for part, of in facts.licences.items())
    cells = (f"`{name}`", title, frame, order, scroll, pictures, facts.outcome, licences)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _licence(name: str | None) -> str:
    return name or "not stated"


def training_formats() -> str:
    """docs/formats.md: between two marks a row for each format, and where released models have their prompts."""
    page = (DOCS / "formats.md").read_text(encoding="utf-8")
    before, rest = page.split(_BEGIN)
    behind = rest.split(_END)[1]
    known = formats()
    parts = [
        "| format | trains | loss | history | pictures | coordinates | reflection | weights |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, form in known.items():
        about = form.about
        cells = (
            f"`{name}`", about.trains, about.loss, about.history, about.pictures, about.coordinates, about.reflection,
            about.weights,
        )  # fmt: skip
        parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    parts.append("\nDialects (`--set dialect=...`, the first is the default) and prompt files of released models:\n")
    parts += ["| format | dialects | our prompt texts | the model's own |", "|---|---|---|---|"]
    for name, form in known.items():
        dialects = ", ".join(f"`{one}`" for one in form.dialects) or "-"
        texts = ", ".join(f"`{slot}`" for slot in form.prompts) or "-"
        parts.append(f"| `{name}` | {dialects} | {texts} | {form.about.prompt_file} |")
    return f"{before}{_BEGIN}\n\n" + "\n".join(parts) + f"\n\n{_END}{behind}"


def check_kinds() -> str:
    """docs/check.md: between two marks a row for each kind of finding."""
    page = (DOCS / "check.md").read_text(encoding="utf-8")
    before, rest = page.split(_BEGIN)
    behind = rest.split(_END)[1]
    parts = ["| kind | | what it is | what to do |", "|---|---|---|---|"]
    for name, kind in KINDS.items():
        do = kind.do.replace("{part}", "...").replace("|", "\\|")
        parts.append(f"| `{name}` | {kind.severity} | {kind.title} | {do} |")
    return f"{before}{_BEGIN}\n\n" + "\n".join(parts) + f"\n\n{_END}{behind}"


def gate_codes() -> str:
    """docs/publish_gate.md: between two marks a row for each finding of the gate."""
    page = (DOCS / "publish_gate.md").read_text(encoding="utf-8")
    before, rest = page.split(_BEGIN)
    behind = rest.split(_END)[1]
    words = {"never": "never", "by_name": "`--accept`", "note": "only told"}
    parts = ["| finding | accepted | what it is | what to do |", "|---|---|---|---|"]
    for name, known in CODES.items():
        do = known.do.replace("|", "\\|")
        parts.append(f"| `{name}` | {words[known.weight]} | {known.title} | {do} |")
    return f"{before}{_BEGIN}\n\n" + "\n".join(parts) + f"\n\n{_END}{behind}"


def published_fields() -> str:
    """docs/publish.md: between two marks the columns of the published tables."""
    page = (DOCS / "publish.md").read_text(encoding="utf-8")
    before, rest = page.split(_BEGIN)
    behind = rest.split(_END)[1]
    parts = []
    for name, fields in (("steps", STEP_FIELDS), ("trajectories", TRAJECTORY_FIELDS)):
        parts += [f"### `{name}`\n", "| column | what it holds |", "|---|---|"]
        parts += [f"| `{column}` | {text} |" for column, text in fields.items()]
        parts.append("")
    return f"{before}{_BEGIN}\n\n" + "\n".join(parts) + f"\n{_END}{behind}"


PAGES = {
    "commands.md": commands,
    "options.md": options,
    "reasons.md": reasons,
    "untested.md": untested,
    "check.md": check_kinds,
    "publish_gate.md": gate_codes,
    "publish.md": published_fields,
    "sources.md": published,
    "formats.md": training_formats,
}


def main() -> None:
    written = {name: page() for name, page in PAGES.items()}  # a page that fails leaves all as they are
    for name, text in written.items():
        (DOCS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
