"""`report.json` as types: the funnel of a run and the numbers beside it. The JSON Schema `report` is made from
`Report`. Counts are whole numbers; shares are fractions from 0 to 1, null where nothing is known; unknown is counted
as unknown and never as no. Lists are in a fixed order (most first, then by name), so equal runs give equal bytes.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from curate.engine.report.diversity_row import DiversityRow as DiversityRow
from curate.engine.report.edit_numbers import EditNumbers


class _Part(msgspec.Struct):
    pass


class Share(_Part, kw_only=True):
    """How many of those known are so. `low`, `high`: the 95 % Wilson interval of the share."""

    yes: int = 0
    known: int = 0
    unknown: int = 0
    share: float | None = None
    low: float | None = None
    high: float | None = None


class StageCounts(_Part, kw_only=True):
    """One decision of the funnel: runs in, kept, and the rest by reason. in = kept + dropped + quarantined."""

    name: str
    entered: int = msgspec.field(name="in")
    kept: int
    dropped: dict[str, int] = {}
    quarantined: dict[str, int] = {}


class SourceRow(_Part, kw_only=True):
    """What came from one source. `trained`: runs that gave an example; `targets`: steps to learn from. `licenses`,
    `actors`, `platforms`: runs by each ("unknown" where the record says nothing)."""

    source: str
    runs: int
    trained: int
    steps: int
    targets: int
    licenses: dict[str, int] = {}
    actors: dict[str, int] = {}
    platforms: dict[str, int] = {}


class MixtureRow(_Part, kw_only=True):
    """What came from one source by one kind of actor (`human`, `program`, ..., "unknown"). `trained`: runs that gave an
    example; `targets`: steps to learn from; `weight`: the sum of the weights of the runs that gave one. `share`: of
    all weight."""

    source: str
    actor: str
    runs: int
    trained: int
    steps: int
    targets: int
    weight: float
    share: float | None = None


class Mixture(_Part, kw_only=True):
    """What the training data is made of, and the part that people recorded: of the runs that gave an example, of the
    steps to learn from, and of all weight (null where there is none). Runs whose actor nobody states are no
    people's."""

    rows: list[MixtureRow] = []
    people_runs: Share = msgspec.field(default_factory=Share)
    people_targets: Share = msgspec.field(default_factory=Share)
    people_weight: float | None = None


class ActionRow(_Part, kw_only=True):
    """Steps of one source by their main action."""

    source: str
    action: str
    steps: int
    targets: int


class StepsRow(_Part, kw_only=True):
    """`runs` runs have exactly `steps` steps; `trained` of them gave an example."""

    steps: int
    runs: int
    trained: int


class ClickRow(_Part, kw_only=True):
    """Where the clicks of one source land. `grid`: CLICK_ROWS rows from the top, each of CLICK_COLUMNS counts from
    the left. `x`: counts over CLICK_BINS equal bins of the picture's width, `x_range`, `y_range`: the 1st and 99th
    percentile, as fractions. `off_picture`: clicks whose point is not in the picture, by the side they are off;
    `off_range`: left, top, right, bottom of those, in recorded pixels. `by_element`: clicks that name an element
    instead of a point."""

    source: str
    points: int
    grid: list[list[int]]
    x: list[int]
    x_range: tuple[float, float] | None = None
    y_range: tuple[float, float] | None = None
    off_picture: dict[str, int] = {}
    off_range: tuple[float, float, float, float] | None = None
    by_element: int = 0


class PointerRow(_Part, kw_only=True):
    """Steps that point at something, by source and action type.

    `on_target`: the pointer, by its events, lies in what reacts at the target. `hover`: the largest local change
    against the previous keyframe lies on the target. `floor`: clicking where the previous action ended would have
    hit that target; what a picture gives away is what lies above the floor."""

    source: str
    action: str
    steps: int
    on_target: Share
    hover: Share
    floor: Share


class PointerNumbers(_Part, kw_only=True):
    """`targets`: over the steps to learn from; `read`: over every step that was read."""

    targets: list[PointerRow] = []
    read: list[PointerRow] = []


class Sample(_Part, kw_only=True):
    """One picture to look at. `point`: the target; `pointer`: the pointer by its events, both as fractions of the
    picture. `why`: what makes it worth a look."""

    id: str
    step: int
    image: str
    why: Literal["pointer_on_target", "hover", "pointer_near", "late_change", "erased", "plain"]
    action: str
    target: bool
    point: tuple[float, float]
    pointer: tuple[float, float] | None = None
    box: tuple[float, float, float, float] | None = None


class CopyRow(_Part, kw_only=True):
    """A near-copy: left out for `reason`, or kept (`reason` null) and weighted. `similarity`: from 0 to 1, with the
    run it is a copy of."""

    id: str
    reason: str | None = None
    similarity: float | None = None
    detail: str | None = None


class CopyGroup(_Part, kw_only=True):
    """Runs that are near-copies of the run `witness`: `count` of them, the first of which are in `copies`."""

    witness: str
    copies: list[CopyRow]
    count: int = 0


class Listing(_Part, kw_only=True):
    """How much of a list that is cut stands here: `listed` of `total` runs; of near-copies, of `groups` groups in all.
    `files`: the tables of the run folder that hold the whole list."""

    listed: int = 0
    total: int = 0
    groups: int = 0
    files: list[str] = []


class CopyCertificate(_Part, kw_only=True):
    """What a second implementation says of the decision on near-copies: `left_over` kept runs that it would put out,
    found by looking at `pairs` pairs of kept runs that share what similar ones must; `listed`: the first of them, each
    with its witness. `recall`, where MinHash found the candidates: of the runs that the exact decision puts out, the
    share that it put out too."""

    left_over: int
    pairs: int
    listed: list[tuple[str, str]] = []
    recall: Share | None = None


class SameTasks(_Part, kw_only=True):
    """Runs that say the same: `tasks` different instructions after normal form, `sharing` runs whose instruction
    another run has too; the same of templates with their arguments, where runs have one."""

    tasks: int
    sharing: int
    templates: int
    sharing_template: int


class CopyNumbers(_Part, kw_only=True):
    """Near-copies as the last decision on them left them: runs that `came`, that it `kept`, and runs `published` before
    that it held them against. `clusters` of similar runs, and the runs in them (0 where nothing reads clusters)."""

    threshold: float
    evidence: str
    method: str
    came: int
    kept: int
    published: int
    clusters: int
    in_clusters: int
    same_tasks: SameTasks
    certificate: CopyCertificate


class LeakRow(_Part, kw_only=True):
    """A run that leaks a test task, or is listed because it may (`kept`). `strength`: `strong` or `weak` evidence.
    `witness`: the test task (or run) that is the evidence; `task`: its words, where the file of test tasks is still
    there."""

    id: str
    reason: str
    kept: bool = False
    strength: str | None = None
    instruction: str | None = None
    witness: str | None = None
    task: str | None = None
    detail: str | None = None


class SplitRow(_Part, kw_only=True):
    """One app, site, task or whatever the recipe splits by ("" where a run has none), and its runs in each split."""

    group: str
    runs: dict[str, int]


class TaskClasses(_Part, kw_only=True):
    """How many of the test's tasks the data gives away (`seen`), shares weak evidence with (`similar`), or neither:
    runs that were dropped for it count too, so this is what training would have seen without the check."""

    seen: int
    similar: int
    unseen: int


class SplitChoice(_Part, kw_only=True):
    """What a split by this means for the runs that came to it: how many groups would stay together (near-copies
    aside), the runs in the largest of them, and of `test` test runs how many are expected to have another run of
    their task in train (`twins`)."""

    by: str
    groups: int
    largest: int
    test: int
    twins: float


class SplitNumbers(_Part, kw_only=True):
    """`by`: what runs were kept together by. `runs`, `examples`: totals of each split. `groups`: at most
    REPORT_ROWS of them, the largest first; `groups_total` says how many there are. `choices`: what each choice of
    `split.by` means."""

    by: str | None = None
    runs: dict[str, int] = {}
    examples: dict[str, int] = {}
    groups: list[SplitRow] = []
    groups_total: int = 0
    choices: list[SplitChoice] = []


class FlagRow(_Part, kw_only=True):
    """A flag: on how many steps of how many runs, and what it means."""

    flag: str
    steps: int
    runs: int
    sentence: str


class ReasonRow(_Part, kw_only=True):
    """Why runs, steps or raw events did not come out: how many, what the code says, and the first few ids."""

    stage: str
    reason: str
    count: int
    sentence: str
    examples: list[str] = []


class RawEventRow(_Part, kw_only=True):
    """Raw events in stretches of one reason; `reason` null: they are in an action."""

    reason: str | None
    events: int
    stretches: int
    sentence: str


class OutcomeRow(_Part, kw_only=True):
    """Runs that ended so, as said by `by`."""

    completed: bool | None
    by: str | None
    runs: int
    trained: int


class WeightNumbers(_Part, kw_only=True):
    """Weights of the runs that gave an example. `effective`: (sum of w)^2 / (sum of w^2), the number of equally
    weighted runs with the same variance."""

    runs: int = 0
    total: float = 0.0
    least: float | None = None
    most: float | None = None
    effective: float | None = None
    by: dict[str, int] = {}


class ChainRow(_Part, kw_only=True):
    """Runs of `steps` steps succeed with `success` if each step is right with the measured share."""

    steps: int
    success: float


class WeakestLink(_Part, kw_only=True):
    """Steps marked right or wrong, and what that share means for whole runs: S = p^n (independent steps)."""

    steps: Share = msgspec.field(default_factory=Share)
    chain: list[ChainRow] = []


class KeyframeRow(_Part, kw_only=True):
    """Steps whose picture a rule chose; `rule` null: the picture came with the record."""

    rule: str | None
    steps: int
    pictures: int


class Numbers(_Part, kw_only=True):
    """The numbers of a run beside its funnel."""

    sources: list[SourceRow] = []
    mixture: Mixture = msgspec.field(default_factory=Mixture)
    diversity: list[DiversityRow] = []
    """Empty where the recipe does not compare runs: what they did is measured there."""
    actions: list[ActionRow] = []
    steps: list[StepsRow] = []
    clicks: list[ClickRow] = []
    pointer: PointerNumbers = msgspec.field(default_factory=PointerNumbers)
    keyframes: list[KeyframeRow] = []
    samples: list[Sample] = []
    near_copies: list[CopyGroup] = []
    near_copies_listing: Listing = msgspec.field(default_factory=Listing)
    copies: CopyNumbers | None = None
    leaks: list[LeakRow] = []
    leaks_listing: Listing = msgspec.field(default_factory=Listing)
    test_tasks: TaskClasses | None = None
    splits: SplitNumbers = msgspec.field(default_factory=SplitNumbers)
    flags: list[FlagRow] = []
    listed: list[ReasonRow] = []
    """Runs that gave examples though a stage remarks on them; a run may be in several."""
    rejected_by_reason: list[ReasonRow] = []
    steps_left_out: list[ReasonRow] = []
    raw_events: list[RawEventRow] = []
    outcomes: list[OutcomeRow] = []
    weights: WeightNumbers = msgspec.field(default_factory=WeightNumbers)
    weakest_link: WeakestLink = msgspec.field(default_factory=WeakestLink)


class Report(Numbers, kw_only=True):
    """`report.json`. `read` = runs with examples + `rejected`. `trajectories`: runs that gave an example.
    `examples`: training examples by split. `edits`: where the run has some."""

    schema: Literal["report.v1"] = "report.v1"
    read: int
    stages: list[StageCounts]
    rejected: int
    trajectories: int
    examples: dict[str, int]
    edits: EditNumbers | None = None
