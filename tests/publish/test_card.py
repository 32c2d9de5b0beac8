"""The card says what is in the data: other data, another card; and nothing recorded does anything in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from curate.model.trajectory import Actor, Outcome, Score, Trajectory
from curate.publish.card import card, size_category
from curate.publish.croissant import croissant
from curate.publish.inert import block, code, plain
from curate.publish.sample import shown_json
from curate.publish.staged import Staged
from curate.publish.staging import stage
from tests.publish.made import HOSTILE, LEAKED, OPTIONS, configs_of, corpus, make_run, staged


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Staged:
    run = make_run(tmp_path_factory.mktemp("card"))
    return staged(run, run.with_name("run.publish"))


def text_of(published: Staged) -> str:
    return (published.folder / "README.md").read_text("utf-8")


def body(text: str) -> str:
    return text.split("\n---\n", 1)[1]


def row(text: str, first: str) -> list[str]:
    """The cells of the table row that begins with this one."""
    line = next(line for line in body(text).splitlines() if line.startswith(f"| {first} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_counts_are_those_of_the_records(published: Staged, tmp_path: Path) -> None:
    """Counted again from the records as they were handed in: six are kept, and by the fixture each has five steps."""
    text = text_of(published)
    records = {record.id: record for record in corpus(tmp_path)}
    kept = [records[f"made:{app}"] for app in ("notes", "sheets", "mail", "maps", "paint", "music")]
    platforms = Counter(record.platform for record in kept)
    assert "6 runs of computer use with 30 steps" in text
    assert f"{platforms['linux']} linux (83.3 %), {platforms['windows']} windows (16.7 %)" in text
    licences = Counter(record.source.license for record in kept)
    assert row(text, "`office` | `MIT`")[2:] == [str(licences["MIT"]), "25"]
    assert row(text, "`office` | `CC0-1.0`")[2:] == [str(licences["CC0-1.0"]), "5"]
    assert "4 by people (66.7 %), 2 by programs (33.3 %)" in text
    assert "5 completed (83.3 %), 1 unknown (16.7 %)" in text
    assert "correct: 1 yes, 1 no, 28 not known" in text
    assert "Scores: `alignment` (1 run)" in text
    pictures = {(step.image, step.image_after) for record in kept for step in record.steps}
    different = {name for pair in pictures for name in pair} | {record.final_image for record in kept}
    shown = sum(2 * len(record.steps) + 1 for record in kept)
    assert f"{len(different)} different pictures, shown {shown} times" in text
    total = [int(n) for n in row(text, "`train`")[1:]], [int(n) for n in row(text, "`test`")[1:]]
    assert [one + other for one, other in zip(*total, strict=True)] == [6, 30, 29, 29]  # a wrong step is no target
    assert row(text, "`outcome` | 9")[2:] == ["8", "1: `outcome.not_completed` 1", "0"]
    assert row(text, "`leaks`") == ["`leaks`", "8", "7", "1: `leaks.same_task` 1", "0"]
    assert "Held against: `harbour`" in text
    assert "similarity of 0.5 on" in text and "Dropped as near-copies: 1." in text


def _failed(records: list[Trajectory]) -> None:
    records[3].outcome = Outcome(completed=None)


def _scored(records: list[Trajectory]) -> None:
    records[4].scores = [Score(name="alignment", value=1, min=0, max=10, higher_is_better=True)]


def _by_a_model(records: list[Trajectory]) -> None:
    records[4].actor = Actor(kind="model", name="m-1")


CHANGES: dict[str, tuple[Callable[[list[Trajectory]], Any], str]] = {
    "outcome": (_failed, "4 completed (66.7 %), 2 unknown (33.3 %)"),
    "score": (_scored, "Scores: `alignment` (2 runs)"),
    "actor": (_by_a_model, "4 by people (66.7 %), 1 by models (16.7 %), 1 by programs (16.7 %)"),
    "platform": (lambda records: setattr(records[0], "platform", "macos"), "1 macos (16.7 %)"),
    "licence": (lambda records: setattr(records[0].source, "license", None), "| `office` | not stated | 1 | 5 |"),
    "marks": (lambda records: setattr(records[0].steps[0], "redundant", True), "redundant: 1 yes, 0 no, 29 not known"),
    "step": (lambda records: records[0].steps.pop(), "6 runs of computer use with 29 steps"),
    "run": (lambda records: records.pop(0), "5 runs of computer use with 25 steps"),
    "site": (lambda records: records[0].sites.append("example.org"), "6 apps, 1 site and"),
    "tree": (lambda records: setattr(records[0].steps[1], "tree", None), "5 steps with an accessibility tree"),
    "words": (lambda records: setattr(records[0].steps[0], "action", None), "The words of 1 step were made"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_other_data_is_another_card(name: str, published: Staged, tmp_path: Path) -> None:
    change, expected = CHANGES[name]
    records = corpus(tmp_path / "data")
    change(records)
    run = make_run(tmp_path, records, ["validate.min_steps=1"])
    text = text_of(staged(run, tmp_path / "out"))
    assert expected in text
    assert expected not in text_of(published)


def other(value: Any) -> Any:
    """The same shape with other numbers, truths and words."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return f"{value}x"
        case list():
            return [other(one) for one in value]
        case dict():
            return {key: other(one) for key, one in value.items()}
    return value


def test_every_number_of_the_manifest_is_told(published: Staged) -> None:
    """Each of them changed alone changes the card or the Croissant file, and nothing else of the manifest does."""
    manifest, configs = published.manifest, configs_of(published)
    before = card(manifest, configs, OPTIONS), croissant(manifest, configs, OPTIONS)
    assert before[0] == text_of(published)
    silent = []
    for name, number in manifest.numbers.items():
        if not number.value and number.value != 0:
            continue
        numbers = {**manifest.numbers, name: msgspec.structs.replace(number, value=other(number.value))}
        if name == "splits":
            numbers["examples"] = msgspec.structs.replace(manifest.numbers["examples"], value={})
        changed = msgspec.structs.replace(manifest, numbers=numbers)
        if (card(changed, configs, OPTIONS), croissant(changed, configs, OPTIONS)) == before:
            silent.append(name)
    assert not silent


def test_numbers_that_are_not_known_are_said_to_be_not_known(published: Staged) -> None:
    text = text_of(published)
    for sentence in (
        "Pay of the people who recorded or labelled is not known",
        "Not known: nobody's second look at verdicts was given",
        "What a scan for personal data found is not known",
        "how many tasks it has is not known",
        "No citation was given",
    ):
        assert sentence in text
    assert "| not known | not known |" in text  # pointer and hover of pictures without a pointer


def test_what_a_person_says_stands_in_the_card(published: Staged, tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("currency: EUR\nprices:\n  - {what: pay, price: 2.5, per: run}\n")
    run = published.folder.with_name("run")
    said = staged(
        run, tmp_path / "out", title="Office *runs*", license="other", license_name="office-1.0", version="1.2.0",
        license_link="https://example.org/licence", citation="@misc{office, title={Office}}", costs=prices,
        accept=("leak.unchecked",),
    )  # fmt: skip
    text = text_of(said)
    front = yaml.safe_load(text.split("\n---\n", 1)[0].removeprefix("---"))
    assert front["pretty_name"] == "Office *runs*"
    assert (front["license"], front["license_name"]) == ("other", "office-1.0")
    assert front["license_link"] == "https://example.org/licence"
    assert "# Office \\*runs\\*" in text
    assert "@misc{office, title={Office}}" in text
    assert "Spent in all, in `EUR`: `office` 17.50, `made` 5.00, `all sources` 22.50." in text  # 7 + 2 runs read
    assert "Let through by name: `leak.unchecked`." in text


def test_what_the_gate_found_stands_in_the_card(published: Staged, tmp_path: Path) -> None:
    run = published.folder.with_name("run")
    scan = [{"code": "leak.weak", "count": 3}, {"code": "personal.contact", "count": 12}]
    text = text_of(stage(run, tmp_path / "out", OPTIONS, scan=scan))
    assert "`leak.weak` 3: Published runs share something with test tasks" in text
    assert "found of personal data: `personal.contact` 12." in text


def test_the_yaml_is_what_the_hub_reads(published: Staged) -> None:
    from huggingface_hub import DatasetCard

    data = DatasetCard.load(published.folder / "README.md").data.to_dict()
    assert data["license"] == "cc-by-4.0"
    assert data["size_categories"] == ["n<1K"]
    assert [config["config_name"] for config in data["configs"]] == ["steps", "trajectories", "examples"]
    assert [config.get("default") for config in data["configs"]] == [True, None, None]
    rows = {file.path: file.rows for file in published.manifest.files}
    for config, info in zip(data["configs"], data["dataset_info"], strict=True):
        assert info["config_name"] == config["config_name"]
        for split in info["splits"]:
            name = f"data/{config['config_name']}/{split['name']}-00000.parquet"
            assert split["num_examples"] == rows[name]
        assert info["download_size"] == sum(
            file.bytes for file in published.manifest.files if file.path.startswith(f"data/{info['config_name']}/")
        )


def test_recorded_text_is_inert_in_the_card(published: Staged) -> None:
    """As a Markdown renderer sees it: what was recorded is in code, and makes no link, picture or HTML."""
    text = body(text_of(published))
    assert "alert(1)" in text
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    inline = [child for token in tokens for child in (token.children or [])]
    assert not [one for one in inline if one.type in ("link_open", "image")]
    html = [one.content for one in [*tokens, *inline] if one.type in ("html_block", "html_inline")]
    assert all("details" in one or "summary" in one or "code" in one for one in html), html
    for one in [*tokens, *inline]:
        if one.type not in ("fence", "code_inline", "inline"):
            assert "evil.example" not in one.content and "alert" not in one.content
    assert "\u202e" not in text
    assert LEAKED not in text and HOSTILE.split("<")[0] in text


@given(st.text(max_size=80))
def test_any_text_stays_in_its_code_span(text: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(f"| a |\n|---|\n| {code(text)} |\n")
    cells = [token for token in tokens if token.type == "inline"]
    assert len(cells) == 2
    assert [child.type for child in cells[1].children or []] == ["code_inline"]


@given(st.text(max_size=80))
def test_any_text_stays_in_its_block(text: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).parse(f"{block(text)}\n\nafter\n")
    assert [token.type for token in tokens] == ["fence", "paragraph_open", "inline", "paragraph_close"]


@given(st.text(min_size=1, max_size=80).filter(lambda text: text.strip()))
def test_a_title_is_text(text: str) -> None:
    tokens = MarkdownIt("commonmark", {"html": True}).parse(f"# {plain(text)}\n")
    assert [token.type for token in tokens] == ["heading_open", "inline", "heading_close"]
    assert {child.type for child in tokens[1].children or []} <= {"text", "text_special"}


@pytest.mark.parametrize(
    ("rows", "category"),
    [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (99_999, "10K<n<100K"), (5_000_000, "1M<n<10M"),
     (200_000_000, "100M<n<1B"), (5_000_000_000, "1B<n<10B")],
)  # fmt: skip
def test_size_categories_are_the_hubs(rows: int, category: str) -> None:
    """The classes of the Hub's card specification."""
    assert size_category(rows) == category


def test_numbers_of_the_card_are_in_the_manifest(published: Staged) -> None:
    """Each number of more than two digits that the tables of the card show stands in the manifest's JSON."""
    known = msgspec.json.encode(published.manifest).decode()
    text = re.sub(r"```.*?```", "", body(text_of(published)), flags=re.DOTALL)
    for number in re.findall(r"(?<![\w.`-])\d{3,}(?![\w.%-])", text.replace(",", "")):
        assert number in known


def test_the_sample_is_the_record_with_plain_lists_on_one_line() -> None:
    record = {
        "a": [1, -2.5e-7, 3], "b": ["[ x ]", 'q"', "back\\slash", "two\nlines", "é, ü"],
        "c": [[0.1, 0.2], [True, None]], "d": [], "e": [{"f": [1]}], "g": ["1, 2", ","],
    }  # fmt: skip
    text = shown_json(record)
    assert msgspec.json.decode(text) == record
    assert '"a": [1, -2.5e-7, 3],' in text and "[0.1, 0.2]" in text and '"g": ["1, 2", ","]' in text
