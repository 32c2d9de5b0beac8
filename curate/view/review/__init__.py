"""The review page: a list of trajectories, each step with its action drawn on its picture, every stage's verdict, and
what a person says of it. `server.py` answers on this computer only, `export.py` writes the same pages as files; both
take what they show from the same functions. The page itself is `static/`."""
