"""Leaks: the test tasks that runs are held against (`pack`), what finds them in instructions (`words`, `index`), in the
rest of a record (`identity`, `canaries`, `files`, `places`, `paths`), and what a decision makes of it (`deciding`)."""
