"""Whole steps as talks: the task, what was done before, and the pictures of the last steps, each a turn.

    user       picture of the first shown step, task, words of the steps before it
    assistant  its action in words                                                  } for each earlier step
    user       picture of the next one, behind a remark if the step was wrong       } whose picture is shown
    assistant  the target: thought (L2), observation too (L3), action in words, code

A step's reflection stands in the remark on it, behind its words where its picture is not shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curate.formats import base, told
from curate.formats.conversation import Given, Talk, images_of, resize_of, system_prompt, written_codes
from curate.model.trajectory import Step, Trajectory

_IMAGES = 3  # as OpenCUA's released agent: two earlier pictures and the current one
_NEXT = b"Please generate the next move according to the screenshot, task instruction and previous steps (if provided)."
_UNSEEN = b"There is no picture of the screen at this step."
_ASKS = {"L1": "Name", "L2": "Say what you think, name", "L3": "Say what you see and what you think, name"}


def talks(trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions) -> Iterator[Talk | None]:
    """A talk for each step that was picked; None for one that `why_not` refuses."""
    steps = trajectory.steps
    codes, _ = written_codes(trajectory, options)
    words = told.words_of(steps, told.frames_of(steps, resize_of(options)))
    images = images_of(trajectory)
    remarks = [None if text is None else told.inside(text) for text in base.remarks(steps)]
    colon = b":" if options.colon else b""
    titles = [b"# Step %d%b\\n" % (at, colon) for at in range(1, len(steps) + 1)]
    earlier = [b"%b## Action:\\n%b\\n" % pair for pair in zip(titles, words, strict=True)]
    remarked = [
        text if remark is None else b"%b## Action:\\n%b (%b)\\n" % (title, one, remark)
        for text, title, one, remark in zip(earlier, titles, words, remarks, strict=True)
    ]
    lines = told.Pieces(remarked)
    targets = _targets(steps, titles, words, codes, options)
    systems = _systems(steps, options)
    task = told.inside(f"# Task Instruction:\n{trajectory.instruction}\n\n")
    history = base.ALL if options.history is None else options.history
    most = options.images or _IMAGES
    for position, _ in picked:
        target = targets[position]
        if target is None:
            yield None
            continue
        first = base.first_told(position, history)
        shown = base.first_shown(images, range(first, position), most)  # type: ignore[arg-type]
        before = lines.between(first, shown)
        text = b"%b%b%b%b\\n" % (task, before, b"\\n" if before else b"", _NEXT)
        asked: list[Given] = [(images[shown], text if images[shown] else b"%b\\n%b" % (text, _UNSEEN))]
        for at in range(shown + 1, position + 1):
            image, remark = images[at], remarks[at - 1]
            asked.append((image, remark or b"") if image else (None, _joined(remark, _UNSEEN)))
        yield Talk(systems[position], asked, [*earlier[shown:position], target])


def why_not(trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
    """For each step the reason code why there is no talk with it as the target; None: there is one."""
    return written_codes(trajectory, options).reasons


def _joined(remark: bytes | None, text: bytes) -> bytes:
    return text if remark is None else b"%b\\n%b" % (remark, text)


def _systems(steps: Sequence[Step], options: base.FormatOptions) -> list[bytes]:
    """The prompt of each step asks for what its target holds, no more."""
    known = {level: system_prompt(options, "steps", ask) for level, ask in _ASKS.items()}
    return [known[base.level_of(step, options)] for step in steps]


def _targets(
    steps: Sequence[Step], titles: Sequence[bytes], words: Sequence[bytes], codes: Sequence[bytes | None],
    options: base.FormatOptions,
) -> list[bytes | None]:  # fmt: skip
    """What the model is to answer at each step; sections that the record does not know are left out."""
    nothing = [b""] * len(steps)
    thoughts = nothing if options.level == "L1" else told.thoughts_of(steps)
    observations = nothing if options.level != "L3" else told.observations_of(steps)
    return [
        None if code is None else b"%b%b%b## Action:\\n%b\\n\\n## Code:\\n```python\\n%b\\n```\\n"
        % (title, _section(b"Observation", seen), _section(b"Thought", thought), one, code)
        for title, seen, thought, one, code in zip(titles, observations, thoughts, words, codes, strict=True)
    ]  # fmt: skip


def _section(title: bytes, text: bytes) -> bytes:
    return b"## %b:\\n%b\\n\\n" % (title, text) if text else b""
