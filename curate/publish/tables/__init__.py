"""The tables of a published dataset, a module each: trajectories, steps, examples, traces."""
