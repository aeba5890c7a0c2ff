"""A file read on every path (whole, in blocks, with very many counters) gives equal samples, report and problems."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.readers.perfmon_files import READS, WRITES, Result, good_rows, line, pdh, read, stamp
from workbench.readers.common import flat_columns
from workbench.readers.perfmon import fast, held, rows
from workbench.readers.perfmon import reader as perfmon
from workbench.readers.text.rows import Whole

ESXTOP = (r"\\esx1\Virtual Disk(W10-001)\Reads/sec", r"\\esx1\Virtual Disk(W10-001:scsi0:0)\Reads/sec")


def _rows(*middle: str) -> Sequence[str]:
    return (*good_rows(5), *middle, *good_rows(5, start=6))


def _unquoted(*values: tuple[str, str]) -> str:
    """A table with tabs and without quotes."""
    rows = (line(stamp(second), *pair) for second, pair in enumerate(values))
    return pdh(*rows).replace('","', "\t").replace('"', "")


CONTENTS: dict[str, str | bytes] = {
    "mark of UTF-8 before a cell": _unquoted(("\ufeff0.5", "1"), *[("2", "3")] * 9).encode(),
    "mark of UTF-8 before a later cell": _unquoted(*[("2", "3")] * 9, ("\ufeff0.5", "1")).encode(),
    "clean": pdh(*good_rows(40)),
    "blank first row": pdh(line(stamp(0), " ", " "), *good_rows(40, start=1)),
    "blank last cell": pdh(*_rows(line(stamp(5), 1, " "))),
    "short row": pdh(*_rows(line(stamp(5), 1))),
    "short first row": pdh(line(stamp(0), 1), *good_rows(9, start=1)),
    "long row": pdh(*_rows(line(stamp(5), 1, 2, 3))),
    "infinite": pdh(*_rows(line(stamp(5), "1.#INF", 2))),
    "infinite by polars": pdh(*_rows(line(stamp(5), "inf", 2))),
    "not a number by polars": pdh(*_rows(line(stamp(5), "NaN", 2))),
    "too large": pdh(*_rows(line(stamp(5), "1e999", 2))),
    "text in the last cell": pdh(*_rows(line(stamp(5), 1, "n/a"))),
    "below zero": pdh(*_rows(line(stamp(5), -5.5, " ")), line(stamp(11), -1, 3)),
    "below zero in the last column": pdh(*_rows(line(stamp(5), 1, -2))),
    "quote within a cell": pdh(*_rows(line(stamp(5), '1"2', 3))),
    "below zero and odd": pdh(*_rows("", line(stamp(5), 1, -2))),
    "thousands": pdh(*_rows(line(stamp(5), "1,234", 2))),
    "clock back": pdh(*_rows(line(stamp(2), 1, 2))),
    "no date": pdh(*_rows(line("02/30/2016 09:00:05.000", 1, 2))),
    "empty line": pdh(*_rows("")),
    "cut off": pdh(*good_rows(9))[:-9],
    "trailing delimiter": pdh(*(f"{row}," for row in good_rows(9))),
    "collector set": pdh(*(f'{row}," "' for row in good_rows(9)), names=(READS, WRITES, "My set")),
    "collector set used": pdh(*_rows(), names=(READS, "My set")),
    "esxtop": pdh(*(row.replace(".000", "") for row in good_rows(9)), names=ESXTOP, end="\n"),
    "utf-16": pdh(*good_rows(9)).encode("utf-16"),
    "day first": pdh(*(line(f"{day}/05/2016 09:00:00.000", 1, 2) for day in range(12, 20))),
    "ambiguous": pdh(*(row.replace(".000", "") for row in good_rows(9))),
}


def _parts(result: Result) -> tuple[object, ...]:
    return result.reading.report, result.reading.problems, result.columns, result.reading.recording


@pytest.mark.parametrize("what", CONTENTS)
def test_that_a_file_too_large_for_memory_is_read_as_a_small_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    small = read(tmp_path, CONTENTS[what])
    (tmp_path / "columns.arrow").unlink(missing_ok=True)
    monkeypatch.setattr(fast, "FAST_LIMIT", 0)
    monkeypatch.setattr(fast, "_BLOCK", 64)
    assert _parts(read(tmp_path, CONTENTS[what])) == _parts(small)


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
@pytest.mark.parametrize("what", CONTENTS)
def test_that_cells_of_very_many_counters_parsed_as_one_column_equal_those_of_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, large: bool
) -> None:
    few = read(tmp_path, CONTENTS[what])
    (tmp_path / "columns.arrow").unlink(missing_ok=True)
    monkeypatch.setattr(fast, "WIDE_FROM", 1)
    monkeypatch.setattr(fast, "_CELLS", 9)
    monkeypatch.setattr(held, "_CELLS", 9)
    if large:
        monkeypatch.setattr(fast, "FAST_LIMIT", 0)
    assert _parts(read(tmp_path, CONTENTS[what])) == _parts(few)


def test_that_points_with_decimal_commas_are_reported_in_any_block(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = _unquoted(("1,5", "2,5"), *[("1.5", "2.5")] * 9)
    whole = read(tmp_path, content)
    assert [problem.line for problem in whole.reading.problems if problem.code == "mixed-decimals"] == [3]
    assert whole.columns["c0"] == [1.5] * 10
    monkeypatch.setattr(fast, "WIDE_FROM", 1)
    monkeypatch.setattr(rows, "_BLOCK", 1)
    (tmp_path / "columns.arrow").unlink()
    assert _parts(read(tmp_path, content)) == _parts(whole)


@pytest.mark.parametrize("content", ["clean", "blank last cell", "trailing delimiter", "collector set", "day first"])
def test_that_very_many_counters_are_read_without_a_table_and_not_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a table of polars, or line by line")

    monkeypatch.setattr(fast, "WIDE_FROM", 1)
    monkeypatch.setattr(fast, "read_table", refuse)
    monkeypatch.setattr(perfmon, "_store_carefully", refuse)
    assert read(tmp_path, CONTENTS[content]).reading.report.rejected_rows == 0


def test_that_a_large_clean_file_is_read_in_blocks_and_never_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("read line by line")

    monkeypatch.setattr(fast, "FAST_LIMIT", 0)
    monkeypatch.setattr(fast, "_BLOCK", 64)
    monkeypatch.setattr(perfmon, "_store_carefully", refuse)
    first = line(stamp(0), " ", " ")
    assert read(tmp_path, pdh(first, *good_rows(40, start=1))).reading.report.missing_cells == 2


def test_that_samples_of_a_wide_file_are_flat_in_the_store(tmp_path: Path) -> None:
    names = [rf"\\W10-001\Process(p{number})\% Processor Time" for number in range(1200)]
    rows = [line(stamp(second), *range(second, second + 1200)) for second in range(3)]
    result = read(tmp_path, pdh(*rows, names=names))
    assert (tmp_path / "columns.arrow").read_bytes().startswith(b"\x93NUMPY")
    assert (tmp_path / "columns.arrow").stat().st_size < 3 * 1201 * 8 + 256
    assert result.columns["c1199"] == [1199, 1200, 1201]


def test_that_blanks_in_the_last_column_need_no_second_pass_and_a_short_row_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    look = Whole.fits

    def counted(whole: Whole, chunks: Any) -> bool:
        looked.append(whole)
        return look(whole, chunks)

    monkeypatch.setattr(Whole, "fits", counted)
    rows = [line(stamp(second), second, " " if second % 2 else second) for second in range(8)]
    blanks = read(tmp_path, pdh(*rows))
    assert not looked
    assert (blanks.reading.report.missing_cells, blanks.columns["c1"][:3]) == (4, [0, None, 2])
    (tmp_path / "columns.arrow").unlink()
    short = read(tmp_path, pdh(*rows, line(stamp(8), 8)))
    assert looked
    assert short.reading.report.rejected_rows == 1


def test_that_a_wide_file_with_a_value_that_is_not_a_number_in_any_block_is_read_line_by_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flat_columns, "_BLOCK", 6)
    names = [rf"\\W10-001\Process(p{number})\% Processor Time" for number in range(5)]
    rows = [line(stamp(second), *range(second, second + 5)) for second in range(3)]
    assert read(tmp_path, pdh(*rows, names=names)).columns["c4"] == [4, 5, 6]
    for text in ("inf", "nan", "-inf"):
        (tmp_path / "columns.arrow").unlink(missing_ok=True)
        result = read(tmp_path, pdh(*rows, line(stamp(3), 3, 4, 5, 6, text), names=names))
        assert result.columns["c4"] == [4, 5, 6, None]
        assert result.problem("not-a-number").line == 5
