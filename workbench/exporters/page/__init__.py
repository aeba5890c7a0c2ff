"""The page: one self-contained .html file."""
