"""A strip at the top of the screen that says that nothing is recorded; it is there only then."""
