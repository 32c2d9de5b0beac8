"""A mixture on disk: what came from where, copies and leaks across parts, conservation, pictures linked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from curate.engine.mixing.mix import Mixed, MixOptions, mix
from curate.model.errors import GateError, InputError, UsageError
from curate.model.trajectory import Trajectory, Weight
from curate.store.dataset import DatasetWriter, read_manifest, read_records
from curate.store.run_folder import RunFolder
from tests.factories import make_trajectory, png, write_records
from tests.runs import contents, curate, run_here

VERBS = ("Export", "Rename", "Print", "Archive", "Share", "Encrypt", "Translate", "Rotate", "Duplicate", "Sort")


def made(prefix: str, count: int, **changes: object) -> list[Trajectory]:
    """Runs that are no copies of each other."""
    found = []
    for number in range(count):
        words = [f"click {prefix}{number}-{step}" for step in range(5 + number % 4)]
        task = f"{VERBS[number % 10]} the {prefix} file number {number}"
        found.append(make_trajectory(f"{prefix}:{number}", words, instruction=task, **changes))  # type: ignore[arg-type]
    return found


def dataset(folder: Path, records: list[Trajectory], pictures: bool = False) -> Path:
    with DatasetWriter(folder, {"by": "test"}) as writer:
        for number, record in enumerate(records):
            if pictures:
                record.steps[0].image = writer.media.add_bytes(png(64, 36, number), "png")
            writer.add(record)
    return folder


def taken(out: Path) -> list[str]:
    return [record.id for record in read_records(out)]


def refused(out: Path) -> list[dict[str, object]]:
    path = RunFolder(out).rejected
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()] if path.is_file() else []


@pytest.fixture()
def parts(tmp_path: Path) -> list[Path]:
    return [
        dataset(tmp_path / "people", made("p", 30, actor="human", platform="windows"), pictures=True),
        dataset(tmp_path / "programs", made("q", 40, platform="linux")),
    ]


def test_shares_conservation_and_the_manifest(parts, tmp_path):
    done = mix(parts, tmp_path / "m", MixOptions(shares=[0.6, 0.4], size=20))
    ids = taken(tmp_path / "m")
    assert Counter(id[0] for id in ids) == {"p": 12, "q": 8}
    assert sorted([*ids, *(str(row["id"]) for row in refused(tmp_path / "m"))]) == sorted(
        record.id for part in parts for record in read_records(part)
    )
    assert done.rejected == {"mix.not_sampled": 50}
    told = read_manifest(tmp_path / "m").made
    assert [(part["name"], part["records"]) for part in told["parts"]] == [("people", 30), ("programs", 40)]
    assert [group["taken"] for group in told["groups"]] == [12, 8] and told["people"] == 0.6
    assert str(tmp_path) not in msgspec.json.encode(told).decode()
    for record in read_records(tmp_path / "m"):
        assert record.lineage[-1] == f"mix: from {'people' if record.id[0] == 'p' else 'programs'}"


def test_pictures_are_the_same_files(parts, tmp_path):
    mix(parts, tmp_path / "m", MixOptions(shares=[1, 1]))
    images = [record.steps[0].image for record in read_records(tmp_path / "m") if record.id[0] == "p"]
    assert images
    for image in images:
        assert (tmp_path / "m" / image).samefile(parts[0] / image)


def test_the_same_mixture_has_the_same_bytes_and_another_is_refused(parts, tmp_path):
    options = MixOptions(shares=[0.5, 0.5], size=30, seed=3)
    mix(parts, tmp_path / "m", options)
    mix(parts, tmp_path / "n", options)
    assert contents(tmp_path / "m") == contents(tmp_path / "n")
    with pytest.raises(GateError, match="choose a new --out"):
        mix(parts, tmp_path / "m", msgspec.structs.replace(options, seed=4))


def test_by_steps_and_by_weight(parts, tmp_path):
    done = mix(parts, tmp_path / "m", MixOptions(by="steps", shares=[0.25, 0.75]))
    counts: Counter[str] = Counter()
    for record in read_records(tmp_path / "m"):
        counts[record.id[0]] += len(record.steps)
    assert counts["p"] / counts.total() == pytest.approx(0.25, abs=8 / counts.total())
    assert [group.taken for group in done.groups] == [counts["p"], counts["q"]]
    heavy = made("h", 10)
    for record in heavy:
        record.weight = Weight(value=3.0, by="test")
    third = dataset(tmp_path / "heavy", heavy)
    done = mix([parts[1], third], tmp_path / "w", MixOptions(by="weight", shares=[0.5, 0.5]))
    assert done.groups[0].trajectories == 30 and done.groups[1].trajectories == 10


def test_shares_of_platform_source_and_actor(parts, tmp_path):
    done = mix(parts, tmp_path / "m", MixOptions(key="platform", groups={"windows": 0.75}, size=40))
    assert {group.name: group.trajectories for group in done.groups} == {"linux": 10, "windows": 30}
    done = mix(parts, tmp_path / "n", MixOptions(key="actor", groups={"human": 0.5, "program": 0.5}))
    assert {group.name: group.trajectories for group in done.groups} == {"human": 30, "program": 30}
    with pytest.raises(UsageError, match="there is linux, windows"):
        mix(parts, tmp_path / "o", MixOptions(key="platform", groups={"macos": 0.5}))


def test_a_floor_is_kept_or_its_fall_is_told(tmp_path):
    half = [*made("a", 10, actor="human"), *made("b", 90)]
    part, other = dataset(tmp_path / "a", half), dataset(tmp_path / "b", made("c", 100))
    plain = mix([part, other], tmp_path / "m", MixOptions(shares=[0.5, 0.5], size=60))
    assert plain.people < 0.12
    raised = mix([part, other], tmp_path / "n", MixOptions(shares=[0.5, 0.5], size=60, floor=0.15))
    assert raised.people >= 0.15 and [group.trajectories for group in raised.groups] == [30, 30] and not raised.said
    short = mix([part, other], tmp_path / "o", MixOptions(shares=[0.5, 0.5], size=60, floor=0.4))
    assert short.people == pytest.approx(10 / 60) and "under the floor of 40.0%" in short.said[0]
    fallen = mix([part, other], tmp_path / "p", MixOptions(shares=[0.1, 0.9]))
    assert any("falls" in sentence for sentence in fallen.said) == (fallen.people < fallen.people_before - 5e-4)


@pytest.mark.parametrize("actor", ["program", "human"])
def test_copies_across_parts_are_out_with_their_witness_and_those_within_stay(tmp_path, actor):
    twin = [f"click T{step}" for step in range(6)]
    first = [*made("a", 6), make_trajectory("a:twin", twin, instruction="Pay the bill", actor=actor)]
    second = [*made("b", 6)]
    second += [make_trajectory(f"b:twin{i}", twin, instruction="Pay the bill", actor=actor) for i in range(2)]
    within = [f"click W{step}" for step in range(6)]
    second += [make_trajectory(f"b:own{i}", within, instruction="Water the plants", actor=actor) for i in range(3)]
    done = mix([dataset(tmp_path / "a", first), dataset(tmp_path / "b", second)], tmp_path / "m", MixOptions())
    out = refused(tmp_path / "m")
    assert {row["id"] for row in out} == {"b:twin0", "b:twin1"}
    assert all(row["reason"] == "mix.copy_across_parts" and "of a:twin" in str(row["detail"]) for row in out)
    assert done.rejected == {"mix.copy_across_parts": 2} and {"b:own0", "b:own1", "b:own2"} <= set(
        taken(tmp_path / "m")
    )


def test_leaks_of_packs_are_out(parts, tmp_path):
    pack = tmp_path / "pack.jsonl"
    pack.write_text('{"id": "t1", "instruction": "rename the q file number 1!"}\n', encoding="utf-8")
    done = mix(parts, tmp_path / "m", MixOptions(tests=[str(pack)]))
    assert done.rejected == {"leaks.same_task": 1}
    assert refused(tmp_path / "m")[0]["id"] == "q:1"


def test_a_leak_spreads_over_its_near_copies_in_other_parts(parts, tmp_path):
    """As in a run: who did the same as a run that gives a test task away shows how that is done, whatever it says."""
    does = [f"click L{step}" for step in range(6)]
    leak = make_trajectory("a:leak", does, instruction="Book the flight to Oslo")
    twin = make_trajectory("b:twin", does, instruction="Press these six buttons")
    pack = tmp_path / "pack.jsonl"
    pack.write_text('{"id": "t1", "instruction": "book the flight to oslo"}\n', encoding="utf-8")
    one, other = dataset(tmp_path / "a", [*made("a", 4), leak]), dataset(tmp_path / "b", [*made("b", 4), twin])
    for order in ([one, other], [other, one]):
        out = tmp_path / f"m-{order[0].name}"
        done = mix(order, out, MixOptions(tests=[str(pack)]))
        assert done.rejected == {"leaks.copy_of_leak": 1, "leaks.same_task": 1}
        told = {str(row["id"]): (row["reason"], str(row["detail"])) for row in refused(out)}
        assert told["a:leak"][0] == "leaks.same_task"
        assert told["b:twin"][0] == "leaks.copy_of_leak" and told["b:twin"][1].startswith("of a:leak (")
    apart = mix([one, other], tmp_path / "apart", MixOptions(tests=[str(pack)], sets=["leaks.spread=false"]))
    assert apart.rejected == {"leaks.same_task": 1}


def test_a_run_gives_what_it_kept_and_its_test_is_held_out_of_every_part(tmp_path):
    records = [*made("r", 24), make_trajectory("r:lost", completed=False, instruction="Fail at once")]
    run_here([write_records(tmp_path / "r.jsonl", records)], tmp_path / "run", ["split.by=run", "split.test=0.2"])
    files = (tmp_path / "run" / "examples").glob("test-*.jsonl")
    lines = [line for path in files for line in path.read_bytes().splitlines()]
    test = {msgspec.json.decode(line)["id"].partition("/")[0] for line in lines}
    assert test
    tasks = {record.id: record.instruction for record in records}
    echo = [make_trajectory(f"e:{i}", [f"click E{i}{k}" for k in range(6)], instruction=tasks[name])
            for i, name in enumerate(sorted(test))]  # fmt: skip
    other = dataset(tmp_path / "other", [*made("s", 5), *echo])
    done = mix([tmp_path / "run", other], tmp_path / "m", MixOptions())
    reasons = {str(row["id"]): row["reason"] for row in refused(tmp_path / "m")}
    assert {id for id, reason in reasons.items() if reason == "mix.test_split"} == test
    assert reasons["r:lost"] == "mix.not_kept"
    assert all(reasons[record.id] == "mix.leak_across_parts" for record in echo)
    assert done.manifest.trajectories + sum(done.rejected.values()) == len(records) + len(echo) + 5


def test_equal_ids_of_two_parts_become_two(tmp_path):
    one, other = made("a", 3), made("b", 3)
    for record, twin in zip(one, other, strict=True):
        twin.id = record.id
    done = mix([dataset(tmp_path / "x", one), dataset(tmp_path / "y", other)], tmp_path / "m", MixOptions())
    assert done.renamed == 3 and len(set(taken(tmp_path / "m"))) == 6


def test_what_cannot_be_mixed_is_said(parts, tmp_path):
    with pytest.raises(InputError, match="no dataset or run folder"):
        mix([tmp_path], tmp_path / "m", MixOptions())
    with pytest.raises(UsageError, match="give --size 50"):
        mix(parts, tmp_path / "m", MixOptions(shares=[0.6, 0.4], size=100))


def test_the_command(parts, tmp_path):
    done = curate(
        "mix", f"{parts[0]}=0.6", f"{parts[1]}=0.4", "--out", tmp_path / "m", "--floor", "human=0.7", "--json"
    )
    assert done.returncode == 0, done.stderr
    told = msgspec.json.decode(done.stdout, type=Mixed)
    assert told.people == 0.6 and "under the floor of 70.0%" in done.stderr
    for wrong in (["--share", "colour:red=1"], ["--floor", "robot=0.1"], ["--set", "split.test=0"]):
        failed = curate("mix", parts[0], parts[1], "--out", tmp_path / "n", *wrong)
        assert failed.returncode == 2 and "Error" in failed.stderr, wrong
