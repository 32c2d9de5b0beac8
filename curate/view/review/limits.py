"""The numbers of the review page, each with why."""

from __future__ import annotations

GROUPS_HELD = 4  # row groups of trajectories that the review page keeps for the neighbours of what is looked at
INSTRUCTION = 200  # characters of an instruction in the list of the review page: two lines of a wide window
TEXT = 2_000  # characters of a trajectory that the review page's search looks at: 20 MB for ten thousand
CHUNK = 1 << 18  # bytes of a file that the review page's server reads at a time
POST_BYTES = 4 << 20  # that the server takes: an edit with an instruction of a million characters
NEAR_FOLDERS = 2_000  # folders beside a run that are looked at for its recordings: a second on a slow disk
EVENTS_BEFORE_S, EVENTS_AFTER_S = 2.0, 1.0  # of a step's raw events: how the pointer came, what followed
EVENT_ROWS = 1_000  # raw events about a step that are shown: a mouse of 1,000 moves a second fills a second
CLIP_AROUND_S = 1.0  # before and after a step, in the video of it
CLIP_S = 20.0  # of a step that took longer (typing, waiting) the beginning is shown
CLIP_WIDTH = 1280  # pixels at most: text stays legible, a clip stays under a megabyte
CLIPS_HELD = 40  # clips that the server keeps on the disk while it runs
POINTER_HZ = 60  # places of the pointer in a clip: as often as screens show it
