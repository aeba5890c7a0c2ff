"""Memory that numpy caches for deleted arrays does not count as growth of the soak."""

from __future__ import annotations

import ctypes
import sys

import numpy as np
import pytest

from tests.tools.soak.kept_by_numpy import BELOW, OF_EACH, fill_all
from tests.tools.soak.watch import in_use_mb

# glibc counts free memory kept for this thread as in use: up to 7 pieces of each size below 1 KB, 0.23 MB.
MB = 0.5
needs_mallinfo2 = pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(ctypes.CDLL(None), "mallinfo2"),
    reason="what is in use is asked of glibc 2.33 or newer",
)


@needs_mallinfo2
def test_that_numpy_caches_no_further_arrays_after_warm_up() -> None:
    fill_all()
    before = in_use_mb()
    arrays = [np.zeros(size, np.uint8) for size in range(1, BELOW) for _ in range(2 * OF_EACH)]
    assert in_use_mb() > before + 3
    arrays.clear()
    assert abs(in_use_mb() - before) < MB
