"""A cell that another program merged or split is lost alone: each row is compared cell by cell with Python's csv."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from tests.readers.perfmon_files import Result, line, pdh, read, stamp

ESXTOP = Path(__file__).parents[3] / "shared" / "data" / "perfmon" / "rachsharp_esxtop_small.csv"
COUNTERS = 40
NAMES = tuple(rf"\\ESX-07\Group Cpu({n}:W10-{n:03})\% Used" for n in range(COUNTERS))
# Three samples in the rows above are enough to identify a column.
ROWS = 6
BAD = 4


def _cells(row: int) -> list[str]:
    """Cells of a row: every fifth is always blank, every third is constant, the others vary within separate ranges."""
    return [
        " " if n % 5 == 4 else f"{n * 10}.50" if n % 3 == 0 else f"{n * 10 + row * 0.25 % 1:.2f}"
        for n in range(COUNTERS)
    ]


def _rows() -> list[list[str]]:
    return [_cells(row) for row in range(ROWS)]


def _text(bad: str, quoted: bool = True) -> str:
    rows = [line(stamp(row), *cells) for row, cells in enumerate(_rows())]
    rows = [row if quoted else row.replace('"', "") for row in rows]
    rows[BAD] = bad
    return pdh(*rows, names=NAMES)


def _truth(rows: list[list[str]]) -> list[list[float | None]]:
    """The samples as csv reads the file without the fault."""
    text = "\n".join(line(stamp(row), *cells) for row, cells in enumerate(rows))
    return [[float(cell) if cell.strip() else None for cell in cells[1:]] for cells in csv.reader(io.StringIO(text))]


def _row(result: Result, row: int, width: int = COUNTERS) -> list[float | None]:
    return [result.columns[f"c{n}"][row] for n in range(width)]


def _lost(result: Result, truth: list[float | None]) -> list[int]:
    """The columns with a value that is missing in the bad row. Asserts that no cell has a value that differs from that
    of csv."""
    row = _row(result, BAD, len(truth))
    assert all(ours in (None, theirs) for ours, theirs in zip(row, truth, strict=True))
    return [n for n, (ours, theirs) in enumerate(zip(row, truth, strict=True)) if ours is None and theirs is not None]


@pytest.mark.parametrize("glue", ['"', '",', ',"', '""', "  "])
@pytest.mark.parametrize("place", range(COUNTERS - 1))
def test_that_two_cells_that_run_together_affect_only_themselves(tmp_path: Path, place: int, glue: str) -> None:
    cells = _cells(BAD)
    bad = line(stamp(BAD), *cells[:place], cells[place] + glue + cells[place + 1], *cells[place + 2 :])
    result = read(tmp_path, _text(bad))
    truth = _truth(_rows())
    for row in range(ROWS):
        if row != BAD:
            assert _row(result, row) == truth[row]
    assert set(_lost(result, truth[BAD])) <= {*range(place - 2, place + 4)}
    problem = result.problem("row-aligned")
    assert problem.line == BAD + 2
    assert problem.column is not None
    assert abs(problem.column - (place + 2)) <= 2


@pytest.mark.parametrize("place", range(COUNTERS - 1))
def test_that_a_missing_comma_without_quotes_loses_two_cells(tmp_path: Path, place: int) -> None:
    cells = _cells(BAD)
    bad = f"{stamp(BAD)},{','.join(cells[: place + 1])}{','.join(cells[place + 1 :])}"
    result = read(tmp_path, _text(bad, quoted=False))
    assert set(_lost(result, _truth(_rows())[BAD])) <= {*range(place - 2, place + 4)}
    assert result.problem("row-aligned").line == BAD + 2


@pytest.mark.parametrize("quoted", [True, False])
@pytest.mark.parametrize("place", [n for n in range(COUNTERS) if n % 5 != 4])
def test_that_a_cell_that_was_split_affects_only_itself(tmp_path: Path, place: int, quoted: bool) -> None:
    cells = _cells(BAD)
    split = cells[:place] + cells[place].split(".") + cells[place + 1 :]
    bad = line(stamp(BAD), *split)
    result = read(tmp_path, _text(bad if quoted else bad.replace('"', ""), quoted))
    assert set(_lost(result, _truth(_rows())[BAD])) <= {*range(place - 2, place + 3)}
    assert result.reading.report.rejected_rows == 0


def test_that_several_cells_are_found_by_their_quotes_without_a_row_above(tmp_path: Path) -> None:
    rows = [line(stamp(0), "1", "2", "3", "4", "5").replace('"2","3"', '"2"3"').replace('"4","5"', '"4" "5"')]
    result = read(tmp_path, pdh(*rows, names=NAMES[:5]))
    assert _row(result, 0, 5) == [1.0, None, None, None, None]
    assert [(problem.line, problem.column) for problem in result.reading.problems] == [(2, 3), (2, 5)]


def test_that_a_quote_within_one_number_of_a_short_row_does_not_pass_for_two_cells(tmp_path: Path) -> None:
    rows = [line(stamp(row), *(f"{row}00{n}.25" for n in range(1, 6))) for row in range(1, 4)]
    rows[1:2] = [rows[1].replace("2002", '20"02').removesuffix(',"2005.25"'), '"2005.25"']
    result = read(tmp_path, pdh(*rows, names=NAMES[:5]))
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (2, 2)
    assert result.codes == ["row-width"]


def test_that_a_counter_without_a_name_does_not_make_short_rows_valid(tmp_path: Path) -> None:
    rows = [line(stamp(row), *(f"{row}00{n}.25" for n in range(1, 5))) for row in range(1, 5)]
    rows[1] = rows[1].replace('"2002.25","', '"2002.25,"')
    result = read(tmp_path, pdh(*rows, names=(*NAMES[:3], "")))
    assert _row(result, 1, 4) == [2001.25, None, None, 2004.25]
    assert (result.problem("row-aligned").line, result.reading.report.rejected_rows) == (3, 0)


def test_that_a_row_is_rejected_if_the_damaged_cell_is_uncertain(tmp_path: Path) -> None:
    alike = [line(stamp(row), *["1"] * COUNTERS) for row in range(ROWS)]
    alike[BAD] = line(stamp(BAD), *["1"] * (COUNTERS - 1))
    result = read(tmp_path, pdh(*alike, names=NAMES))
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (ROWS - 1, 1)
    problem = result.problem("row-width")
    assert (problem.line, problem.action) == (BAD + 2, "row rejected; check it in the file")


def test_that_a_row_cut_short_in_the_middle_is_rejected(tmp_path: Path) -> None:
    result = read(tmp_path, _text(line(stamp(BAD), *_cells(BAD)[:20])))
    assert (result.reading.report.rejected_rows, result.problem("row-width").line) == (1, BAD + 2)


def test_that_a_row_with_only_a_time_in_a_narrow_log_is_rejected(tmp_path: Path) -> None:
    rows = [line(stamp(row), "1", "2") for row in range(3)]
    result = read(tmp_path, pdh(*rows, f'"{stamp(3)}"', names=NAMES[:2]))
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (3, 1)


def test_that_a_missing_comma_between_two_counters_of_the_header_is_fixed(tmp_path: Path) -> None:
    rows = [line(stamp(row), *cells) for row, cells in enumerate(_rows())]
    for glue in ('"', '""', '" "'):
        text = pdh(*rows, names=NAMES).replace(f'{NAMES[6]}","{NAMES[7]}', f"{NAMES[6]}{glue}{NAMES[7]}")
        result = read(tmp_path, text)
        assert result.reading.recording is not None
        assert [series.path for series in result.reading.recording.series] == [*NAMES]
        assert [_row(result, row) for row in range(ROWS)] == _truth(_rows())
        assert result.codes == ["header-quotes"]


@pytest.mark.parametrize("end", ["", ","])
@pytest.mark.parametrize(("lost", "merged"), [(0, False), (1, False), (2, False), (0, True)])
def test_that_a_header_field_that_lost_its_quotes_moves_no_column(
    tmp_path: Path, end: str, lost: int, merged: bool
) -> None:
    names = [rf"\\esx1\Virtual Disk(vm{vm}:scsi0:0)\{kind}" for vm in range(5) for kind in ("Reads/sec", "Writes/sec")]
    values = [[100.0 * row + column + 0.25 for column in range(10)] for row in range(6)]
    header = [f'"{name}"' for name in names]
    # The field of names[4] is joined with the rest of the fields before it.
    header[4 - lost : 5] = [f'   -"{names[4]}"']
    rows = [[f'"{value}"' for value in row] for row in values]
    if merged:
        rows[3][6:8] = ['"    73.1"8.93"']
    lines = ['"(PDH-CSV 4.0) (UTC)(0)",' + ",".join(header) + end]
    lines += [f'"05/13/2024 09:00:{5 * at:02}",' + ",".join(row) + end for at, row in enumerate(rows)]
    result = read(tmp_path, "\r\n".join((*lines, "")))
    recording = result.reading.recording
    assert recording is not None
    paths = [series.path for series in recording.series]
    assert paths == [*names[: 4 - lost], *[""] * lost, *names[4:]]
    for column in range(10):
        expected = [None if merged and at == 3 and column in (6, 7) else row[column] for at, row in enumerate(values)]
        assert [*result.columns[f"c{column}"]] == expected
    assert ("no-name" in result.codes) == (lost > 0)
    assert "header-quotes" in result.codes


def _esxtop() -> list[str]:
    """The lines of a public esxtop file; if it is missing, of a generated one: quoted cells, most of them fractions,
    some whole numbers, and a comma after the last one."""
    if ESXTOP.exists():
        return ESXTOP.read_text(encoding="utf-8").splitlines()
    names = [
        rf"\\esx-07.lab\{counter}"
        for world in range(90)
        for counter in (
            rf"Group Cpu({4000 + world}:W10-{world:03})\Members",
            rf"Group Cpu({4000 + world}:W10-{world:03})\% Used",
            rf"Group Memory({4000 + world}:W10-{world:03})\Touched MBytes",
            rf"Virtual Disk(W10-{world:03}:scsi0:0)\Average MilliSec/Read",
        )
    ]
    rows = [
        [stamp(row), *(f"{9 + n % 3}" if n % 4 == 0 else f"{n * 1.75 + row * 0.5:.2f}" for n in range(len(names)))]
        for row in range(3)
    ]
    head = ",".join(f'"{name}"' for name in ("(PDH-CSV 4.0) (UTC)(0)", *names))
    return [head, *(",".join(f'"{cell}"' for cell in row) + "," for row in rows)]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("quoted", [True, False])
def test_that_joined_cells_in_an_esxtop_file_change_no_other_cell(tmp_path: Path, quoted: bool, seed: int) -> None:
    head, *rows = _esxtop()
    truth = [float(cell) if cell.strip() else None for cell in next(csv.reader([rows[2]]))[1:]]
    cells = rows[2].strip(",").split('","')
    place = random.Random(seed).choice([n for n in range(1, len(cells) - 2) if "." in cells[n] and "." in cells[n + 1]])
    glued = [*cells[:place], cells[place] + ('"' if quoted else "") + cells[place + 1], *cells[place + 2 :]]
    text = "\n".join((head, *rows[:2], '","'.join(glued) + ",")) + "\n"
    result = read(tmp_path, text if quoted else text.replace('"', ""))
    row = _row(result, 2, len(result.columns) - 1)
    lost = [n for n, value in enumerate(row) if value is None]
    kept = [n for n in range(len(row)) if n not in lost]
    assert lost == [place - 1, place]
    assert [row[n] for n in kept] == [truth[n] for n in kept]
    assert result.problem("row-aligned").column == place + 1
