"""Record, audit and curate computer-use trajectories."""

__version__ = "0.1.0"
