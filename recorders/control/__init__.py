"""What commands a recording while it runs: shortcuts, pauses, signals; how it is going, and whether there is room."""
