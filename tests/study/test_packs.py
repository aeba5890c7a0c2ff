"""Many small files of a folder share one file of the store, with the same numbers and checks as separate files."""

from __future__ import annotations

import errno
import os
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import msgspec
import pytest

from tests.damage import damaged
from tests.study.packed_lab import COUNT, Lab, assert_same, files_of, samples_of
from workbench.study.importing.pool import PACKED_FROM, read_each, stored_reading
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.store import column_store, pack_file, packs
from workbench.study.store.column_store import Store, prune
from workbench.study.store.columns import ColumnsError, drop_columns
from workbench.study.store.pack_file import write_pack
from workbench.study.store.temporary import temporary_beside


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def test_that_many_small_files_in_one_store_file_have_the_same_numbers_as_alone(lab: Lab, tmp_path: Path) -> None:
    assert files_of(lab.store) == ["packs/.pack"]
    alone = [read_source(source.path, source.name, Store(tmp_path / "alone")) for source in lab.sources]
    assert_same(lab.samples, [samples_of(reading) for reading in alone])
    assert [reading.problems for reading in lab.first] == [reading.problems for reading in alone]
    assert sum(bool(samples) for samples in lab.samples) == COUNT + 1


def test_that_the_files_are_not_read_again_and_are_restored(lab: Lab) -> None:
    assert lab.stored() == list(lab.first)
    assert lab.stored(thorough=True) == list(lab.first)


def test_that_few_files_are_found_by_content_as_before(lab: Lab, tmp_path: Path) -> None:
    store = Store(tmp_path / "few")
    read_each(lab.sources[: PACKED_FROM - 1], store, read_source, {})
    assert not list(store.packs.iterdir())


def test_that_only_a_changed_file_is_read_again(lab: Lab) -> None:
    changed = lab.sources[3]
    changed.path.write_text("1000, 7, 0, 0\n2000, 8, 0, 0\n3000, 9, 0, 0\n", encoding="ascii")
    stored = lab.stored()
    assert [at for at, reading in enumerate(stored) if reading is None] == [3]
    (again,) = read_each((changed,), lab.store, read_source, {})
    assert samples_of(again)[1] == [7.0, 8.0, 9.0]
    stored = lab.stored()
    assert stored[3] == again
    assert stored[:3] == list(lab.first[:3])


def test_that_the_pack_with_the_current_version_of_a_file_is_used(lab: Lab) -> None:
    for source in lab.sources[:COUNT]:
        source.path.write_bytes(source.path.read_bytes() + b"21000, 1, 0, 0\n")
    again = lab.read()
    assert len(list(lab.store.packs.iterdir())) == 2
    for names in packs_of(lab), packs_of(lab)[::-1]:
        with listed_as(names):
            stored = [reading for reading in lab.stored() if reading is not None]
        assert stored[:COUNT] == list(again[:COUNT])
        assert_same([samples_of(reading) for reading in stored], [samples_of(reading) for reading in again])


def test_that_a_pack_with_damaged_columns_leaves_the_file_to_the_next_pack(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = lab.read()
    monkeypatch.setattr(pack_file, "write_pack", read_only)
    recording = lab.first[5].recording
    assert recording is not None
    first = Path(recording.store_file or "").parent
    data = bytearray(first.read_bytes())
    data[int(Path(recording.store_file or "").name.split("-")[0]) + 200] ^= 1
    first.write_bytes(data)
    with listed_as([first, *(file for file in packs_of(lab) if file != first)]):
        stored = lab.stored(thorough=True)
    assert stored[5] == again[5]
    assert stored[:5] + stored[6:] == [*lab.first[:5], *lab.first[6:]]


def test_that_a_pack_with_a_reading_of_another_type_leaves_the_file_to_the_next_pack(lab: Lab) -> None:
    first, again = lab.pack, lab.read()
    index = pack_file.read_index(first)
    index[lab.sources[5].path.name].reading = msgspec.Raw(b"5")
    write_pack(first, first.read_bytes(), index)
    with listed_as([first, *(file for file in packs_of(lab) if file != first)]):
        stored = lab.stored()
    assert stored[5] == again[5]
    assert stored[:5] + stored[6:] == [*lab.first[:5], *lab.first[6:]]


def test_that_the_columns_of_a_pack_are_not_read_to_list_its_content(lab: Lab) -> None:
    """Opening a stored study on a share must not fetch the whole store."""
    write_pack(lab.pack, lab.pack.read_bytes() + bytes(16 << 20), pack_file.read_index(lab.pack))
    assert lab.stored() == list(lab.first)
    tracemalloc.start()
    try:
        lab.stored()
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


def packs_of(lab: Lab) -> list[Path]:
    return sorted(lab.store.packs.iterdir())


@contextmanager
def listed_as(files: list[Path]) -> Iterator[None]:
    """Makes the system list the files of a folder in this order; real systems may use any order."""
    scandir = os.scandir

    def ordered(folder: Path) -> nullcontext[list[os.DirEntry[str]]]:
        with scandir(folder) as listed:
            return nullcontext(sorted(listed, key=lambda entry: files.index(Path(entry.path))))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", ordered)
        yield


def read_only(*_: object) -> None:
    raise OSError(errno.EROFS, "Read-only file system")


def check_damages(lab: Lab, seeds: range) -> None:
    """Damages the pack once for each seed: the numbers are those of the sources, or a file is named, and the next
    opening is complete. Damaged columns of one file affect no other file."""
    whole = lab.pack.read_bytes()
    file = lab.pack
    for seed in seeds:
        file.write_bytes(damaged(whole, seed))
        for reading, samples in zip(lab.opened(), lab.samples, strict=True):
            message = f"The saved import of {reading.report.path} is damaged."
            try:
                again = samples_of(reading)
            except ColumnsError as error:
                again = samples if str(error).startswith(message) else [[]]
            assert_same([again], [samples])
        assert_same([samples_of(reading) for reading in lab.opened()], lab.samples)
        # The state before the next damage: no file next to the pack.
        for left in (lab.store.root / "v1").glob("*/*"):
            left.unlink()


def test_that_a_damaged_pack_gives_the_original_samples_or_reads_them_again(lab: Lab) -> None:
    check_damages(lab, range(40))


@pytest.mark.slow
def test_that_four_hundred_damages_of_a_pack_change_no_number(lab: Lab) -> None:
    check_damages(lab, range(1000, 1400))


def test_that_damaged_columns_leave_the_pack_and_others_stay_although_their_sources_are_missing(lab: Lab) -> None:
    recording = lab.first[5].recording
    assert recording is not None
    assert recording.store_file is not None
    start = int(Path(recording.store_file).name.split("-")[0])
    data = bytearray(lab.pack.read_bytes())
    data[start + 200] ^= 1
    lab.pack.write_bytes(data)
    for source in lab.sources:
        source.path.rename(source.path.with_suffix(".away"))
    with pytest.raises(ColumnsError, match="damaged"):
        samples_of(lab.first[5])
    others = [at for at in range(len(lab.first)) if at != 5]
    assert_same([samples_of(lab.first[at]) for at in others], [lab.samples[at] for at in others])
    for source in lab.sources:
        source.path.with_suffix(".away").rename(source.path)
    assert [at for at, reading in enumerate(lab.stored()) if reading is None] == [5]
    assert_same([samples_of(reading) for reading in lab.opened()], lab.samples)


def test_that_exchanged_packs_are_detected(lab: Lab) -> None:
    data = lab.pack.read_bytes()
    other = lab.pack.with_name(f"{lab.pack.name.partition('-')[0]}-0000000000000000.pack")
    lab.pack.unlink()
    other.write_bytes(data)
    assert set(lab.stored()) == {None}


def test_that_files_packed_by_another_readers_version_are_read_again(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_store, "READERS_VERSION", column_store.READERS_VERSION + 1)
    assert set(lab.stored()) == {None}


def test_that_a_full_disk_stops_the_files_of_the_task_and_leaves_no_file(
    lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(packs, "write_pack", full)
    store = Store(tmp_path / "full")
    readings = read_each(lab.sources, store, read_source, {})
    assert {problem.code for reading in readings for problem in reading.problems} == {"store-not-written"}
    assert files_of(store) == []


def test_that_partial_files_of_a_killed_process_are_ignored_and_deleted(lab: Lab) -> None:
    lab.pack.rename(temporary_beside(lab.pack))
    assert set(lab.stored()) == {None}
    column_store.drop_parts(lab.store, [os.getpid()])
    assert files_of(lab.store) == []


def test_that_pruning_removes_only_the_pack_with_the_oldest_use(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    moved = []
    for source in lab.sources:
        path = tmp_path / "more" / source.name
        path.write_bytes(source.path.read_bytes())
        moved.append(ImportSource(path, source.name))
    read_each(tuple(moved), lab.store, read_source, {})
    old, new = sorted(lab.store.packs.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    os.utime(old, (1, 1))
    size = old.stat().st_size
    assert prune(lab.store, new.stat().st_size, keep_s=-60.0) == size
    assert list(lab.store.packs.iterdir()) == [new]
    assert lab.stored() == [None] * len(lab.sources)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_that_a_name_that_is_not_text_gets_separate_files(lab: Lab, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path / "lab") + b"/vdi_\xff_iops.1.log"))
    try:
        path.write_bytes(lab.sources[2].path.read_bytes())
    except OSError:
        pytest.skip("this system takes no such name")
    source = ImportSource(path, "vdi_iops.1.log")
    readings = read_each((*lab.sources, source), lab.store, read_source, {})
    assert stored_reading(source, lab.store, {}) == readings[-1]


def test_that_a_pack_without_remaining_columns_is_deleted(lab: Lab) -> None:
    index = lab.pack
    for reading in lab.first:
        if reading.recording is not None:
            drop_columns(Path(reading.recording.store_file or ""))
    assert index.exists(), "it still notes the files that no reader knows"
    store = Store(lab.store.root.parent / "logs")
    readings = read_each(lab.sources[-COUNT:], store, read_source, {})
    for reading in readings:
        assert reading.recording is not None
        drop_columns(Path(reading.recording.store_file or ""))
    assert files_of(store) == []
