"""What must be so before anything is published: a module a reason to refuse, and who asks them all (`gate.py`)."""
