"""Two rules of every text table: a row has the cells of its header, and one notation of numbers for a file."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.perfmon_files import stored_frame
from tests.readers.tables.test_mapped_keyed import found_in
from workbench.console.loading import load_studies
from workbench.model.mapping import Decimal
from workbench.model.metric import Quantity
from workbench.model.reading import Reading
from workbench.readers.common.row_problems import Problems
from workbench.readers.registry import recognise
from workbench.readers.tables.proposal import propose
from workbench.readers.text.numbers import Evidence, Notation, Seen
from workbench.readers.text.rows import cell_counts, is_padded, records, row_fault, split_row
from workbench.study.series.vm_series import vm_samples
from workbench.study.store.column_store import Store

HEAD = "TimeGenerated [UTC],Computer,ObjectName,CounterName,InstanceName,CounterValue,Min,Max"


@settings(max_examples=500)
@given(st.lists(st.text(alphabet='ab,"; ', max_size=14), min_size=1, max_size=6), st.sampled_from(",;"))
def test_that_cells_counted_together_equal_the_count_of_each_row(lines: list[str], delimiter: str) -> None:
    counts = cell_counts("".join(f"{line}\n" for line in lines).encode(), delimiter).tolist()
    assert len(counts) == len(lines)
    for line, count in zip(lines, counts, strict=True):
        cells = split_row(line, delimiter)
        assert count == 0 or (cells is not None and count == max(1, len(cells)))


@pytest.mark.parametrize(
    ("cells", "padded", "code"),
    [
        (["1", "2", "3"], False, None),
        (["1", "2", "3", "", ""], False, None),
        (["1", "2"], False, "row-width"),
        (["1", "2", "3", "4"], False, "row-width"),
        (["1", "2", ""], False, None),
        (["1", "2", ""], True, "row-width"),
        (["1", "2", "3"], True, None),
        (None, False, "row-damaged"),
    ],
)
def test_that_a_row_has_the_cells_of_its_header(cells: list[str] | None, padded: bool, code: str | None) -> None:
    fault = row_fault(cells, 3, padded)
    assert (None if fault is None else fault.code) == code


def test_that_rows_are_padded_if_most_have_trailing_blank_cells() -> None:
    assert is_padded([["1", "2", ""], ["1", "2", ""], ["1", ""]], 2)
    assert not is_padded([["1", "2", ""], ["1", "2"], ["1", "2"]], 2)


def test_that_a_quote_that_stays_open_affects_only_its_own_line() -> None:
    lines = ["h,i", '1,"2', "3,4", '"5\n', '6",7', "", "8,9"]
    lines = "\n".join(lines).split("\n")
    found = [(line, cells) for line, _, cells in records(lines, 1, ",", 2, longest=9)]
    assert found == [(2, None), (3, ["3", "4"]), (4, ["5\n\n6", "7"]), (8, ["8", "9"])]


@pytest.mark.parametrize(
    ("texts", "values"),
    [
        (["1,500.00", "1,200"], [1500.0, 1200.0]),
        (["1.500,00", "1,200", "1.200"], [1500.0, 1.2, 1200.0]),
        (["1,200,000", "-3,400"], [1200000.0, -3400.0]),
        (["0,5", "1,200"], [0.5, 1.2]),
        (["12.25", "1,200"], [12.25, 1200.0]),
        (["1,200", "12.25"], [1200.0, 12.25]),
        (["1,200", "0,5"], [1.2, 0.5]),
        (["1 500,5", "1\u202f500", "1'500"], [1500.5, 1500.0, 1500.0]),
        (["1'500.5", "1,200"], [1500.5, 1200.0]),
        (["1.5e3", "1,200"], [1500.0, 1200.0]),
        (["1234,567", "1,200"], [1234.567, 1.2]),
        (["0,5", "12.25", "1,200", "1 500"], [0.5, 12.25, None, 1500.0]),
        (["12.25", "5 %", "5%", "1,20,0", "x"], [12.25, None, None, None, None]),
        (["1.200", "700"], [1.2, 700.0]),
    ],
)
def test_that_one_number_decides_for_all(texts: list[str], values: list[float | None]) -> None:
    one, column = Evidence(), Evidence()
    for text in texts:
        one.add(text)
    column.add_column(pl.Series(texts))
    decided = one.decided()
    assert isinstance(decided, Notation)
    assert column.decided() == decided
    assert [decided.number(text) for text in texts] == values
    assert decided.numbers(pl.Series(texts)).to_list() == values


@pytest.mark.parametrize("texts", [["1500.5", "1,200"], ["1,200", "1500.5"]])
def test_that_a_thousands_separator_in_a_column_is_reported_with_its_line(texts: list[str]) -> None:
    evidence, problems = Evidence(";"), Problems("t.csv")
    evidence.add_column(pl.Series(texts), pl.Series([7, 9]), 2)
    decided = evidence.decided()
    assert isinstance(decided, Notation)
    evidence.tell(decided, problems)
    assert [(one.code, one.line) for one in problems.all()] == [("thousands-marks", (7, 9)[texts.index("1,200")])]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_that_an_ambiguous_number_causes_a_question(delimiter: str) -> None:
    evidence = Evidence(delimiter)
    for line, text in enumerate(["700", "1,200", "250", "12,500"], 2):
        evidence.add(text, line, 3)
    assert evidence.decided() == Seen("1,200", 3, 3)


@pytest.mark.parametrize("first", ["700", "2.300", "0"])
def test_that_points_in_a_table_with_semicolons_may_be_thousands_marks(first: str) -> None:
    for delimiter, asked in ((";", True), (",", False)):
        evidence = Evidence(delimiter)
        evidence.add_column(pl.Series([first, "1.200"]), pl.Series([2, 3]), 2)
        assert isinstance(evidence.decided(), Seen) is asked


def test_that_unquoted_numbers_between_commas_decide_for_the_point() -> None:
    evidence = Evidence(",", bare=True)
    evidence.add("1,200")
    assert evidence.decided() == Notation()


def _read(folder: Path, text: str, name: str = "t.csv") -> tuple[Reading, pl.DataFrame | None]:
    path, columns = folder / name, folder / "columns.arrow"
    path.write_text(text, encoding="utf-8", newline="")
    reader = recognise(path.read_bytes()[:65_536], name)
    assert reader is not None
    reading = reader.read(path, name, columns)
    return reading, None if reading.recording is None else stored_frame(columns)


def _perf(row: int, value: str, quote: str) -> str:
    cells = (f"2016-05-24T09:00:{row:02}Z", "W10-001", "PhysicalDisk", "Disk Reads/sec", "_Total", value, "0", "9000")
    return ",".join(f"{quote}{cell}{quote}" for cell in cells)


@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("place", range(8))
def test_that_a_row_of_a_long_table_with_a_missing_cell_is_rejected(tmp_path: Path, place: int, quote: str) -> None:
    rows = [_perf(row, "10.5", quote) for row in range(30)]
    cells = rows[20].split(",")
    rows[20] = ",".join(cells[:place] + cells[place + 1 :])
    reading, frame = _read(tmp_path, "\n".join([HEAD, *rows, ""]))
    assert (reading.report.rows, reading.report.rejected_rows) == (29, 1)
    assert [(one.code, one.line) for one in reading.problems] == [("row-width", 22)]
    assert frame is not None
    assert set(frame["c0"]) == {10.5}


def test_that_a_clear_number_late_in_a_long_table_decides_for_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.readers.tables.known._LOOKED_AT", 2)
    rows = [_perf(row, value, '"') for row, value in enumerate(["700", "1,200", "250", "0,5", "700", "8"])]
    reading, frame = _read(tmp_path, "\n".join([HEAD, *rows, ""]))
    assert frame is not None
    assert frame["c0"].to_list() == [700, 1.2, 250, 0.5, 700, 8]
    rows[3] = _perf(3, "12.25", '"')
    _, frame = _read(tmp_path, "\n".join([HEAD, *rows, ""]))
    assert frame is not None
    assert frame["c0"].to_list() == [700, 1200, 250, 12.25, 700, 8]
    reading, frame = _read(tmp_path, "\n".join([HEAD, *rows[:3], ""]))
    assert [(one.code, one.line, one.column) for one in reading.problems] == [("ambiguous-number", 3, 6)]
    assert (frame, reading.report.rejected_rows) == (None, 3)


def test_that_a_mapping_does_not_propose_an_ambiguous_decimal_comma() -> None:
    text = "Time;LUN 1 IOPS\n" + "".join(f"2024-05-01 09:0{n}:00;12,500\n" for n in range(5))
    assert propose(found_in(text)).decimal is Decimal.POINT


def test_that_an_event_without_its_machine_is_rejected_and_names_no_user(tmp_path: Path) -> None:
    whole = "2016-05-10T09:00:00+01:00,logon_start,W10-001,u1,d\n"
    reading, _ = _read(tmp_path, f"time,event,vm,user,detail\n{whole}{whole.replace('W10-001,', '')}{whole}")
    assert (reading.report.rows, reading.report.rejected_rows, reading.problems[0].line) == (2, 1, 3)
    assert {event.vm for event in reading.events} == {"W10-001"}


def test_that_a_lost_row_of_reads_keeps_the_sum_of_reads_and_writes(tmp_path: Path) -> None:
    rows = [
        _perf(row, "10", "").replace("Disk Reads/sec", name).replace(",10,", f",{value},")
        for row in range(0, 60, 5)
        for name, value in (("Disk Reads/sec", 10), ("Disk Writes/sec", 20))
    ]
    rows[8] = rows[8].replace(",10,", ",")
    run = tmp_path / "lab" / "r"
    run.mkdir(parents=True)
    (run / "p.csv").write_text("\n".join([HEAD, *rows, ""]))
    (study,) = load_studies([tmp_path / "lab"], Store(tmp_path / "store"))
    samples = vm_samples(study.runs[0], Quantity.IOPS)["W10-001"]
    assert samples.values.tolist() == [30.0] * 12
    assert samples.span.tolist() == [5.0] * 12


AZURE = "TimeGenerated [UTC],Computer,ObjectName,CounterName,InstanceName,CounterValue"
GET_STAT = "MetricId,Timestamp,Value,Unit,Entity"
ROWS = {
    AZURE: [f"2024-05-01T10:0{at}:00Z,W10-001,Processor,% Processor Time,_Total,{at}.5" for at in range(8)],
    GET_STAT: [f"disk.usage.average,5/{at}/2024 10:00:00 AM,{at}.5,KBps,W10-001" for at in range(13, 21)],
}


@pytest.mark.parametrize("head", [AZURE, GET_STAT])
def test_that_a_header_of_more_names_than_cells_is_read_only_if_these_are_blank(tmp_path: Path, head: str) -> None:
    def read(head: str, end: str = "") -> tuple[int, int]:
        text = "\n".join([head, *(row + end for row in ROWS[head.rstrip(",").removesuffix(",Min")])]) + "\n"
        report = _read(tmp_path, text)[0].report
        return report.rows, report.rejected_rows

    assert read(head) == read(f"{head},") == read(f"{head},,") == read(f"{head},", ",") == (8, 0)
    assert read(f"{head},Min") == (0, 8)
