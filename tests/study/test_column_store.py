"""The column store: a reading is found again by place or by content, and rebuilt if damaged."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import xxhash
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import Recording
from workbench.readers.common.flat_columns import begin_flat
from workbench.study.importing.source import failed, read_source
from workbench.study.store import column_store
from workbench.study.store.column_store import Store, lookup, prune
from workbench.study.store.columns import read_columns, read_table, whole
from workbench.study.store.own_files import unsealed


@pytest.fixture
def store(tmp_path: Path) -> Store:
    # Brackets and stars are names, not patterns; Windows has no names with stars.
    made = Store(tmp_path / ("cache [1]" if sys.platform == "win32" else "cache [1]*") / "store")
    made.prepare()
    return made


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return disk_csv(tmp_path / "lab" / "W10-001.csv", "W10-001", [1.0, None, 3.0], [4.0, 5.0, 6.0])


def forget_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(head: bytes, name: str) -> Reader | None:
        return Reader("none", lambda _head, _name: 1.0, _fail)

    monkeypatch.setattr("workbench.readers.registry.recognise", refuse)


def _fail(path: Path, name: str, columns: Path) -> Reading:
    raise AssertionError(f"{name} was read again")


def test_that_columns_are_restored_with_missing_values_as_nan(store: Store, source: Path) -> None:
    recording = read_source(source, "W10-001.csv", store).recording
    assert recording is not None
    reads = next(series.column for series in recording.series if "Reads" in series.path)
    values = read_columns(recording, [reads])[reads]
    assert (values[0], values[2]) == (1.0, 3.0)
    assert values[1] != values[1]
    times = read_table(recording, [])[0]
    assert times[1] - times[0] == 15.0


def replaced(source: Path, content: bytes) -> None:
    """Replaces the content of a file by another of the same size, with the same file time."""
    status = source.stat()
    assert len(content) == status.st_size
    source.write_bytes(content)
    os.utime(source, ns=(status.st_atime_ns, status.st_mtime_ns))


def test_that_at_most_three_blocks_of_an_unchanged_file_are_read(store: Store, source: Path) -> None:
    source = disk_csv(source, "W10-001", [1.0] * 2000, [2.0] * 2000)
    first = read_source(source, "W10-001.csv", store)
    content = bytearray(source.read_bytes())
    content[10_000:12_000] = b"x" * 2000  # a reader that continued would see it
    replaced(source, bytes(content))
    assert lookup(store, source, "W10-001.csv") == first


@pytest.mark.parametrize("place", [0, 0.5, 1], ids=["first", "middle", "last"])
@pytest.mark.parametrize("rows", [3, 2000])
def test_that_a_file_replaced_with_equal_size_and_time_is_read_again(
    store: Store, source: Path, place: float, rows: int
) -> None:
    source = disk_csv(source, "W10-001", [1.0] * rows, [2.0] * rows)
    before = read_source(source, "W10-001.csv", store)
    content = source.read_bytes()
    # The middle and the last value of a row, or a letter of the header.
    at = 1 if place == 0 else content.rindex(b"1", 0, int(place * (len(content) - 3)))
    other = content[:at] + bytes([content[at] + 1]) + content[at + 1 :]
    replaced(source, other)
    assert lookup(store, source, "W10-001.csv") is None
    after = read_source(source, "W10-001.csv", store)
    assert after != before
    assert lookup(store, source, "W10-001.csv") == after


def test_that_columns_stored_by_an_earlier_version_are_read_again_silently(store: Store, source: Path) -> None:
    first = read_source(source, "W10-001.csv", store)
    figures = samples(first)
    # Its checksums did not name their file.
    for file in [store.source(source), *(store.root / "v1").glob("readings/*"), *(store.root / "v1").glob("*/*.sums")]:
        data = unsealed(file)
        file.write_bytes(data + b"\n" + xxhash.xxh3_64_hexdigest(data).encode())
    assert lookup(store, source, "W10-001.csv") is None
    assert read_source(source, "W10-001.csv", store) == first
    assert lookup(store, source, "W10-001.csv", thorough=True) == first
    assert samples(first) == figures


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "store-not-written"),
        (OSError("No space left on device (os error 28)"), "store-not-written"),
        (OSError(errno.EROFS, "Read-only file system"), "store-not-written"),
        (OSError(errno.EIO, "Input/output error"), "reader-failed"),
        (OSError("cable pulled (os error 5)"), "reader-failed"),
        (RuntimeError("os error 28"), "reader-failed"),
    ],
)
def test_that_a_full_disk_and_a_defective_store_are_distinguished(error: Exception, code: str) -> None:
    (problem,) = failed("W10-001.csv", error).problems
    assert problem.code == code
    assert problem.severity is Severity.REFUSED
    assert ("VDI_WORKBENCH_STORE" in problem.action) == (code == "store-not-written")


def test_that_a_read_only_store_is_used(store: Store, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_source(source, "W10-001.csv", store)

    def read_only(*_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("workbench.study.store.column_store.os.utime", read_only)
    monkeypatch.setattr("workbench.study.store.column_store._write", read_only)
    assert lookup(store, source, "W10-001.csv") == first
    copy = source.with_name("copy.csv")
    shutil.copyfile(source, copy)
    forget_reading(monkeypatch)
    again = read_source(copy, "W10-001.csv", store)
    assert again.recording == first.recording


@pytest.mark.parametrize("how", ["renamed", "copied"])
def test_that_a_renamed_or_copied_file_is_found_by_content(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    first = read_source(source, "W10-001.csv", store)
    target = source.with_name("other.csv")
    if how == "renamed":
        source.rename(target)
    else:
        shutil.copy(source, target)
    assert lookup(store, target, "other.csv") is None
    forget_reading(monkeypatch)
    second = read_source(target, "other.csv", store)
    assert second.report.path == "other.csv"
    assert first.recording is not None
    assert second.recording is not None
    assert second.recording.store_file == first.recording.store_file
    assert lookup(store, target, "other.csv") == second


def test_that_a_changed_file_is_read_again(store: Store, source: Path) -> None:
    read_source(source, "W10-001.csv", store)
    disk_csv(source, "W10-001", [1.0, 2.0, 3.0, 4.0], [4.0, 5.0, 6.0, 7.0])
    assert lookup(store, source, "W10-001.csv") is None
    assert read_source(source, "W10-001.csv", store).report.rows == 4


def test_that_another_reader_version_reads_the_file_again(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_source(source, "W10-001.csv", store)
    unknown = source.with_name("x.bin")
    unknown.write_bytes(b"\x00\x01")
    read_source(unknown, "x.bin", store)
    assert lookup(store, unknown, "x.bin") is not None
    monkeypatch.setattr(column_store, "READERS_VERSION", column_store.READERS_VERSION + 1)
    assert lookup(store, source, "W10-001.csv") is None
    assert lookup(store, unknown, "x.bin") is None


@pytest.mark.parametrize(
    "damage", ["sidecar broken", "sidecar gone", "columns gone", "columns cut short", "source broken"]
)
def test_that_a_damaged_store_is_rebuilt(store: Store, source: Path, damage: str) -> None:
    first = read_source(source, "W10-001.csv", store)
    places = {"sidecar": "readings/*.json", "columns": "columns/*.arrow", "source": "sources/*.json"}
    part, _, how = damage.partition(" ")
    (victim,) = (store.root / "v1").glob(places[part])
    if how == "gone":
        victim.unlink()
    else:
        victim.write_bytes(victim.read_bytes()[:-20])
    assert lookup(store, source, "W10-001.csv") is None
    assert read_source(source, "W10-001.csv", store) == first
    assert lookup(store, source, "W10-001.csv") == first


EXCHANGED = [("sources", "*.json"), ("readings", "*.json"), ("columns", "*.sums"), ("columns", "*"), ("*", "*")]


@pytest.mark.parametrize(("folder", "names"), EXCHANGED)
def test_that_exchanged_files_in_the_store_are_detected(store: Store, source: Path, folder: str, names: str) -> None:
    other = disk_csv(source.with_name("W10-002.csv"), "W10-002", [7.0, 8.0, 9.0], [1.0, 2.0, 3.0])
    files = (source, other)
    first = [read_source(file, file.name, store) for file in files]
    figures = [samples(reading) for reading in first]
    for one, another in exchanged(store, folder, names):
        one.rename(aside := one.with_name("aside"))
        another.rename(one)
        aside.rename(another)
    for file, reading, numbers in zip(files, first, figures, strict=True):
        opened = lookup(store, file, file.name, thorough=True) or read_source(file, file.name, store)
        assert opened == reading
        assert samples(opened) == numbers


def exchanged(store: Store, folder: str, names: str) -> list[tuple[Path, Path]]:
    """Pairs of files of one kind, from two sources."""
    pairs: dict[tuple[Path, str], list[Path]] = {}
    for file in sorted((store.root / "v1").glob(f"{folder}/{names}")):
        pairs.setdefault((file.parent, file.suffix), []).append(file)
    assert pairs
    return [(one, another) for one, another in pairs.values()]


def samples(reading: Reading) -> list[list[float]]:
    assert reading.recording is not None
    times, columns = read_table(reading.recording, [series.column for series in reading.recording.series])
    return [times.tolist(), *(np.nan_to_num(values).tolist() for values in columns.values())]


def test_that_a_file_that_grows_while_read_is_rejected_and_not_stored(
    store: Store, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.readers import registry

    genuine = registry.recognise(source.read_bytes(), source.name)
    assert genuine is not None

    def read(path: Path, name: str, columns: Path) -> Reading:
        reading = genuine.read(path, name, columns)
        with path.open("a") as stream:
            stream.write("more\r\n")
        return reading

    monkeypatch.setattr(registry, "recognise", lambda _head, _name: Reader("slow", genuine.identify, read))
    reading = read_source(source, "W10-001.csv", store)
    assert [problem.code for problem in reading.problems] == ["changed-while-read"]
    assert list((store.root / "v1" / "columns").iterdir()) == []


def test_that_pruning_removes_the_oldest_use_until_the_rest_fits(store: Store, tmp_path: Path) -> None:
    kept: list[Path] = []
    for number in range(3):
        csv = disk_csv(tmp_path / f"{number}.csv", f"W{number}", [float(number)] * 50, [1.0] * 50)
        recording = read_source(csv, csv.name, store).recording
        assert recording is not None
        assert recording.store_file is not None
        kept.append(Path(recording.store_file))
        os.utime(kept[-1], (0, 1_000_000 + number))
    size = kept[0].stat().st_size
    assert lookup(store, tmp_path / "0.csv", "0.csv") is not None  # used: now the most recent of the three
    assert prune(store, 2 * size, keep_s=0.0) == size
    assert [file.exists() for file in kept] == [True, False, True]
    assert lookup(store, tmp_path / "1.csv", "1.csv") is None
    assert prune(store, 2 * size, keep_s=0.0) == 0


def test_that_columns_in_use_are_never_pruned(store: Store, source: Path) -> None:
    read_source(source, "W10-001.csv", store)
    assert prune(store, 0) == 0
    assert lookup(store, source, "W10-001.csv") is not None


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
def test_that_a_name_that_is_not_text_is_stored_too(store: Store, tmp_path: Path) -> None:
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.csv"))
    try:
        odd.write_bytes(b"nothing")
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    read_source(odd, "odd", store)
    assert lookup(store, odd, "odd") is not None


def test_that_a_flat_file_gives_the_same_values_and_is_rejected_if_cut(tmp_path: Path) -> None:
    times = np.array([1_700_000_000_000_001, 1_700_000_001_000_000], np.int64)
    counters = pl.DataFrame({"c0": [1.0, 4.0], "c1": [None, 5.0], "c2": [3.0, 6.0]})
    columns = tmp_path / "flat.arrow"
    with columns.open("wb", buffering=0) as stream:
        flat = begin_flat(stream, 3, 2)
        assert flat.put_frame(counters) == (1, [])
        flat.put_times(times)
    recording = Recording((), 2, 0, 0, 0, (), "wide.csv", str(columns))
    seconds, found = read_table(recording, [2, 1])
    assert seconds.tolist() == [1_700_000_000.000001, 1_700_000_001.0]
    assert found[2].tolist() == [3.0, 6.0]
    assert np.isnan(found[1][0])
    assert found[1][1] == 5.0
    assert whole(columns)
    columns.write_bytes(columns.read_bytes()[:-1])
    assert not whole(columns)


def test_that_an_empty_file_is_reported_as_empty_also_when_reopened(
    store: Store, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    log = tmp_path / "x_iops.1.log"
    log.touch()
    reading = read_source(log, "x_iops.1.log", store)
    assert [(one.severity, one.code) for one in reading.problems] == [("warning", "empty-file")]
    assert reading.problems[0].message == snapshot
    assert not reading.report.recognised
    assert lookup(store, log, "x_iops.1.log") == reading
    log.write_text("no results\n")
    assert [one.code for one in read_source(log, "x", store).problems] == ["not-recognised"]
