"""The tables of a bundle on their way into the column store: weighed first, then unpacked a stretch of rows at a time.

What a bundle states of its recordings bounds it as a whole; each table must hold exactly that, by its own directory and
the heads of its pages (`parquet_pages`), before a byte of it is unpacked.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import xxhash
from numpy.lib import format as npy

from workbench.interrupts import stop_if_cancelled
from workbench.model.recording import Recording
from workbench.model.run import Study
from workbench.patience import deleted_afterwards
from workbench.session.parquet_pages import contents_of
from workbench.study.discovery.archive_members import shown
from workbench.study.store.column_store import Store
from workbench.study.store.column_sums import sums_file
from workbench.study.store.columns import BUNDLED, put_columns, readable
from workbench.study.store.temporary import temporary_beside

# What all tables of a bundle may unpack to: as much as an archive of results.
_MAX_BYTES = 20 * 10**9
# Up to here any bundle may, and beyond only so many times its own size: our own writer packs columns of one value alone
# 2,900 to 1.
_FREE_BYTES, _MAX_TABLE_RATIO = 10**9, 4_000
# Descriptions pack 25 to 1, tables were packed once already: from so many bytes on a member may swell 50 times, and a
# small one 200 times.
_LARGE_BYTES, _LARGE_RATIO, _SMALL_RATIO = 2**24, 50, 200
_MAX_MEMBER_BYTES = 2 * 10**9
_READ_BYTES = 2**20
# Values that are unpacked at a time: 64 MB.
_VALUES = 1 << 23


class TooLargeError(Exception):
    """A bundle, or a member of it, that would unpack to more than it may; the message says to what."""


def check_stated(studies: Iterable[Study], size: int) -> None:
    """Raises TooLargeError where the recordings of a bundle of `size` bytes would take more than it may unpack to, and
    ValueError where it states what no bundle does."""
    recordings = [recording for study in studies for run in (*study.runs, *study.loose) for recording in run.recordings]
    if any(min((recording.rows, *(s.column for s in recording.series))) < 0 for recording in recordings):
        raise ValueError("a table of fewer than no rows or columns")
    if len({recording.store_file for recording in recordings}) < len(recordings):
        raise ValueError("two recordings share a table")
    unpacked = sum(8 * max(1, recording.rows) * _width(recording) for recording in recordings)
    if unpacked > min(_MAX_BYTES, max(_FREE_BYTES, _MAX_TABLE_RATIO * size)):
        raise TooLargeError(f"its tables state {unpacked / 1e9:,.1f} GB in a file of {size / 1e3:,.0f} KB")


def check_members(archive: zipfile.ZipFile) -> None:
    """Raises TooLargeError where a member would unpack to more than it may."""
    for info in archive.infolist():
        size, packed = info.file_size, info.compress_size
        swells = size > _SMALL_RATIO * max(packed, 1024) or size > max(_LARGE_BYTES, _LARGE_RATIO * packed)
        # What is packed in another way is unpacked at once, however much comes of it.
        known = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        if swells or not known or size > _MAX_MEMBER_BYTES:
            raise TooLargeError(f"{shown(info.filename)} states {size / 1e6:,.0f} MB in {packed / 1e3:,.0f} KB")


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """A member of the bundle, never more of it than the directory states. Raises Cancelled."""
    content = io.BytesIO()
    with archive.open(name) as stream:
        # Asked for all at once, zipfile unpacks whatever comes, and cuts it afterwards.
        while block := stream.read(_READ_BYTES):
            stop_if_cancelled()
            content.write(block)
    return content.getvalue()


def in_store(recording: Recording, data: bytes, store: Store) -> Recording:
    """The recording with its columns in the store, under the hash of its table `data`. Raises ValueError where the
    table holds other rows or columns than the recording, and Cancelled: nothing is left behind then."""
    path = store.columns(f"{BUNDLED}{xxhash.xxh3_128_hexdigest(data)}")
    placed = replace(recording, store_file=str(path))
    contents = contents_of(data)
    columns = {"t": True} | {f"c{series.column}": False for series in recording.series}
    if contents.rows != recording.rows or contents.columns != columns:
        raise ValueError(
            f"{recording.store_file} holds {contents.rows:,} rows and {len(contents.columns):,} columns, and not the "
            f"{recording.rows:,} and {len(columns):,} of {recording.file}"
        )
    if not (sums_file(path).exists() and readable(placed)):
        part = temporary_beside(path)
        with deleted_afterwards(part):
            _unpack(data, contents.rows, _width(recording), part)
            put_columns(part, path)
    return placed


def _width(recording: Recording) -> int:
    """The columns of a table with its times and with those that were left out between others."""
    return 2 + max((series.column for series in recording.series), default=-1)


def _unpack(data: bytes, rows: int, width: int, target: Path) -> None:
    """Writes the table as Arrow IPC or, where it is large, as a NumPy array (see `flat_columns`): a stretch of
    its rows at a time, for memory and for Cancel."""
    # Here and not above: every start of the window loads this module.
    import polars as pl

    step = max(1, _VALUES // width)
    if rows <= step:
        pl.read_parquet(data).write_ipc(target, compression="uncompressed")
        return
    table = pl.scan_parquet(io.BytesIO(data))
    with target.open("wb") as stream:
        npy.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (width, rows)})
        begin = stream.tell()
        for start in range(0, rows, step):
            stop_if_cancelled()
            for column in table.slice(start, step).collect().get_columns():
                place = 0 if column.name == "t" else 1 + int(column.name.removeprefix("c"))
                stream.seek(begin + 8 * (place * rows + start))
                stream.write(np.ascontiguousarray(column.cast(pl.Float64).to_numpy(), "<f8").data)
