"""Memory that numpy caches for deleted arrays."""

from __future__ import annotations

import numpy as np

# For arrays smaller than this, in bytes, numpy keeps the memory for the next one of equal size: this many of each
# size, for each thread until it ends (`NBUCKETS` and `NCACHE` in numpy's alloc.cpp, seen with numpy 2.4).
BELOW, OF_EACH = 1024, 7


def fill_all() -> None:
    """Makes numpy fill its cache for this thread to the maximum, 3.5 MB.

    Otherwise the cache fills within an hour, because files of other lengths become arrays of other sizes: memory in use
    grew by 44 KB a round, and these small pieces prevented the release of the memory around them. The cache cannot be
    switched off.
    """
    held = [np.empty(size, np.uint8) for size in range(1, BELOW) for _ in range(OF_EACH)]
    held.clear()
