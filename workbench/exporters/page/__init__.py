"""The HTML page: one self-contained .html file."""
