"""The options of `curate export`: those of the format, and the size of the pictures."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from curate.cli._say import say
from curate.formats.base import Format, FormatOptions, unread
from curate.formats.prompts import kept_slots, read_prompts
from curate.model.errors import UsageError
from curate.model.near import did_you_mean
from curate.store.resizing import SizeOptions

_PICTURES = [
    click.option("--max-pixels", type=click.IntRange(min=1), metavar="N",
                 help="Make the pictures smaller: width x height at most N."),
    click.option("--size", metavar="WxH", help="Or: no wider than W and no higher than H (1280x720)."),
    click.option("--multiple", type=click.IntRange(1, 1024), default=1, metavar="N",
                 help="Both sides multiples of N, by the rule of the Qwen models (28, or 32 for Qwen3-VL)."),
    click.option("--jpeg", type=click.IntRange(1, 100), metavar="Q", help="Write JPEG of quality Q instead of PNG."),
    click.option("--keep-pictures", is_flag=True,
                 help="Leave pictures as they are where a format would resize them; the trainer's processor does it."),
    click.option("--workers", "-w", type=click.IntRange(min=1), default=1, metavar="N",
                 help="Processes that make pictures. [default: 1]"),
]  # fmt: skip


def picture_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All that concern pictures, in this order in the help."""
    for option in reversed(_PICTURES):
        function = option(function)
    return function


def size_options(max_pixels: int | None, size: str | None, multiple: int, jpeg: int | None) -> SizeOptions:
    """What the options say of pictures. Raises UsageError."""
    box: tuple[int, int] | None = None
    if size is not None:
        match = re.fullmatch(r"([1-9]\d{0,4})[xX×]([1-9]\d{0,4})", size)
        if match is None:
            raise UsageError(f"--size {size}: write width and height in pixels, such as 1280x720.")
        box = int(match[1]), int(match[2])
    if box is not None and min(box) < multiple:
        raise UsageError(f"--size {size} has no room for --multiple {multiple}.")
    if max_pixels is not None and max_pixels < multiple**2:
        raise UsageError(f"--max-pixels {max_pixels} is less than one square of --multiple {multiple}.")
    return SizeOptions(max_pixels=max_pixels, size=box, multiple=multiple, jpeg=jpeg)


def format_options(own: FormatOptions, sets: tuple[str, ...], form: Format, prompts: Path | None) -> FormatOptions:
    """The options of the format: its own, and over them what `--set` and `--prompts` say. Of its own those fall away
    that say nothing beside them. Raises UsageError."""
    known = [name for name in FormatOptions.__struct_fields__ if name not in ("split", "prompts")]
    given: dict[str, Any] = msgspec.to_builtins(own)
    told = {"prompts"} if prompts is not None else set()
    for setting in sets:
        option, equals, value = setting.removeprefix("unroll.").partition("=")
        if not equals or option not in known:
            hint = did_you_mean(option, known)
            raise UsageError(f"--set {setting}: write OPTION=VALUE with one of {', '.join(known)}.{hint}")
        given[option] = value
        told.add(option)
    if prompts is not None:
        given["prompts"] = read_prompts(prompts, form)
        if ours := kept_slots(given["prompts"], form):
            say(f"{prompts} has no text for {', '.join(ours)}: there our own stands.")
    try:
        options = msgspec.convert(given, FormatOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"--set: {error}.") from error
    idle = {name: getattr(FormatOptions(), name) for name in unread(form, options) if name not in told}
    return msgspec.structs.replace(options, **idle)
