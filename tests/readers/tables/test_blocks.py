"""Long tables are read in blocks of some megabytes: the ends of blocks and the splitting of lines make no
difference."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from tests.builders import stored_frame
from workbench.model.reading import Reading
from workbench.readers.tables import cells, known
from workbench.readers.tables.cells import CellBlock, block_of, rows_of, table_file
from workbench.readers.text.rows import row_fault, split_row

HEAD = "Computer,ObjectName,CounterName,InstanceName,CounterValue,TimeGenerated [UTC]"


def _perf(rows: int = 60) -> list[str]:
    return [
        f'"W10-{row % 3:03}",PhysicalDisk,Disk Reads/sec,"0 C:, näher",{row}.5,2025-02-25T09:{row // 3:02}:00Z'
        for row in range(rows)
    ]


def _influx() -> str:
    head = ",result,table,_time,_value,_field,_measurement,host"
    parts = []
    for part, further in enumerate(("", ",rack")):
        rows = [
            f",,{part},2025-02-25T09:00:{at:02}Z,{at + 60 * part},Disk_Reads_persec,win_disk,W10-{part:03}"
            + (",r1" if further else "")
            for at in range(40)
        ]
        parts.append("\r\n".join(["#datatype,string", "#group,false", head + further, *rows, ""]))
    return "\r\n".join(parts) + "\r\n"


def _read(path: Path, data: bytes, block: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Reading, pl.DataFrame]:
    path.write_bytes(data)
    monkeypatch.setattr(cells, "BLOCK", block)
    columns = path.with_name(f"{block}.arrow")
    reading = known.read(path, path.name, columns)
    return reading, stored_frame(columns)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", [64, 65, 97, 1_000])
def test_that_no_row_is_lost_at_a_block_border(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, end: str, block: int
) -> None:
    rows = 24
    data = end.join([HEAD, *_perf(rows), ""]).encode(encoding)
    whole, samples = _read(tmp_path / "perf.csv", data, 1 << 20, monkeypatch)
    parted, same = _read(tmp_path / "perf.csv", data, block, monkeypatch)
    assert (whole.report, whole.problems) == (parted.report, parted.problems)
    assert (whole.report.rows, whole.report.rejected_rows, whole.problems) == (rows, 0, ())
    assert samples.equals(same)
    assert samples["c1"].drop_nulls().to_list() == [row + 0.5 for row in range(1, rows, 3)]


@pytest.mark.parametrize("block", [70, 200, 1 << 20])
def test_that_tables_of_influxdb_can_begin_anywhere_in_a_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    reading, samples = _read(tmp_path / "influx.csv", _influx().encode(), block, monkeypatch)
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.columns) == (80, 0, 2)
    assert samples["c0"].to_list() == list(range(40))
    assert samples["c1"].to_list() == list(range(60, 100))


@pytest.mark.parametrize("block", [80, 1 << 20])
def test_that_an_invalid_line_is_named_in_any_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    lines = [HEAD, *_perf()]
    lines[20] = lines[20].replace('näher"', "näher")
    lines[40] += ",more"
    data = "\n".join([*lines, "", ",,,,,"]).encode()
    reading, _ = _read(tmp_path / "perf.csv", data, block, monkeypatch)
    problems = {problem.code: problem.line for problem in reading.problems}
    assert problems == {"row-damaged": 21, "row-width": 41, "no-line-end": 63}
    assert (reading.report.rows, reading.report.rejected_rows) == (58, 2)


@pytest.mark.parametrize(
    "text",
    [
        'a,"b, c",1\n"d",,2\n',
        '"a","b","1"\n"","",""\n',
        "a,b,1\n,,\n\nc,d,2\n",
        'a,"b"c",1\n"d","e",2\n',
        'a,"b\nc",1\nd,e,2\n',
        'a,"b ""c""",1\n',
        "a,b\nc,d,1,2\n",
        'a,b,"1\n',
        " a , b ,1\n",
        "a,b\0,1\n",
    ],
)
def test_that_both_ways_of_splitting_lines_agree(text: str) -> None:
    block = block_of(text)
    right, wrong = rows_of(block, 3, ",")
    split = {
        line: None if "\0" in row else split_row(row, ",") for line, row in enumerate(text.split("\n")[:-1], 1) if row
    }
    fast = {line: [cell.strip() for cell in found] for line, *found in right.iter_rows()}
    assert {line: found for line, found in fast.items() if any(found)} == {
        line: found for line, found in split.items() if found and row_fault(found, 3) is None and any(found)
    }
    assert [line for line, *_ in wrong] == [line for line, found in split.items() if row_fault(found, 3) is not None]


def test_that_a_line_is_found_by_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\r\n".join(b"line %d" % number for number in range(1, 101)))
    monkeypatch.setattr(cells, "BLOCK", 50)
    file = table_file(path)
    assert [file.line(number) for number in (1, 50, 100, 101)] == ["line 1", "line 50", "line 100", ""]
    assert file.open_end() == 100
    assert CellBlock(5, b"a\nb\nc\n").below(6) == CellBlock(7, b"c\n")
    assert CellBlock(5, b"a\nb\n").below(9).data == b""
