"""Recipes: what is accepted, and that every wrong name or value is answered with what would be right."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from curate.engine.recipe import load_recipe, recipe_names, resolve, sections
from curate.engine.schemas import recipe_schema
from curate.model.errors import UsageError
from curate.stages import registry


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "mine.yaml"
    path.write_text(text, "utf-8")
    return str(path)


def test_the_shipped_recipes_load_and_fit_their_schema() -> None:
    assert recipe_names() == ["desktop", "lesson", "mobile", "web"]
    for name in recipe_names():
        recipe = load_recipe(name)
        jsonschema.validate(msgspec.to_builtins(recipe.plain()), recipe_schema())
        assert recipe.order[-1] == "unroll"


def test_what_the_contract_says_of_the_desktop_recipe() -> None:
    options = load_recipe("desktop").options
    assert options["validate"].min_steps == 5
    assert options["outcome"].keep == "not_failed"
    assert options["keyframes"].pointer == "previous"
    assert (options["nearcopies"].action, options["nearcopies"].action_people) == ("drop", "weight")
    assert load_recipe("web").options["validate"].min_steps == 1


def test_a_resolved_recipe_is_a_recipe_with_nothing_left_to_defaults(tmp_path: Path) -> None:
    for name in recipe_names():
        recipe = load_recipe(name)
        again = load_recipe(written(tmp_path, yaml.safe_dump(recipe.plain(), allow_unicode=True)))
        assert again.plain() == recipe.plain()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("nearcopy: {threshold: 0.5}", r'no section "nearcopy" \(did you mean "nearcopies"\?\)'),
        ("nearcopies: {thresold: 0.5}", r'no option "thresold" \(did you mean "threshold"\?\); it has .*evidence'),
        ("nearcopies: {threshold: high}", r'nearcopies\.threshold is "high"; allowed is a number above 0 to 1'),
        ("nearcopies: {threshold: 2}", r"nearcopies\.threshold is 2; allowed is a number above 0 to 1"),
        ("outcome: {keep: complete}", r'outcome\.keep is "complete"; allowed is one of all, completed, not_failed'),
        ("validate: {min_steps: 2.5}", r"validate\.min_steps is 2\.5; allowed is a whole number from 0"),
        ("leaks: {apps: notes}", r'leaks\.apps is "notes"; allowed is a list of which each is text'),
        ("outcome: completed", r"outcome must hold options"),
        ("order: [validate, leak, unroll]", r'order names "leak", which is no stage \(did you mean "leaks"\?\)'),
        ("order: [validate, outcome]", r"order must end with unroll"),
        ("order: validate", r"order must be a list of stages"),
        ("seed: -1", r"seed is -1; allowed is a whole number from 0"),
        ("seed: true", r"seed is true"),
        ("seed: 1\nseed: 2", r"'seed' is given twice"),
        ("outcome: {keep: all, keep: completed}", r"'keep' is given twice"),
        ("[1, 2]", r"must be sections with options"),
        ("a: [", r"is no valid YAML"),
        ("!!python/object/apply:os.system ['true']", r"is no valid YAML"),
    ],
)
def test_a_wrong_recipe_says_what_would_be_right(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        load_recipe(written(tmp_path, text))


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("nearcopies.threshold", r"write it as section\.option=value"),
        ("nearcopies.treshold=0.5", r'no option "treshold" \(did you mean "threshold"\?\)'),
        ("nearcopy.threshold=0.5", r'no option "nearcopy\.threshold" \(did you mean "nearcopies\.threshold"\?\)'),
        ("zzz.qqq=1", r'no option "zzz\.qqq"; the sections are .*nearcopies'),
        ("nearcopies.threshold=", r"is empty; allowed is a number"),
        ("nearcopies.threshold={", r"the value is no YAML"),
        ("leaks.tests=/nowhere.jsonl", None),
    ],
)
def test_a_wrong_setting_says_what_would_be_right(setting: str, told: str | None) -> None:
    if told is None:  # whether the file is there is asked when the run is planned
        assert load_recipe("web", [setting]).options["leaks"].tests == "/nowhere.jsonl"
        return
    with pytest.raises(UsageError, match=told):
        load_recipe("web", [setting])


def test_settings_have_yamls_scalars_and_lists() -> None:
    sets = ["nearcopies.across_apps=true", "leaks.apps=[notes, 'a b']", "validate.max_scrolls=off", "seed=7",
            "nearcopies.threshold=1", "validate.today=2026-01-31", "split.test=0"]  # fmt: skip
    recipe = load_recipe("web", sets)
    assert recipe.options["nearcopies"].across_apps is True
    assert list(recipe.options["leaks"].apps) == ["notes", "a b"]
    assert recipe.options["validate"].max_scrolls is None and recipe.seed == 7
    assert recipe.options["nearcopies"].threshold == 1.0


def test_an_unknown_name_lists_the_recipes() -> None:
    with pytest.raises(UsageError, match=r'"deskop" \(did you mean "desktop"\?\); .*desktop, lesson, mobile, web'):
        load_recipe("deskop")
    with pytest.raises(UsageError, match=r"no recipe file nowhere\.yaml"):
        load_recipe("nowhere.yaml")


def test_files_of_a_recipe_lie_beside_it_and_show_as_names(tmp_path: Path) -> None:
    (tmp_path / "tests.jsonl").write_text('{"id": "1", "instruction": "Mute the phone now"}\n')
    recipe = load_recipe(written(tmp_path, "leaks: {tests: tests.jsonl}"))
    assert Path(recipe.options["leaks"].tests) == tmp_path / "tests.jsonl"
    assert recipe.plain()["leaks"]["tests"] == "tests.jsonl"


def test_every_option_of_every_stage_is_documented() -> None:
    for section, stage in registry.stages().items():
        kind = stage.options
        for field in msgspec.structs.fields(kind):
            assert f"`{field.encode_name}`" in (kind.__doc__ or ""), f"{section}.{field.encode_name}"


scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5))
plain = st.dictionaries(
    st.one_of(st.sampled_from([*sections(), "order", "seed"]), st.text(max_size=4)),
    st.one_of(scalars, st.lists(scalars, max_size=2), st.dictionaries(st.text(max_size=9), scalars, max_size=2)),
    max_size=3,
)


@given(plain)
def test_whatever_stands_in_a_recipe_the_answer_is_a_recipe_or_a_sentence(given_plain: dict[str, object]) -> None:
    try:
        recipe = resolve(given_plain, "mine", "Recipe mine")
    except UsageError as error:
        assert str(error).endswith(".") and "\n" not in str(error).strip()
    else:
        assert resolve(recipe.plain(), "mine", "Recipe mine").plain() == recipe.plain()
