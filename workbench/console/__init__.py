"""The command line: parsing, loading with progress, and replies as text."""
