"""Recorded text in which a trainer or a parser would find a mark of its own: the first character of such a mark is
written another way. What holds no mark stays as it is.

The marks are those that trainers put pictures or turns at (LLaMA-Factory's `mm_plugin.py`, ms-swift's
`template/base.py`, which also opens what `<img>path</img>` names), parts of an answer, and special tokens that the
tokenizers of vision models know by their text: Qwen, LLaMA, Gemma, InternVL, Idefics, Pixtral, DeepSeek."""

from __future__ import annotations

import re

_PLACES = "image|video|audio|bbox|ref-object|cot-process|start-image"
_TAGS = (
    f"{_PLACES}"  # places of pictures and boxes
    "|/?(?:img|ref|box|quad|point)|IMG_CONTEXT|image_soft_token|image_pad|(?:start|end)_of_image"
    "|fake_token_around_image|global-img|row_\\d+_col_\\d+"
    "|/?(?:tools|tool_call|tool_response|think|operation|action)"  # parts of an answer
    "|/?s|bos|eos|pad|unk|mask|(?:start|end)_of_turn|end_of_utterance"  # turns
    "|\\|[A-Za-z0-9_]{1,40}\\|?|[A-Za-z0-9_]{1,40}\\||\uff5c[^<>\\s]{1,40}\uff5c"  # <|im_end|>, <|turn>, <turn|>
)
_BEHIND = {
    "<": f"(?:{_TAGS})>",
    "{": r"\{(?:image|video|audio)\}\}",
    "[": r"(?:IMG|IMG_BREAK|IMG_END|/?INST)\]",
}
_IN_TEXT = {"<": "&lt;", "{": "&#123;", "[": "&#91;"}


def _pattern(starts: dict[str, str]) -> re.Pattern[str]:
    """Each start where the rest of one of its marks follows."""
    return re.compile("|".join(f"{re.escape(start)}(?={_BEHIND[mark]})" for mark, start in starts.items()))


_MARK, _ESCAPED = _pattern({mark: mark for mark in _BEHIND}), _pattern(_IN_TEXT)
_ENTITIES = {entity: mark for mark, entity in _IN_TEXT.items()}


def may_hold_marks(text: str) -> bool:
    """Whether a text has what any mark begins with: most have not, and need no search."""
    return "<" in text or "{{" in text or "[I" in text or "[/I" in text


def json_may_hold_marks(text: bytes) -> bool:
    """The same of texts as JSON, of megabytes at a time: one character is found some twenty times as fast as two."""
    if b"<" in text or (b"{" in text and b"{{" in text):
        return True
    return b"[" in text and (b"[I" in text or b"[/I" in text)


def escape_text(text: str) -> str:
    """Recorded text in which a trainer would find a picture's placeholder (`<image>`), a turn's end (`<|im_end|>`) or
    the mark of a part of an answer (`</think>`): their `<` is written `&lt;` (`{{image}}`: `&#123;{image}}`)."""
    return _MARK.sub(_entity, text) if may_hold_marks(text) else text


def escape_code(code: str) -> str:
    """Code with the same marks; they stand in its strings, where `\\x3c` is the same character."""
    return _MARK.sub(_in_code, code) if may_hold_marks(code) else code


def escape_json(text: str) -> str:
    """JSON with the same marks; they stand in its strings, where `\\u003c` is the same character."""
    return _MARK.sub(_in_json, text) if may_hold_marks(text) else text


_PLACE = re.compile(rf"<(?:{_PLACES})>|\{{{_BEHIND['{']}")


def placeholder_in(text: str) -> str | None:
    """The first place for a picture or a box in a text that is nobody's recording, such as a prompt; None: it has
    none."""
    found = _PLACE.search(text)
    return None if found is None else found[0]


def unescape_text(text: str) -> str:
    """What `escape_text` was given, for who reads rows back. (A text that held `&lt;image>` itself comes back with a
    `<`.)"""
    return _ESCAPED.sub(lambda found: _ENTITIES[found[0]], text) if "&" in text else text


def _entity(found: re.Match[str]) -> str:
    return _IN_TEXT[found[0]]


def _in_code(found: re.Match[str]) -> str:
    return f"\\x{ord(found[0]):02x}"


def _in_json(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
