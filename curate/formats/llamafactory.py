"""`llamafactory`: rows as LLaMA-Factory reads them (`formatting: sharegpt`), with their entry in `dataset_info.json`.

    {"messages": [{"role", "content"}, ...], "images": [...]}

Its converter skips, with a warning alone, a row whose turns do not begin with the user's, do not alternate or are odd
in number, and stops at one whose `<image>` tags are not as many as its pictures: there is no such row here. It trains
on every assistant turn of a row: `mask_history: true` is to be set where rows have several (pictures of earlier steps),
or `images=1`. A step that is no target has no row, whatever `untrained` says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from curate.formats import base, rows
from curate.formats.conversation import pictures, with_tags
from curate.formats.spoken import Spoken
from curate.model.trajectory import Trajectory


class Turn(msgspec.Struct, kw_only=True, frozen=True):
    role: Literal["system", "user", "assistant"]
    content: str


class Example(msgspec.Struct, kw_only=True, frozen=True):
    """One row."""

    messages: list[Turn]
    images: list[str]
    id: str
    trajectory: str
    step: int
    split: str
    weight: float


class _LlamaFactory(Spoken):
    name = "llamafactory"
    row = Example
    listing = "dataset_info.json"
    about = base.About(
        trains="LLaMA-Factory, any model",
        loss="the last assistant turn with `mask_history: true`, or with `images=1`; else every one",
        history="every earlier step, its action in words",
        pictures="3: two earlier ones and the step's own, each a turn",
        coordinates="fractions, or with `coordinates=absolute` pixels after Qwen2.5-VL's resize",
        reflection="behind the words of a step that was wrong or redundant; before the next picture where it is shown",
        weights="`weight` in the row; the trainer reads none",
        set_there="mask_history: true, or there is a loss on every assistant turn, those of wrong steps too",
    )

    def bodies(
        self, trajectory: Trajectory, picked: Sequence[base.Picked], options: base.FormatOptions
    ) -> Iterator[bytes]:
        for talk, _ in self.talks(trajectory, picked, options):
            if talk is None:
                yield base.NO_ROW
                continue
            turns = b"".join([_TURNS % pair for pair in with_tags(talk)])
            yield _ROW % (talk.system, turns, pictures(talk))

    def line(self, head: base.Head, body: bytes) -> bytes:
        return b"{%b,%b}" % (body, rows.origin(head))

    def listed(self, file_name: str) -> dict[str, Any]:
        """The entry of a file of examples in `dataset_info.json`."""
        tags = {f"{role}_tag": role for role in ("user", "assistant", "system")}
        return {
            "file_name": file_name,
            "formatting": "sharegpt",
            "columns": {"messages": "messages", "images": "images"},
            "tags": {"role_tag": "role", "content_tag": "content", **tags},
        }


_ROW = b'"messages":[{"role":"system","content":"%b"}%b],"images":[%b]'
_TURNS = b',{"role":"user","content":"%b"},{"role":"assistant","content":"%b"}'

FORMAT = _LlamaFactory()
