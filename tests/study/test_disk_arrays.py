"""Large arrays are in scratch files: their content, their memory, and no leftovers."""

from __future__ import annotations

import errno
import gc
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from workbench import disk_arrays

LARGE = disk_arrays.LARGE_BYTES // 8 + 1
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")


@on_linux
def test_that_a_large_array_uses_a_file_that_the_system_can_free() -> None:
    before = _anonymous_bytes()
    array = disk_arrays.empty((4, LARGE), np.float64)
    array[...] = 7.0
    assert array.sum() == 28.0 * LARGE
    assert _anonymous_bytes() - before < array.nbytes / 4


@on_linux
def test_that_a_scratch_file_has_no_name_and_closes_with_its_array(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    handles = _handles()
    array = disk_arrays.empty(LARGE, np.float64)
    part = array[5:]
    assert _scratch_files(tmp_path) == 1
    assert not list(tmp_path.iterdir())
    del array
    part[:] = 1.0
    assert part.sum() == LARGE - 5
    del part
    gc.collect()
    assert _handles() == handles


def test_that_a_large_array_is_in_memory_if_the_disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk_arrays, "_take", full)
    array = disk_arrays.empty(LARGE, np.float64)
    array[...] = 3.0
    assert array.sum() == 3.0 * LARGE


def test_that_a_small_array_is_in_memory() -> None:
    assert disk_arrays.empty((3, 5), np.float64).flags.owndata


def test_that_space_is_reserved_by_writing_on_systems_without_a_call_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "posix_fallocate", raising=False)
    array = disk_arrays.empty(LARGE, np.float64)
    assert not array.flags.owndata
    assert not array.any()


def test_that_a_reserved_file_keeps_the_first_arrays_and_moves_later_ones() -> None:
    room, whole = disk_arrays.Room(), np.arange(LARGE // 3, dtype=np.float64)
    arrays = [whole + number for number in range(5)]
    kept = [room.keep(array) for array in arrays]
    assert [one is array for one, array in zip(kept, arrays, strict=True)] == [True, True, True, False, False]
    # Ranges in one file do not overlap.
    for number, one in enumerate(kept):
        np.testing.assert_array_equal(one, whole + number)
    flags = room.keep(np.array([[True, False], [False, True]]))
    assert flags.dtype == np.bool_
    assert flags.tolist() == [[True, False], [False, True]]


@on_linux
def test_that_positions_found_by_numpy_move_too() -> None:
    """NumPy returns positions as a part of an array of at most this size."""
    room, before = disk_arrays.Room(), _anonymous_bytes()
    kept = [room.keep(np.flatnonzero(np.ones(LARGE // 4))) for _ in range(20)]
    assert all(places[-1] == LARGE // 4 - 1 for places in kept)
    assert _anonymous_bytes() - before < 2 * disk_arrays.LARGE_BYTES


def test_that_a_full_reserved_file_accepts_an_empty_array() -> None:
    room = disk_arrays.Room()
    room.keep(np.zeros(LARGE))
    assert room.keep(np.zeros((0, 3))).shape == (0, 3)


def test_that_a_reserved_file_keeps_slices_of_other_arrays_unchanged() -> None:
    room, whole = disk_arrays.Room(), np.zeros(2 * LARGE)
    part = whole[3:]
    assert room.keep(part) is part


def _anonymous_bytes() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


def _handles() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def _scratch_files(folder: Path) -> int:
    """The files of a folder that this process has mapped, named or not."""
    return sum(str(folder) in line for line in Path("/proc/self/maps").read_text().splitlines())
