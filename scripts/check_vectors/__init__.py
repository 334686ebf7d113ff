"""The protocol in plain Python, one part a file, and the checks of its vectors."""
