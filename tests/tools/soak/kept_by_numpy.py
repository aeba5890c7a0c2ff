"""Memory that numpy caches for deleted arrays."""

from __future__ import annotations

import numpy as np

# Of arrays smaller than this, in bytes, numpy keeps the memory for the next of the same size: so many of each size, for
# each thread until that ends (`NBUCKETS` and `NCACHE` in numpy's alloc.cpp, seen with numpy 2.4).
BELOW, OF_EACH = 1024, 7


def fill_all() -> None:
    """Lets numpy keep as much for this thread as it ever will, 3.5 MB.

    By itself it comes near that within an hour, because files of other lengths become arrays of other sizes:
    what is in use grew by 44 KB a round, and these small pieces held memory about them that could not be given back.
    It cannot be told to keep nothing.
    """
    held = [np.empty(size, np.uint8) for size in range(1, BELOW) for _ in range(OF_EACH)]
    held.clear()
