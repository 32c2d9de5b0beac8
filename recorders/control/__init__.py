"""What the person who records sees and says: shortcuts, task lists, consent, the status line, the summary."""
