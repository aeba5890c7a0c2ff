"""Large arrays in scratch files. A long run of many VMs has gigabytes of samples, more than the memory of a laptop.

The system keeps as much of the file in memory as there is room. The file has no name (on Windows it is deleted when
closed), so no other program can truncate it. It disappears with its array, even if the program is killed.
"""

from __future__ import annotations

import mmap
import os
import sys
import tempfile
from math import prod
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Kind = TypeVar("Kind", bound=np.generic)

# Arrays of at least this size are in a file. Several may exist at a time and should stay below 1 GB together.
LARGE_BYTES = 32 * 10**6
# On Linux the default folder may be in memory; this one is for large files (https://systemd.io/TEMPORARY_DIRECTORIES/).
_ON_DISK = Path("/var/tmp")
_ZEROS = bytes(1 << 22)
_ALIGNED = 64


def empty(shape: int | tuple[int, ...], kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Like `np.empty`, for arrays that may be large. Uses memory if the disk is full."""
    import numpy as np

    kind = np.dtype(kind)
    size = prod(shape if isinstance(shape, tuple) else (shape,)) * kind.itemsize
    return np.ndarray(shape, kind, _in_file(size)) if size >= LARGE_BYTES else np.empty(shape, kind)


class Room:
    """Storage for many small arrays. Up to a number of bytes stay in memory; further arrays move to scratch files."""

    def __init__(self) -> None:
        self._kept, self._free = 0, memoryview(bytearray())

    def keep(self, values: npt.NDArray[Kind]) -> npt.NDArray[Kind]:
        """The same values, perhaps as another array. Values that are part of a larger array are not moved."""
        import numpy as np

        # NumPy returns some results as a view of an array of this size.
        owner = values.base if isinstance(values.base, np.ndarray) else values
        if not owner.flags.owndata or owner.nbytes > values.nbytes:
            return values
        self._kept += values.nbytes
        if self._kept <= LARGE_BYTES:
            return values
        kept: npt.NDArray[Kind] = np.ndarray(values.shape, values.dtype, self._place(values.nbytes))
        kept[...] = values
        return kept

    def _place(self, size: int) -> memoryview:
        if size > LARGE_BYTES // 2:
            return _in_file(size)
        if size > len(self._free):
            self._free = _in_file(LARGE_BYTES)
        place, self._free = self._free[:size], self._free[-(-size // _ALIGNED) * _ALIGNED :]
        return place


def _in_file(size: int) -> memoryview:
    try:
        return memoryview(_mapped(size))
    except OSError:
        return memoryview(bytearray(size))


def _mapped(size: int) -> mmap.mmap:
    """A mapped file of this size. Raises OSError if the disk is full.

    All of the space is taken now, because the system kills a program that writes to a mapping without space.
    """
    with tempfile.TemporaryFile(dir=_folder()) as file:
        _take(file, size)
        return mmap.mmap(file.fileno(), size)


def _take(file: IO[bytes], size: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), 0, size)
        return
    for start in range(0, size, len(_ZEROS)):
        file.write(_ZEROS[: size - start])
    file.flush()


def _folder() -> Path | None:
    stated = any(map(os.environ.get, ("TMPDIR", "TEMP", "TMP")))
    return None if stated or sys.platform != "linux" or not os.access(_ON_DISK, os.W_OK) else _ON_DISK
