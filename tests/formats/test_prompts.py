"""Prompt files of released models: constants of a module that is never run, members of JSON and YAML, plain texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from curate.engine.recipe import load_recipe
from curate.formats.base import Format, FormatOptions, check_options, format_named, formats, rows
from curate.formats.prompts import kept_slots, prompt, read_prompts
from curate.model.actions import Click
from curate.model.errors import UsageError
from curate.model.trajectory import Element
from tests.factories import make_step, make_trajectory
from tests.formats.records import PICTURES, note_record


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
        ("a.json", '{"L2": ""}', "text L2 is empty"),
        ("a.txt", "", "its text is empty"),
        ("a.txt", " \n", "its text is empty"),
        ("a.txt", "a\0b", "holds a null character"),
        ("a.py", "SYSTEM_PROMPT_V1_L2 = f'{x}'", "print what code puts together into a text file"),
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


PROMPTED = [name for name, form in formats().items() if form.prompts]


@pytest.mark.parametrize("name", PROMPTED)
def test_each_familys_prompt_file_is_what_its_rows_say(tmp_path: Path, name: str) -> None:
    """By the model's own names where it has some, else by ours; a phone's for phones."""
    form = format_named(name)
    names = {slot: (names[0] if names else slot) for slot, names in form.prompts.items()}
    text = "".join(f'{own} = "The words for {slot}: {{instruction}}"\n' for slot, own in names.items())
    given = read(tmp_path, "prompt.py", text, name)
    assert set(given) == set(form.prompts) and not kept_slots(given, form)
    (first, *_) = form.prompts
    assert kept_slots({first: "x"}, form) == list(form.prompts)[1:] and not kept_slots(read_all(tmp_path, form), form)
    said = set()
    for platform in ("linux", "android"):
        steps = [
            make_step(0, Click(0.5, 0.5), image=PICTURES[0], image_size=(1280, 720), action="Do it", thought="So.",
                      observation="A screen.", element=Element(role="button", name="OK", box=(0.4, 0.4, 0.6, 0.6)))
        ]  # fmt: skip
        record = make_trajectory("r", steps=steps, platform=platform)  # type: ignore[arg-type]
        for dialect in form.dialects or (None,):
            for level in ("L1", "L2", "L3"):
                options = FormatOptions(prompts=given, dialect=dialect, level=level)  # type: ignore[arg-type]
                for row in rows(form, record, [0], options):
                    told = str(row)
                    said |= {slot for slot in form.prompts if f"The words for {slot}: " in told}
                    own = (name, dialect) in {("ms-swift", "point"), ("ms-swift", "box")}
                    assert own or "The words for " in told
    assert said == set(form.prompts) - ({"point", "box"} if name == "ms-swift" else set())


def read_all(folder: Path, form: Format) -> dict[str, str]:
    return read(folder, "all.txt", "for all", form.name)


def test_a_prompt_has_no_place_for_a_picture() -> None:
    for given in ({"system_prompt": "Look at <image>."}, {"prompts": {"steps": "Look at {{image}}."}}):
        with pytest.raises(UsageError, match=r"holds (<image>|{{image}}), where trainers put a picture"):
            check_options(format_named("llamafactory"), FormatOptions(**given))  # type: ignore[arg-type]
    check_options(
        format_named("uitars"), FormatOptions(prompts={"phone": "start_box='<|box_start|>(x1,y1)<|box_end|>'"})
    )


def test_a_recipe_names_a_file_and_keeps_its_texts(tmp_path: Path) -> None:
    (tmp_path / "prompts.py").write_text(MODULE)
    (tmp_path / "mine.yaml").write_text("unroll: {format: opencua, prompts: prompts.py}\n")
    options = load_recipe(str(tmp_path / "mine.yaml")).options["unroll"]
    assert options.prompts["L1"] == "one"
    with pytest.raises(UsageError, match="cannot be read"):
        load_recipe("desktop", ["unroll.format=opencua", "unroll.prompts=nowhere.py"])
