"""The options of the stage leaks."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from curate.model.constants import LEAK_COVERAGE, LEAK_PARAPHRASE, LEAK_PHRASE_WORDS

Weak = Literal["list", "drop"]
"""What weak evidence does: it is listed for a person, or it drops."""


class LeaksOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`tests`: a JSONL file of test tasks (docs/leaks.md), the name of a pack that `curate tests add` made
    (docs/tests.md), or a list of them (null: only held-out places and our own test count). `apps`,
    `sites`: held out for a test; runs that touch one are dropped. `test_places`: whether runs in an app or on a site
    that a test task names are dropped too (`ignore`, `list` or `drop`; a benchmark of everyday programs names nearly
    all of them). `coverage`: a run that holds this share of a test task's phrases is that task. Weak evidence is
    listed for a person (`list`) or drops (`drop`): `phrases` of `n` content words shared with a test task and rare in
    the data, `templates` of test tasks with other arguments, `paths` that are a test task's known solution, `screens`
    that look like one of the test, and with the extra [embed] `paraphrases` (off by default) whose word vectors are
    as near as `paraphrase_similarity`. `spread`: near-copies of a leak are dropped with it."""

    tests: str | list[str] | None = None
    apps: list[str] = []
    sites: list[str] = []
    test_places: Literal["ignore", "list", "drop"] = "ignore"
    phrases: Weak = "list"
    templates: Weak = "list"
    paths: Weak = "list"
    screens: Weak = "list"
    paraphrases: Literal["off", "list", "drop"] = "off"
    paraphrase_similarity: Annotated[float, Meta(gt=0.0, le=1.0)] = LEAK_PARAPHRASE
    n: Annotated[int, Meta(ge=1)] = LEAK_PHRASE_WORDS
    coverage: Annotated[float, Meta(gt=0.0, le=1.0)] = LEAK_COVERAGE
    spread: bool = True
