"""Near-copies: what a run did as tokens and shingles, which runs are similar, and which of them stay. The rules are
here; how they are carried out fast is in `search` (numpy), `kernels` (compiled) and `partitions` (a cluster)."""
