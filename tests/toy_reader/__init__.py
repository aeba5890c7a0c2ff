"""A format in a separate module: the smallest possible reader of samples."""
