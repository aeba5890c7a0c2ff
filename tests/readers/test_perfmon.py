from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from tests.readers.perfmon_files import READS, WRITES, ZONE, good_rows, line, pdh, read, stamp
from workbench.readers.perfmon import fast
from workbench.readers.perfmon import reader as perfmon
from workbench.readers.registry import readers, recognise


def test_that_a_plain_recording_is_read_completely(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*good_rows(3)))
    report = result.reading.report
    assert result.columns["c0"] == [0.25, 1.25, 2.25]
    assert result.columns["c1"] == [0, 2, 4]
    assert (report.first, report.last) == ("2016-05-10T08:00:00Z", "2016-05-10T08:00:02Z")
    assert (report.hosts, report.utc_offset_minutes, report.delimiter) == (("W10-001",), 60, ",")
    assert result.reading.problems == ()


def test_that_a_blank_sample_is_missing_not_zero(tmp_path: Path) -> None:
    rows = [line(stamp(0), " ", " "), line(stamp(1), "", 0), line(stamp(2), "1", "8.57e-005")]
    result = read(tmp_path, pdh(*rows))
    assert result.columns["c0"] == [None, None, 1]
    assert result.columns["c1"] == [None, 0, 8.57e-5]
    assert result.reading.report.missing_cells == 3
    assert result.reading.problems == ()


@pytest.mark.parametrize("text", ["1.#INF", "abc", "inf", "nan", "-1.#IND", "1e400", "1_000", "0x10", "1,5", "٣"])
def test_that_text_in_a_number_cell_is_missing_and_named_by_line_and_cell(tmp_path: Path, text: str) -> None:
    rows = [*good_rows(2), line(stamp(2), 7, text), *good_rows(2, 3)]
    result = read(tmp_path, pdh(*rows).encode("utf-8"))
    assert result.columns["c1"] == [0, 2, None, 6, 8]
    assert result.columns["c0"] == [0.25, 1.25, 7, 3.25, 4.25]
    problem = result.problem("not-a-number")
    assert (problem.line, problem.column, problem.action) == (4, 3, "cell left empty; check it in the file")
    assert result.reading.report.rejected_rows == 0


def test_that_many_bad_cells_are_summarised_and_all_are_counted(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*(line(stamp(n), "?", n) for n in range(250))))
    found = [problem for problem in result.reading.problems if problem.code == "not-a-number"]
    assert len(found) == 101
    assert "Last of 250" in found[-1].message
    assert result.reading.report.missing_cells == 250


@pytest.mark.parametrize(
    ("bad", "code", "says"),
    [
        (line(stamp(2), 5), "row-width", "has 2 cells, but the header has 3"),
        (line(stamp(2), 5, 6, 7), "row-width", "has 4 cells, but the header has 3"),
        (line("05/10/2016 25:00:00.000", 5, 6), "bad-time", "instead of a timestamp"),
        (line("02/30/2016 09:00:02.000", 5, 6), "bad-time", "is not a valid date"),
        (line("", 5, 6), "bad-time", "has no timestamp"),
        (line(ZONE, READS, WRITES), "repeated-header", "repeats the header"),
        (f'"{stamp(2)}","5', "bad-quote", "an unclosed quotation mark"),
        ("\0" * 12, "nul-bytes", "NUL bytes"),
        ("garbage", "bad-time", "instead of a timestamp"),
    ],
)
def test_that_a_broken_row_is_rejected_with_its_line(tmp_path: Path, bad: str, code: str, says: str) -> None:
    result = read(tmp_path, pdh(*good_rows(2), bad, *good_rows(2, 3)))
    report = result.reading.report
    assert (report.rows, report.rejected_rows) == (4, 1)
    assert result.columns["c0"] == [0.25, 1.25, 3.25, 4.25]
    assert result.problem(code).line == 4
    assert says in result.problem(code).message
    assert result.codes == [code]


@pytest.mark.parametrize("cut", [2, 4, 5, 9, 10, 30])
def test_that_a_last_row_cut_short_is_rejected(tmp_path: Path, cut: int) -> None:
    """At 2 and 4 the row has the right width, and polars alone would read 123.4 instead of 123.45."""
    whole = pdh(*good_rows(2), line(stamp(2), 5, "123.45"), end="\n")
    result = read(tmp_path, whole[:-cut])
    assert result.reading.report.rows == 2
    assert result.reading.report.rejected_rows == 1
    assert [problem.line for problem in result.reading.problems] == [4]


def test_that_a_last_row_without_a_line_end_is_kept(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*good_rows(3)).rstrip("\r\n"))
    assert result.reading.report.rows == 3
    assert result.reading.problems == ()
    bare = read(tmp_path, pdh(*good_rows(3)).rstrip("\r\n").replace('"', ""))
    assert bare.reading.report.rows == 3
    assert bare.codes == ["no-final-newline"]


def test_that_a_short_row_is_found_where_blank_last_cells_are_usual(tmp_path: Path) -> None:
    rows = [line(stamp(n), n, " ") for n in range(5)]
    assert read(tmp_path, pdh(*rows)).reading.report.rejected_rows == 0
    rows[3] = line(stamp(3), 3)
    result = read(tmp_path, pdh(*rows))
    assert (result.reading.report.rows, result.problem("row-width").line) == (4, 5)


def test_that_a_short_row_is_found_without_quotes(tmp_path: Path) -> None:
    rows = [f"{stamp(n)},{n}," for n in range(5)]
    rows[3] = f"{stamp(3)},3"
    result = read(tmp_path, pdh(*rows))
    assert (result.reading.report.rows, result.problem("row-width").line) == (4, 5)


def test_that_typeperfs_closing_message_is_not_a_row(tmp_path: Path) -> None:
    text = "\r\n" + pdh(*good_rows(2), first="(PDH-CSV 4.0)")
    text += "\r\nExiting, please wait...                         \r\nThe command completed successfully.\r\n"
    result = read(tmp_path, text)
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (2, 0)
    assert [p.line for p in result.reading.problems if p.code == "message-line"] == [6, 7]
    assert result.reading.report.utc_offset_minutes is None


def test_that_a_blank_description_column_is_dropped_and_reported(tmp_path: Path) -> None:
    names = (READS, WRITES, "Disk study of May")
    result = read(tmp_path, pdh(*(line(stamp(n), n, n, blank) for n, blank in enumerate((" ", "", " "))), names=names))
    assert result.reading.report.columns == 2
    assert result.reading.report.missing_cells == 0
    assert result.codes == ["description-column"]


def test_that_a_last_column_with_values_is_kept_for_any_name(tmp_path: Path) -> None:
    names = (READS, WRITES, "Notes")
    result = read(tmp_path, pdh(line(stamp(0), 1, 2, " "), line(stamp(1), 3, 4, 99), names=names))
    assert result.columns["c2"] == [None, 99]


def test_that_a_delimiter_after_every_line_is_not_a_column(tmp_path: Path) -> None:
    both = pdh(*good_rows(3)).replace("\r\n", ",\r\n")
    result = read(tmp_path, both)
    assert (result.reading.report.columns, result.reading.report.rows) == (2, 3)
    assert result.codes == ["trailing-delimiter"]
    head, *body = both.splitlines()
    rows_only = "\n".join((head.rstrip(","), *body)) + "\n"
    assert read(tmp_path, rows_only).codes == ["trailing-delimiter"]
    assert read(tmp_path, rows_only).columns == result.columns


def test_that_two_counters_with_one_name_stay_two_series(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*good_rows(2), names=(READS, READS)))
    assert result.columns["c0"] != result.columns["c1"]
    assert result.codes == ["duplicate-counter"]


def test_that_several_hosts_of_one_file_stay_apart(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*good_rows(2), names=(READS, READS.replace("001", "002"))))
    assert result.reading.report.hosts == ("W10-001", "W10-002")
    assert result.reading.recording is not None
    assert [one.vm for one in result.reading.recording.series] == ["W10-001", "W10-002"]


@pytest.mark.parametrize(
    ("first", "offset"),
    [
        ("(PDH-CSV 4.0) (China Standard Time)(-480)", 480),
        ("(PDH-CSV 4.0) (Eastern Daylight Time)(240)", -240),
        ("(PDH-CSV 4.0) (Amsterdam, Berlin, Rome (summer))(-120)", 120),
        ("(PDH-CSV 4.0) (UTC)(0)", 0),
        ("(PDH-CSV 4.0) (GMT Standard Time)(0) Time", 0),
        ("(PDH-CSV 4.0) (W. Europe Standard Time)(-60) Zeit", 60),
        ("(PDH-CSV 4.0) (RTZ 2 (", None),
        ("(PDH-CSV 4.0)", None),
        ("(PDH-CSV 4.0) (Nonsense)(9999)", None),
        ("(PDH-CSV 4.0) (Line Islands Standard Time)(-840)", 840),
        ("(PDH-CSV 4.0) (Nonsense)(-841)", None),
    ],
)
def test_that_the_offset_is_computed_only_from_the_bias(tmp_path: Path, first: str, offset: int | None) -> None:
    result = read(tmp_path, pdh(*good_rows(1), first=first))
    assert result.reading.report.utc_offset_minutes == offset
    assert ("time-zone-unknown" in result.codes) == (offset is None)
    if offset is None:
        assert "run.toml" in result.problem("time-zone-unknown").action
        assert "Run › Time zone" in result.problem("time-zone-unknown").action


@pytest.mark.parametrize(
    "mend", [lambda t: t[1:], lambda t: t.replace('","', '",', 1), lambda t: t.replace('","', ',"', 1)]
)
def test_that_a_bad_quote_in_the_header_loses_no_row(tmp_path: Path, mend: object) -> None:
    assert callable(mend)
    head, _, body = pdh(*good_rows(3)).partition("\r\n")
    result = read(tmp_path, mend(head) + "\r\n" + body)
    assert result.columns["c0"] == [0.25, 1.25, 2.25]
    assert result.reading.recording is not None
    assert [one.path for one in result.reading.recording.series] == [READS, WRITES]


def test_that_a_malformed_cell_affects_only_itself(tmp_path: Path) -> None:
    result = read(tmp_path, pdh(*good_rows(1), f'"{stamp(1)}","    73.1"8.93","4"'))
    assert result.columns == {**result.columns, "c0": [0.25, None], "c1": [0, 4]}
    assert (result.problem("not-a-number").line, result.problem("not-a-number").column) == (3, 2)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_that_encodings_and_line_ends_do_not_matter(tmp_path: Path, encoding: str, end: str) -> None:
    names = (READS, r"\\PC\Disco físico(_Total)\Escrituras en disco/s")
    content = pdh(*good_rows(3), names=names, end=end).encode(encoding)
    assert perfmon.identify(content[:65_536], "x") == 1.0
    result = read(tmp_path, content)
    assert result.columns["c1"] == [0, 2, 4]
    assert result.reading.recording is not None
    assert result.reading.recording.series[1].path == names[1]
    assert result.reading.report.encoding == {"utf-8-sig": "utf-8"}.get(encoding, encoding)[:6].rstrip("-")
    assert result.reading.problems == ()


def test_that_russian_and_western_code_pages_are_distinguished(tmp_path: Path) -> None:
    for name, encoding in (
        (r"\\PC\Физический диск(_Total)\Обращений к диску/с", "cp1251"),
        (r"\\PC\Physikalischer Datenträger(_Total)\Übertragungen/s", "cp1252"),
    ):
        result = read(tmp_path, pdh(line(stamp(0), 1), names=(name,)).encode(encoding))
        assert result.reading.report.encoding == encoding
        assert result.reading.recording is not None
        series = result.reading.recording.series[0]
        assert (series.object, series.counter) == ("PhysicalDisk", "Disk Transfers/sec")
        assert series.metric is not None
        assert series.metric.quantity == "iops"


def test_that_a_semicolon_copy_with_decimal_commas_is_read(tmp_path: Path) -> None:
    text = f" {ZONE} ; {READS} ; {WRITES}\r\n 05/20/2016 09:00:00,500 ; 1,5 ; 8,57E-05\r\n"
    text += " 05/20/2016 09:00:01,500 ;   ;3\r\n"
    result = read(tmp_path, text)
    assert (result.columns["c0"], result.columns["c1"]) == ([1.5, None], [8.57e-5, 3])
    assert result.reading.report.first == "2016-05-20T08:00:00.5Z"
    assert result.reading.report.delimiter == ";"


def test_that_points_among_decimal_commas_are_reported(tmp_path: Path) -> None:
    text = f"{ZONE};{READS};{WRITES}\n05/20/2016 09:00:00,500;1,5;1.2\n05/20/2016 09:00:01,500;2,5;1.234\n"
    result = read(tmp_path, text)
    assert (result.columns["c0"], result.columns["c1"]) == ([1.5, 2.5], [1.2, None])
    assert {"mixed-decimals", "ambiguous-number"} <= set(result.codes)


def test_that_a_file_that_changes_while_it_is_read_is_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = perfmon._store

    def slow(opened: perfmon.Opened, *rest: object) -> object:
        stored = original(opened, *rest)  # type: ignore[arg-type]
        with opened.text.path.open("ab") as stream:
            stream.write(b"more")
        return stored

    monkeypatch.setattr(perfmon, "_store", slow)
    result = read(tmp_path, pdh(*good_rows(3)))
    assert result.problem("changed-while-read").severity == "refused"
    assert result.reading.report.rejected_rows == 3


def test_that_a_file_too_large_for_memory_gives_the_same_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = good_rows(300)
    rows[40] = line(stamp(40), "x", 1)
    rows[250] = line(stamp(250), 1)
    text = pdh(*rows)
    expected = read(tmp_path, text)
    monkeypatch.setattr(fast, "FAST_LIMIT", 0)
    monkeypatch.setattr("workbench.readers.perfmon.rows._BLOCK", 1024)
    monkeypatch.setattr("workbench.readers.perfmon.rows._BLOCK_ROWS", 1)
    found = read(tmp_path, text)
    assert found.columns == expected.columns
    assert found.reading == expected.reading
    assert [entry.name for entry in os.scandir(tmp_path) if entry.is_dir()] == []


def test_that_a_panic_of_polars_does_not_end_the_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panic(*args: object, **options: object) -> object:
        raise pl.exceptions.PanicException("index out of bounds")

    expected = read(tmp_path, pdh(*good_rows(3)))
    monkeypatch.setattr(pl, "read_csv", panic)
    assert read(tmp_path, pdh(*good_rows(3))).columns == expected.columns


def test_that_perfmon_is_recognised_by_content_and_never_by_name() -> None:
    assert recognise(pdh(*good_rows(1)).encode(), "x.txt") is perfmon.READER
    assert recognise(b"Time,Reads\n1,2\n", "W10-001.csv") is None
    assert recognise(b"", "W10-001.csv") is None
    labels = [reader.label for reader in readers()]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("above", [0, 1, 3])
def test_that_lines_above_the_header_are_reported_with_the_line_of_the_header(tmp_path: Path, above: int) -> None:
    result = read(tmp_path, "exported by hand\r\n" * above + pdh(*good_rows(3)))
    assert result.columns["c0"] == [0.25, 1.25, 2.25]
    told = [problem.line for problem in result.reading.problems if problem.code == "lines-before-header"]
    assert told == ([above + 1] if above else [])
