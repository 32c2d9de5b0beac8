"""What is published of a run: staged beside it as a folder that the Hub can show, looked through, and sent."""
