"""One form for what sources write in many: actions and key names, code, words, elements, names of apps and sites,
Unicode. It rewrites records as they are read, so that everything after it compares like with like; normalising twice
changes nothing. Typed text is never touched."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal

import msgspec
import numpy as np
import pyarrow as pa

from curate.model.actions import Action, DragTo, Pointed, main_action
from curate.model.render import canonical, code_of, plain_codes
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
    """The record in its normal form; the one given is not changed."""
    chosen = options or NormaliseOptions()
    own = Steps([record])
    codes = plain_codes(own.of("actions"))
    odd = set(_odd_steps(own, codes))
    steps = [
        _step(step, chosen) if at in odd else step if step.code == code else msgspec.structs.replace(step, code=code)
        for at, (step, code) in enumerate(zip(record.steps, codes, strict=True))
    ]
    return msgspec.structs.replace(record, **_of_run(record, steps, chosen), steps=steps)


def _of_run(record: Trajectory, steps: Sequence[Step], options: NormaliseOptions) -> dict[str, Any]:
    """The fields of a record that do not stand in its steps, in their normal form."""
    apps, sites = record.apps, record.sites
    if options.places:
        apps = list(_app_keys(tuple(apps or _by_frequency([step.app for step in steps]))))
        sites = list(_site_keys(tuple(sites or _by_frequency([_site(step.url) for step in steps]))))
    instruction = record.instruction if _is_tidy(record.instruction) else tidy(record.instruction)
    return {"instruction": instruction, "apps": apps, "sites": sites}


_app_keys, _site_keys = lru_cache(4096)(app_keys), lru_cache(4096)(site_keys)


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


def settle(steps: Steps, options: NormaliseOptions) -> list[bool]:
    """For each record whether it is now in its normal form, where that is seen at once: as it came, or with other code,
    places and instruction, which are changed in place. That is nearly every record of a corpus that was made with care
    or went through here before. False says nothing, and leaves the record as it was: then `normalise_record` tells. A
    test holds the two equal."""
    codes = plain_codes(steps.of("actions"))
    odd = set(steps.run[_odd_steps(steps, codes)].tolist())
    settled = [run not in odd for run in range(len(steps.records))]
    if codes != steps.of("code"):
        for step, run, code in zip(steps.all, steps.run.tolist(), codes, strict=True):
            if step.code != code and settled[run]:
                step.code = code
    for record, done in zip(steps.records, settled, strict=True):
        if done:
            for name, value in _of_run(record, record.steps, options).items():
                setattr(record, name, value)
    return settled


def _odd_steps(steps: Steps, codes: Sequence[str | None]) -> list[int]:
    """Steps of which more than the code may need doing. `codes`: `plain_code` of each."""
    odd = [at for at, code in enumerate(codes) if code is None] if None in codes else []
    odd += _not_tidy(steps.of("action"), missing=False)
    odd += _not_tidy(steps.of("low_level"), missing=True)
    boxes = [at for at, element in enumerate(steps.of("element")) if element is not None and element.box is not None]
    odd += [at for at in boxes if _misses(steps.all[at])]
    if steps.has_flags:
        odd += [at for at, flags in enumerate(steps.of("flags")) if len(set(flags)) < len(flags)]
    return odd


def _not_tidy(texts: Sequence[str | None], *, missing: bool) -> list[int]:
    """Where a text is empty or not seen to be tidy at once. `missing`: a text may be null."""
    known = list(filter(None, texts))
    together = "".join(known)
    tidy_all = together.isascii() and together.isprintable() and list(map(str.strip, known)) == known
    if tidy_all and len(known) + (texts.count(None) if missing else 0) == len(texts):
        return []
    return [at for at, text in enumerate(texts) if not (missing if text is None else text and _is_tidy(text))]


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

    def settle(self, steps: Steps, options: NormaliseOptions) -> list[bool]:
        """The same for records of which little needs doing (see `settle`)."""
        return settle(steps, options)

    def measure(self, trajectories: pa.Table, options: Any, context: MeasureContext) -> pa.Table:
        """One row a run: what is known of its steps after normalising (see MEASURES)."""
        return from_columns(_known(context.steps(trajectories)), MEASURES)

    def decide(self, given: DecisionInput, options: Any) -> pa.Table:
        """Keeps every run: what cannot be normalised was not read."""
        return Verdicts(given.alive).table()


STAGE = _Normalise()
