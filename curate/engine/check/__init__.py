"""What `curate check` finds in a dataset as it lies on disk: one module a kind of finding; read `checking.py` first."""
