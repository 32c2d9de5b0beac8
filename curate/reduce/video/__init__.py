"""A recording's video: decoding, its clock, which frames are held, and what changes on the screen."""
