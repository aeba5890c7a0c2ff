from __future__ import annotations

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.readers import blg_files as files
from tests.readers.blg_files import LARGE_RAW, SECOND, START, catalogue, local, log, record, sample, single
from workbench.readers.blg.clock import parse_zone, to_unix_microseconds, utc_offset

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


def test_that_the_start_of_the_trace_settles_the_offset() -> None:
    zone = parse_zone(files.zone(-60))
    assert utc_offset(zone, START + 120 * 60 * SECOND, START) == (120, "start")
    assert utc_offset(zone, START + 60 * 60 * SECOND, START) == (60, "start")
    assert utc_offset(zone, START + 20 * SECOND, START) == (0, "utc")
    assert utc_offset(None, START, START) == (None, "unknown")


def test_that_a_zone_out_of_range_is_no_zone(tmp_path: Path) -> None:
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
    assert result.problem("summer-time-end").message.startswith("At sample 4 ")


def test_that_a_clock_set_back_is_reported(tmp_path: Path) -> None:
    result = files.read(tmp_path, _log([0, 60, 120, 20, 80]))
    assert "back by 100.000 seconds" in result.problem("clock-back").message
