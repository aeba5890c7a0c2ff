"""The places that can read files: this machine, or the workers of a Dask cluster. Fast to import, because the help text
of the command line uses this module.
"""

from __future__ import annotations

LOCAL = "local"
SCHEME = "dask://"
