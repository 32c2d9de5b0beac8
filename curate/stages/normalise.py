"""One form for what sources write in many: actions and key names, code, words, elements, names of apps and sites,
Unicode. It rewrites records as they are read, so that everything after it compares like with like; normalising twice
changes nothing. Typed text is never touched."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
import pyarrow as pa

from curate.model.actions import Action, DragTo, Pointed, main_action
from curate.model.render import canonical, code_of
from curate.model.trajectory import Step, Trajectory
from curate.model.words import words
from curate.stages.base import DecisionInput, MeasureContext
from curate.stages.measures.app_names import app_keys, site_keys
from curate.stages.tables import schema
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
    """The record in its normal form; the one given is not changed."""
    chosen = options or NormaliseOptions()
    steps = [_step(step, chosen) for step in record.steps]
    apps, sites = list(record.apps), list(record.sites)
    if chosen.places:
        apps = app_keys(apps or _by_frequency([step.app for step in steps]))
        sites = site_keys(sites or _by_frequency([_site(step.url) for step in steps]))
    return msgspec.structs.replace(record, instruction=tidy(record.instruction), apps=apps, sites=sites, steps=steps)


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


def _by_frequency(places: Sequence[str | None]) -> list[str]:
    """The places that are known, the most frequent first, then as they came."""
    return [place for place, _ in Counter(place for place in places if place).most_common()]


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
        rows = [
            {
                "id": record.id,
                "steps": len(record.steps),
                "words_generated": sum("words_generated" in step.flags for step in record.steps),
                "without_words": sum(not step.action for step in record.steps),
                "without_code": sum(bool(step.actions) and step.code is None for step in record.steps),
                "off_screen": sum("off_screen" in step.flags for step in record.steps),
                "elements": sum(step.element is not None for step in record.steps),
            }
            for record in context.records(trajectories)
        ]
        return pa.Table.from_pylist(rows, schema=MEASURES)

    def decide(self, given: DecisionInput, options: Any) -> pa.Table:
        """Keeps every run: what cannot be normalised was not read."""
        return Verdicts(given.alive).table()


STAGE = _Normalise()
