"""Making an interrupted recording whole: what can be read of its rows and its video, and the change that is made all
at once. `recover.py` puts it together."""
