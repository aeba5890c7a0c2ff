"""The forms of a recording: terminals, spreadsheets, other encodings, and clock changes."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.readers.perfmon_files import READS, WRITES, good_rows, line, pdh, read, stamp
from workbench.readers.perfmon import fast
from workbench.readers.text.encodings import utf16_encoding

READ_VALUES = [0.25, 1.25, 2.25, 3.25, 4.25]


def _clock(day: str, *times: str) -> str:
    return pdh(*(line(f"{day} {time}.000", 1, 2) for time in times))


def _by_hand(delimiter: str, *rows: tuple[str, str]) -> str:
    """A copy that a person has converted: another delimiter, numbers as their spreadsheet shows them."""
    lines = [delimiter.join((stamp(second), *row)) for second, row in enumerate(rows)]
    return "\n".join((delimiter.join(("(PDH-CSV 4.0) (GMT Daylight Time)(-60)", READS, WRITES)), *lines)) + "\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_that_every_unicode_encoding_is_recognised_with_and_without_its_mark(tmp_path: Path, encoding: str) -> None:
    assert read(tmp_path, pdh(*good_rows(5)).encode(encoding)).columns["c0"] == READ_VALUES


def test_that_typeperf_output_keeps_its_samples_and_shows_its_messages(tmp_path: Path) -> None:
    ending = "\r\nExiting, please wait...                         \r\nThe command completed successfully.\r\n"
    result = read(tmp_path, "\r\n" + pdh(*good_rows(5), first="(PDH-CSV 4.0)") + ending)
    assert result.columns["c0"] == READ_VALUES
    assert result.reading.report.rejected_rows == 0
    assert result.reading.report.utc_offset_minutes is None
    assert result.codes.count("message-line") == 2
    assert "time-zone-unknown" in result.codes


def test_that_an_hour_skipped_on_a_sunday_night_is_reported_as_summer_time_or_a_gap(tmp_path: Path) -> None:
    result = read(tmp_path, _clock("03/27/2016", "00:59:57", "00:59:58", "00:59:59", "02:00:00", "02:00:01"))
    assert result.problem("summer-time-start").line == 5
    times = result.columns["t"]
    assert times[3] - times[2] == 3_601_000_000  # type: ignore[operator]


@pytest.mark.parametrize(
    ("day", "times"),
    [
        ("03/28/2016", ("00:59:57", "00:59:58", "00:59:59", "02:00:00")),  # a Monday
        ("03/27/2016", ("12:59:57", "12:59:58", "12:59:59", "14:00:00")),  # at noon
        ("03/27/2016", ("00:59:57", "00:59:58", "00:59:59", "01:30:00")),  # half an hour
        ("03/27/2016", ("00:00:00", "01:00:00", "02:00:00", "03:00:00")),  # hourly samples
    ],
)
def test_that_no_other_gap_passes_for_the_start_of_summer_time(
    tmp_path: Path, day: str, times: tuple[str, ...]
) -> None:
    assert "summer-time-start" not in read(tmp_path, _clock(day, *times)).codes


def test_that_the_repeated_hour_in_autumn_is_placed_once(tmp_path: Path) -> None:
    result = read(tmp_path, _clock("10/30/2016", "01:59:58", "01:59:59", "01:00:00", "01:00:01"))
    times = result.columns["t"]
    assert [after - before for before, after in itertools.pairwise(times)] == [1_000_000] * 3  # type: ignore[operator]
    assert result.problem("summer-time-end").line == 4


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_that_an_ambiguous_comma_before_three_digits_is_rejected(tmp_path: Path, delimiter: str) -> None:
    result = read(tmp_path, _by_hand(delimiter, ("1,234", "12,345"), ("7", "13,456")))
    assert result.reading.recording is None
    assert result.reading.report.rejected_rows == 2
    problem = result.problem("ambiguous-number")
    assert (problem.severity, problem.line, problem.column) == ("refused", 2, 2)
    assert "'1,234' can mean 1234 or 1.234" in problem.message


def test_that_one_plain_decimal_comma_shows_the_meaning_of_the_others(tmp_path: Path) -> None:
    result = read(tmp_path, _by_hand(";", ("1,234", "12,345"), ("73,1", "0,456")))
    assert result.columns["c0"] == [1.234, 73.1]
    assert result.columns["c1"] == [12.345, 0.456]
    assert "decimal-comma" in result.codes


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u202f", "'"])
def test_that_thousands_among_quoted_cells_are_read(tmp_path: Path, blank: str) -> None:
    rows = (line(stamp(2), "1,234", "1,234.5"), line(stamp(3), f"-1{blank}234", f"1{blank}234{blank}567.25"))
    content = pdh(*good_rows(2), *rows, names=(READS, r"\\W10-001\Memory\Odd"))
    result = read(tmp_path, content.encode("utf-8" if blank == "\u202f" else "cp1252"))
    assert (result.columns["c0"], result.columns["c1"]) == ([0.25, 1.25, 1234, None], [0, 2, 1234.5, 1234567.25])
    assert result.codes == ["thousands-marks", "negative-rate"]


def test_that_ambiguous_quoted_commas_before_three_digits_are_rejected(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(line(stamp(0), 7, "1,234"), line(stamp(1), "12,345", 8)))
    assert result.reading.recording is None
    assert (result.problem("ambiguous-number").line, result.problem("ambiguous-number").column) == (2, 3)


def test_that_a_quoted_decimal_comma_decides_for_the_whole_file(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(line(stamp(0), "0,5", "1,234"), line(stamp(1), "1.234,5", "-7,25e1")))
    assert (result.columns["c0"], result.columns["c1"]) == ([0.5, 1234.5], [1.234, None])
    assert result.problem("negative-rate").line == 3


def test_that_a_header_without_a_line_end_is_named(tmp_path: Path) -> None:
    data = pdh(*good_rows(5)).replace("\r\n", "", 1)
    result = read(tmp_path, data)
    assert (result.codes, result.reading.report.rejected_rows) == (["header-no-line-end"], 5)


@pytest.mark.parametrize("quoted", [False, True])
@pytest.mark.parametrize("large", [False, True])
def test_that_a_row_without_a_cell_is_reported_if_only_its_time_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quoted: bool, large: bool
) -> None:
    if large:
        monkeypatch.setattr(fast, "FAST_LIMIT", 0)
    mark = '"' if quoted else ""
    rows = [f'"{stamp(second)}",{mark}100{mark},{mark}200{mark},{mark}3{mark}' for second in range(11)]
    rows[3] = rows[3].replace(f"{mark}100{mark},", "")
    result = read(tmp_path, pdh(*rows, names=(READS, WRITES, r"\\W10-001\Processor(_Total)\% Processor Time")))
    assert (result.codes, result.problem("row-width").line, result.reading.report.rejected_rows) == (
        ["row-width"],
        5,
        1,
    )
    assert [set(result.columns[name]) for name in ("c0", "c1", "c2")] == [{100}, {200}, {3}]


def test_that_a_row_without_its_time_keeps_its_width(tmp_path: Path) -> None:
    rows = [f'"{stamp(second)}",100,"200"' for second in range(5)]
    rows[2] = ',100,"200"'
    result = read(tmp_path, pdh(*rows))
    assert (result.codes, result.reading.report.rejected_rows) == (["bad-time"], 1)


def test_that_values_the_runtime_spells_as_infinite_are_missing_and_reported(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*good_rows(2), line(stamp(2), "1.#INF", "-1.#IND")))
    assert (result.columns["c0"][2], result.columns["c1"][2]) == (None, None)
    assert result.codes.count("not-a-number") == 2


def test_that_the_no_limit_mark_of_esxtop_is_kept_and_gives_no_figure(tmp_path: Path) -> None:
    names = (r"\\esx1\Group Cpu(17:W10-001)\Alloc Max", r"\\esx1\Group Cpu(17:W10-001)\% Used")
    rows = (f'"05/10/2016 09:00:0{second}","-1","12.5",' for second in range(4))
    result = read(tmp_path, pdh(*rows, names=names, first="(PDH-CSV 4.0) (UTC)(0)", end="\n"))
    assert result.columns["c0"] == [-1.0] * 4
    assert result.reading.recording is not None
    assert [one.metric is None for one in result.reading.recording.series] == [True, False]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_that_utf_16_without_a_mark_is_recognised_in_other_scripts(encoding: str) -> None:
    header = '"(PDH-CSV 4.0) (RTZ 2 (зима))(-180)","\\\\A\\Физический диск(_Total)\\Обращений к диску/с"\r\n'
    rows = '"03/13/2022 10:00:00.000","1"\r\n' * 3
    assert utf16_encoding((header + rows).encode(encoding)) == encoding
    assert utf16_encoding((header + rows).encode("cp1251")) is None
    assert utf16_encoding((header + rows).encode()) is None


def _language_told(text: str | bytes, folder: Path) -> bool:
    return "counter-language" in read(folder, text).codes


ITALIAN = "(PDH-CSV 4.0) (ora legale Europa occidentale)(-120)"
FINNISH = r"\\W10-001\Fyysinen levy(_Total)\Levylukuja/s", r"\\W10-001\Fyysinen levy(_Total)\Levykirjoituksia/s"
CZECH = r"\\W10-001\Fyzický disk(_Total)\Čtení disku/s", r"\\W10-001\Fyzický disk(_Total)\Zápisy disku/s"


def test_that_a_log_in_an_unknown_language_is_reported(tmp_path: Path) -> None:
    rows = good_rows(3)
    assert _language_told(pdh(*rows, names=FINNISH, first=ITALIAN), tmp_path)
    assert _language_told(pdh(*rows, names=CZECH, first="(PDH-CSV 4.0)").encode(), tmp_path)
    # An object is known and its counters are not.
    names = [name.replace("Fyysinen levy", "PhysicalDisk") for name in FINNISH]
    assert _language_told(pdh(*rows, names=names, first=ITALIAN), tmp_path)
    # A known object of another language identifies its counters, even in English letters.
    dutch = r"\\W10-001\Fysieke schijf(_Total)\Leesacties/s", r"\\W10-001\Fysieke schijf(_Total)\Schrijfacties/s"
    assert _language_told(pdh(*rows, names=dutch), tmp_path)
    problem = read(tmp_path, pdh(*rows, names=FINNISH, first=ITALIAN)).problem("counter-language")
    assert r"Fyysinen levy\Levylukuja/s" in problem.message
    assert (problem.line, "lodctr" in problem.action) == (1, True)


def test_that_known_names_and_english_ones_do_not_count_as_another_language(tmp_path: Path) -> None:
    rows = good_rows(3)
    assert not _language_told(pdh(*rows, first=ITALIAN), tmp_path)
    names = r"\\A\Disco fisico(_Total)\Letture disco/sec", r"\\A\Disco fisico(_Total)\Qualcosa/sec"
    assert not _language_told(pdh(*rows, names=names, first=ITALIAN), tmp_path)
    # English, without a counter that a metric needs.
    other = r"\\A\My Object(x)\Things/sec", r"\\A\Cache\Copy Reads/sec"
    for first in ("(PDH-CSV 4.0) (W. Europe Daylight Time)(-120)", "(PDH-CSV 4.0) (UTC-11)(660)", "(PDH-CSV 4.0)"):
        assert not _language_told(pdh(*rows, names=other, first=first), tmp_path)


@pytest.mark.parametrize(
    ("page", "name", "counter"),
    [
        ("cp1250", r"\\W10-001\Dysk fizyczny(_Total)\Średni czas dysku w s/odczyt", "Avg. Disk sec/Read"),
        ("cp1252", r"\\W10-001\Disco físico(_Total)\Gravações de disco/s", "Disk Writes/sec"),
        ("cp1252", r"\\W10-001\Fysisk disk(_Total)\Diskläsningar/s", "Disk Reads/sec"),
        ("cp1254", r"\\W10-001\FizikselDisk(_Total)\Disk Aktarımı/sn", "Disk Transfers/sec"),
        ("cp1251", r"\\W10-001\Физический диск(_Total)\Обращений к диску/с", "Disk Transfers/sec"),
        ("cp932", r"\\W10-001\PhysicalDisk(_Total)\ディスク読み取り/秒", "Disk Reads/sec"),
        ("cp936", r"\\W10-001\PhysicalDisk(_Total)\磁盘写入数/秒", "Disk Writes/sec"),
        ("cp949", r"\\W10-001\PhysicalDisk(_Total)\디스크 쓰기/초", "Disk Writes/sec"),
    ],
)
def test_that_a_log_in_the_code_page_of_its_windows_is_read(page: str, name: str, counter: str, tmp_path: Path) -> None:
    for encoding in (page, "utf-8", "utf-16"):
        result = read(tmp_path, pdh(line(stamp(0), 1.5), line(stamp(1), 2.5), names=(name,)).encode(encoding))
        assert result.reading.recording is not None
        (series,) = result.reading.recording.series
        assert (series.path, series.object, series.counter) == (name, "PhysicalDisk", counter)
        assert result.columns["c0"] == [1.5, 2.5]
