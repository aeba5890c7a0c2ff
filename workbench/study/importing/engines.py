"""The places that can read files: this machine, or the workers of a Dask cluster. A light module, because the console's
help uses it.
"""

from __future__ import annotations

LOCAL = "local"
SCHEME = "dask://"
