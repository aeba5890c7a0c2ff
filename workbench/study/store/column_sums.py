"""Checksums of stored columns: damage that leaves a file readable would change results without notice.

    <root>/v1/columns/<key>.sums    xxh3-64 of the bytes of the times and of each column, 8 bytes each,
                                    little-endian; sealed

A column is checked with its own checksum whenever it is read, without reading other data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import xxhash

from workbench.cancellation import stop_if_cancelled
from workbench.study.store.own_files import opened, sealed, unsealed
from workbench.study.store.pack_file import place_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

# Columns by number; this is the number of the times.
TIMES = -1
_SUM = "<u8"
# Bytes of a file in memory at once.
_BLOCK = 1 << 22


class DamagedError(Exception):
    """The columns differ from the written ones."""


def sums_file(columns: Path) -> Path:
    """Returns the path of the checksums for a file of columns."""
    return columns.with_suffix(".sums")


def sealed_sums(sums: bytes, columns: Path) -> bytes:
    """Returns the content of the sums file for these columns."""
    return sealed(sums, sums_file(columns))


def flat_sums(stream: BinaryIO) -> bytes:
    """Returns the checksums of the columns of a file without a seal. Raises Cancelled."""
    import numpy as np
    from numpy.lib import format as npy

    npy.read_magic(stream)
    (width, rows), _, _ = npy.read_array_header_1_0(stream)
    return np.fromiter(_digests(stream, 8 * rows), _SUM, width).tobytes()


def _digests(stream: BinaryIO, size: int) -> Iterator[int]:
    """Yields the digests of columns of this many bytes each, to the end of the file."""
    if size > _BLOCK:
        yield from _digests_of_long(stream, size)
        return
    while block := memoryview(stream.read(size * max(1, _BLOCK // size))):
        stop_if_cancelled()
        for at in range(0, len(block), size):
            yield xxhash.xxh3_64_intdigest(block[at : at + size])


def _digests_of_long(stream: BinaryIO, size: int) -> Iterator[int]:
    """Like `_digests`, a part of a column at a time."""
    block = stream.read(_BLOCK)
    while block:
        digest, left = xxhash.xxh3_64(), size
        while block and left:
            stop_if_cancelled()
            digest.update(block)
            left -= len(block)
            block = stream.read(min(_BLOCK, left or size))
        yield digest.intdigest()


def check(columns: Path, numbers: Sequence[int], table: npt.NDArray[np.float64]) -> None:
    """Raises DamagedError if a row of `table` differs from the column of its number as it was written. Every file in a
    store has checksums."""
    try:
        data = _sealed_sums(columns)
    except FileNotFoundError:
        return
    import numpy as np

    written = np.frombuffer(data, _SUM).tolist()
    for column, values in zip(numbers, table, strict=True):
        index = column - TIMES
        if index >= len(written) or written[index] != xxhash.xxh3_64_intdigest(values.data):
            raise DamagedError(f"column {column} of {columns.name} has changed since it was written")


def _sealed_sums(columns: Path) -> bytes:
    """Returns the checksums of these columns. Raises OSError, and ValueError if they are damaged."""
    place = place_of(columns)
    if place is None:
        return unsealed(sums_file(columns))
    with place.file.open("rb") as stream:
        stream.seek(place.start + place.size)
        return opened(stream.read(place.sums), columns)
