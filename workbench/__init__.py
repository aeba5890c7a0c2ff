"""VDI Workbench: a file becomes recordings, recordings runs, runs phases, phases figures."""

__version__ = "0.1.0"
