"""The numbers of reports in any notation: the figures are those of the report with decimal points, or it is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.readers import test_crystaldiskmark, test_diskspd, test_iometer, test_sqlio, test_vdbench
from tests.readers.benchmark_files import read_with
from tests.readers.fio.texts import terse
from workbench.model.problem import Severity
from workbench.model.reading import Reader
from workbench.readers import crystaldiskmark, iometer, sqlio
from workbench.readers.diskspd import reader as diskspd
from workbench.readers.fio import reader as fio
from workbench.readers.vdbench import reader as vdbench

SCRIPT = "-t 2 -o 16, 35946.30 iops, 1280.83 MB/sec, 12.5 ms\n-t 4 -o 16, 36000.30 iops, 281.50 MB/sec, 3.25 ms\n"
HEAD = test_crystaldiskmark.THREE.partition("\n")[0] + "\n"
# A reader, a report of its tool, and the pattern of its decimal numbers.
REPORTS: dict[str, tuple[Reader, str, str]] = {
    "sqlio": (sqlio.READER, test_sqlio.run(), r"(?<=sec: )\d+\.\d+|(?<=sec:   )\d+\.\d+"),
    "sqlio lines": (sqlio.READER, SCRIPT, r"\d+\.\d+"),
    "crystaldiskmark": (crystaldiskmark.READER, test_crystaldiskmark.NEW, r"\d+\.\d+(?= (?:MB/s|IOPS|us))"),
    "diskspd": (diskspd.READER, test_diskspd.REPORT, r"\b\d+\.\d+(?= +\||\n)|(?<=\|  )\d{4,}|10\.00(?=s)"),
    "vdbench": (vdbench.READER, test_vdbench.SUMMARY, r"(?<= )\d+\.\d+(?=[ \n])"),
    "flatfile": (vdbench.READER, test_vdbench.FLATFILE, r"(?<= )\d+\.\d+(?=[ \n])"),
}


def parted(number: str, mark: str, decimal: str) -> str:
    whole, _, rest = number.partition(".")
    return re.sub(r"(?<=\d)(?=(?:\d{3})+$)", mark, whole) + (decimal + rest if rest else "")


@pytest.mark.parametrize(("mark", "decimal"), [(",", "."), (".", ","), (" ", ","), ("'", "."), ("", ",")])
@pytest.mark.parametrize("kind", REPORTS)
def test_that_a_report_in_another_notation_has_the_same_figures(
    tmp_path: Path, kind: str, mark: str, decimal: str
) -> None:
    reader, text, number = REPORTS[kind]
    if reader is vdbench.READER and mark in (" ", "'"):
        pytest.skip("blanks part the cells, and Java writes no apostrophes")
    written = re.sub(number, lambda match: parted(match[0], mark, decimal), text)
    assert written != text
    found = read_with(reader, tmp_path, written).benchmarks
    assert found
    assert [_figures(row) for row in found] == [_figures(row) for row in read_with(reader, tmp_path, text).benchmarks]


def _figures(row: object) -> list[object]:
    names = ("op", "iops", "mb_per_s", "latency_mean_ms", "latency_p50_ms", "latency_p99_ms", "block_bytes", "threads")
    return [getattr(row, name) for name in names]


@pytest.mark.parametrize(
    ("reader", "text", "line"),
    [
        (sqlio.READER, test_sqlio.run().replace("36000.00", "36,000").replace("281.25", "281"), 11),
        (sqlio.READER, "-t 2 -o 16, 35,946 iops, 280 MB/sec, 0 ms\n", 1),
        (crystaldiskmark.READER, HEAD + "   Sequential Read :    46,000 MB/s\n", 2),
    ],
)
def test_that_a_report_whose_numbers_can_be_read_in_two_ways_is_rejected(
    tmp_path: Path, reader: Reader, text: str, line: int
) -> None:
    reading = read_with(reader, tmp_path, text)
    assert not reading.benchmarks
    assert [(one.severity, one.code, one.line) for one in reading.problems] == [
        (Severity.REFUSED, "ambiguous-number", line)
    ]


def _without(reader: Reader, text: str, old: str, new: str) -> Callable[[Path], list[str]]:
    assert old in text

    def read(folder: Path) -> list[str]:
        reading = read_with(reader, folder, text.replace(old, new, 1))
        assert not [row for row in reading.benchmarks if row.iops in (1.2, 1.0, 1200.0)]
        return [problem.code for problem in reading.problems]

    return read


@pytest.mark.parametrize(
    ("read", "code"),
    [
        (_without(fio.READER, terse(), ";12000;", ";1,200;"), "row-width"),
        (
            _without(
                iometer.READER,
                test_iometer.result(test_iometer.block(), test_iometer.block()),
                "1000.0,700.0",
                "1,200,700.0",
            ),
            "truncated",
        ),
    ],
)
def test_that_a_thousands_mark_in_a_report_with_points_only_skips_the_row(
    tmp_path: Path, read: Callable[[Path], list[str]], code: str
) -> None:
    assert code in read(tmp_path)
