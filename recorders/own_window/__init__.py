"""The window of the terminal that the recorder was started from: found, put away while recording, brought back."""
