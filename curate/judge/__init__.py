"""How good a judge is, and what follows: pure functions over counts and answers (docs/audit.md)."""
