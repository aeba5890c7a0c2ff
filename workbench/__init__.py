"""VDI Workbench: files become recordings, recordings become runs, runs have phases, and phases have metrics."""

__version__ = "0.1.0"
