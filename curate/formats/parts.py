"""Chat messages in typed parts, as Hugging Face's processors read them."""

from __future__ import annotations

from typing import Literal

import msgspec

from curate.formats.base import json_text


class Part(msgspec.Struct, omit_defaults=True, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`{"type": "text", "text": ...}` or `{"type": "image", "image": "media/..."}`, the path relative to the run
    folder. A part has only its own key: chat templates take any part that has a key `image` for a picture."""

    type: Literal["text", "image"]
    text: str | None = None
    image: str | None = None


class Turn(msgspec.Struct, kw_only=True, frozen=True):
    """One turn: the content is text, or typed parts for a user turn."""

    role: Literal["system", "user", "assistant"]
    content: str | list[Part]


class LastTurn(msgspec.Struct, kw_only=True, frozen=True):
    """A row of turns with the loss on the last. `loss_on` is `nothing` only for steps kept with `untrained: keep`."""

    messages: list[Turn]
    loss_on: Literal["last assistant message only", "nothing"]
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


def text_part(inside: bytes) -> bytes:
    """The part of a text, given as it stands inside a JSON string, as JSON."""
    return b'{"type":"text","text":"%b"}' % inside


def image_part(image: str) -> bytes:
    return b'{"type":"image","image":%b}' % json_text(image)


def section(title: str, text: str) -> str:
    """`## Action:` and its text, with a line end."""
    return f"## {title}:\n{text}\n"
