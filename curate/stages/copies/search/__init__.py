"""How runs that are similar are found, and which of them stay, with whole numbers alone: `keep_first` is the decision,
`similar_kinds` all pairs, `minhash` the way that may miss some; the others are the index they are found in."""
