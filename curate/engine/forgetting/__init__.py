"""`curate forget`: takes a person or a run out of datasets, run folders and near-copy indexes, byte by byte.

read `forget.py`; `who.py` finds the records, `mentions.py` says what a mention of one is, `tables.py` and `lines.py`
rewrite Parquet and JSONL, `counts.py` makes the funnel again."""
