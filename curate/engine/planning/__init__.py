"""What data costs and what it brings, from figures that a person gives: prices, and scores of trained models."""
