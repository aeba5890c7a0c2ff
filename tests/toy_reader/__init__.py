"""A format of its own module: the least that a reader of samples consists of."""
