"""Training runs against our own test: every kind of evidence that applies there, and the same whatever the blocks."""

from __future__ import annotations

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from curate.stages import split
from curate.stages.base import DecisionInput
from curate.stages.leaks import STAGE, LeaksOptions
from curate.stages.measures.task_text import content_words, normal_form, phrases
from tests.stages.factories import buttons, measured

LONG = "Export the quarterly sales table as a PDF file and mail it to Anna"
TEMPLATE = "Rename {old} to {new}"


def against_own_test(records: list, parts: list[str], options=None, clusters=None) -> dict[str, dict]:
    """The second leak check's rows by run; `parts`: the split of each."""
    given_split = split.STAGE.decide(
        DecisionInput(alive=[r.id for r in records], measures={"split": measured(split.STAGE, records)}, verdicts={}),
        split.SplitOptions(test=0.0, by="run"),
    )
    given_split = given_split.set_column(given_split.column_names.index("split"), "split", [parts])
    measures = {"leaks": measured(STAGE, records)}
    if clusters:
        ids = [r.id for r in records]
        measures["nearcopies"] = pa.table({"id": ids, "cluster": pa.array(clusters, pa.string())})
    told = DecisionInput(alive=[r.id for r in records], measures=measures, verdicts={"split": given_split})
    return {row["id"]: row for row in STAGE.decide(told, options or LeaksOptions()).to_pylist()}


def test_every_kind_of_evidence():
    records = [
        buttons("test", ["x"], LONG, wordings={"short": "Mail the sales table"}),
        buttons("named", ["x"], "Rename draft to Report", template=TEMPLATE),
        buttons("task", ["x"], "export the quarterly sales table, as a PDF file, and mail it to anna!"),
        buttons("wording", ["x"], "Hello there", wordings={"w": "MAIL the sales-table"}),
        buttons("most", ["x"], f"{LONG} before noon"),
        buttons("template", ["x"], "Please rename draft to Report", template=TEMPLATE),
        buttons("other", ["x"], "Rename list to Plan", template=TEMPLATE),
        buttons("copy", ["x"], "Something else altogether"),
        buttons("phrase", ["x"], "Export the quarterly sales table as a PDF file, print it"),
        buttons("word", ["x"], "Print the quarterly sales table"),
        buttons("clean", ["x"], "Mute the phone"),
    ]
    clusters = ["c" if r.id in ("test", "copy") else None for r in records]
    rows = against_own_test(records, ["test", "test", *["train"] * 9], clusters=clusters)
    told = {id: (row["verdict"], row["leak"], row["witness"]) for id, row in rows.items()}
    assert told == {
        "test": ("keep", None, None),
        "named": ("keep", None, None),
        "task": ("drop", "task", "test"),
        "wording": ("drop", "task", "test"),
        "most": ("drop", "coverage", "test"),
        "template": ("drop", "template", "named"),
        "other": ("keep", None, None),
        "copy": ("drop", "copy", "test"),
        "phrase": ("keep", "phrase", "test"),
        "word": ("keep", None, None),
        "clean": ("keep", None, None),
    }
    assert {rows[id]["reason"] for id in ("task", "wording", "most", "template", "copy")} == {"leaks.own_test"}
    assert rows["phrase"]["flags"] == ["leaks.phrase"] and rows["phrase"]["strength"] == "weak"
    dropped = against_own_test(records, ["test", "test", *["train"] * 9], LeaksOptions(phrases="drop"))
    assert dropped["phrase"]["reason"] == "leaks.own_test"


WORDS = st.lists(st.sampled_from(["set", "alarm", "the", "clock", "open", "red", "7am"]), min_size=1, max_size=7)
RUNS = st.lists(st.tuples(WORDS.map(" ".join), st.sampled_from(["train", "test"])), min_size=2, max_size=9)


@settings(max_examples=60, deadline=None)
@given(RUNS, st.integers(1, 3))
def test_blocks_change_nothing_and_no_test_task_is_left_in_train(drawn, size):
    from unittest.mock import patch

    records = [buttons(f"r{i}", [f"x{i}"], text) for i, (text, _) in enumerate(drawn)]
    parts = [part for _, part in drawn]
    whole = against_own_test(records, parts)
    with patch("curate.stages.leakage.own_test._BLOCK", size):
        assert against_own_test(records, parts) == whole
    tests = {normal_form(text) for text, part in drawn if part == "test"}
    held = [set(phrases(content_words(text))) for text, part in drawn if part == "test"]
    for (text, part), row in zip(drawn, whole.values(), strict=True):
        if part == "train" and normal_form(text) in tests:
            assert (row["reason"], row["leak"]) == ("leaks.own_test", "task")
        elif part == "train":
            mine = set(phrases(content_words(text)))
            assert (row["leak"] is not None) == any(len(own) > 1 and 2 * len(own & mine) >= len(own) for own in held)
        else:
            assert row["verdict"] == "keep"
