"""What `curate doctor` looks at, a group of checks a module; `doctor.py` lists them."""
