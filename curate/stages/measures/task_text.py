"""When two instructions are the same task: a normal form that case, punctuation, Unicode spelling and ways of
writing numbers and times do not change, and the phrases of content words that leaks are looked for with."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from curate.model.constants import JOINED_PREFIXES, LEAK_PHRASE_WORDS, STOP_WORDS

_DIGIT = re.compile(r"\d")
_TIME = re.compile(r"(?<![\w.:])(\d{1,2})(?:[:.h](\d{2}))?\s*([ap])\.?\s?m\b\.?")
_CLOCK = re.compile(r"(?<![\w.:])0?(\d{1,2}):(\d{2})(?![\d:])")
_O_CLOCK = re.compile(r"(?<![\w.:])(\d{1,2})\s*o['’]?\s?clock\b")
_THOUSANDS = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?![\d,])")
_ROUND_SUM = re.compile(r"(?<![\w.])(\d+)\.00(?![\w]|\.\d)")  # 50.00 is 50; 3.10 is not 3.1: it may be a version
_WORD = re.compile(r"(?<![^\W_])-?\d+(?:[.:]\d+)*(?:[^\W_]+)?|[^\W_]+(?:\.[^\W_]+)*[+#]*")
_APOSTROPHE = re.compile(r"(?<=\w)['’ʼ`](?=\w)")
_JOINED = re.compile(rf"(?<![\w-])({'|'.join(JOINED_PREFIXES)})[-\u2010](?=[^\W\d_]{{2}})")
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|«([^»]+)»|(?<!\w)'([^']+)'(?!\w)|(?<!\w)‘([^’]+)’(?!\w)")
_NAME = re.compile(r"(?<=[\w,;:)]\s)[A-Z][\w'’.+#-]*")
_ROUNDS = 4  # each joins words, and no time has more parts
_NUMBER_WORDS = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip


def _spelling(text: str) -> str:
    """One Unicode spelling: compatibility forms, case folded, without invisible format characters."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(char for char in folded if unicodedata.category(char) != "Cf")


@lru_cache(maxsize=8192)  # the same instruction is asked for by near-copies, leaks and split
def normal_words(text: str) -> tuple[str, ...]:
    """The words of the normal form: `Alarm, 07:00!` and `alarm 7am` both give ("alarm", "7:00"). Decimal points and
    signs of numbers count, file names and host names stay whole. Hyphens part words (`check-in` is `check in`), except
    behind what is no word alone: `Wi-Fi` is `wifi`, `e-mail` is `email`.

    With the punctuation between them gone, words may say a time that they did not before (`5 p/m`): the form is taken
    again until it is its own."""
    words = one_round(text)
    for _ in range(_ROUNDS):
        again = one_round(" ".join(words)) if any(map(_DIGIT.search, words)) else words
        if again == words:
            break
        words = again
    return words


def one_round(text: str) -> tuple[str, ...]:
    """The normal form taken once; `normal_words` goes on until it is final."""
    text = _spelling(text)
    if _DIGIT.search(text):
        text = _TIME.sub(_twelve_hours, text)
        text = _O_CLOCK.sub(r"\1:00", text)
        text = _CLOCK.sub(lambda m: f"{int(m[1])}:{m[2]}", text)
        text = _THOUSANDS.sub(lambda m: m[0].replace(",", ""), text)
        text = _ROUND_SUM.sub(r"\1", text)
    text = _JOINED.sub(r"\1", text)
    text = _APOSTROPHE.sub("", text).replace("%", " percent ").replace("_", " ").replace("&", " and ")
    return tuple(_NUMBER_WORDS.get(word, word) for word in _WORD.findall(text))


def _twelve_hours(match: re.Match[str]) -> str:
    hour, minute = int(match[1]), match[2] or "00"
    if hour > 12:
        return match[0]
    return f"{hour % 12 + (12 if match[3] == 'p' else 0)}:{minute} "


def normal_form(text: str) -> str | None:
    """The words of the normal form in one string; None where no word is left (then it is no task's)."""
    return " ".join(normal_words(text)) or None


def quoted(text: str) -> tuple[str, ...]:
    """What stands in quotation marks, letter by letter (Unicode spelling aside), in order."""
    return tuple(
        unicodedata.normalize("NFC", next(part for part in found if part)).strip() for found in _QUOTED.findall(text)
    )


def task_key(text: str) -> str | None:
    """Equal for two instructions that are the same task with the same arguments: the normal form (numbers and names
    are in it) and what is quoted, letter by letter. None where nothing is left of the text."""
    form = normal_form(text)
    return None if form is None else "\x1f".join((form, *quoted(text)))


def template_key(template: str | None, text: str) -> str | None:
    """Equal for two instructions of one template with the same arguments: its numbers, names (capitals within a
    sentence) and quoted strings, in any order. None without a template."""
    form = normal_form(template) if template else None
    if form is None:
        return None
    rest = _QUOTED.sub(" ", text)
    numbers = [word for word in normal_words(rest) if word.lstrip("-")[:1].isdigit()]
    names = [name.casefold().rstrip(".") for name in _NAME.findall(unicodedata.normalize("NFKC", rest))]
    return "\x1f".join((form, *sorted([*numbers, *names, *quoted(text)])))


def content_words(text: str) -> list[str]:
    """The normal form's words without those that say nothing about the task (the, please, go, to ...)."""
    return content_of(normal_words(text))


def content_of(words: Sequence[str]) -> list[str]:
    """Those of the normal form's words that say something about the task."""
    return [word for word in words if word not in STOP_WORDS]


def phrases(words: Sequence[str], n: int = LEAK_PHRASE_WORDS) -> list[tuple[str, ...]]:
    """Each n consecutive content words, once, in order; none for fewer words (then only equality tells)."""
    return list(dict.fromkeys(tuple(words[i : i + n]) for i in range(len(words) - n + 1)))
