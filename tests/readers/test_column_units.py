"""The proposed meaning of the columns of an unknown CSV: quantity, side, unit, machine, and the note on its clock."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from tests.readers.test_mapped_csv import codes, found_in, read
from workbench.model.mapping import Decimal, MappedColumn
from workbench.model.metric import Quantity, Vantage
from workbench.readers.tables.proposal import UNIT_SCALES, propose, units_of

TIMES = "2016-05-10 09:00:00", "2016-05-10 09:01:00"


def column(heading: str, *cells: str) -> MappedColumn:
    """The proposed mapping of a column of numbers, or of these cells."""
    rows = [f"{time},{cell}" for time, cell in zip(TIMES, cells or ("1", "2"), strict=True)]
    (proposed,) = propose(found_in("\n".join([f"time,{heading}", *rows, ""]))).columns
    return proposed


def test_that_each_unit_has_the_factor_of_its_name() -> None:
    worth = {
        "per second": Fraction(1),
        "per minute": Fraction(1, 60),
        "s": Fraction(1),
        "ms": Fraction(1, 1000),
        "µs": Fraction(1, 10**6),
        "ns": Fraction(1, 10**9),
        "bytes/s": Fraction(1),
        "KB/s (1000)": Fraction(1000),
        "KiB/s": Fraction(1024),
        "MB/s (10⁶)": Fraction(10**6),
        "MiB/s": Fraction(1024 * 1024),
        "bytes": Fraction(1),
        "KiB": Fraction(1024),
        "MiB": Fraction(1024 * 1024),
        "GiB": Fraction(1024 * 1024 * 1024),
        "Mbit/s": Fraction(1),
        "kbit/s": Fraction(1, 1000),
        "W": Fraction(1),
        "mW": Fraction(1, 1000),
        "%": Fraction(1),
        "share of 1": Fraction(100),
        "number": Fraction(1),
    }
    offered = {name: factor for units in UNIT_SCALES.values() for name, factor in units}
    assert offered == {name: float(factor) for name, factor in worth.items()}
    assert units_of(None) == (("as it is", 1.0),)


@pytest.mark.parametrize(
    ("heading", "quantity", "scale"),
    [
        ("Total IOPS", Quantity.IOPS, 1.0),
        ("Read IOPS", Quantity.READ_IOPS, 1.0),
        ("Writes/s", Quantity.WRITE_IOPS, 1.0),
        ("Read and write IOPS", Quantity.IOPS, 1.0),
        ("Latency", Quantity.LATENCY, 1e-3),
        ("Read latency (ns)", Quantity.READ_LATENCY, 1e-9),
        ("Write response time [us]", Quantity.WRITE_LATENCY, 1e-6),
        ("Response time (ms)", Quantity.LATENCY, 1e-3),
        ("Throughput", Quantity.THROUGHPUT, 1.0),
        ("Read KB/s", Quantity.READ_THROUGHPUT, 1e3),
        ("Write KiB/s", Quantity.WRITE_THROUGHPUT, 1024.0),
        ("Throughput MB/s", Quantity.THROUGHPUT, 1e6),
        ("MiB/s", Quantity.THROUGHPUT, 1024.0**2),
        ("Free memory GiB", Quantity.MEMORY_AVAILABLE, 1024.0**3),
        ("Available MBytes", Quantity.MEMORY_AVAILABLE, 1024.0**2),
        ("Queue depth", Quantity.QUEUE_DEPTH, 1.0),
        ("CPU usage", Quantity.CPU, 1.0),
        ("Active sessions", Quantity.ACTIVE_SESSIONS, 1.0),
        ("Max latency (ms)", None, 1.0),
        ("Cache hits/s", None, 1.0),
        ("Something", None, 1.0),
    ],
)
def test_that_a_heading_shows_quantity_side_and_unit(heading: str, quantity: Quantity | None, scale: float) -> None:
    proposed = column(heading)
    assert (proposed.quantity, proposed.scale, proposed.machine, proposed.vantage) == (
        quantity,
        scale,
        "",
        Vantage.GUEST,
    )


def test_that_only_columns_of_numbers_are_proposed() -> None:
    text = f"time,half,most,none,word\n{TIMES[0]},1,1,,a\n{TIMES[1]},x,1e3,,b\n2016-05-10 09:02:00,,y,,c\n"
    proposed = propose(found_in(text)).columns
    assert [each.column for each in proposed] == [2, 3]


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [(("1,5", "2"), Decimal.COMMA), (("1.5", "2"), Decimal.POINT), (("1,5", "2.5"), Decimal.POINT)],
)
def test_that_a_comma_is_a_decimal_mark_if_no_number_has_a_point(cells: tuple[str, str], decimal: Decimal) -> None:
    rows = "".join(f"{time};{cell}\n" for time, cell in zip(TIMES, cells, strict=True))
    assert propose(found_in(f"time;iops\n{rows}")).decimal is decimal


def test_that_a_column_without_a_name_is_called_by_its_number_from_1(tmp_path: Path) -> None:
    text = f"time,iops,,latency\n{TIMES[0]},1,5,7\n{TIMES[1]},2,6,8\n"
    reading, _ = read(tmp_path, text)
    assert reading.recording is not None
    assert [series.counter for series in reading.recording.series] == ["iops", "column 3", "latency"]


def test_that_a_clock_without_a_zone_gives_a_warning(tmp_path: Path) -> None:
    text = f"time,iops\n{TIMES[0]},1\n{TIMES[1]},2\n"
    assert "time-zone-unknown" in codes(read(tmp_path, text)[0])
    assert codes(read(tmp_path, text, replace(propose(found_in(text)), time_zone="+01:00"))[0]) == {}
