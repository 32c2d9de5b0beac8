"""Every form that an export has, and a dataset that has something for each: desktops, phones and the web, hostile
texts, steps without pictures, a run of one step, one without a target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curate.model import actions as act
from curate.model.trajectory import Element, Outcome, Weight
from curate.store.dataset import DatasetWriter
from tests.factories import make_step, make_trajectory, png

_TALKS = ("llamafactory", "ms-swift", "trl")
FORMS: list[tuple[str, ...]] = [
    ("adp",), ("lesson",), ("scalecua",), ("low_level",), ("low_level", "coordinates=absolute"),
    *(("aguvis", f"level={level}") for level in ("L1", "L2", "L3")),
    *(("messages", *more) for more in ((), ("images=3", "level=L3"), ("untrained=keep", "level=L1"))),
    *(("opencua", f"level={level}", f"coordinates={where}")
      for level in ("L1", "L2", "L3") for where in ("relative", "absolute")),
    *((name, *more) for name in ("qwen25vl", "qwen3vl") for more in ((), ("images=3",), ("dialect=thinking",))),
    *(("uitars", f"dialect={dialect}") for dialect in ("1.5", "v1", "point")),
    *(("grounding", f"dialect={dialect}", f"coordinates={where}")
      for dialect in ("point", "box") for where in ("relative", "absolute")),
    *((name, *more) for name in _TALKS for more in (
        ("level=L3",), ("images=1",), ("coordinates=absolute",), ("dialect=low_level",), ("dialect=point",),
        ("dialect=box",))),
    ("ms-swift", "untrained=keep"), ("transitions", "untrained=keep"), ("transitions", "dialect=digirl"),
]  # fmt: skip
"""Format, and settings that change the shape of its rows."""

MARKS = (
    "<image>", "<video>", "<audio>", "<bbox>", "<ref-object>", "<cot-process>", "<start-image>", "{{image}}",
    "{{video}}", "<img>/etc/hosts</img>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|image_pad|>",
    "<|eot_id|>", "<think>", "</think>", "<tool_call>", "</tool_call>", "<s>", "</s>", "<start_of_turn>",
    "<IMG_CONTEXT>", "[IMG]", "[INST]", "<|turn>", "<turn|>", "<row_1_col_2>",
    "<\uff5cend\u2581of\u2581sentence\uff5c>", "<|box_start|>",
)  # fmt: skip
"""What trainers and tokenizers take for their own when it stands in a text."""
OTHER = "\x00\x1f\u202eevil\u202c \u0645\u0631\u062d\u0628\u0627 \U0001f469\u200d\U0001f467 "
OTHER += "\"quoted\" \\back\\ 'it' {instruction} {width}"
HOSTILE = " ".join(MARKS) + OTHER

DESKTOP: list[Any] = [
    act.Click(0.5, 0.25), act.DoubleClick(0.25, 0.75), [act.MoveTo(0.5, 0.5), act.Scroll(-3.0)], act.Write("a word\n"),
    act.Hotkey(("ctrl", "s")), [act.MoveTo(0.1, 0.1), act.DragTo(0.9, 0.9)], act.Wait(2.0), act.Terminate("success"),
]  # fmt: skip
PHONE: list[Any] = [
    act.Click(0.5, 0.25), act.LongPress(0.25, 0.75), act.Write("maps"), act.Swipe(0.5, 0.75, 0.5, 0.25), act.Enter(),
    act.Home(), act.Back(), act.OpenApp("Maps"), act.Terminate("success"),
]  # fmt: skip
WEB: list[Any] = [
    act.Goto("https://a.example/"), act.Click(0.5, 0.5), act.SelectOption(0.5, 0.5, value="Blue"), act.HScroll(2.0),
    act.Answer("42"), act.Terminate("failure"),
]  # fmt: skip


def forms_dataset(folder: Path, hostile: str = HOSTILE, large: int = 2) -> Path:
    """The dataset. `hostile`: what stands in its texts; `large`: how many characters one of them has."""
    with DatasetWriter(folder, {"by": "test"}) as writer:
        names = [writer.media.add_bytes(png(640 + 40 * n, 360 if n % 2 else 1280, 10 * n), "png") for n in range(4)]

        def steps(does: list[Any], text: str = "the button", bare: tuple[int, ...] = ()) -> list[Any]:
            return [
                make_step(
                    at, one, image=None if at in bare else names[at % 4], image_size=None, action=f"Do {text} {at}",
                    thought=f"Now {text}.", observation=f"A screen with {text}." if at % 2 else None,
                    low_level=f"Use {text}", element=Element(role="button", name=text, box=(0.2, 0.2, 0.8, 0.8)),
                )
                for at, one in enumerate(does)
            ]  # fmt: skip

        desk = make_trajectory("made:desk", steps=steps(DESKTOP), weight=Weight(value=0.5, by="test"))
        desk.steps[1].correct, desk.steps[1].reflection = False, "Twice was wrong."
        writer.add(desk)
        phone = make_trajectory("made:phone", steps=steps(PHONE), platform="android", actor="human")
        phone.final_image, phone.steps[6].correct = names[3], False
        writer.add(phone)
        writer.add(make_trajectory("made:web", steps=steps(WEB), platform="web", completed=False))
        typed = [act.Click(0.5, 0.5), act.Write(hostile), act.Answer(hostile), act.OpenApp(hostile)]
        for platform in ("linux", "android"):
            record = make_trajectory(f"made:<image>{platform}", steps=steps(typed, hostile), instruction=hostile)
            record.platform = platform  # type: ignore[assignment]  # one of them
            record.steps[2].redundant, record.steps[2].reflection = True, hostile
            writer.add(record)
        writer.add(make_trajectory("made:bare", steps=steps(DESKTOP, hostile, bare=(0, 1, 2, 3, 4, 5))))
        writer.add(make_trajectory("made:one", steps=steps(DESKTOP[:1], "x" * large)))
        none = make_trajectory("made:none", steps=steps([act.Terminate()]))
        none.outcome = Outcome(completed=None)
        writer.add(none)
    return folder
