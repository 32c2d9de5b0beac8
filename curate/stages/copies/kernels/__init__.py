"""What numba compiles (the extra `[fast]`): inner loops of `search` and of `shingle_sets`. Each has a form in numpy
that gives the same."""
