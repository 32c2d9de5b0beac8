"""Prompt files of released models: constants of a module that is never run, members of JSON and YAML, plain texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.engine.recipe import load_recipe
from curate.formats.base import FormatOptions, format_named, rows
from curate.formats.prompts import prompt, read_prompts
from curate.model.errors import UsageError
from tests.formats.records import note_record


def read(folder: Path, name: str, text: str, form: str = "opencua") -> dict[str, str]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_prompts(path, format_named(form))


MODULE = '''
import os
os.abort()
SYSTEM_PROMPT_V1_L1 = "one"
SYSTEM_PROMPT_V1_L2: str = (
    "two, "
    "in two pieces"
)
class Later:
    SYSTEM_PROMPT_V1_L3 = """three
{lines}"""
SYSTEM_PROMPT_V1_L4 = f"{os.name}"
'''


def test_constants_of_a_module_are_read_and_nothing_is_run(tmp_path: Path) -> None:
    assert read(tmp_path, "prompts.py", MODULE) == {
        "L1": "one", "L2": "two, in two pieces", "L3": "three\n{lines}",
    }  # fmt: skip


def test_members_and_plain_texts(tmp_path: Path) -> None:
    assert read(tmp_path, "a.json", '{"L2": "ours", "SYSTEM_PROMPT_V1_L1": "theirs"}') == {"L1": "theirs", "L2": "ours"}
    assert read(tmp_path, "a.yaml", "L3: |-\n  three\n  lines\n") == {"L3": "three\nlines"}
    plain = read(tmp_path, "a.txt", "for all levels\n")
    options = FormatOptions(prompts=plain)
    assert {prompt(options, "opencua", level) for level in ("L1", "L2", "L3")} == {"for all levels"}
    assert prompt(FormatOptions(prompts=plain, system_prompt="mine"), "opencua", "L1") == "mine"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.py", "SYSTEM_PROMPT = 'x'", "has no text named"),
        ("a.py", "def (", "cannot be read as .py"),
        ("a.json", "[1]", "texts by name"),
        ("a.json", "{", "cannot be read as .json"),
        ("a.yaml", "{a: [", "cannot be read as .yaml"),
        ("a.json", '{"L2": 3}', "has no text named"),
    ],
)
def test_what_is_no_prompt_file(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read(tmp_path, name, text)


def test_a_file_that_is_not_there_or_of_a_format_without_prompts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_prompts(tmp_path / "gone.py", format_named("opencua"))
    with pytest.raises(UsageError, match="has no prompts of its own"):
        read(tmp_path, "a.txt", "text", form="lesson")


def test_a_level_that_the_file_has_not_keeps_our_text() -> None:
    record = note_record()
    made = list(rows(format_named("opencua"), record, [0, 3], FormatOptions(prompts={"L2": "two"})))
    assert made[0]["messages"][0]["content"] == "two"
    assert "pyautogui" in made[1]["messages"][0]["content"]  # that step has no thought: it is of level L1


def test_a_recipe_names_a_file_and_keeps_its_texts(tmp_path: Path) -> None:
    (tmp_path / "prompts.py").write_text(MODULE)
    (tmp_path / "mine.yaml").write_text("unroll: {format: opencua, prompts: prompts.py}\n")
    options = load_recipe(str(tmp_path / "mine.yaml")).options["unroll"]
    assert options.prompts["L1"] == "one"
    with pytest.raises(UsageError, match="cannot be read"):
        load_recipe("desktop", ["unroll.format=opencua", "unroll.prompts=nowhere.py"])
