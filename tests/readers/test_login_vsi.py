"""Login VSI's tables: every layout, and the effect of each kind of damage."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from tests.builders import T0
from tests.readers.login_files import codes, read_as
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.session import Measurement, MeasurementKind, Session, VsiSummary
from workbench.readers.login_vsi import reader as login_vsi

SUMMARY = "TestName,DataTime,BaseLine,VSIMax,Uncorrected,VSIMaxDynamic,LaunchedSessions,ActiveSessions,VSIMaxReached"
LOGON = "DateTime,User,LogonTime"
STARTS = "DateTime,ActiveSessions,Label,Value"
TIMERS = "time,session,active_sessions,timer,value_ms"
# 2016-05-24: no other reading of the date is possible.
DAY = T0 + 14 * 86_400


def read(folder: Path, content: str | bytes) -> Reading:
    return read_as("login-vsi", folder, content)


def test_that_an_analyzer_summary_gives_one_summary_for_each_test(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        f"{SUMMARY}\nmcs_run1,5/24/2016 8:00:00 AM,812,187,190,180,200,199,True\n"
        "mcs_run2,5/24/2016 9:00:00 AM,820,,,,200,200,False\n",
    )
    assert reading.summaries == (
        VsiSummary("mcs_run1", DAY, 812, 187, 190, 180, 200, 199, True, False),
        VsiSummary("mcs_run2", DAY + 3600, 820, None, None, None, 200, 200, False, False),
    )
    report = reading.report
    assert (report.rows, report.rejected_rows, report.columns, report.cells, report.missing_cells) == (2, 0, 9, 12, 3)
    assert codes(reading) == ["time-zone-unknown"]


def test_that_an_invalid_flag_is_empty_and_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{SUMMARY}\na,2016-05-24 08:00:00,812,187,190,180,200,199,178\n")
    assert reading.summaries[0].vsimax_reached is None
    assert [(one.code, one.line, one.column) for one in reading.problems if one.code == "not-a-flag"] == [
        ("not-a-flag", 2, 9)
    ]


def test_that_logon_times_give_start_and_end(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{LOGON}\n05/24/2016 08:00:00,VDI-001,21.5\n05/24/2016 08:00:30,VDI-002,19\n")
    assert reading.sessions == (
        Session("VDI-001", logon_start=DAY, logon_end=DAY + 21.5, logon_s=21.5, has_offset=False),
        Session("VDI-002", logon_start=DAY + 30, logon_end=DAY + 49, logon_s=19, has_offset=False),
    )
    assert (reading.report.first, reading.report.last) == ("2016-05-24T08:00:00", "2016-05-24T08:00:30")


def test_that_invalid_dates_are_rejected_and_mixed_orders_reject_the_file(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    nothing = read(tmp_path, f"{LOGON}\n13/32/2016 08:00:00,VDI-001,21.5\n")
    assert [problem.code for problem in nothing.problems if problem.line == 2] == ["bad-time"]
    both = read(tmp_path, f"{LOGON}\n05/13/2016 08:00:00,VDI-001,21.5\n13/05/2016 08:00:30,VDI-002,19\n")
    (refused,) = (problem for problem in both.problems if problem.severity is Severity.REFUSED)
    assert refused.message == snapshot


@pytest.mark.parametrize("date", ["05/06/2016", "05.06.2016"])
def test_that_a_date_with_two_readings_is_rejected_with_both_named(tmp_path: Path, date: str) -> None:
    reading = read(tmp_path, f"{LOGON}\n{date} 08:00:00,VDI-001,21.5\n{date} 08:00:30,VDI-002,19\n")
    refused = [one for one in reading.problems if one.severity is Severity.REFUSED]
    assert [one.code for one in refused] == ["ambiguous-date"]
    assert "6 May" in refused[0].message
    assert "5 June" in refused[0].message
    assert (reading.sessions, reading.report.rows, reading.report.rejected_rows) == ((), 0, 2)


def test_that_a_script_under_a_german_windows_still_writes_the_month_first(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{LOGON}\n05.24.2016 08:00:00,VDI-001,21.5\n")
    assert reading.sessions[0].logon_start == DAY


def test_that_a_day_first_column_is_read_so_and_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{LOGON}\n24/05/2016 08:00:00,VDI-001,21.5\n")
    assert reading.sessions[0].logon_start == DAY
    assert "day-first" in codes(reading)


def test_that_a_blank_logon_time_is_missing_not_zero(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{LOGON}\n05/24/2016 08:00:00,VDI-001,\n05/24/2016 08:00:30,VDI-002,0\n")
    assert [(one.logon_s, one.logon_end) for one in reading.sessions] == [(None, None), (0.0, DAY + 30)]
    assert reading.report.missing_cells == 1


def test_that_a_negative_logon_time_is_skipped_and_reported(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{LOGON}\n05/24/2016 08:00:00,VDI-001,-3600\n")
    assert (reading.sessions[0].logon_s, reading.sessions[0].logon_end) == (None, None)
    assert ("out-of-range", 2, 3) in [(one.code, one.line, one.column) for one in reading.problems]


def test_that_application_starts_report_that_their_unit_is_assumed(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{STARTS}\n2016-05-24 08:00:00,12,Excel1,1835\n")
    assert reading.measurements == (
        Measurement(DAY, MeasurementKind.APP_START, "Excel1", 1835, "ms", "", 12, False, unit_assumed=True),
    )
    assert "unit-assumed" in codes(reading)


def test_that_timer_samples_of_the_kit_have_an_offset_and_a_unit(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{TIMERS}\n2016-05-24T09:00:00+01:00,VDI-001,12,NSLD,845.5\n")
    assert reading.measurements == (Measurement(DAY, MeasurementKind.TIMER, "NSLD", 845.5, "ms", "VDI-001", 12),)
    assert reading.problems == ()
    assert (reading.report.first, reading.report.utc_offset_minutes) == ("2016-05-24T08:00:00Z", 0)


def test_that_an_empty_time_or_session_is_valid(tmp_path: Path) -> None:
    rows = ("0,NSLD,0", "1,NFP,0.25")
    cells = (row.split(",") for row in rows)
    lines = "".join(f"2016-05-24T09:00:00+01:00,V,{active},{timer},{value}\n" for active, timer, value in cells)
    reading = read(tmp_path, f"{TIMERS}\n{lines}")
    assert [(each.value, each.active_sessions) for each in reading.measurements] == [(0.0, 0), (0.25, 1)]
    assert reading.problems == ()


GOOD = "2016-05-24T08:00:00Z,VDI-001,12,NSLD,845.5"
AT = "2016-05-24T08:00:00Z,VDI-001,12,NSLD"
BAD = [
    (AT, "row-width", None),
    (GOOD + ",1", "row-width", None),
    (f"{AT},", "no-value", 5),
    (f"{AT},n/a", "not-a-number", 5),
    (f"{AT},1e999", "not-a-number", 5),
    (f"{AT},nan", "not-a-number", 5),
    (f"{AT},1.#INF", "not-a-number", 5),
    (f"{AT},-1", "out-of-range", 5),
    (f"{AT},٣", "not-a-number", 5),
    (f'{AT},"1,23,4"', "not-a-number", 5),
    ("noon,VDI-001,12,NSLD,1", "bad-time", 1),
    (",VDI-001,12,NSLD,1", "bad-time", 1),
    ("0016-05-24T08:00:00Z,VDI-001,12,NSLD,1", "bad-time", 1),
    ('2016-05-24T08:00:00Z,"VDI-001,12,NSLD,1', "bad-quote", None),
    (TIMERS, "repeated-header", None),
    ("\x00\x00\x00\x00", "nul", None),
    (f"{AT},84\x00", "nul", None),
    (f"{AT},845.", "not-a-number", 5),
    ("Exiting, please wait...", "row-width", None),
    ("x" * 200_000, "row-width", None),
]


@pytest.mark.parametrize(("line", "code", "column"), BAD)
def test_that_a_bad_line_affects_only_itself_and_is_named(
    tmp_path: Path, line: str, code: str, column: int | None
) -> None:
    reading = read(tmp_path, f"{TIMERS}\n{GOOD}\n\n{line}\n{GOOD}\n")
    assert [one.value for one in reading.measurements] == [845.5, 845.5]
    assert (reading.report.rows, reading.report.rejected_rows) == (2, 1)
    (problem,) = reading.problems
    assert (problem.code, problem.line, problem.column) == (code, 4, column)
    assert len(problem.message) < 300


def test_that_a_bad_cell_next_to_the_value_is_skipped_alone(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{TIMERS}\n2016-05-24T08:00:00Z,VDI-001,many,NSLD,845.5\n")
    assert (reading.measurements[0].active_sessions, reading.measurements[0].value) == (None, 845.5)
    assert [(one.code, one.line, one.column) for one in reading.problems] == [("not-a-number", 2, 3)]
    assert reading.report.missing_cells == 1


CLEAN = f"{TIMERS}\n{GOOD}\n2016-05-24T08:00:05Z,VDI-002,13,ZHC,1234.25\n"
SAME: dict[str, bytes] = {
    "BOM": b"\xef\xbb\xbf" + CLEAN.encode(),
    "UTF-16": CLEAN.encode("utf-16"),
    "UTF-16 without mark": CLEAN.encode("utf-16-le"),
    "UTF-16 big end first": b"\xfe\xff" + CLEAN.encode("utf-16-be"),
    "CR only": CLEAN.replace("\n", "\r").encode(),
    "CRLF": CLEAN.replace("\n", "\r\n").encode(),
    "semicolons": CLEAN.replace(",", ";").encode(),
    "tabs": CLEAN.replace(",", "\t").encode(),
    "decimal commas": CLEAN.replace(",", ";").replace("845.5", "845,5").replace("1234.25", "1.234,25").encode(),
    "decimal commas in quotes": CLEAN.replace("845.5", '"845,5"').replace("1234.25", '"1234,25"').encode(),
    "thousands in quotes": CLEAN.replace("1234.25", '"1,234.25"').encode(),
    "all quoted": "\n".join(
        ",".join(f'"{cell}"' for cell in line.split(",")) for line in CLEAN.strip().split("\n")
    ).encode()
    + b"\n",
    "trailing commas": CLEAN.replace("\n", ",\n").encode(),
    "PowerShell's type line": b"#TYPE System.Management.Automation.PSCustomObject\r\n" + CLEAN.encode(),
    "Excel's separator line": b"sep=,\n" + CLEAN.encode(),
    "blank lines": CLEAN.replace("\n", "\n\n,,,,\n").encode(),
    "header in capitals": CLEAN.replace(TIMERS, TIMERS.upper()).encode(),
    "no line end": CLEAN.rstrip().encode(),
    "spaces": CLEAN.replace(",", " , ").encode(),
}


@pytest.mark.parametrize("kind", SAME)
def test_that_a_file_in_another_format_equals_its_clean_twin(tmp_path: Path, kind: str) -> None:
    clean = read(tmp_path, CLEAN).measurements
    assert len(clean) == 2
    reading = read(tmp_path, SAME[kind])
    assert reading.measurements == clean
    assert reading.report.rejected_rows == 0


def test_that_a_point_before_three_digits_is_a_thousands_mark_with_decimal_commas(tmp_path: Path) -> None:
    text = CLEAN.replace(",", ";").replace("845.5", "845,5").replace("1234.25", "1.234")
    reading = read(tmp_path, text)
    assert [one.value for one in reading.measurements] == [845.5, 1234.0]
    assert [(one.code, one.line) for one in reading.problems if one.code == "thousands-marks"] == [
        ("thousands-marks", 3)
    ]


def test_that_a_column_named_twice_is_reported_and_the_first_is_used(tmp_path: Path) -> None:
    reading = read(tmp_path, f"{TIMERS},value_ms\n{GOOD},7\n")
    assert [one.value for one in reading.measurements] == [845.5]
    assert codes(reading) == ["duplicate-column"]


def test_that_a_file_cut_in_a_row_loses_that_row_and_is_reported(tmp_path: Path) -> None:
    for cut in range(len(TIMERS) + 2, len(CLEAN)):
        reading = read(tmp_path, CLEAN[:cut])
        rows = CLEAN[:cut].strip().count("\n")
        assert reading.report.rows + reading.report.rejected_rows == rows
        assert reading.problems or CLEAN[cut - 1] == "\n"


def test_that_a_header_alone_gives_no_records(tmp_path: Path) -> None:
    reading = read(tmp_path, STARTS + "\n")
    assert (reading.report.recognised, reading.report.rows, reading.measurements) == (True, 0, ())


@pytest.mark.parametrize(
    "head",
    [b"", b"\n\n", b"time,event,vm\n", b"DateTime,Value\n", b"{}", b"\xff\xfe", b"\x00" * 50, b"testname,user\n"],
)
def test_that_other_files_are_not_recognised_as_login_vsi(head: bytes) -> None:
    assert login_vsi.READER.identify(head, "KnowledgeWorker.csv") == 0.0


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from([SUMMARY, LOGON, STARTS, TIMERS]),
    st.lists(
        st.one_of(
            st.text(max_size=40),
            st.lists(
                st.sampled_from(
                    [
                        "2016-05-24T08:00:00Z",
                        "05/24/2016 08:00:00",
                        "1,5",
                        "1e999",
                        '"',
                        "",
                        "x",
                        "-1",
                        "9" * 400,
                        "99/99/9999 99:99",
                    ]
                ),
                max_size=10,
            ).map(",".join),
        ),
        max_size=12,
    ),
)
def test_that_no_content_crashes_the_reader(tmp_path: Path, header: str, lines: list[str]) -> None:
    text = "\n".join([header, *lines])
    path = tmp_path / "file.csv"
    path.write_bytes(text.encode(errors="surrogatepass"))
    reading = login_vsi.READER.read(path, "file.csv", tmp_path / "columns")
    kept = len(reading.sessions) + len(reading.measurements) + len(reading.summaries)
    assert kept == reading.report.rows
    assert all(problem.message and problem.action for problem in reading.problems)
    if reading.report.rejected_rows:
        assert any(problem.severity is not Severity.INFO for problem in reading.problems)


@pytest.mark.parametrize(("marks", "unknown"), [(("Z", "Z"), False), (("Z", ""), True), (("", ""), True)])
def test_that_one_time_without_an_offset_is_enough_for_a_warning(
    tmp_path: Path, marks: tuple[str, str], unknown: bool
) -> None:
    rows = (f"2016-05-24T08:00:{10 * place:02}{mark},VDI-00{place},21.5" for place, mark in enumerate(marks))
    reading = read(tmp_path, "\n".join((LOGON, *rows, "")))
    assert [session.has_offset for session in reading.sessions] == [mark == "Z" for mark in marks]
    assert ("time-zone-unknown" in codes(reading)) is unknown
