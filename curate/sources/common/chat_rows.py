"""Rows of chat messages in the shapes that trainers read: `messages` (content as text or typed parts), `prompt` and
`completion`, `conversations` with `from` and `value`; pictures in the parts, or in `images` where `<image>` or a part
without a name stands for them. One shape comes out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from curate.sources.common.reading import UnreadableError

_PLACEHOLDER = re.compile(r"<image>|<\|image_pad\|>")
_ROLES = {
    "human": "user", "user": "user", "observation": "user", "tool": "user", "gpt": "assistant", "model": "assistant",
    "assistant": "assistant", "function_call": "assistant", "system": "system",
}  # fmt: skip


Image = str | bytes | None


class Message(NamedTuple):
    """One turn: `role` is system, user or assistant; its text without placeholders, and its pictures: their names, or
    the bytes of the file (None: of one that nothing names)."""

    role: str
    text: str
    images: list[Image]


def is_chat(row: Mapping[str, Any]) -> bool:
    """Whether a row holds messages in one of these shapes."""
    turns = _turns(row)
    return bool(turns) and all(isinstance(turn, dict) and _role(turn) is not None for turn in turns)


def as_messages(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row with its turns under `messages`, as `role` and `content`, and names of pictures under `images`."""
    turns = [{**turn, "role": _role(turn), "content": _content(turn)} for turn in _turns(row) if isinstance(turn, dict)]
    return {**row, "messages": turns, "images": [one if isinstance(one, str) else None for one in _names(row)]}


def messages_of(row: Mapping[str, Any]) -> list[Message]:
    """The turns of a row. Raises UnreadableError where they are none."""
    if not is_chat(row):
        raise UnreadableError("validate.schema", "A turn has no role of system, user or assistant, or no text.")
    waiting = iter(_names(row))
    found = []
    for turn in _turns(row):
        content = _content(turn)
        texts = [content] if isinstance(content, str) else [part["text"] for part in _parts(content, "text")]
        found.append(
            Message(_role(turn) or "", "\n".join(_PLACEHOLDER.sub("", text) for text in texts),
                    [name or next(waiting, None) for name in _pictures(content)])
        )  # fmt: skip
    left = list(waiting)
    first = next((one for one in found if one.role == "user"), None)
    if left and first is not None:  # as trainers do where nothing stands for them
        first.images[:0] = left
    return found


def _turns(row: Mapping[str, Any]) -> list[Any]:
    for name in ("messages", "conversations"):
        if isinstance(turns := row.get(name), list):
            return turns
    prompt, completion = row.get("prompt"), row.get("completion")
    return [*prompt, *completion] if isinstance(prompt, list) and isinstance(completion, list) else []


def _role(turn: Mapping[str, Any]) -> str | None:
    role = turn.get("role", turn.get("from"))
    return _ROLES.get(role) if isinstance(role, str) and isinstance(_content(turn), str | list) else None


def _content(turn: Mapping[str, Any]) -> Any:
    return turn.get("content", turn.get("value"))


def _names(row: Mapping[str, Any]) -> list[Image]:
    given = row.get("images", row.get("image"))
    return [_name(one) for one in (given if isinstance(given, list) else [] if given is None else [given])]


def _name(image: Any) -> Image:
    """A picture's name: a text, or one of the objects in which libraries keep it; or its bytes, which `datasets` keeps
    beside the name that it had."""
    if isinstance(image, dict) and isinstance(image.get("bytes"), bytes):
        return bytes(image["bytes"])
    if isinstance(image, dict):
        image = next((image[name] for name in ("path", "url", "image") if isinstance(image.get(name), str)), None)
    return image.removeprefix("file://") if isinstance(image, str) and image else None


def _parts(content: list[Any], kind: str) -> list[dict[str, Any]]:
    return [part for part in content if isinstance(part, dict) and isinstance(part.get(kind), str)]


def _pictures(content: Any) -> Iterator[Image]:
    if isinstance(content, str):
        yield from (None for _ in _PLACEHOLDER.finditer(content))
        return
    for part in content:
        if isinstance(part, dict) and part.get("type") in ("image", "image_url"):
            yield _name(part.get("image") or part.get("image_url"))
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            yield from (None for _ in _PLACEHOLDER.finditer(part["text"]))
