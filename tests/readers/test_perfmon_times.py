from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.perfmon_files import READS, ZONE, Result, good_rows, line, pdh, read
from workbench.readers.text.timestamps import Order, decide_order, iso, parse_fixed, parse_texts, to_microseconds

HOUR = 3600


def _seconds(*moment: int) -> float:
    return datetime(*moment, tzinfo=UTC).timestamp()  # type: ignore[misc,arg-type]


def _read(tmp_path: Path, stamps: list[str], first: str = ZONE, name: str = READS) -> Result:
    return read(tmp_path, pdh(*(line(text, n) for n, text in enumerate(stamps)), names=(name,), first=first))


def _times(result: Result) -> list[float]:
    return [moment / 1e6 for moment in result.columns["t"] if moment is not None]


def test_that_perfmon_timestamps_have_the_month_first(tmp_path: Path) -> None:
    result = _read(tmp_path, ["03/04/2022 10:00:00.250", "03/04/2022 10:00:01.250"])
    assert _times(result) == [_seconds(2022, 3, 4, 10) + 0.25, _seconds(2022, 3, 4, 10) + 1.25]
    assert result.reading.problems == ()


@pytest.mark.parametrize("last", ["04/13/2022", "13/04/2022"])
def test_that_a_number_over_twelve_decides_the_order_of_the_whole_column(tmp_path: Path, last: str) -> None:
    day_first = last.startswith("13")
    eve = "12/04/2022" if day_first else "04/12/2022"
    result = _read(tmp_path, [f"{eve} 23:59:59.000", f"{last} 00:00:00.000", f"{last} 00:00:01.000"])
    assert _times(result) == [_seconds(2022, 4, 13) + second for second in (-1, 0, 1)]
    assert ("date-order" in result.codes) == day_first


def test_that_a_copy_that_crosses_midnight_shows_its_order(tmp_path: Path) -> None:
    result = _read(tmp_path, ["3/4/2022 23:59", "4/4/2022 0:00", "4/4/2022 0:01"])
    assert _times(result) == [_seconds(2022, 4, 4) + minute * 60 for minute in (-1, 0, 1)]
    assert "date-order" in result.codes


@pytest.mark.parametrize(
    "stamps",
    [
        ["03/04/2022 10:00:00", "03/04/2022 10:00:01"],
        ["3/4/2022 10:00:00.500", "3/4/2022 10:00:01.500"],
        ["03/04/2022 10:00:00,500", "03/04/2022 10:00:01,500"],
        ["3/4/2022 10:00", "3/4/2022 10:00"],
    ],
)
def test_that_a_date_of_one_day_with_two_readings_is_read_and_the_other_reading_is_stored(
    tmp_path: Path, stamps: list[str]
) -> None:
    result = _read(tmp_path, stamps)
    recording = result.reading.recording
    assert recording is not None
    assert recording.dates is not None
    first = _times(result)[0]
    assert (recording.dates.order, first // 86_400) == ("mdy", _seconds(2022, 3, 4) // 86_400)
    assert first + recording.dates.other_us / 1e6 == _seconds(2022, 4, 3) + first % 86_400


def test_that_dates_of_several_days_with_two_readings_are_rejected_with_both(tmp_path: Path) -> None:
    result = _read(tmp_path, ["3/4/2022 10:00", "5/6/2022 10:00"])
    problem = result.problem("ambiguous-date")
    assert problem.severity == "refused"
    assert "03/04/2022 may mean 4 March or 3 April" in problem.message
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (0, 2)
    assert result.reading.recording is None


def test_that_esxtop_timestamps_without_milliseconds_have_the_month_first(tmp_path: Path) -> None:
    result = _read(tmp_path, ["03/04/2022 10:00:00"], "(PDH-CSV 4.0) (UTC)(0)", r"\\esx\Group Cpu(1:vm)\% Used")
    assert _times(result) == [_seconds(2022, 3, 4, 10)]


def test_that_one_damaged_timestamp_does_not_reverse_the_date_order_of_the_column(tmp_path: Path) -> None:
    stamps = [f"03/04/2022 10:00:{second:02}.000" for second in range(30)]
    stamps[12] = "13/04/2022 10:00:12.000"
    result = _read(tmp_path, stamps)
    assert _times(result)[0] == _seconds(2022, 3, 4, 10)
    assert (result.reading.report.rows, result.problem("bad-time").line) == (29, 14)


def test_that_lost_seconds_are_reported_and_rows_stay_in_order(tmp_path: Path) -> None:
    result = _read(tmp_path, ["3/26/2015 22:42", "3/26/2015 22:42", "3/26/2015 22:43"])
    assert _times(result) == [_seconds(2015, 3, 26, 22, 42) + second for second in (0, 0, 60)]
    assert result.columns["c0"] == [0, 1, 2]
    assert "seconds-lost" in result.codes


def test_that_the_end_of_summer_time_keeps_utc_right(tmp_path: Path) -> None:
    """The bias stays that of the file's start; 02:00 CEST is followed by 01:00:01 GMT's local clock."""
    stamps = [f"10/30/2016 01:59:{second}.000" for second in (58, 59)]
    stamps += [f"10/30/2016 01:00:0{second}.000" for second in (0, 1)]
    result = _read(tmp_path, stamps)
    assert _times(result) == [_seconds(2016, 10, 30, 1, 59, 58) + second for second in range(4)]
    assert result.problem("summer-time-end").line == 4
    assert result.reading.report.last == "2016-10-30T01:00:01Z"


def test_that_any_other_step_back_is_reported_and_kept(tmp_path: Path) -> None:
    stamps = ["05/10/2016 09:00:00.000", "05/10/2016 09:00:01.000", "05/10/2016 08:55:00.000"]
    result = _read(tmp_path, stamps)
    assert _times(result) == [_seconds(2016, 5, 10, 9) + second for second in (0, 1, -300)]
    assert result.problem("clock-back").line == 4
    assert result.reading.report.first == "2016-05-10T07:55:00Z"


def test_that_a_spring_gap_is_a_gap(tmp_path: Path) -> None:
    result = _read(tmp_path, ["03/27/2016 00:59:59.000", "03/27/2016 02:00:00.000"])
    assert _times(result)[1] - _times(result)[0] == HOUR + 1
    assert result.reading.problems == ()


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2022-04-03 10:00:00.5", datetime(2022, 4, 3, 10, 0, 0, 500_000)),
        ("19.09.2022 22:43", datetime(2022, 9, 19, 22, 43)),
        ("3/26/2015 10:42:03 PM", datetime(2015, 3, 26, 22, 42, 3)),
        ("3/26/2015 12:42:03 AM", datetime(2015, 3, 26, 0, 42, 3)),
        ("02/29/2016 00:00:00.001", datetime(2016, 2, 29, 0, 0, 0, 1000)),
        ("12/31/1999 23:59:59.999", datetime(1999, 12, 31, 23, 59, 59, 999_000)),
    ],
)
def test_that_each_known_notation_is_read_to_the_microsecond(text: str, moment: datetime) -> None:
    stamps = parse_texts([text])
    order = decide_order(stamps, trusted=False)
    assert order is not None
    times, real = to_microseconds(stamps, order)
    assert real.all()
    assert times[0] == (moment - datetime(1970, 1, 1)).total_seconds() * 1e6


@pytest.mark.parametrize("text", ["02/29/2015 00:00:00.000", "00/10/2016 00:00:00.000", "04/31/2016 00:00:00.000"])
def test_that_days_that_do_not_exist_are_invalid(text: str) -> None:
    stamps = parse_fixed(text.encode(), 23)
    assert stamps is not None
    assert not to_microseconds(stamps, Order.MONTH_FIRST)[1].any()


@pytest.mark.parametrize("text", ["", "43:06.7", "05/10/2016", "05/10/16 09:00:00", "10:00:00", "5/10/2016 9:61:00"])
def test_that_other_texts_are_not_timestamps(text: str) -> None:
    assert not parse_texts([text]).valid.any()


def test_that_iso_texts_have_z_only_with_a_known_offset() -> None:
    assert iso(1_500_000, None) == "1970-01-01T00:00:01.5"
    assert iso(3_600_000_000, 60) == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize("year", ["0001", "1969", "9999"])
def test_that_a_file_without_one_possible_date_is_rejected_with_its_rows_counted(
    tmp_path: Path, year: str, snapshot: SnapshotAssertion
) -> None:
    result = read(tmp_path, pdh(*(row.replace("2016", year) for row in good_rows(3))))
    assert result.problem("no-rows").message == snapshot
    assert (result.reading.report.recognised, result.reading.report.rejected_rows) == (True, 3)


def test_that_one_time_throughout_is_reported_also_at_a_full_minute(tmp_path: Path) -> None:
    result = _read(tmp_path, ["03/13/2022 10:00:00.000"] * 5)
    assert "repeated-time" in result.codes
    assert "repeated-time" not in _read(tmp_path, ["03/13/2022 10:00:00.000"]).codes


@pytest.mark.parametrize("date", ["01/01/1601", "12/31/9999"])
def test_that_a_file_of_impossible_years_is_rejected(tmp_path: Path, date: str) -> None:
    result = _read(tmp_path, [f"{date} 10:00:00.000", f"{date} 10:00:01.000"])
    assert (result.problem("no-rows").severity, result.reading.report.rejected_rows) == ("refused", 2)


@pytest.mark.parametrize("blank", ['" "', '""', ""])
def test_that_a_file_without_any_value_says_so(tmp_path: Path, blank: str) -> None:
    rows = [f'"03/13/2022 10:00:0{second}.000",{blank}' for second in range(3)]
    result = read(tmp_path, pdh(*rows, names=(READS,)))
    assert "no-values" in result.codes
    assert result.reading.report.missing_cells == 3
    assert "no-values" not in read(tmp_path, pdh(*good_rows(3), names=(READS,))).codes


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_that_a_file_cut_after_a_delimiter_is_reported(tmp_path: Path, delimiter: str) -> None:
    whole = pdh(*good_rows(3)).replace(",", delimiter)
    result = read(tmp_path, whole[: whole.rindex(delimiter) + 1])
    assert result.codes == ["cut-off"]
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (2, 1)
