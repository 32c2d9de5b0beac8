"""One form for what sources write in many: actions and key names, code, words, elements, names of apps and sites,
Unicode. It rewrites records as they are read, so that everything after it compares like with like; normalising twice
changes nothing. Typed text is never touched."""

from __future__ import annotations

import operator
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa

from curate.model.actions import Action, DragTo, Pointed, main_action
from curate.model.render import canonical, code_of, plain_code
from curate.model.steps import Steps
from curate.model.trajectory import Step, Trajectory
from curate.model.words import words
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.app_names import app_keys, site_keys
from curate.stages.tables import from_columns, schema
from curate.stages.verdicts import Verdicts


class NormaliseOptions(msgspec.Struct, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """`words`: steps without words get them from their actions, with the flag `words_generated`. `places`: names of
    apps and sites in one spelling, taken from the steps where the run states none."""

    words: bool = True
    places: bool = True


MEASURES = schema(
    id=pa.string(),
    steps=pa.int64(),
    words_generated=pa.int64(),  # steps whose words were made from their actions
    without_words=pa.int64(),
    without_code=pa.int64(),  # steps with actions that no code says: a point off the picture or unknown
    off_screen=pa.int64(),
    elements=pa.int64(),  # steps whose element is known
)


def normalise_record(record: Trajectory, options: NormaliseOptions | None = None) -> Trajectory:
    """The record in its normal form: the one given, which is not changed, or another."""
    chosen = options or NormaliseOptions()
    steps = [_at_once(step) or _step(step, chosen) for step in record.steps]
    if all(map(operator.is_, steps, record.steps)):
        steps = record.steps
    apps, sites = record.apps, record.sites
    if chosen.places:
        apps = app_keys(apps or _by_frequency([step.app for step in steps]))
        sites = site_keys(sites or _by_frequency([_site(step.url) for step in steps]))
    instruction = record.instruction if _is_tidy(record.instruction) else tidy(record.instruction)
    if steps is record.steps and (apps, sites, instruction) == (record.apps, record.sites, record.instruction):
        return record
    return msgspec.structs.replace(record, instruction=instruction, apps=list(apps), sites=list(sites), steps=steps)


_TERMINAL_CODE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
"""ECMA-48: a control sequence such as that of a colour, or a command such as that of the window's title. Without its
first character the rest would be left as text that nobody wrote."""


def tidy(text: str) -> str:
    """Composed Unicode (NFC), without terminal codes and control characters (new lines and tabs stay), and without
    space at the ends."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if not text.isprintable():
        text = _TERMINAL_CODE.sub("", text)
        text = "".join(char for char in text if char in "\n\t" or unicodedata.category(char) != "Cc")
    return text.strip()


def _is_tidy(text: str) -> bool:
    """Whether `tidy` leaves the text as it is, seen at once; False says nothing."""
    return text.isascii() and text.isprintable() and text == text.strip()


def _at_once(step: Step) -> Step | None:
    """What `_step` gives, where that is seen at once: the step as it is, or with other code alone. That is nearly every
    step of a corpus that was made with care or went through here before. None says nothing: then `_step` tells. A test
    holds the two equal."""
    text, low, element = step.action, step.low_level, step.element
    code = plain_code(step.actions)
    if code is None or not text or not _is_tidy(text):
        return None
    if element is not None and element.box is not None and _misses(step):
        return None
    if low is not None and (not low or not _is_tidy(low)):
        return None
    if step.flags and len(set(step.flags)) < len(step.flags):
        return None
    return step if code == step.code else msgspec.structs.replace(step, code=code)


def _by_frequency(places: Sequence[str | None]) -> list[str]:
    """The places that are known, the most frequent first, then as they came."""
    known = [place for place in places if place]
    return [place for place, _ in Counter(known).most_common()] if known else []


def _site(url: str | None) -> str | None:
    return next(iter(site_keys([url])), None) if url and url.lower().startswith(("http://", "https://")) else None


def _step(step: Step, options: NormaliseOptions) -> Step:
    actions = _actions(step.actions)
    text = tidy(step.action) if step.action else ""
    flags = list(dict.fromkeys(step.flags))
    element, raw_box = step.element, step.raw_box
    if _misses(step):
        element, raw_box = None, raw_box or _in_pixels(step)
    if not text and actions and options.words and (text := words(actions, element)):
        flags = list(dict.fromkeys([*flags, "words_generated"]))
    return msgspec.structs.replace(
        step,
        actions=actions,
        code=code_of(actions) if actions else step.code,
        action=text or None,
        low_level=tidy(step.low_level) or None if step.low_level else None,
        element=element,
        raw_box=raw_box,
        flags=flags,
    )


def _actions(actions: list[Action]) -> list[Action]:
    """The form that code says. Where that would lose something (recorded pixels, an element's id), they stay."""
    carries_more = any(
        isinstance(action, Pointed)
        and (action.raw_point is not msgspec.UNSET or action.element_id is not msgspec.UNSET)
        for action in actions
    )
    return list(actions) if carries_more else canonical(actions)


def _misses(step: Step) -> bool:
    """Whether the element's box does not hold the point acted on, so that it is another's."""
    main = main_action(step.actions)
    if step.element is None or step.element.box is None or not isinstance(main, Pointed):
        return False
    if isinstance(main, DragTo) or main.x is None or main.y is None:  # a drag ends away from what it took hold of
        return False
    left, top, right, bottom = step.element.box
    return not (left <= main.x <= right and top <= main.y <= bottom)


def _in_pixels(step: Step) -> tuple[float, float, float, float] | None:
    """The element's box in pixels of the picture, None where its size is not known."""
    if step.image_size is None or step.element is None or step.element.box is None:
        return None
    (width, height), (left, top, right, bottom) = step.image_size, step.element.box
    return left * width, top * height, right * width, bottom * height


def _known(steps: Steps) -> list[Any]:
    """What is known of the steps of each record, in MEASURES' order."""
    flags = {name: [name in own for own in steps.of("flags")] if steps.has_flags else [] for name in _COUNTED}
    uncoded = steps.where("code", None) & steps.holding("actions")
    return [
        [record.id for record in steps.records],
        steps.lengths,
        steps.counted(np.flatnonzero(flags["words_generated"])),
        steps.counted(~steps.holding("action")),
        steps.counted(uncoded),
        steps.counted(np.flatnonzero(flags["off_screen"])),
        steps.counted(~steps.where("element", None)),
    ]


_COUNTED = ("words_generated", "off_screen")


class _Normalise:
    name = "normalise"
    version = 2
    scope: Literal["shard"] = "shard"
    options = NormaliseOptions
    measure_options: frozenset[str] = frozenset()
    decides_by_run = True

    def rewrite(self, record: Trajectory, options: NormaliseOptions, context: MeasureContext) -> Trajectory:
        """The record as it is kept."""
        return normalise_record(record, options)

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: what is known of its steps after normalising (see MEASURES)."""
        return from_columns(_known(context.steps(trajectories)), MEASURES)

    def decide(self, given: DecisionInput, options: Any) -> pa.Table:
        """Keeps every run: what cannot be normalised was not read."""
        return Verdicts(given.alive).table()


STAGE = _Normalise()
