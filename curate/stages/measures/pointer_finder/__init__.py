"""Finds a mouse pointer that was drawn into a still: `outlines.py` has the shapes, `templates.py` makes them pictures,
`finder.py` looks for them about a place, `places.py` says where to look, `lit.py` whether a target is lit up."""
