"""Audits of a run: a blind sample for people, and what their answers say of the machine's (docs/audit.md)."""
