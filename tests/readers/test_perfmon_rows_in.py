"""Any damage of a file: its rows are kept or rejected, and kept cells equal the written ones."""

from __future__ import annotations

import random
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.readers.perfmon_files import Result, line, pdh, read, stamp
from workbench.readers.perfmon import fast

COUNTERS = 4
NAMES = tuple(rf"\\VM\PhysicalDisk({n} C:)\Disk Reads/sec" for n in range(COUNTERS))
CELLS = st.sampled_from(["1", "0.5", "-1", "8.57e-005", " ", "", "12345.678", "1e3"])


def _row(second: int, cells: list[str]) -> str:
    return line(stamp(second), *cells)


def _drop_cell(row: str) -> str:
    return row.rpartition(",")[0]


def _add_cell(row: str) -> str:
    return row + ',"3"'


def _drop_quote(row: str) -> str:
    return row.replace('","', '",', 1)


def _spoil_number(row: str) -> str:
    return row.rpartition(",")[0] + ',"abc"'


def _double_quote(row: str) -> str:
    return row.replace('","', '",""', 1)


def _comma_inside(row: str) -> str:
    return row.rpartition(",")[0] + ',"1,5,2"'


def _nul(row: str) -> str:
    return row[:20] + "\0" + row[21:]


def _no_time(row: str) -> str:
    return '"' + row[12:]


def _glue(row: str) -> str:
    return row + row


def _infinite(row: str) -> str:
    return row.rpartition(",")[0] + ',"inf"'


def _swallow(row: str) -> str:
    return row.replace('","', ",", 1)


SPOIL = (
    _drop_cell,
    _add_cell,
    _drop_quote,
    _spoil_number,
    _double_quote,
    _comma_inside,
    _nul,
    _no_time,
    _glue,
    _infinite,
    _swallow,
)


def _number(text: str) -> float | None:
    """The stored value of a cell: missing if it is blank, or below zero, because a rate cannot be negative."""
    return float(text) if text.strip() and float(text) >= 0 else None


# One problem for all rows of another width: it is on the first and names or counts the others.
_MORE = re.compile(r" \(same problem on lines? ([\d, and]+?)(?: and (\d+) more)?\)\.$")


@st.composite
def _files(draw: st.DrawFn) -> tuple[list[list[str]], dict[int, str]]:
    """Rows of cells, and the damaged text of some of them."""
    rows = draw(st.lists(st.lists(CELLS, min_size=COUNTERS, max_size=COUNTERS), min_size=1, max_size=8))
    spoilt = draw(st.dictionaries(st.integers(0, len(rows) - 1), st.sampled_from(SPOIL), max_size=3))
    return rows, {place: how(_row(place, rows[place])) for place, how in spoilt.items()}


def _others(message: str) -> int:
    """The number of further lines that a problem names or counts."""
    more = _MORE.search(message)
    return 0 if more is None else len(re.findall(r"\d+", more[1])) + int(more[2] or 0)


def _check(result: Result, rows: list[list[str]], spoilt: dict[int, str], lines: int) -> None:
    report = result.reading.report
    assert report.rows + report.rejected_rows == lines
    rejected = [one for one in result.reading.problems if one.action.startswith(("row rejected", "rows rejected"))]
    counted = sum(1 + _others(problem.message) for problem in rejected)
    assert counted == report.rejected_rows or result.reading.recording is None
    kept = dict(zip(result.columns.get("t", []), zip(*_values(result), strict=True), strict=True))
    for place, cells in enumerate(rows):
        moment = 1_462_870_800_000_000 + place * 1_000_000
        if place not in spoilt and result.reading.recording is not None:
            assert kept[moment] == tuple(map(_number, cells))
        elif moment in kept:
            # A damaged row that is kept has lost cells, and reports it; it has no other cells.
            told = any(
                problem.line == place + 2 or _MORE.search(problem.message) for problem in result.reading.problems
            )
            same = [ours in (None, _number(text)) for ours, text in zip(kept[moment], cells, strict=True)]
            assert all(same)
            assert told or kept[moment] == tuple(map(_number, cells))


def _values(result: Result) -> list[list[float | None]]:
    return [result.columns.get(f"c{n}", []) for n in range(COUNTERS)]


@settings(max_examples=150, deadline=None)
@given(_files(), st.sampled_from(["\r\n", "\n"]), st.booleans())
def test_that_rows_read_equal_rows_kept_plus_rows_rejected(
    made: tuple[list[list[str]], dict[int, str]], end: str, quoted: bool
) -> None:
    rows, spoilt = made
    texts = [spoilt.get(place, _row(place, cells)) for place, cells in enumerate(rows)]
    text = pdh(*texts, names=NAMES, end=end)
    if not quoted:
        spoilt = spoilt if '"' in text else {}
        text = text.replace('"', "")
    with tempfile.TemporaryDirectory() as folder:
        result = read(Path(folder), text)
    if quoted:
        _check(result, rows, spoilt, len(rows))
    else:
        assert result.reading.report.rows + result.reading.report.rejected_rows == len(rows)


@settings(max_examples=100, deadline=None)
@given(_files(), st.booleans())
def test_that_the_fast_way_and_the_careful_way_agree(
    made: tuple[list[list[str]], dict[int, str]], quoted: bool
) -> None:
    rows, spoilt = made
    texts = [spoilt.get(place, _row(place, cells)) for place, cells in enumerate(rows)]
    text = pdh(*texts, names=NAMES)
    text = text if quoted else text.replace('"', "")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        usual = read(Path(folder), text)
        patch.setattr("workbench.readers.perfmon.rows.read_table", lambda *_: None)
        patch.setattr(fast, "read_table", lambda *_: None)
        careful = read(Path(folder), text)
    assert usual.reading == careful.reading
    assert usual.columns == careful.columns


def test_that_random_bytes_never_raise_an_error_or_lose_a_row(tmp_path: Path) -> None:
    rows = [_row(n, [str(n), " ", "2.5", "1e-05"]) for n in range(20)]
    text = pdh(*rows, names=NAMES, end="\n").encode()
    body = text.index(b"\n") + 1
    chance = random.Random(7)
    for _ in range(300):
        spoilt = bytearray(text)
        for _ in range(chance.randint(1, 3)):
            spoilt[chance.randrange(body, len(spoilt))] = chance.choice(b'",\0\xff;x5 .')
        lines = [one for one in bytes(spoilt[body:]).split(b"\n") if one.strip()]
        report = read(tmp_path, bytes(spoilt)).reading.report
        assert report.rows + report.rejected_rows == len(lines)
