"""TRL's own collator for vision models over an export: every row comes through, with its pictures, and the loss is on
the completion alone.

    python trl_rows.py FOLDER NAME...    (of files FOLDER/NAME.jsonl)
"""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from small_model import checked, must, processor, tell, trained, written


def main(folder: Path, name: str) -> None:
    from datasets import Image, Sequence, load_dataset
    from trl.trainer.sft_trainer import DataCollatorForVisionLanguageModeling

    def placed(row: dict[str, Any]) -> dict[str, Any]:
        return {**row, "images": [str(folder / image) for image in row["images"]]}

    path = folder / f"{name}.jsonl"
    rows = written(path)
    loaded = load_dataset("json", data_files=str(path), split="train", cache_dir=str(folder / "cache")).map(placed)
    loaded = loaded.cast_column("images", Sequence(Image()))
    must(len(loaded) == len(rows), f"{len(loaded)} of {len(rows)} rows were loaded")
    made = processor()
    collate = DataCollatorForVisionLanguageModeling(made, completion_only_loss=True)
    tokens = pictures = 0
    for row, one in zip(rows, loaded, strict=True):
        batch = collate([one])
        labels = batch["labels"][0].tolist()
        must(
            trained(made.tokenizer, labels) == row["completion"][0]["content"][0]["text"].strip(),
            f"loss of {row['id']}",
        )
        shown = batch["pixel_values"].shape[0] if "pixel_values" in batch else 0
        must(shown == len(row["images"]), f"pictures of {row['id']}")
        tokens += sum(label != -100 for label in labels)
        pictures += len(row["images"])
    tell(trainer=f"trl {version('trl')}", rows=len(loaded), images=pictures, loss_tokens=tokens)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        checked(each, main, Path(sys.argv[1]), each)
