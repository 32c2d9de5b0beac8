"""The steps of a whole text run, as one writes them with `datasets`, `jsonschema` and `datasketch`: what a team without
this program does. Used by whole_run.py.

    python benchmarks/whole_run_peer.py RECORDS.jsonl OUT

Written to be fast within those libraries: only whether a record is valid is asked, bytes of tokens are cached, MinHash
is fed a whole set at once, and pairs that LSH proposes are verified. Steps: parse, validate, keep what did not fail,
normal form of words, near-copies within an app or site (Jaccard of bigrams of actions, threshold .5), a split by site,
training examples with the last three steps as history.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).resolve().parents[1] / "schemas" / "trajectory.v1.schema.json"
IGNORED = {"scroll", "hscroll", "wait", "moveTo"}
PERMUTATIONS, THRESHOLD, HISTORY = 128, 0.5, 3


def main(source: str, out: str) -> None:
    from datasets import Dataset, disable_caching, disable_progress_bars
    from datasketch import MinHash, MinHashLSH
    from jsonschema import Draft202012Validator

    disable_caching()
    disable_progress_bars()
    Path(out).mkdir(parents=True, exist_ok=True)
    validator = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    # Nested records of many shapes do not load into one typed table without losing their absent fields, so each line
    # stays text, as is usual for agents' logs.
    lines = Dataset.from_dict({"line": Path(source).read_text(encoding="utf-8").splitlines()})

    def sound(row: dict[str, Any]) -> bool:
        record = json.loads(row["line"])
        return validator.is_valid(record) and record["outcome"]["completed"] is not False

    def prepared(row: dict[str, Any]) -> dict[str, Any]:
        record = json.loads(row["line"])
        for step in record["steps"]:
            step["action"] = unicodedata.normalize("NFC", step["action"] or "").strip() or None
        return {"line": json.dumps(record), "place": place(record), "shingles": shingles(record)}

    kept = lines.filter(sound).map(prepared)
    index: dict[str, Any] = {}
    sets: dict[str, set[str]] = {}
    alone: list[int] = []

    @cache
    def token_bytes(token: str) -> bytes:
        return token.encode()

    for number, row in enumerate(kept):
        here = index.setdefault(row["place"], MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS))
        mine = set(row["shingles"])
        sketch = MinHash(num_perm=PERMUTATIONS)
        sketch.update_batch([token_bytes(token) for token in mine])
        if any(len(mine & sets[other]) / len(mine | sets[other]) >= THRESHOLD for other in here.query(sketch)):
            continue
        here.insert(str(number), sketch)
        sets[str(number)] = mine
        alone.append(number)
    kept = kept.select(alone)
    places = sorted({row["place"] for row in kept})
    held_out = set(places[:: max(len(places) // max(len(places) // 10, 1), 1)][: max(len(places) // 10, 1)])
    for split in ("train", "test"):
        part = kept.filter(lambda row, wanted=split == "test": (row["place"] in held_out) == wanted)
        examples = part.map(unrolled, batched=True, remove_columns=part.column_names)
        examples.to_json(str(Path(out) / f"{split}.jsonl"))


def place(record: dict[str, Any]) -> str:
    return (record["sites"] or record["apps"] or ["?"])[0]


def shingles(record: dict[str, Any]) -> list[str]:
    tokens = [
        f"{action['type']}|{(step['element'] or {}).get('name')}|{action.get('text') or action.get('keys') or ''}"
        for step in record["steps"]
        for action in step["actions"][:1]
        if action["type"] not in IGNORED
    ]
    return sorted({f"{a}>{b}" for a, b in pairwise(tokens)} or set(tokens))


def unrolled(rows: dict[str, list[Any]]) -> dict[str, list[Any]]:
    found: list[dict[str, Any]] = []
    for line in rows["line"]:
        record = json.loads(line)
        words = [step["action"] or "" for step in record["steps"]]
        for at, step in enumerate(record["steps"]):
            earlier = "\n".join(words[max(0, at - HISTORY) : at])
            target = f"{step['thought'] or ''}\n{words[at]}\n{step['code'] or ''}"
            ask = f"Task: {record['instruction']}\n\nEarlier steps:\n{earlier}"
            messages = [{"role": "user", "content": ask}, {"role": "assistant", "content": target}]
            found.append({"id": f"{record['id']}/{step['index']}", "messages": messages})
    return {"id": [row["id"] for row in found], "messages": [row["messages"] for row in found]}


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
