"""`transitions`: steps for reinforcement learning, with DigiRL's twelve members, as JSON: nothing here is ever pickled.

    observation, next_observation  task and last acts in words, before and after the step
    image_features, ...            null: whoever trains computes them from `image` and `next_image` with its own model
    image_path                     the picture after the step, as DigiRL names it (`next_image`)
    reward                         0 but at the run's last step: there 1 or 0, null where nobody knows how it ended
    trajectory_reward, mc_return   the run's reward; what is still to come of it, discounted by 0.95 a step

`image` is what was seen before the step, `next_image` what came of it: the next step's picture, at the end the last
one known. Dialects: `code` (any system; the action is our code) and `digirl` (phones; DigiRL's action text, which its
released trainer reads, and this project's source `digirl`).

`done` marks the run's last step that can be said. Steps that are no target are left out as everywhere: with
`untrained=keep` runs are whole, mistakes and all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import msgspec

from curate.formats import base, rows
from curate.formats.languages import digirl_calls
from curate.formats.languages.phrases import is_phone
from curate.model.constants import DIGIRL_GAMMA, HISTORY_STEPS
from curate.model.trajectory import Trajectory


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One transition. Pictures are paths; `reward` and what follows from it are null where the outcome is not known."""

    observation: str
    next_observation: str
    image_features: list[float] | None
    next_image_features: list[float] | None
    image_path: str | None
    video_path: str | None
    task: str
    reward: float | None
    done: bool
    action: str
    trajectory_reward: float | None
    mc_return: float | None
    image: str | None
    next_image: str | None
    target: bool
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class Said(NamedTuple):
    """Of each step: its action as a row says it (None where `reasons` tells why not), and in short for the history."""

    actions: list[str | None]
    short: list[str]
    reasons: list[str | None]


class _Transitions(base.Plain):
    name = "transitions"
    writes_all = False
    shows_after = True
    row = Example
    dialects = ("code", "digirl")
    options = frozenset(("history", "untrained", "dialect"))
    about = base.About(
        trains="reinforcement learning; `dialect=digirl`: DigiRL",
        loss="-",
        history="3 earlier acts (`digirl`: 1), in words (`digirl`: in its own)",
        pictures="before and after the step",
        coordinates="fractions (`digirl`: `[y, x]`)",
        reflection="no place",
        weights="`weight` in the row",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        said = _said(trajectory, options)
        task, steps = base.json_text(trajectory.instruction), trajectory.steps
        end = max((at for at, action in enumerate(said.actions) if action is not None), default=-1)
        whole = None if trajectory.outcome.completed is None else float(trajectory.outcome.completed)
        seen = _observations(trajectory, said.short, options)
        after = _after(trajectory)
        for position, trained in picked:
            action = said.actions[position]
            if action is None:
                yield base.NO_ROW
                continue
            done = position == end
            told = (
                *seen[position],
                base.json_text(after[position]),
                task,
                base.json_text(0.0 if not done else whole),
                base.json_text(done),
                base.json_text(action),
                base.json_text(whole),
                base.json_text(None if whole is None else whole * DIGIRL_GAMMA ** max(0, end - position)),
                base.json_text(steps[position].image),
                base.json_text(after[position]),
                base.json_text(trained),
            )
            yield _ROW % told

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b"{%b,%b}" % (body, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return _said(trajectory, options).reasons


_ROW = (
    b'"observation":%b,"next_observation":%b,"image_features":null,"next_image_features":null,"image_path":%b,'
    b'"video_path":null,"task":%b,"reward":%b,"done":%b,"action":%b,"trajectory_reward":%b,"mc_return":%b,'
    b'"image":%b,"next_image":%b,"target":%b'
)


def _is_digirl(options: base.FormatOptions) -> bool:
    return options.dialect == "digirl"


def _said(trajectory: Trajectory, options: base.FormatOptions) -> Said:
    steps = trajectory.steps
    texts: list[str | None]
    if _is_digirl(options):
        known = [digirl_calls.decision(step) if is_phone(trajectory) else None for step in steps]
        texts = [digirl_calls.answer(known, at) for at in range(len(steps))]
        words = [base.action_words(step) if one is None else one.text for step, one in zip(steps, known, strict=True)]
    else:
        texts = [base.target_code(step) or None for step in steps]
        words = [base.action_words(step) for step in steps]
    reasons: list[str | None] = [None if text else "unroll.not_in_format" for text in texts]
    for at, step in enumerate(steps):
        if step.image is None:
            texts[at], reasons[at] = None, "unroll.no_picture"
    return Said(texts, words, reasons)


def _observations(
    trajectory: Trajectory, words: Sequence[str], options: base.FormatOptions
) -> list[tuple[bytes, bytes]]:
    """What is known before each step, and after it."""
    most = (1 if _is_digirl(options) else HISTORY_STEPS) if options.history is None else options.history
    task = trajectory.instruction
    texts = [base.json_text(_observation(words[base.first_told(at, most) : at], task)) for at in range(len(words) + 1)]
    return list(pairwise(texts))


def _observation(acts: Sequence[str], task: str) -> str:
    """As DigiRL's environment writes it."""
    return f"Previous Actions: {''.join(f'{act} ' for act in acts)}Goal: {task}</s>"


def _after(trajectory: Trajectory) -> list[str | None]:
    """The picture of what came of each step."""
    steps = trajectory.steps
    following = [step.image for step in steps[1:]]
    last = [steps[-1].image_after or trajectory.final_image] if steps else []
    return [image or step.image_after for step, image in zip(steps, [*following, *last], strict=True)]


FORMAT = _Transitions()
