"""Accessibility: trees, the element under the pointer, and where keys go, read in a process of its own."""
