"""What a training format is: one file of this package with a `FORMAT` object that turns a kept record into training
examples, one for each target step. Adding a format is adding one file; `formats()` finds it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Protocol, runtime_checkable

import msgspec
import pyarrow as pa
from msgspec import Meta

from curate.formats.escaping import escape_code as escape_code
from curate.formats.escaping import escape_json as escape_json
from curate.formats.escaping import escape_text as escape_text
from curate.formats.escaping import placeholder_in as placeholder_in
from curate.formats.json_pieces import inside_together as inside_together
from curate.formats.json_pieces import json_inside as json_inside
from curate.formats.json_pieces import json_inside_all as json_inside_all
from curate.formats.json_pieces import json_of_few as json_of_few
from curate.formats.json_pieces import json_text as json_text
from curate.formats.json_pieces import parted as parted
from curate.formats.remarks import remark as remark
from curate.formats.remarks import remarks as remarks
from curate.formats.smart_resize import Resize
from curate.formats.windows import ALL as ALL
from curate.formats.windows import first_shown as first_shown
from curate.formats.windows import first_told as first_told
from curate.formats.windows import history_window as history_window
from curate.model.arrow import schema_of
from curate.model.errors import UsageError
from curate.model.render import code_of
from curate.model.steps import Steps
from curate.model.trajectory import Step, Trajectory
from curate.model.words import words

Row = dict[str, Any]
"""One training example in plain JSON types. Every row of a format has the same keys with the same types."""

Level = Literal["L1", "L2", "L3"]


class FormatOptions(msgspec.Struct, kw_only=True, frozen=True):
    """How records become examples. Null means the format's own default.

    `history`: of how many earlier steps the example tells (-1: all). `images`: how many pictures it shows at most,
    the step's own included. `untrained`: leave steps that are no target out, or write them with their loss off.
    `level`: what a target says before its code: L1 the action, L2 thought and action, L3 observation, thought and
    action. `colon`: `# Step 3:` or `# Step 3`. `system_prompt`: text that replaces the format's own. `prompts`: texts
    that do, by the names of `Format.prompts` (`prompts.read_prompts` makes them from a released model's own file).
    `dialect`: which of a format's forms (docs/formats.md). `coordinates`: fractions, or pixels of the picture as the
    model sees it. `min_pixels`, `max_pixels`: width x height of that picture, as the trainer's processor is told.
    `notch_pixels`: what a notch of the wheel is, in a language that scrolls by pixels. `split`: the split the examples
    are for.
    """

    history: Annotated[int, Meta(ge=-1)] | None = None
    images: Annotated[int, Meta(ge=1)] | None = None
    untrained: Literal["omit", "keep"] = "omit"
    level: Level = "L2"
    colon: bool = True
    system_prompt: str | None = None
    prompts: dict[str, str] | None = None
    dialect: str | None = None
    coordinates: Literal["relative", "absolute"] | None = None
    min_pixels: Annotated[int, Meta(ge=1)] | None = None
    max_pixels: Annotated[int, Meta(ge=1)] | None = None
    notch_pixels: Annotated[float, Meta(gt=0)] | None = None
    split: str = "train"


class About(msgspec.Struct, kw_only=True, frozen=True):
    """What docs/formats.md says of a format, a few words each. `prompt_file`: where a released model's own prompts are
    found, for `--prompts`. `set_there`: what is to be set in the trainer, or it trains on something else."""

    trains: str
    loss: str
    history: str
    pictures: str
    coordinates: str
    reflection: str
    weights: str
    prompt_file: str = "none"
    set_there: str = ""


class Format(Protocol):
    """One training format. `version` rises when its rows change. `row`: the type of its rows, from which their JSON
    Schema is made. `needs_code`: a step without code is no target of it. `writes_all`: it has a row for every step that
    can be a target. `needs_sizes`: it has none for a picture whose size is not known. `weights_beside`: its trainer
    takes no row with a weight in it, so the weights are written beside the examples. `shows_after`: its rows name
    pictures of what came after a step, too. `by_run`: its rows are whole runs, not steps (`run`; only `curate export`
    writes it). `dialects`: the values of the option, its default first. `prompts`: its
    prompt texts by name, each with the names that it has in a released model's prompt file. Most of this has a default:
    inherit from `Plain`.

    A row is written as JSON straight away, in two halves: its body says what the record says, its head what was decided
    about it. So bodies can be made while a record is read, and the heads once everything is decided."""

    name: str
    version: int
    needs_code: bool
    writes_all: bool
    needs_sizes: bool
    weights_beside: bool
    shows_after: bool
    by_run: bool
    dialects: tuple[str, ...]
    prompts: Mapping[str, tuple[str, ...]]
    about: About
    row: type[msgspec.Struct]

    def bodies(self, trajectory: Trajectory, picked: Sequence[Picked], options: FormatOptions) -> Iterator[bytes]:
        """The body of the row for each step that was picked, in order: JSON, for `line`. It hangs on the steps, the
        instruction, the platform and the options alone (not on `split`). NO_ROW for a step that `why_not` refuses; none
        at all for a run that the format cannot write."""
        ...

    def line(self, head: Head, body: bytes) -> bytes:
        """The row as JSON: one of type `row`, with its fields in order, without a line end."""
        ...

    def lines(self, heads: Sequence[Head], bodies: Sequence[bytes]) -> Iterable[bytes]:
        """The `line` of each row of one run."""
        ...

    def why_not(self, trajectory: Trajectory, options: FormatOptions) -> list[str | None]:
        """For each step the reason code why the format has no row for it as a target; None: it has one."""
        ...

    def run(self, head: Head, trajectory: Trajectory) -> bytes:
        """The row of a whole run as JSON, in a format `by_run`. `head` is of its first step."""
        ...

    def reads(self, options: FormatOptions) -> frozenset[str]:
        """Which options say anything of its rows, given the others (a dialect may read fewer)."""
        ...

    def resize(self, options: FormatOptions) -> Resize | None:
        """How the model's processor resizes the pictures that the rows' coordinates are pixels of; None: coordinates
        hold in any size."""
        ...


class Plain:
    """A format that has a row for every target, weights in its rows, and coordinates that hold in any size."""

    version = 2
    needs_code = True
    writes_all = True
    needs_sizes = False
    weights_beside = False
    dialects: tuple[str, ...] = ()
    prompts: Mapping[str, tuple[str, ...]] = {}
    shows_after = False
    by_run = False
    options = frozenset[str]()  # names that `reads` gives, where they are always the same

    def line(self, head: Head, body: bytes) -> bytes:
        (line,) = self.lines([head], [body])
        return line

    def lines(self, heads: Sequence[Head], bodies: Sequence[bytes]) -> Iterable[bytes]:
        return map(self.line, heads, bodies)

    def why_not(self, trajectory: Trajectory, options: FormatOptions) -> list[str | None]:
        return [None] * len(trajectory.steps)

    def reads(self, options: FormatOptions) -> frozenset[str]:
        return self.options

    def run(self, head: Head, trajectory: Trajectory) -> bytes:
        raise TypeError(f"A row of {type(self).__name__} is a step: it has no row of a run.")

    def resize(self, options: FormatOptions) -> Resize | None:
        return None


NO_ROW = b""
"""Stands for the body of a step that the format cannot write as a target."""


@runtime_checkable
class Outlines(Protocol):
    """What a `Format` may do besides: while records are read, keep in short what their rows will say, each text once,
    and make the bodies when it is decided which are wanted. A row tells of earlier steps too, and of a corpus a third
    may be left out. A format without it has all its bodies made while records are read, for three times the time."""

    def outline(self, steps: Steps, options: FormatOptions) -> bytes:
        """What the bodies of these records' steps are made of (whichever are wanted)."""
        ...

    def outlined(
        self, outline: bytes, wanted: Iterable[Wanted | None], options: FormatOptions
    ) -> Iterator[list[bytes]]:
        """For each record of the outline the rows that are wanted of it, each the `line` of its head and body."""
        ...


@runtime_checkable
class Listed(Protocol):
    """A `Format` whose trainer finds a file by its entry in another, `listing`, beside it."""

    listing: str

    def listed(self, file_name: str) -> dict[str, Any]:
        """The entry of a file of examples: plain JSON types."""
        ...


@cache
def formats() -> dict[str, Format]:
    """All formats by name."""
    found: dict[str, Format] = {}
    for info in pkgutil.iter_modules([str(Path(__file__).parent)]):
        if info.name not in ("base", "parts"):
            here = getattr(importlib.import_module(f"curate.formats.{info.name}"), "FORMAT", None)
            if here is not None:
                found[here.name] = here
    return dict(sorted(found.items()))


def format_named(name: str) -> Format:
    """The format of that name. Raises UsageError for one that is not there."""
    known = formats()
    if name not in known:
        raise UsageError(f"There is no training format {name!r}; the formats are {', '.join(known)}.")
    return known[name]


def columns(name: str) -> pa.Schema | None:
    """The typed columns of a format's rows, for readers that would otherwise infer them from the first megabytes
    (`datasets.load_dataset("json", features=Features.from_arrow_schema(...))`): a run that begins with thousands of
    examples without a picture would make them infer that there are none. None for a format that mixes types."""
    try:
        return schema_of(format_named(name).row)
    except TypeError:
        return None


def unread(form: Format, options: FormatOptions) -> list[str]:
    """The options that are given (other than their default), and say nothing of the format's rows."""
    here, plain = form.reads(options), FormatOptions()
    given = [name for name in FormatOptions.__struct_fields__ if getattr(options, name) != getattr(plain, name)]
    as_ever = {"split", *(["coordinates"] if options.coordinates == "relative" else [])}
    return [name for name in given if name not in here and name not in as_ever]


def check_options(form: Format, options: FormatOptions) -> None:
    """Raises UsageError for options that the format does not read, or that contradict each other."""
    if options.dialect is not None and options.dialect not in form.dialects:
        known = f"it has {', '.join(form.dialects)}" if form.dialects else "it has no dialects"
        raise UsageError(f"The format {form.name} has no dialect {options.dialect!r}; {known}.")
    least, most = options.min_pixels, options.max_pixels
    if least is not None and most is not None and least > most:
        raise UsageError(f"min_pixels is {least}, which is more than max_pixels, {most}.")
    for text in (options.system_prompt, *(options.prompts or {}).values()):
        if text is not None and (mark := placeholder_in(text)):
            raise UsageError(f"The prompt holds {mark}, where trainers put a picture or a place: take it out of it.")
    for name in unread(form, options):
        which = form.name if options.dialect is None else f"{form.name} with dialect={options.dialect}"
        known = ", ".join(sorted(form.reads(options))) or "none"
        raise UsageError(f"{name} says nothing of the rows of {which}: leave it out. It reads {known}.")
    resize = form.resize(options)
    if resize is not None and resize.max_pixels < resize.factor**2:
        raise UsageError(f"max_pixels is {most}, which is less than one patch of {resize.factor} x {resize.factor}.")


def options_from(section: Any, **more: Any) -> FormatOptions:
    """The format's options out of a recipe's section: its fields of the same names."""
    given = {name: getattr(section, name) for name in FormatOptions.__struct_fields__ if hasattr(section, name)}
    return msgspec.convert({**given, **more}, FormatOptions)


# --- what formats share ---------------------------------------------------------------------------------------


class Picked(NamedTuple):
    """A step to write a row for: its position in `trajectory.steps`, and whether it is trained on."""

    position: int
    trained: bool


class Head(NamedTuple):
    """What a row says of where it comes from and what was decided: its id is the trajectory's and the step's index.
    `source`: the name of the record's source. `trained`: whether there is a loss on it."""

    trajectory: str
    step: int
    split: str
    weight: float
    source: str
    trained: bool


class Wanted(NamedTuple):
    """Rows that are wanted of a run, all trained on: what their heads have in common, and for each the position of its
    step, the step's index, and the row's weight."""

    trajectory: str
    split: str
    source: str
    rows: list[tuple[int, int, float]]


def pick(trajectory: Trajectory, targets: Sequence[int], options: FormatOptions) -> Sequence[Picked]:
    """The steps to write a row for. `targets` are indices of steps (`Step.index`)."""
    indices = [step.index for step in trajectory.steps]
    if indices == targets:
        return _all_picked(len(indices))
    wanted = set(targets)
    if options.untrained == "keep":
        return [_picked(position, index in wanted) for position, index in enumerate(indices)]
    return [_picked(position, True) for position, index in enumerate(indices) if index in wanted]


_picked = lru_cache(4096)(Picked)  # the same few in every run


@lru_cache(64)
def _all_picked(count: int) -> Sequence[Picked]:
    """What is picked of runs of that length that have only targets, as most have."""
    return tuple(Picked(position, True) for position in range(count))


def lines(form: Format, trajectory: Trajectory, targets: Sequence[int], options: FormatOptions) -> Iterator[bytes]:
    """One row as JSON for each target that the format can write, in the order of the steps. The other steps stay in the
    history, wrong ones with their reflection where the format has a place for it."""
    return iter(_written(form, trajectory, targets, options)[1])


def written(
    form: Format, trajectory: Trajectory, targets: Sequence[int], options: FormatOptions
) -> Iterator[tuple[Head, bytes]]:
    """The same with the head of each row."""
    return zip(*_written(form, trajectory, targets, options), strict=True)


def _written(
    form: Format, trajectory: Trajectory, targets: Sequence[int], options: FormatOptions
) -> tuple[list[Head], Iterable[bytes]]:
    id, split, source, run = trajectory.id, options.split, trajectory.source.name, float(trajectory.weight.value)
    steps = trajectory.steps
    if form.by_run:
        heads = [Head(id, step.index, split, run, "", True) for step in steps[:1]]
        return heads, [form.run(head, trajectory) for head in heads]
    picked = pick(trajectory, targets, options)
    bodies = list(form.bodies(trajectory, picked, options))
    new, heads = tuple.__new__, []  # Head(...) takes three times as long
    for (position, trained), body in zip(picked, bodies, strict=True) if bodies else ():
        if body:  # else it is NO_ROW
            step = steps[position]
            weight = run if step.weight is None else weight_of(run, step.weight)
            heads.append(new(Head, (id, step.index, split, weight, source, trained)))
    return heads, form.lines(heads, list(filter(None, bodies)))


def rows(form: Format, trajectory: Trajectory, targets: Sequence[int], options: FormatOptions) -> Iterator[Row]:
    """The same in plain JSON types."""
    return map(msgspec.json.decode, lines(form, trajectory, targets, options))


def action_words(step: Step) -> str:
    """The step's words for its action: the source's, else generated, else a sentence that it is not known."""
    return step.action or words(step.actions, step.element) or "(not known)"


def target_code(step: Step) -> str:
    """The step's code; '' where it has none."""
    return step.code if step.code is not None else code_of(step.actions) or ""


def level_of(step: Step, options: FormatOptions) -> Level:
    """The level that the step's target reaches: a thought or an observation that is not known is not asked for."""
    return level_told(step.thought, step.observation, options)


def level_told(thought: object, observation: object, options: FormatOptions) -> Level:
    """The same of a step's thought and observation, as far as they are known."""
    if options.level == "L3" and observation and thought:
        return "L3"
    return "L2" if options.level != "L1" and thought else "L1"


def weight_of(run: float, step: float | None) -> float:
    """How much an example counts: the run's weight times the step's own (null: 1)."""
    return float(run * (1.0 if step is None else step))


@cache
def template(name: str) -> str:
    """A prompt text that ships with the package."""
    return (Path(__file__).parent / "templates" / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")
