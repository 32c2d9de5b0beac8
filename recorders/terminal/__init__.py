"""What a person at the terminal sees of recording: questions, status, what became of each recording."""
