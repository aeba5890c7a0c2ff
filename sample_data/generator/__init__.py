"""Writes the sample study. Knows nothing of the workbench: it is its independent witness."""
