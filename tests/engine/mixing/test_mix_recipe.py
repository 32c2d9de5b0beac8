"""A mixture as one file, three overlapping parts counted by hand, and a mixture that is killed in the middle."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from pathlib import Path

import jsonschema
import msgspec
import pytest
import yaml

from curate.engine.mixing.mix import MixOptions, mix
from curate.engine.mixing.mix_recipe import SCHEMA, read_mix_recipe
from curate.engine.progress import Silent
from curate.engine.schemas import all_schemas
from curate.model.errors import UsageError
from curate.model.trajectory import Trajectory
from curate.store.dataset import read_manifest, read_records
from tests.engine.mixing.test_mix import dataset, made, refused, taken
from tests.factories import make_trajectory
from tests.runs import contents, curate

WHOLE = """\
about: People and programs, held against a pack.
parts:
  people: 0.6
  programs: 0.4
by: steps
size: 60
floor: {human: 0.5}
seed: 3
tests: [pack.jsonl]
nearcopies:
  action_people: weight
leaks: {spread: false}
"""


@pytest.fixture()
def folder(tmp_path: Path) -> Path:
    dataset(tmp_path / "people", made("p", 12, actor="human", platform="windows"), pictures=True)
    dataset(tmp_path / "programs", made("q", 14, platform="linux"))
    (tmp_path / "pack.jsonl").write_text('{"id": "t1", "instruction": "rename the q file number 1!"}\n')
    return tmp_path


def recipe(folder: Path, text: str) -> Path:
    path = folder / "mixture.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_recipe_is_what_the_command_says(folder: Path) -> None:
    """The same bytes, from wherever the recipe is read: its folders lie beside it."""
    told = curate("mix", "--recipe", recipe(folder, WHOLE), "--out", folder / "m")
    assert told.returncode == 0, told.stderr
    said = ["--by", "steps", "--size", "60", "--floor", "human=0.5", "--seed", "3", "--tests", folder / "pack.jsonl",
            "--set", "nearcopies.action_people=weight", "--set", "leaks.spread=false"]  # fmt: skip
    done = curate("mix", f"{folder / 'people'}=0.6", f"{folder / 'programs'}=0.4", "--out", folder / "n", *said)
    assert done.returncode == 0, done.stderr
    one, other = contents(folder / "m"), contents(folder / "n")
    manifests = [read_manifest(folder / name).made for name in ("m", "n")]
    assert {name: one[name] for name in one if name != "dataset.json"} == {
        name: other[name] for name in other if name != "dataset.json"
    }
    for manifest in manifests:
        assert {part["name"]: part["records"] for part in manifest["parts"]} == {"people": 12, "programs": 14}
        assert str(folder) not in msgspec.json.encode(manifest).decode()
    assert manifests[0]["groups"] == manifests[1]["groups"]
    assert "q:1" in {row["id"] for row in refused(folder / "m") if row["reason"] == "leaks.same_task"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("parts: {people: 1}\nsise: 5\n", "line 2: there is no key 'sise'. Did you mean 'size'?"),
        ("parts: {people: 1}\n\nby: step\n", "line 3: by must be one of steps, trajectories, weight"),
        ("parts: {people: 1}\nsize: 0\n", "line 2: size must be"),
        ("parts: {people: -1}\n", "line 1: parts must be folders with their shares"),
        ("parts: {people: .inf}\n", "line 1: a share is a number that ends"),
        ("parts: {people: .nan}\n", "line 1"),
        ("parts: {people: 0, programs: 0}\n", "line 1: the shares come to nothing"),
        ("parts: []\n", "line 1: parts names no folder"),
        ("by: steps\n", "it names no parts"),
        ("- people\n", "is no recipe of a mixture"),
        ("", "is no recipe of a mixture"),
        ("parts: {people: 1}\nparts: {people: 1}\n", "line 2: parts is given twice"),
        ("parts: {people: 1, people: 2}\n", "given twice"),
        ("parts: [people\n", "is no valid YAML"),
        ("parts: [people]\nshare:\n  colour: {red: 1}\n", "line 2: share must be shares by the values of a key"),
        ("parts: [people]\nshare: {source: {a: 1}, actor: {human: 1}}\n", "line 2: shares are of one key"),
        ("parts: {people: 1}\nshare: {actor: {human: 1}}\n", "line 2: shares are of the parts or of a key"),
        ("parts: [people]\nfloor: 0.5\n", "line 2: floor must be {human: SHARE}"),
        ("parts: [people]\nfloor: {human: 1.5}\n", "line 2: floor must be"),
        ("parts: [people]\nnearcopies: {treshold: 1}\n", 'line 2: nearcopies has no option "treshold"'),
        ("parts: [people]\nleaks: {tests: x}\n", "line 2: leaks.tests: packs are named by the mixture"),
        ("parts: [people]\nseed: -1\n", "line 2: seed must be"),
        ("parts: !!python/object:os.system {}\n", "is no valid YAML"),
    ],
    ids=lambda one: str(one)[:40].replace("\n", " "),
)
def test_what_a_recipe_may_not_say_is_told_with_its_line(folder: Path, text: str, said: str) -> None:
    with pytest.raises(UsageError) as told:
        read_mix_recipe(recipe(folder, text))
    assert said in str(told.value) and "mixture.yaml" in str(told.value) and "\n" not in str(told.value)


def test_the_command_has_nothing_beside_a_recipe(folder: Path) -> None:
    path = recipe(folder, "parts: [people, programs]\n")
    for more in (["people=1"], ["--seed", "1"], ["--share", "actor:human=1"]):
        done = curate("mix", "--recipe", path, "--out", folder / "m", *more)
        assert done.returncode == 2 and "all of the mixture stands in" in done.stderr, done.stderr
    assert curate("mix", "--out", folder / "m").returncode == 2
    assert curate("mix", "--recipe", folder / "gone.yaml", "--out", folder / "m").returncode == 2
    assert not (folder / "m").exists()


def test_the_schema_knows_what_is_read(folder: Path) -> None:
    schema = all_schemas()[SCHEMA]
    jsonschema.validate(yaml.safe_load(WHOLE), schema)
    jsonschema.validate({"parts": ["a", "b"], "share": {"actor": {"human": 0.5}}}, schema)
    for wrong in ({"parts": ["a"], "sise": 1}, {"by": "steps"}, {"parts": ["a"], "floor": {"robot": 1}}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_three_overlapping_parts_counted_by_hand(tmp_path: Path) -> None:
    """a has 6 of its own and two that b has too; b has 5 of its own, these two, and one that c has; c has 4 of its own,
    that one, and the first that a and b share. What stands in an earlier part is out of the later ones."""

    def run(name: str, number: int) -> Trajectory:
        does = [f"click {name}{step}" for step in range(6)]
        return make_trajectory(
            f"{number}:{name}", does, instruction=f"Do what {name} says", actor="human" if number == 0 else "program"
        )

    a = [*made("a", 6, actor="human"), run("ab1", 0), run("ab2", 0)]
    b = [*made("b", 5), run("ab1", 1), run("ab2", 1), run("bc", 1)]
    c = [*made("c", 4), run("bc", 2), run("ab1", 2)]
    folders = [dataset(tmp_path / name, records) for name, records in (("a", a), ("b", b), ("c", c))]
    whole = mix(folders, tmp_path / "whole", MixOptions())
    out = {str(row["id"]): str(row["detail"]) for row in refused(tmp_path / "whole")}
    assert set(out) == {"1:ab1", "1:ab2", "2:bc", "2:ab1"}
    assert "of 0:ab1" in out["1:ab1"] and "of 1:bc" in out["2:bc"] and "of 0:ab1" in out["2:ab1"]
    assert [(group.name, group.available, group.trajectories) for group in whole.groups] == [
        ("a", 8, 8), ("b", 6, 6), ("c", 4, 4),
    ]  # fmt: skip
    assert whole.people == pytest.approx(8 / 18) and whole.manifest.trajectories == 18
    # shares 2:1:1 of a=8, b=6, c=4: a is the scarcest (8 / 0.5 = 16), so 8 + 4 + 4
    shared = mix(folders, tmp_path / "shared", MixOptions(shares=[2, 1, 1]))
    assert Counter(record.lineage[-1] for record in read_records(tmp_path / "shared")) == {
        "mix: from a": 8, "mix: from b": 4, "mix: from c": 4,
    }  # fmt: skip
    assert shared.rejected == {"mix.copy_across_parts": 4, "mix.not_sampled": 2} and shared.people == 0.5
    low = mix(folders, tmp_path / "low", MixOptions(shares=[1, 2, 2], size=10, floor=0.3))
    assert [group.trajectories for group in low.groups] == [2, 4, 4] and low.people == pytest.approx(0.2)
    assert any("20.0%" in said and "floor of 30.0%" in said for said in low.said)
    assert any("falls" in said for said in low.said)


class Dies(Silent):
    """Ends the process at once, as a power cut does, when so many records were written."""

    def __init__(self, after: int) -> None:
        self.left = after

    def advance(self, count: int = 1) -> None:
        self.left -= 1
        if self.left == 0:
            os._exit(9)


def _killed(folders: list[Path], out: Path, after: int) -> None:
    mix(folders, out, MixOptions(), Dies(after))


@pytest.mark.parametrize("after", [1, 2, 9, 26])
def test_a_mixture_killed_in_the_middle_is_made_anew(folder: Path, after: int) -> None:
    folders = [folder / "people", folder / "programs"]
    before = [contents(one) for one in folders]
    child = multiprocessing.get_context("spawn").Process(target=_killed, args=(folders, folder / "m", after))
    child.start()
    child.join(60)
    assert child.exitcode == 9 and not (folder / "m" / "dataset.json").exists()
    mix(folders, folder / "m", MixOptions())
    mix(folders, folder / "clean", MixOptions())
    assert contents(folder / "m") == contents(folder / "clean") and len(taken(folder / "m")) == 26
    assert [contents(one) for one in folders] == before
