"""Actions in the languages that models answer in: one file a language, pure functions from a step's actions to text.
What a language has no word for gives None, for the whole step: a part of an act is another act."""
