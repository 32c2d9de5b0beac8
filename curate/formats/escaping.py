"""Recorded text in which a trainer or a parser would find a mark of its own: the `<` of such a mark is written another
way. What holds no mark stays as it is."""

from __future__ import annotations

import re

_MARKS = (
    "image|video|audio|bbox|ref-object|cot-process"  # places of pictures and boxes, for LLaMA-Factory and ms-swift
    "|/?(?:tools|tool_call|tool_response|think|operation|action|point)"  # parts of an answer
)
_BEHIND = rf"(?=(?:{_MARKS})>|\|[A-Za-z0-9_]{{1,40}}\|>)"
_PLACEHOLDER, _ESCAPED = re.compile("<" + _BEHIND), re.compile("&lt;" + _BEHIND)


def escape_text(text: str) -> str:
    """Recorded text in which a trainer would find a picture's placeholder (`<image>`), a turn's end (`<|im_end|>`) or
    the mark of a part of an answer (`</think>`): their `<` is written `&lt;`."""
    return _PLACEHOLDER.sub("&lt;", text) if "<" in text else text


def escape_code(code: str) -> str:
    """Code with the same placeholders; they stand in its strings, where `\\x3c` is the same character."""
    return _PLACEHOLDER.sub(r"\\x3c", code) if "<" in code else code


def escape_json(text: str) -> str:
    """JSON with the same placeholders; they stand in its strings, where `\\u003c` is the same character."""
    return _PLACEHOLDER.sub(r"\\u003c", text) if "<" in text else text


def unescape_text(text: str) -> str:
    """What `escape_text` was given, for who reads rows back. (A text that held `&lt;image>` itself comes back with a
    `<`.)"""
    return _ESCAPED.sub("<", text) if "&lt;" in text else text
