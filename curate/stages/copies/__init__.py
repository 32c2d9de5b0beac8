"""Near-copies: what a run did as tokens and shingles, which runs are similar, and which of them stay."""
