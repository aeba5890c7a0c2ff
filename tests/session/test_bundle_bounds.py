"""Bundles that would fill the memory: rejected by their stated content and their tables, before they are unpacked."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
import pytest

from tests.session.parquet_writer import (
    DELTA,
    I32,
    RLE_DICTIONARY,
    Column,
    Page,
    Parquet,
    numbers,
    table,
    varint,
    with_page,
    zigzag,
)
from workbench.model.recording import Recording, Series
from workbench.model.run import Configuration, Run, SessionType, Study
from workbench.session.bundle import load_bundle
from workbench.session.document import SessionDocument, SessionError, encode
from workbench.session.parquet_pages import contents_of
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

GIGABYTES = 10_000_000, 40  # rows and counters: 3.3 GB
ROWS = 24
DICTIONARY = Page(bytes(8), 1, kind=2)
# A repeated zero: a page of a few bytes for any number of values.
MANY = 1 << 26


def run_of(length: int) -> bytes:
    """The bytes of an index into a dictionary, repeated that many times."""
    return bytes((1,)) + varint(length << 1) + b"\0"


def with_counter(*pages: Page, rows: int = ROWS) -> Parquet:
    return Parquet((Column("t", (numbers(ROWS),), 2), Column("c0", pages)), rows)


def recorded(rows: int, counters: int, store_file: str) -> Recording:
    series = tuple(Series(at, f"c{at}", "A", "PhysicalDisk", "_Total", f"c{at}") for at in range(counters))
    return Recording(series, rows, 0, 0, 0, ("A",), "MCS/A.csv", store_file)


def written(file: Path, recordings: tuple[Recording, ...], tables: dict[str, bytes]) -> Path:
    """A bundle that states these recordings and contains these tables."""
    run = Run("MCS", "/lab/MCS", Configuration("MCS"), SessionType.VDI, 1, 1, recordings, (), ())
    members = {
        "session.json": encode(SessionDocument()),
        "studies.json": msgspec.json.encode({"version": 1, "studies": [Study("lab", "/lab", (run,))]}),
        "sources.json": b"[]",
    }
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in (tables | members).items():
            archive.writestr(name, data, zipfile.ZIP_DEFLATED if name.endswith("json") else zipfile.ZIP_STORED)
    return file


def holding(file: Path, parquet: bytes, rows: int = ROWS, counters: int = 1) -> Path:
    return written(file, (recorded(rows, counters, "columns/0.parquet"),), {"columns/0.parquet": parquet})


def state_less(file: Path, member: str, size: int) -> None:
    """Writes another unpacked size of a member into both headers that a zip file has for it."""
    data = bytearray(file.read_bytes())
    with zipfile.ZipFile(file) as archive:
        info = archive.getinfo(member)
    in_directory = data.rindex(member.encode()) - 46
    for at in (info.header_offset + 22, in_directory + 24):
        assert struct.unpack_from("<L", data, at) == (info.file_size,)
        struct.pack_into("<L", data, at, size)
    file.write_bytes(data)


HOSTILE = {
    "a row count below the values": replace(table(2_000_000), rows=ROWS, values=ROWS),
    "a row count above the values": replace(table(ROWS), rows=10**12, values=10**12),
    "row groups of other rows": replace(table(ROWS), group_rows=10**12),
    "no rows of many": replace(table(ROWS), rows=-1, values=-1),
    "a page of 2 GB by its head": with_page(replace(table(ROWS), gzipped=True), unpacked=2**31 - 1),
    "a page that unpacks to 256 MB": with_page(replace(table(ROWS), gzipped=True), content=bytes(1 << 28)),
    "a page of 2,000,000,000 values": with_page(table(ROWS), values=2_000_000_000),
    "fewer bytes for a page than there are": with_page(table(ROWS), values=-1),
    "a dictionary of 512 MB": with_counter(
        Page(bytes(8), MANY, kind=2, unpacked=8 * MANY), Page(run_of(ROWS), ROWS, encoding=RLE_DICTIONARY)
    ),
    "more pages than rows": with_counter(numbers(ROWS), numbers(ROWS)),
    "fewer pages than rows": with_counter(numbers(ROWS - 1)),
    "words in place of numbers": Parquet((Column("t", (numbers(ROWS),), 2), Column("c0", (numbers(ROWS),), 6)), ROWS),
    "words in a page": with_page(table(ROWS), encoding=7),
    "columns within columns": replace(table(ROWS), schema_extra=((5, I32, 1),)),
    "two columns of one name": table(ROWS, Column("c0", (numbers(ROWS),))),
}
# The headers agree with each other, but the pages do not; decoding must stop in time.
WITHIN_PAGES = {
    "a run of more values than the page": with_counter(
        DICTIONARY, Page(run_of(1 << 30), ROWS, encoding=RLE_DICTIONARY)
    ),
    "a page packed with 256 MB": with_page(
        replace(table(ROWS), gzipped=True), content=bytes(1 << 28), unpacked=8 * ROWS
    ),
    "differences of more values than the page": Parquet(
        (
            Column("t", (Page(varint(128) + varint(4) + varint(1 << 30) + zigzag(0), ROWS, encoding=DELTA),), 2),
            Column("c0", (numbers(ROWS),)),
        ),
        ROWS,
    ),
}

OPEN = """
import resource, sys
from pathlib import Path
from workbench.session.bundle import SessionError, load_bundle
from workbench.study.store.column_store import Store
for name in sys.argv[2:]:
    try:
        load_bundle(Path(name), Store(Path(sys.argv[1])))
        outcome = "opened"
    except SessionError as error:
        outcome = str(error)
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, outcome)
"""


def opened(folder: Path, *files: Path) -> list[tuple[int, str]]:
    """For each bundle, opened in this order by one process, its peak so far in MB and the message."""
    done = subprocess.run(
        [sys.executable, "-c", OPEN, str(folder / "store"), *map(str, files)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    return [(int(line.split(" ", 1)[0]), line.split(" ", 1)[1]) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(
    "honest",
    [
        table(ROWS),
        replace(table(ROWS), gzipped=True),
        with_counter(DICTIONARY, Page(run_of(ROWS), ROWS, encoding=RLE_DICTIONARY)),
    ],
)
def test_that_a_valid_table_written_by_hand_is_opened(tmp_path: Path, honest: Parquet) -> None:
    data = honest.written()
    assert contents_of(data).rows == ROWS
    assert pl.read_parquet(data).shape == (ROWS, 2)
    assert load_bundle(holding(tmp_path / "x.vdibundle", data), Store(tmp_path / "store")).studies


@pytest.mark.parametrize("what", HOSTILE)
def test_that_a_table_that_contradicts_itself_is_rejected_before_it_is_unpacked(what: str) -> None:
    with pytest.raises(ValueError, match=r"^(its|a|two) "):
        contents_of(HOSTILE[what].written())


def test_that_a_damaged_table_is_rejected_or_has_its_stated_values() -> None:
    data = table(ROWS).written()
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    for at in range(footer, len(data)):
        for bit in (1, 16, 128):
            try:
                contents = contents_of(data[:at] + bytes((data[at] ^ bit,)) + data[at + 1 :])
            except ValueError:
                continue
            assert contents.rows == ROWS


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the peak in this way")
def test_that_opening_a_bundle_needs_no_more_memory_than_a_valid_one_of_its_size(tmp_path: Path) -> None:
    good = holding(tmp_path / "good.vdibundle", table(2_000_000).written(), 2_000_000)
    tables = [table.written() for table in (HOSTILE | WITHIN_PAGES).values()]
    bad = [holding(tmp_path / f"{at}.vdibundle", data) for at, data in enumerate(tables)]
    swelling = tmp_path / "swelling.vdibundle"
    with zipfile.ZipFile(swelling, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("session.json", encode(SessionDocument()))
        archive.writestr("studies.json", b" " * (1 << 29))
    state_less(swelling, "studies.json", 500_000)
    (first, outcome), *others = opened(tmp_path, good, *bad, swelling)
    assert outcome == "opened"
    assert max(peak for peak, _ in others) < first + 48
    assert all("vdibundle is not a bundle, or it is damaged" in said for _, said in others[: len(HOSTILE)])
    assert "swelling.vdibundle" in others[-1][1]


def test_that_a_small_bundle_that_claims_gigabytes_is_rejected_with_both_sizes(tmp_path: Path) -> None:
    file = holding(tmp_path / "x.vdibundle", b"never read", *GIGABYTES)
    with pytest.raises(
        SessionError, match=r"x\.vdibundle is too large when unpacked: its tables would grow from \d KB to 3\.3 GB"
    ):
        load_bundle(file, Store(tmp_path / "store"))
    many = tuple(recorded(3_600, 50, f"columns/{at}.parquet") for at in range(700))
    with pytest.raises(SessionError, match=r"its tables would grow from \d+ KB to 1\.0 GB"):
        load_bundle(written(tmp_path / "many.vdibundle", many, {}), Store(tmp_path / "store"))


@pytest.mark.parametrize(("rows", "counters"), [(ROWS + 1, 1), (ROWS, 2), (ROWS, 0)])
def test_that_a_table_with_wrong_rows_or_columns_is_rejected(tmp_path: Path, rows: int, counters: int) -> None:
    file = holding(tmp_path / "x.vdibundle", table(ROWS).written(), rows, counters)
    with pytest.raises(SessionError, match=r"columns/0\.parquet contains 24 rows and 2 columns, but MCS/A\.csv has"):
        load_bundle(file, Store(tmp_path / "store"))
    assert not list((tmp_path / "store").rglob("*.part"))


@pytest.mark.parametrize("rows", [-1, 2**70])
def test_that_references_to_missing_rows_are_rejected(tmp_path: Path, rows: int) -> None:
    with pytest.raises(SessionError, match=r"x\.vdibundle"):
        load_bundle(holding(tmp_path / "x.vdibundle", table(ROWS).written(), rows), Store(tmp_path / "store"))


def test_that_one_table_cannot_be_used_for_many(tmp_path: Path) -> None:
    twice = (recorded(ROWS, 1, "columns/0.parquet"), recorded(ROWS, 1, "columns/0.parquet"))
    file = written(tmp_path / "x.vdibundle", twice, {"columns/0.parquet": table(ROWS).written()})
    with pytest.raises(SessionError, match="two recordings share a table"):
        load_bundle(file, Store(tmp_path / "store"))


def test_that_a_member_with_another_compression_is_rejected(tmp_path: Path) -> None:
    file = holding(tmp_path / "x.vdibundle", table(ROWS).written())
    with zipfile.ZipFile(file, "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("notes.txt", b"x" * 100)
    with pytest.raises(SessionError, match=r"notes\.txt"):
        load_bundle(file, Store(tmp_path / "store"))


def test_that_a_table_read_in_parts_equals_the_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice = np.random.default_rng(13)
    values = dice.random((3, 1_000))
    values[1, 500:] = np.nan
    frame = pl.DataFrame(
        {"t": np.arange(1_000) * 10**6} | {f"c{at}": row for at, row in enumerate(values)}, nan_to_null=True
    )
    frame.write_parquet(tmp_path / "x.parquet", row_group_size=300)
    monkeypatch.setattr("workbench.session.bundle._VALUES", 4 * 64)
    bundle = holding(tmp_path / "x.vdibundle", (tmp_path / "x.parquet").read_bytes(), 1_000, 3)
    (study,) = load_bundle(bundle, Store(tmp_path / "store [1]")).studies
    times, columns = read_table(study.runs[0].recordings[0], [0, 1, 2])
    np.testing.assert_array_equal(times, np.arange(1_000))
    np.testing.assert_array_equal([columns[at] for at in range(3)], values)
    assert not list((tmp_path / "store [1]").rglob("*.part"))


def test_that_the_content_of_a_table_is_checked_without_polars(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {"t": [1, 2, 3], "c0": [0.5, None, 2.0], "c7": [None, None, None]}, schema_overrides={"c7": pl.Float64}
    )
    for packing in ("zstd", "snappy", "uncompressed"):
        frame.write_parquet(tmp_path / "x.parquet", compression=packing, row_group_size=2)  # type: ignore[arg-type]
        contents = contents_of((tmp_path / "x.parquet").read_bytes())
        assert json.loads(json.dumps(contents.columns)) == {"t": True, "c0": False, "c7": False}
        assert contents.rows == 3
