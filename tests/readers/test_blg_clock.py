from __future__ import annotations

import struct
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.readers import blg_files as files
from tests.readers.blg_files import LARGE_RAW, SECOND, START, catalogue, local, log, record, sample, single
from workbench.readers.blg.container import Zone, is_plausible, parse_zone, to_unix_microseconds, utc_offset

ENTRY = record("Memory", "Available Bytes", LARGE_RAW)
HOUR = 3600


def _filetime(moment: datetime) -> int:
    return int((moment - datetime(1601, 1, 1)).total_seconds()) * SECOND


def _log(seconds: list[float], first: bytes | None = None) -> bytes:
    parts = catalogue(ENTRY)
    for n, second in enumerate(seconds):
        parts += sample(local(second), single(local(second), n, 0))
    return log(parts, first)


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize("day", [1, 12, 26, 28])
def test_that_the_dates_of_summer_time_agree_with_the_zone_data_base(month: int, day: int) -> None:
    for year in (2013, 2016, 2023):
        noon = datetime(year, month, day, 12)
        zone = parse_zone(files.zone())
        expected = noon.replace(tzinfo=ZoneInfo("Europe/London")).utcoffset()
        assert expected is not None
        assert utc_offset(zone, _filetime(noon), 0) == (expected.total_seconds() / 60, "dates")


def test_that_the_start_of_the_trace_decides_the_offset() -> None:
    zone = parse_zone(files.zone(-60))
    assert utc_offset(zone, START + 120 * 60 * SECOND, START) == (120, "start")
    assert utc_offset(zone, START + 60 * 60 * SECOND, START) == (60, "start")
    assert utc_offset(zone, START + 20 * SECOND, START) == (0, "utc")
    assert utc_offset(None, START, START) == (None, "unknown")


def test_that_a_zone_out_of_range_is_not_a_zone(tmp_path: Path) -> None:
    assert parse_zone(files.zone(5000)) is None
    result = files.read(tmp_path, _log([0, 1], files.header(zone_bytes=files.zone(5000))))
    assert result.reading.report.utc_offset_minutes is None
    assert result.reading.report.first == "2016-05-10T09:00:00"
    assert result.problem("time-zone-unknown").severity == "warning"


def test_that_a_file_time_becomes_microseconds_of_1970() -> None:
    moment = to_unix_microseconds(START)
    assert moment == datetime.fromisoformat("2016-05-10T08:00:00+00:00").timestamp() * 1e6


def test_that_the_end_of_summer_time_adds_an_hour(tmp_path: Path) -> None:
    seconds = [0.0, 60, 120, 180 - HOUR, 240 - HOUR]
    result = files.read(tmp_path, _log(seconds))
    times = [value for value in result.columns["t"] if value is not None]
    assert [later - times[0] for later in times] == [0, 60_000_000, 120_000_000, 180_000_000, 240_000_000]
    assert result.problem("summer-time-end").message.startswith("At sample 4,")


def test_that_a_clock_set_back_is_reported(tmp_path: Path) -> None:
    result = files.read(tmp_path, _log([0, 60, 120, 20, 80]))
    assert "back by 100 seconds" in result.problem("clock-back").message


NEVER = (0, 0, 0, 0, 0, 0)
# Sydney: summer time from the first Sunday of October, 2 o'clock, to the first Sunday of April, 3 o'clock.
APRIL, OCTOBER = (0, 4, 0, 1, 3, 0), (0, 10, 0, 1, 2, 0)


def _zone_bytes(
    bias: int, ends: tuple[int, ...] = NEVER, begins: tuple[int, ...] = NEVER, summer_bias: int = -60
) -> bytes:
    """A TIME_ZONE_INFORMATION: minutes to add for UTC, and year, month, weekday, day, hour, minute of each change."""
    change = [struct.pack("<6H4x", *parts) for parts in (ends, begins)]
    return struct.pack("<i64s16si64s16si", bias, b"", change[0], 0, b"", change[1], summer_bias)


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize("day", [1, 2, 5, 8, 30])
def test_that_summer_time_south_of_the_equator_spans_the_new_year(month: int, day: int) -> None:
    zone = parse_zone(_zone_bytes(-600, APRIL, OCTOBER))
    for year in (2013, 2016, 2022, 2023):
        noon = datetime(year, month, min(day, 28) if month == 2 else day, 12)
        expected = noon.replace(tzinfo=ZoneInfo("Australia/Sydney")).utcoffset()
        assert expected is not None
        assert utc_offset(zone, _filetime(noon), 0) == (expected.total_seconds() / 60, "dates")


@pytest.mark.parametrize(
    ("moment", "offset"),
    [
        (datetime(2016, 4, 3, 2, 59), 660),
        (datetime(2016, 4, 3, 3, 0), 600),
        (datetime(2016, 10, 2, 1, 59), 600),
        (datetime(2016, 10, 2, 2, 0), 660),
    ],
)
def test_that_summer_time_begins_and_ends_at_its_minute(moment: datetime, offset: int) -> None:
    assert utc_offset(parse_zone(_zone_bytes(-600, APRIL, OCTOBER)), _filetime(moment), 0) == (offset, "dates")


def test_that_a_change_with_a_year_is_a_date() -> None:
    zone = parse_zone(_zone_bytes(0, (2016, 10, 0, 31, 2, 0), (2016, 3, 0, 1, 1, 30)))
    moments = [datetime(2016, 3, 1, 1, 29), datetime(2016, 3, 1, 1, 30), datetime(2016, 10, 31, 1, 59)]
    assert [utc_offset(zone, _filetime(moment), 0)[0] for moment in moments] == [0, 60, 60]
    assert utc_offset(zone, _filetime(datetime(2016, 10, 31, 2)), 0) == (0, "dates")


@pytest.mark.parametrize(
    ("change", "sound"),
    [
        ((0, 1, 0, 1, 0, 0), True),
        ((0, 12, 6, 5, 24, 59), True),
        ((2200, 12, 6, 31, 24, 59), True),
        ((0, 0, 0, 1, 0, 0), False),
        ((0, 13, 0, 1, 0, 0), False),
        ((0, 1, 7, 1, 0, 0), False),
        ((0, 1, 0, 0, 0, 0), False),
        ((0, 1, 0, 6, 0, 0), False),
        ((2016, 1, 0, 32, 0, 0), False),
        ((0, 1, 0, 1, 25, 0), False),
        ((0, 1, 0, 1, 0, 60), False),
        ((2201, 1, 0, 1, 0, 0), False),
    ],
)
def test_that_an_impossible_change_rule_has_no_date(change: tuple[int, ...], sound: bool) -> None:
    zone = parse_zone(_zone_bytes(0, change, OCTOBER))
    assert zone is not None
    assert (zone.standard_from is not None) is sound
    if not sound:
        assert utc_offset(zone, _filetime(datetime(2016, 12, 24)), 0) == (0, "dates")


@pytest.mark.parametrize("bias", [960, -960, 961, -961])
def test_that_zones_are_at_most_16_hours_from_utc(bias: int) -> None:
    zone = parse_zone(_zone_bytes(bias, summer_bias=0))
    assert (zone and zone.standard) == (-bias if abs(bias) == 960 else None)
    assert parse_zone(_zone_bytes(0, summer_bias=bias)) == (None if abs(bias) > 960 else Zone(0, -bias, None, None))
    assert parse_zone(_zone_bytes(0)[:171]) is None


@pytest.mark.parametrize(
    ("late_s", "known"), [(300, (60, "start")), (301, (0, "dates")), (-300, (60, "start")), (-301, (0, "dates"))]
)
def test_that_a_start_within_5_minutes_decides_the_offset(late_s: int, known: tuple[int, str]) -> None:
    zone = parse_zone(_zone_bytes(0))
    assert utc_offset(zone, START + (HOUR + late_s) * SECOND, START) == known
    zone = parse_zone(_zone_bytes(-300, summer_bias=-300))
    assert utc_offset(zone, START + late_s * SECOND, START) == ((0, "utc") if abs(late_s) == 300 else (300, "dates"))


def test_that_a_stamp_is_plausible_from_1980_to_2200() -> None:
    first, last = _filetime(datetime(1980, 1, 1)), _filetime(datetime(2200, 1, 1))
    assert [is_plausible(stamp) for stamp in (first - 1, first, last, last + 1)] == [False, True, True, False]
