"""What `curate doctor` looks at, a group of checks a module; `recorders/doctor.py` lists them."""
