"""Writes the sample study. It does not use the workbench, so it can check its results independently."""
