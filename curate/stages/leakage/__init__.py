"""Leaks: the test tasks that runs are held against (`pack`), what finds them in instructions (`phrase_index`, `said`),
in the rest of a record (`identity`, `canaries`, `files`, `paths`, `screens`), and what a decision makes of it
(`judging`, `deciding`, `own_test`)."""
