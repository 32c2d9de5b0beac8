"""A processor that is made here, so that trainers prepare rows as they do for a vision model without any download: a
tokenizer with a token a byte (a loss token is a byte of the target), pictures of 28 x 28."""

from __future__ import annotations

import json
import sys
import traceback
import types
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

CHAT = (
    "{% for m in messages %}{{m.role}}: {% if m.content is string %}{{m.content}}{% else %}{% for p in m.content %}"
    "{% if p.type=='image' %}<image>{% else %}{{p.text}}{% endif %}{% endfor %}{% endif %}\n{% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
END = "</s>"


def without_audio() -> None:
    """LLaMA-Factory imports a library of sounds that it needs for none of these rows."""
    for name in ("torchaudio",):
        module = types.ModuleType(name)
        module.__spec__ = ModuleSpec(name, None)
        sys.modules.setdefault(name, module)


def processor() -> Any:
    """A LLaVA processor, whose tokenizer has a token for every byte."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import CLIPImageProcessor, LlavaProcessor, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    inner = Tokenizer(models.BPE(vocab={letter: at for at, letter in enumerate(letters)}, merges=[]))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=inner, eos_token=END, pad_token="<pad>", bos_token="<s>",
        additional_special_tokens=["<image>"],
    )  # fmt: skip
    tokenizer.chat_template = CHAT
    pictures = CLIPImageProcessor(size={"shortest_edge": 28}, crop_size={"height": 28, "width": 28})
    return LlavaProcessor(
        image_processor=pictures, tokenizer=tokenizer, patch_size=14, vision_feature_select_strategy="default",
        chat_template=CHAT, image_token="<image>",
    )  # fmt: skip


def written(path: Path) -> list[dict[str, Any]]:
    """The rows as they were written."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def trained(tokenizer: Any, labels: list[int]) -> str:
    """The text that has a loss, without the end of its turn."""
    return str(tokenizer.decode([label for label in labels if label != -100])).replace(END, "").strip()


def must(holds: bool, what: str) -> None:
    if not holds:
        raise SystemExit(what)


def tell(**figures: Any) -> None:
    """What a check found, for who started it."""
    print(json.dumps(figures), flush=True)


def checked(name: str, check: Callable[..., None], *given: Any) -> None:
    """Do one check; what went wrong is its answer, and the next one follows."""
    try:
        check(*given)
    except (Exception, SystemExit) as error:
        told = "".join(traceback.format_exception(error)[-3:]) if isinstance(error, Exception) else str(error)
        tell(failed=told[-2000:])
