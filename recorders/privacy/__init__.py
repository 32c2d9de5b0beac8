"""What is nobody's business: names, excluded windows, passwords. Decided before anything is written."""
