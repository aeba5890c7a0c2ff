"""Citrix Monitor: connections of its OData service, after Citrix's data model, value by value."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.readers.login_files import codes, read_as
from workbench.model.reading import Reading
from workbench.model.session import MeasurementKind
from workbench.readers.citrix_monitor import READER

# 2024-05-10 09:00 UTC.
T0 = 1_715_331_600.0
CONNECTION: dict[str, object] = {
    "Id": 41,
    "ClientName": "THIN-07",
    "IsReconnect": False,
    "Protocol": "HDX",
    "LogOnStartDate": "2024-05-10T09:00:04.5Z",
    "LogOnEndDate": "2024-05-10T09:00:31.25Z",
    "BrokeringDuration": 812,
    "BrokeringDate": "2024-05-10T09:00:00Z",
    "VMStartStartDate": None,
    "VMStartEndDate": None,
    "HdxStartDate": "2024-05-10T09:00:02Z",
    "HdxEndDate": "2024-05-10T09:00:04Z",
    "AuthenticationDuration": 950,
    "GpoStartDate": "2024-05-10T09:00:05Z",
    "GpoEndDate": "2024-05-10T09:00:11.5Z",
    "LogOnScriptsStartDate": "2024-05-10T09:00:12Z",
    "LogOnScriptsEndDate": "2024-05-10T09:00:12Z",
    "ProfileLoadStartDate": "2024-05-10T09:00:12Z",
    "ProfileLoadEndDate": "2024-05-10T09:00:15Z",
    "InteractiveStartDate": "2024-05-10T09:00:16Z",
    "InteractiveEndDate": "2024-05-10T09:00:31.25Z",
    "SessionKey": "0b7c0b1e-1111-2222-3333-444455556666",
    "Session": {
        "EndDate": "2024-05-10T10:00:00Z",
        "User": {"UserName": "user07"},
        "Machine": {"Name": "LAB\\W10-007", "DnsName": "w10-007.lab.local"},
    },
}


def answer(*connections: dict[str, object], **more: object) -> dict[str, object]:
    context = "https://ddc/Citrix/Monitor/OData/v4/Data/$metadata#Connections"
    return {"@odata.context": context, "value": list(connections)} | more


def read(folder: Path, content: object) -> Reading:
    return read_as("citrix-monitor", folder, content, "connections.json")


def test_that_a_connection_is_a_logon_with_its_steps_in_milliseconds(tmp_path: Path) -> None:
    reading = read(tmp_path, answer(CONNECTION))
    (session,) = reading.sessions
    assert (session.user, session.vm, session.id) == ("user07", "W10-007", CONNECTION["SessionKey"])
    assert (session.logon_start, session.logon_end, session.session_end) == (T0 + 4.5, T0 + 31.25, T0 + 3600)
    assert session.logon_s == 26.75
    assert {one.label: (one.value, one.unit, one.unit_assumed) for one in reading.measurements} == {
        "Brokering": (812.0, "ms", True),
        "Authentication": (950.0, "ms", False),
        "HDX connection": (2000.0, "ms", False),
        "GPOs": (6500.0, "ms", False),
        "Logon scripts": (0.0, "ms", False),
        "Profile load": (3000.0, "ms", False),
        "Interactive session": (15250.0, "ms", False),
    }
    assert {(one.kind, one.session) for one in reading.measurements} == {(MeasurementKind.LOGIN, session.id)}
    report = reading.report
    assert (report.rows, report.rejected_rows, report.hosts) == (1, 0, ("W10-007",))
    assert (report.first, report.utc_offset_minutes, codes(reading)) == ("2024-05-10T09:00:04Z", 0, ["unit-assumed"])


@pytest.mark.parametrize(
    "content",
    [
        {"odata.metadata": "http://ddc/v3/Data/$metadata#Connections", "value": [CONNECTION]},
        [CONNECTION],
        [answer(CONNECTION)],
    ],
)
def test_that_answers_of_version_3_and_gathered_lists_are_read(tmp_path: Path, content: object) -> None:
    assert len(read(tmp_path, content).sessions) == 1


def test_that_times_without_an_offset_are_on_the_clock_of_the_run(tmp_path: Path) -> None:
    local = {key: value[:-1] if str(value).endswith("Z") else value for key, value in CONNECTION.items()}  # type: ignore[index]
    reading = read(tmp_path, answer(local | {"Session": None}))
    (session,) = reading.sessions
    assert (session.logon_start, session.has_offset) == (T0 + 4.5, False)
    assert not any(one.has_offset for one in reading.measurements)
    assert (reading.report.utc_offset_minutes, "time-zone-unknown" in codes(reading)) == (None, True)


def test_that_a_reconnect_is_counted_but_is_not_a_logon(tmp_path: Path) -> None:
    reading = read(tmp_path, answer(CONNECTION, CONNECTION | {"IsReconnect": True}))
    assert (len(reading.sessions), reading.report.rejected_rows) == (1, 1)
    assert "reconnects" in codes(reading)


def test_that_a_logon_that_never_ended_has_no_length(tmp_path: Path) -> None:
    reading = read(tmp_path, answer(CONNECTION | {"LogOnEndDate": None, "InteractiveEndDate": None}))
    assert (reading.sessions[0].logon_end, reading.sessions[0].logon_s) == (None, None)
    assert "Interactive session" not in {one.label for one in reading.measurements}


def test_that_a_logon_that_never_started_or_ends_before_its_start_is_skipped(tmp_path: Path) -> None:
    odd = CONNECTION | {"GpoEndDate": "2024-05-10T08:00:00Z"}
    reading = read(tmp_path, answer(odd, CONNECTION | {"LogOnStartDate": None}))
    assert {one.label for one in reading.measurements} & {"GPOs"} == set()
    assert (reading.report.rows, reading.report.rejected_rows) == (1, 1)
    assert {"negative-duration", "item-rejected"} <= set(codes(reading))


def test_that_a_single_page_of_several_is_reported(tmp_path: Path) -> None:
    assert "incomplete-page" in codes(read(tmp_path, answer(CONNECTION, **{"@odata.nextLink": "https://ddc/next"})))


def test_that_keys_of_a_connection_are_less_certain_than_the_mark_of_the_service() -> None:
    marked, plain = (json.dumps(content).encode() for content in (answer(CONNECTION), {"value": [CONNECTION]}))
    assert (READER.identify(marked, "x.json"), READER.identify(plain, "x.json")) == (1.0, 0.9)
