"""Makes the raw files of the phone sources' fixtures, a module a source."""
