"""`opencua`: the message order and texts that OpenCUA's released agent was trained with.

    system     the prompt (of our own wording; `--prompts` takes the upstream file)
    assistant  words of the steps before the shown ones, in one turn
    user       picture of an earlier step        } the last two
    assistant  its action in words               } earlier steps
    user       picture of this step, task instruction
    assistant  the target (loss here only): L1 action and code, L2 thought too, L3 observation too

Points are fractions of the picture (OpenCUA-Qwen2-7B), or with `coordinates: absolute` pixels of it as Qwen2.5-VL's
processor resizes it (OpenCUA-7B, 32B, 72B). The history carries actions only: the format has no place for a
reflection. Trainers that insist on alternating roles refuse the assistant turn that follows the system turn; the
`messages` and `llamafactory` formats are made for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from curate.formats import base, rows, told
from curate.formats.languages import pyautogui_code
from curate.formats.parts import LastTurn, image_part, text_part
from curate.formats.prompts import given_prompt
from curate.formats.smart_resize import QWEN2_VL, SIZES, Resize
from curate.model.trajectory import Step, Trajectory

_IMAGES = 3  # OpenCUA's max_image_history_length: two earlier pictures and the current one
_OTHER_FENCE = ("computer.terminate", "computer.wait", "browser.select_option", "browser.clear")
_NEXT_MOVE = (
    "Please generate the next move according to the screenshot, task instruction and previous steps (if provided).\n"
)
_SECTIONS = {
    "L1": "Answer with the action in words and its code.",
    "L2": "Answer with your thought, the action in words and its code.",
    "L3": "Answer with what you observe on the screen, your thought, the action in words and its code.",
}
_POINTS = {
    "relative": "coordinates are fractions of the screenshot from 0 to 1",
    "absolute": "coordinates are pixels of the screenshot",
}


_OPTIONS = frozenset(("history", "images", "untrained", "level", "colon", "system_prompt", "prompts", "coordinates"))


class _OpenCua(base.Plain):
    name = "opencua"
    version = 4
    writes_all = False
    row = LastTurn
    prompts = {level: (f"SYSTEM_PROMPT_V1_{level}",) for level in ("L1", "L2", "L3")}
    about = base.About(
        trains="OpenCUA (`coordinates=relative` OpenCUA-Qwen2-7B, `absolute` OpenCUA-7B, 32B, 72B)",
        loss="the last assistant turn (`loss_on`)",
        history="every earlier step, its action in words; no code",
        pictures="3: two earlier ones and the step's own",
        coordinates="fractions, or with `coordinates=absolute` pixels of the picture after Qwen2.5-VL's resize (28)",
        reflection="no place",
        weights="`weight` in the row",
        prompt_file="`prompts.py` of xlang-ai/OpenCUA's agent (constants `SYSTEM_PROMPT_V1_L1` to `L3`)",
    )

    def reads(self, options: base.FormatOptions) -> frozenset[str]:
        return _OPTIONS | (SIZES if options.coordinates == "absolute" else frozenset())

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        steps = trajectory.steps
        words = told.words_of(steps, told.frames_of(steps, self.resize(options)))
        colon = b":" if options.colon else b""
        texts = [b"# Step %d%b\\n## Action:\\n%b\\n" % (at, colon, one) for at, one in enumerate(words, 1)]
        lines = told.Lines(texts)
        images = [None if step.image is None else image_part(step.image) for step in steps]
        task = text_part(told.inside(f"# Task Instruction:\n{trajectory.instruction}\n\n{_NEXT_MOVE}"))
        codes, _ = _codes(trajectory, options)
        targets = _targets(steps, words, codes, options)
        history = base.ALL if options.history is None else options.history
        for position, _trained in picked:
            if codes[position] is None:
                yield base.NO_ROW
                continue
            first = base.first_told(position, history)
            shown = base.first_shown(images, range(first, position), options.images or _IMAGES)  # type: ignore[arg-type]
            pieces = [_system(_prompt(steps[position], options))]
            if shown > first:
                pieces += (_ASSISTANT, lines.between(first, shown), _END)
            for at in range(shown, position):
                pieces += (_USER, images[at] or b"", _USER_END, _ASSISTANT, texts[at], _END)
            pieces += (_USER, images[position] or b"", b",", task, _USER_END)
            pieces += (_ASSISTANT, b"# Step %d%b\\n" % (position + 1, colon), *targets[position], b'"}]')
            yield b"".join(pieces)

    def line(self, head: base.Head, body: bytes) -> bytes:
        loss = rows.LOSS if head.trained else rows.NO_LOSS
        return b'{"messages":%b,"loss_on":%b,%b}' % (body, loss, rows.origin(head))

    def why_not(self, trajectory: Trajectory, options: base.FormatOptions) -> list[str | None]:
        return _codes(trajectory, options)[1]

    def resize(self, options: base.FormatOptions) -> Resize | None:
        return QWEN2_VL.limited(options.min_pixels, options.max_pixels) if _absolute(options) else None


_USER, _USER_END = b'{"role":"user","content":[', b"]},"
_ASSISTANT, _END = b'{"role":"assistant","content":"', b'"},'


def _absolute(options: base.FormatOptions) -> bool:
    return options.coordinates == "absolute"


def _codes(trajectory: Trajectory, options: base.FormatOptions) -> tuple[list[str | None], list[str | None]]:
    """The code of each step as the format writes it ('' for one that has none); else None, and the reason why."""
    resize = QWEN2_VL.limited(options.min_pixels, options.max_pixels) if _absolute(options) else None
    codes: list[str | None] = []
    reasons: list[str | None] = []
    for step in trajectory.steps:
        code, reason = pyautogui_code.opencua(base.target_code(step)), None
        if step.image is None:  # the agent and its data show a picture at every step
            code, reason = None, "unroll.no_picture"
        elif code is None:
            reason = "unroll.not_in_format"
        elif resize is not None:
            seen = told.seen(step, resize)
            code, reason = (None, seen) if isinstance(seen, str) else (pyautogui_code.in_pixels(code, *seen), None)
        codes.append(code)
        reasons.append(reason)
    return codes, reasons


@lru_cache(16)
def _system(text: str) -> bytes:
    return b'[{"role":"system","content":%b},' % base.json_text(text)


def _prompt(step: Step, options: base.FormatOptions) -> str:
    """The prompt asks for what the target holds, no more."""
    level = base.level_of(step, options)
    given = given_prompt(options, level)
    return _own(level, _POINTS[options.coordinates or "relative"]) if given is None else given


@lru_cache(16)
def _own(level: base.Level, points: str) -> str:
    return base.template("opencua").replace("{sections}", _SECTIONS[level]).replace("{points}", points)


def _targets(
    steps: Sequence[Step], words: Sequence[bytes], codes: Sequence[str | None], options: base.FormatOptions
) -> list[tuple[bytes, ...]]:
    """What the model is to answer at each step, in pieces; sections that the record does not know are left out."""
    inside = base.json_inside_all([code or "" for code in codes], base.escape_code)
    targets: list[tuple[bytes, ...]] = [
        (b"## Action:\\n", one, b"\\n\\n## Code:\\n```%b\\n" % _fence(code), text, b"\\n```\\n")
        if code
        else (b"## Action:\\n", one, b"\\n")
        for one, code, text in zip(words, codes, inside, strict=True)
    ]
    if options.level != "L1":
        targets = _with(b"## Thought:\\n", told.thoughts_of(steps), targets)
    if options.level == "L3":
        targets = _with(b"## Observation:\\n", told.observations_of(steps), targets)
    return targets


def _with(title: bytes, texts: Sequence[bytes], targets: Sequence[tuple[bytes, ...]]) -> list[tuple[bytes, ...]]:
    return [(title, text, b"\\n\\n", *one) if text else one for text, one in zip(texts, targets, strict=True)]


def _fence(code: str) -> bytes:
    if code.startswith("pyautogui.") and "\n" not in code:
        return b"python"
    return b"code" if any(call in _OTHER_FENCE for call in pyautogui_code.calls_of(code)) else b"python"


FORMAT = _OpenCua()
