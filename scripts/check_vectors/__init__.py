"""The checks of the vectors, one topic a file, with the Python SDK of clients/python."""
