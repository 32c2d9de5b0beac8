"""LLaMA-Factory's own loader, converter and preprocessor over an export: every row comes through, with its pictures,
and the loss is on the target alone.

    python llamafactory_rows.py FOLDER NAME...    (NAME: an entry in FOLDER/dataset_info.json)
"""

from __future__ import annotations

import os
import sys
from importlib.metadata import version
from pathlib import Path

os.environ["DISABLE_VERSION_CHECK"] = "1"

from small_model import checked, must, processor, tell, trained, without_audio, written


def main(folder: Path, name: str) -> None:
    without_audio()
    from llamafactory.data.loader import _get_merged_dataset, _get_preprocessed_dataset
    from llamafactory.data.template import TEMPLATES
    from llamafactory.hparams import DataArguments, ModelArguments
    from transformers import Seq2SeqTrainingArguments

    rows = written(folder / f"{name}.jsonl")
    data = DataArguments(
        dataset=name, dataset_dir=str(folder), media_dir=str(folder), mask_history=True, cutoff_len=1_000_000,
        template="llava", overwrite_cache=True,
    )  # fmt: skip
    training = Seq2SeqTrainingArguments(output_dir=str(folder / "out"), report_to=[])
    converted = _get_merged_dataset([name], ModelArguments(model_name_or_path="none"), data, training, "sft")
    skipped = [at for at, row in enumerate(converted) if not row["_prompt"]]
    must(len(converted) == len(rows) and not skipped, f"rows {skipped} of {len(rows)} were skipped")
    made = processor()
    ready = _get_preprocessed_dataset(
        converted, data, training, "sft", TEMPLATES["llava"], made.tokenizer, made
    )  # fmt: skip
    must(len(ready) == len(rows), f"{len(ready)} of {len(rows)} rows were prepared")
    tokens = pictures = 0
    for row, one in zip(rows, ready, strict=True):
        must(trained(made.tokenizer, one["labels"]) == row["messages"][-1]["content"].strip(), f"loss of {row['id']}")
        must(all(Path(picture).is_file() for picture in one["images"] or []), f"pictures of {row['id']}")
        must(len(one["images"] or []) == len(row["images"]), f"pictures of {row['id']}")
        tokens += sum(label != -100 for label in one["labels"]) - 1  # the end of the turn
        pictures += len(row["images"])
    tell(trainer=f"llamafactory {version('llamafactory')}", rows=len(ready), images=pictures, loss_tokens=tokens)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        checked(each, main, Path(sys.argv[1]), each)
