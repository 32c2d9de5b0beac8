"""`python -m curate`."""

from curate.cli import main

if __name__ == "__main__":  # workers import this module again
    main()
