"""A question in a separate folder: the smallest possible one."""
