"""What may read files: this machine, or the workers of a Dask cluster. Light: the console's help names them."""

from __future__ import annotations

LOCAL = "local"
SCHEME = "dask://"
