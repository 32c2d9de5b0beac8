"""ms-swift's own loader (strict) and template over an export: every row comes through, with its pictures, and the loss
is on the target alone, at the row's weight.

    python ms_swift_rows.py FOLDER NAME...    (of files FOLDER/NAME.jsonl; relative pictures need ROOT_IMAGE_DIR=FOLDER)
"""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

FOLDER = Path(sys.argv[1])
os.environ["ROOT_IMAGE_DIR"] = str(FOLDER)
os.environ["MODELSCOPE_CACHE"] = str(FOLDER / "cache")

from small_model import checked, must, processor, tell, trained, written  # noqa: E402

_MODEL = "llava1_5_hf"


def main(name: str) -> None:
    import torch
    from swift.dataset import load_dataset
    from swift.template import get_template

    rows = written(FOLDER / f"{name}.jsonl")
    loaded, _ = load_dataset([str(FOLDER / f"{name}.jsonl")], strict=True, load_from_cache_file=False)
    must(len(loaded) == len(rows), f"{len(loaded)} of {len(rows)} rows were loaded")
    made = processor()
    made.model_info = SimpleNamespace(
        max_model_len=None, model_type=_MODEL, task_type="causal_lm", torch_dtype=torch.float32,
        config=SimpleNamespace(model_type="llava"), is_multimodal=True,
    )  # fmt: skip
    made.model_meta = SimpleNamespace(template=_MODEL, is_multimodal=True, model_type=_MODEL, is_reward=False)
    made.tokenizer.model_info, made.tokenizer.model_meta = made.model_info, made.model_meta
    template = get_template(made, template_type=_MODEL, is_binary_loss_scale=False)
    template.set_mode("train")
    tokens = pictures = 0
    for row, one in zip(rows, loaded, strict=True):
        encoded = template.encode(dict(one))
        said = trained(made.tokenizer, encoded["labels"])
        must(re.fullmatch(_answer(row), said) is not None, f"loss of {row['id']}: {said[-200:]}")
        scales = set(encoded["loss_scale"]) - {0, 1.0}
        must(scales <= {row["weight"]}, f"weight of {row['id']}: {scales}")
        shown = encoded["pixel_values"].shape[0] if encoded.get("pixel_values") is not None else 0
        must(shown == len(row["images"]), f"pictures of {row['id']}")
        tokens += sum(label != -100 for label in encoded["labels"]) - 1  # the end of the turn
        pictures += len(row["images"])
    tell(trainer=f"ms-swift {version('ms-swift')}", rows=len(loaded), images=pictures, loss_tokens=tokens)


def _answer(row: dict) -> str:  # type: ignore[type-arg]
    """The answer as the model is to say it: the trainer puts the place where `<bbox>` stands."""
    return re.escape(row["messages"][-1]["content"].strip()).replace("<bbox>", r"\[[()\d,]+\]")


if __name__ == "__main__":
    for each in sys.argv[2:]:
        checked(each, main, each)
