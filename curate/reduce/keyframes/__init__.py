"""A picture for every step that shows the state acted on and does not give the target away."""
