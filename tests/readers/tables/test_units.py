"""Cells with units in mapped tables: each is read in its stated unit, compared with factors stated here."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest

from tests.builders import stored_frame
from workbench.model.mapping import ColumnMapping, MappedColumn, TimeFormat
from workbench.model.metric import Quantity
from workbench.model.reading import Reading
from workbench.readers.tables.mapped import reader_with
from workbench.readers.tables.proposal import propose
from workbench.readers.tables.timed import find_timed_csv
from workbench.readers.text.numbers import unit_of, with_unit
from workbench.study.series.time_zone import offset_minutes

KNOWN = {
    "ms": ("s", 1e-3), "msec": ("s", 1e-3), "µs": ("s", 1e-6), "us": ("s", 1e-6), "ns": ("s", 1e-9), "s": ("s", 1.0),
    "min": ("s", 60.0), "hour": ("s", 3600.0),
    "io/s": ("1/s", 1.0), "K io/s": ("1/s", 1e3), "iops": ("1/s", 1.0), "kIOPS": ("1/s", 1e3), "ops/m": ("1/s", 1 / 60),
    "rd/s": ("1/s", 1.0), "K wr/s": ("1/s", 1e3), "Mil io/s": ("1/s", 1e6),
    "B/s": ("B/s", 1.0), "kB/s": ("B/s", 1e3), "MB/s": ("B/s", 1e6), "MiB/s": ("B/s", 2.0**20),
    "kbit/s": ("B/s", 125.0), "Mb/s": ("B/s", 125_000.0), "Mbit/Second": ("B/s", 125_000.0),
    "MByte/s": ("B/s", 2.0**20), "MB": ("B", 1e6), "KiB": ("B", 1024.0), "GByte": ("B", 2.0**30), "%": ("%", 1.0),
    "K": ("", 1e3), "#": ("", 1.0),
}  # fmt: skip


@pytest.mark.parametrize("unit", KNOWN)
def test_that_a_unit_has_its_factor(unit: str) -> None:
    kind, factor = KNOWN[unit]
    assert unit_of(unit) == (kind, pytest.approx(factor, rel=1e-12))
    assert with_unit(f"1.50 {unit}") == ("1.50", unit)


@pytest.mark.parametrize(
    "cell", ["1.50", "VM01", "C:", "12 Uhr", "1.50 b", "3 disks", "", "ms", "5/6/2024", "1e5", "Mb"]
)
def test_that_other_texts_have_no_unit(cell: str) -> None:
    assert with_unit(cell) is None


def read(
    folder: Path, text: str, *columns: MappedColumn, form: TimeFormat = TimeFormat.YEAR_FIRST
) -> tuple[Reading, pl.DataFrame]:
    table = find_timed_csv(text.encode(), whole=True)
    assert table is not None
    mapping = ColumnMapping(table.names, table.delimiter, table.time_column, form, columns, "+00:00")
    path = folder / "export.csv"
    path.write_text(text, encoding="utf-8")
    reading = reader_with(mapping, offset_minutes).read(path, path.name, folder / "columns")
    return reading, stored_frame(folder / "columns")


def grafana(*cells: tuple[str, ...], names: str = '"Time","VM01 latency"') -> str:
    rows = (f'"2024-05-01 09:{minute:02}:00",{",".join(row)}' for minute, row in enumerate(cells))
    return "\n".join((names, *rows)) + "\n"


@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-6])
def test_that_each_cell_uses_its_unit_and_not_that_of_the_column(tmp_path: Path, scale: float) -> None:
    text = grafana(("1.50 ms",), ("250 µs",), ("2 s",), ("",), ("3 io/s",), ("7",))
    reading, frame = read(tmp_path, text, MappedColumn(1, Quantity.LATENCY, scale))
    values = [None if value is None else value * scale for value in frame["c0"]]
    assert values == [*map(pytest.approx, (1.5e-3, 2.5e-4, 2.0)), None, None, pytest.approx(7 * scale)]
    assert sorted(problem.code for problem in reading.problems) == ["cell-unit", "cells-with-units"]
    assert [(one.line, one.column) for one in reading.problems if one.code == "cell-unit"] == [(6, 2)]


def test_that_thousands_and_a_counter_without_a_quantity_keep_their_numbers(tmp_path: Path) -> None:
    names = '"Time","VM01 read","other"'
    text = grafana(("1.60 K io/s", "1.5 K"), ("500 io/s", "2 MiB"), names=names)
    _, frame = read(tmp_path, text, MappedColumn(1, Quantity.READ_IOPS), MappedColumn(2))
    assert frame["c0"].to_list() == [1600.0, 500.0]
    assert frame["c1"].to_list() == [1500.0, 2 * 2.0**20]


def test_that_an_unmapped_unit_column_has_no_effect(tmp_path: Path) -> None:
    cells = [(str(minute), f"{'1,5' if minute % 2 else '2'} ms") for minute in range(20)]
    rows = (f"2024-05-01 09:{minute:02}:00;{one};{other}" for minute, (one, other) in enumerate(cells))
    text = "\n".join(("Time;reads/s;VM latency", *rows)) + "\n"
    reading, frame = read(tmp_path, text, MappedColumn(1, Quantity.READ_IOPS))
    assert frame["c0"].to_list() == [float(minute) for minute in range(20)]
    assert [problem.code for problem in reading.problems] == ["columns-left-out"]


def test_that_columns_with_units_are_proposed_by_their_units() -> None:
    cells = ((f"{one} ms", f"{one} K io/s", "5 %", f"{one} MiB/s") for one in range(1, 9))
    table = find_timed_csv(grafana(*cells, names='"Time",a,"VM01 read",c,d').encode(), whole=True)
    assert table is not None
    assert [(one.column, one.quantity, one.scale) for one in propose(table).columns] == [
        (1, Quantity.LATENCY, 1.0),
        (2, Quantity.READ_IOPS, 1.0),
        (3, None, 1.0),
        (4, Quantity.THROUGHPUT, 1.0),
    ]


def test_that_a_span_of_prtg_is_a_sample_at_its_end(tmp_path: Path) -> None:
    text = (
        "sep=,\n"
        '"Date Time","Avg. Disk sec/Read (msec)","Avg. Disk sec/Read (msec)(RAW)","Downtime (%)","Coverage (%)"\n'
        '"5/13/2024 9:00:00 AM - 9:05:00 AM","2 msec",2.1,"0 %","100 %"\n'
        '"5/13/2024 11:55:00 PM - 12:00:00 AM","4 msec",4.1,"0 %","100 %"\n'
    )
    _, frame = read(tmp_path, text, MappedColumn(1, Quantity.READ_LATENCY), form=TimeFormat.MONTH_FIRST)
    ends = [datetime.fromtimestamp(at / 1e6, UTC) for at in frame["t"]]
    assert ends == [datetime(2024, 5, 13, 9, 5, tzinfo=UTC), datetime(2024, 5, 14, tzinfo=UTC)]
    assert frame["c0"].to_list() == [0.002, 0.004]
