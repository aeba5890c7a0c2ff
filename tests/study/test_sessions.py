"""Sessions of a run on its clock: halves joined, local and relative times placed."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.builders import T0, disk_csv
from tests.study.test_build import codes, opened
from workbench.model.run import Study
from workbench.phases.rules import phases_of
from workbench.study.overrides import in_time_zone

RATES = [1.0] * 200
LOGONS = "DateTime,User,LogonTime\n05/24/2016 09:00:00,u1,20\n05/24/2016 09:00:30,u2,25\n"
# 2016-05-24 09:00:00 read as UTC.
NINE = T0 + 14 * 86_400 + 3600
SUMMARY = "TestName,DataTime,BaseLine,VSIMax,Uncorrected,VSIMaxDynamic,LaunchedSessions,ActiveSessions,VSIMaxReached\n"
USER_SESSIONS = (
    "sessionId,launchOffsetInSeconds,sessionStartOffsetInSeconds,sessionEndOffsetInSeconds,sessionState,host\n"
    "s1,10,31,600,completed,W10-001\ns2,40,65,610,completed,W10-002\n"
)
RESULTS = "type,state,EUX score,EUX state,vsiMax,started,finished\nloadTest,completed,7.1,completed,90,{},\n"


def share_file(folder: Path, name: str, at: float) -> None:
    path = folder / "Monitor" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"")
    os.utime(path, (at, at))


def problems_of(study: Study, code: str) -> list[tuple[str, str]]:
    return [(problem.severity.value, problem.message) for problem in study.problems if problem.code == code]


def test_that_start_and_end_files_of_a_share_become_sessions_and_phases(tmp_path: Path) -> None:
    test = tmp_path / "_VSI_Logfiles" / "mcs_run1"
    share_file(test, "LaunchedSessions/L1##u1_#1.txt", T0)
    share_file(test, "LaunchedSessions/L1##u2_#2.txt", T0 + 30)
    share_file(test, "ActiveSessions/u1@W10-001.log", T0 + 21)
    share_file(test, "ActiveSessions/U2@W10-002.log", T0 + 55)
    (study,) = opened(tmp_path / "_VSI_Logfiles")
    (run,) = study.runs
    assert run.name == "mcs_run1"
    assert [(one.user, one.vm, one.logon_start, one.logon_end, one.logon_s) for one in run.sessions] == [
        ("u1", "W10-001", T0, T0 + 21, 21.0),
        ("u2", "W10-002", T0 + 30, T0 + 55, 25.0),
    ]
    found, _ = phases_of(run)
    assert [(one.name, one.start, one.end, one.evidence) for one in found] == [("logon", T0, T0 + 55, "sessions")]
    assert [severity for severity, _ in problems_of(study, "share-times")] == ["info"]


def test_that_a_second_session_of_a_user_stays_separate(tmp_path: Path) -> None:
    for at, number in ((T0, 1), (T0 + 1000, 2)):
        share_file(tmp_path / "run", f"LaunchedSessions/L1##u1_#{number}.txt", at)
        share_file(tmp_path / "run", f"ActiveSessions/u1@W10-00{number}.log", at + 20 + number)
    (study,) = opened(tmp_path / "run")
    assert [(one.vm, one.logon_s) for one in study.runs[0].sessions] == [("W10-001", 21.0), ("W10-002", 22.0)]


def test_that_copied_files_are_described_as_copies(tmp_path: Path) -> None:
    for number in (1, 2):
        share_file(tmp_path / "run", f"ActiveSessions/u{number}@W10.log", T0)
        share_file(tmp_path / "run", f"LaunchedSessions/L##u{number}_#.txt", T0 + 1)
    (study,) = opened(tmp_path / "run")
    assert {one.logon_s for one in study.runs[0].sessions} == {None}
    ((severity, message),) = problems_of(study, "share-times")
    assert severity == "warning"
    assert "which copying changes" in message


def test_that_local_sessions_use_the_clock_of_the_recordings_of_the_run(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "logon.csv").write_text(LOGONS)
    disk_csv(tmp_path / "run" / "a.csv", "A", RATES, RATES, start="05/24/2016 09:00:00.000")
    (study,) = opened(tmp_path / "run")
    assert [one.logon_start for one in study.runs[0].sessions] == [NINE - 3600, NINE - 3570]
    assert all(one.has_offset for one in study.runs[0].sessions)


def test_that_a_stated_time_zone_places_sessions_and_removes_the_report(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "logon.csv").write_text(LOGONS)
    (tmp_path / "run" / "run.toml").write_text('time_zone = "+02:00"\n')
    (study,) = opened(tmp_path / "run")
    assert study.runs[0].sessions[0].logon_start == NINE - 7200
    assert ("logon.csv", "time-zone-unknown") not in codes(study)


def test_that_a_time_zone_set_by_hand_places_sessions_too(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "logon.csv").write_text(LOGONS)
    (study,) = opened(tmp_path / "run")
    assert study.runs[0].sessions[0].logon_start == NINE
    moved = in_time_zone(study.runs[0], "+02:00").sessions[0]
    assert (moved.logon_start, moved.logon_end, moved.has_offset) == (NINE - 7200, NINE - 7180, True)


def test_that_sessions_without_a_clock_keep_their_durations_if_files_disagree(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "logon.csv").write_text(LOGONS)
    disk_csv(tmp_path / "run" / "a.csv", "A", RATES, RATES, start="05/24/2016 09:00:00.000")
    disk_csv(tmp_path / "run" / "b.csv", "B", RATES, RATES, start="05/24/2016 09:00:00.000", bias="-120")
    (study,) = opened(tmp_path / "run")
    assert [(one.logon_start, one.logon_s) for one in study.runs[0].sessions] == [(None, 20.0), (None, 25.0)]
    assert ("logon.csv", "sessions-without-zone") in codes(study)


def test_that_times_since_the_start_are_placed_if_a_result_has_the_start(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "User Sessions.csv").write_text(USER_SESSIONS)
    (tmp_path / "run" / "VSI-results.csv").write_text(RESULTS.format("2016-05-10T08:00:00Z"))
    (study,) = opened(tmp_path / "run")
    (run,) = study.runs
    assert [(one.logon_start, one.logon_end, one.session_end) for one in run.sessions] == [
        (T0 + 10, T0 + 31, T0 + 600),
        (T0 + 40, T0 + 65, T0 + 610),
    ]
    assert [(one.name, one.start, one.end) for one in phases_of(run)[0]] == [
        ("logon", T0 + 10, T0 + 65),
        ("steady", T0 + 65, T0 + 600),
    ]


def test_that_times_since_an_unknown_start_stay_relative_and_are_reported(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "User Sessions.csv").write_text(USER_SESSIONS)
    (study,) = opened(tmp_path / "run")
    (run,) = study.runs
    assert [(one.logon_start, one.logon_s, one.relative) for one in run.sessions] == [(10, 21, True), (40, 25, True)]
    assert phases_of(run)[0] == ()
    assert problems_of(study, "test-start-unknown") != []


def test_that_analyzer_summaries_are_assigned_to_the_runs_they_name(tmp_path: Path) -> None:
    for name in ("mcs_run1", "mcs_run2"):
        (tmp_path / "lab" / name).mkdir(parents=True)
        (tmp_path / "lab" / name / "logon.csv").write_text(LOGONS.replace("u1", name))
    rows = "".join(f"MCS_run{n},2016-05-24 10:00:00,80{n},,,,2,2,False\n" for n in (1, 2))
    (tmp_path / "lab" / "MCS.csv").write_text(SUMMARY + rows)
    (study,) = opened(tmp_path / "lab")
    assert [(run.name, [one.baseline_ms for one in run.summaries]) for run in study.runs] == [
        ("mcs_run1", [801.0]),
        ("mcs_run2", [802.0]),
    ]
    assert "MCS.csv" in [report.path for report in study.files]


def test_that_a_summary_of_other_tests_is_a_separate_run(tmp_path: Path) -> None:
    (tmp_path / "lab").mkdir()
    (tmp_path / "lab" / "MCS.csv").write_text(SUMMARY + "other,2016-05-24 10:00:00,800,,,,2,2,False\n")
    (study,) = opened(tmp_path / "lab")
    assert [(run.name, len(run.summaries)) for run in study.runs] == [("lab", 1)]


def test_that_files_with_equal_bytes_on_a_share_stay_separate_in_the_store(tmp_path: Path) -> None:
    share_file(tmp_path / "run", "ActiveSessions/u1@W10-001.log", T0)
    share_file(tmp_path / "run", "ActiveSessions/u2@W10-002.log", T0 + 5)
    for _ in range(2):
        (study,) = opened(tmp_path / "run")
        assert [(one.user, one.logon_end) for one in study.runs[0].sessions] == [("u1", T0), ("u2", T0 + 5)]


def test_that_a_session_in_two_files_is_one(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "User Sessions.csv").write_text(USER_SESSIONS)
    (tmp_path / "run" / "user-sessions.json").write_text(
        '[{"id": "s1", "testRunId": "r", "loginState": "succeeded", "sessionState": "completed", '
        '"accountId": "u1", "loginStartTime": "2016-05-10T08:00:10Z", "loginEndTime": "2016-05-10T08:00:31Z"}]'
    )
    (study,) = opened(tmp_path / "run")
    assert [(one.id, one.user, one.logon_start, one.relative) for one in study.runs[0].sessions] == [
        ("s2", "", 40, True),
        ("s1", "u1", T0 + 10, False),
    ]
    assert problems_of(study, "session-twice") != []


def test_that_two_tables_of_one_kind_complement_each_other(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "VSI-results.csv").write_text(RESULTS.format("2016-05-10T08:00:00Z"))
    (tmp_path / "run" / "a.csv").write_text(USER_SESSIONS.replace(",W10-001", ","))
    (tmp_path / "run" / "b.csv").write_text(USER_SESSIONS)
    (study,) = opened(tmp_path / "run")
    assert [(one.id, one.vm, one.logon_start) for one in study.runs[0].sessions] == [
        ("s1", "W10-001", T0 + 10),
        ("s2", "W10-002", T0 + 40),
    ]


def test_that_the_users_of_a_run_are_those_in_its_sessions(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "logon.csv").write_text(LOGONS)
    (study,) = opened(tmp_path / "run")
    assert study.runs[0].users == 2
    assert ("run", "inferred-users") in [(Path(file).name, code) for file, code in codes(study)]


CONNECTIONS = "TimeGenerated [Local Time],CorrelationId,State,UserName,SessionHostName\n"


def _connections(folder: Path, moments: dict[str, tuple[str, ...]], zone: str) -> None:
    """A table of connections with the times in UTC as a machine in `zone` shows them: started, connected, completed."""
    rows = ""
    for key, times in moments.items():
        for at, state in zip(times, ("Started", "Connected", "Completed"), strict=True):
            local = datetime.fromisoformat(at).replace(tzinfo=UTC).astimezone(ZoneInfo(zone))
            rows += f"{local:%Y-%m-%d %H:%M:%S},{key},{state},u,h\n"
    folder.mkdir()
    (folder / "WVDConnections.csv").write_text(CONNECTIONS + rows)


@pytest.mark.parametrize("by_hand", [False, True])
@pytest.mark.parametrize(
    ("zone", "change"),
    [("Europe/Berlin", "2024-03-31T01"), ("America/New_York", "2024-03-10T07"), ("Europe/Berlin", "2024-10-27T01")],
)
def test_that_a_logon_across_a_change_of_summer_time_keeps_its_duration(
    tmp_path: Path, zone: str, change: str, by_hand: bool
) -> None:
    at = datetime.fromisoformat(change)
    moments = {
        key: tuple(f"{at + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}" for second in seconds)
        for key, seconds in {"before": (-3000, -2975, 9000), "after": (3700, 3740, 9000)}.items()
    }
    if at.month == 3:
        moments["over"] = tuple(f"{at + timedelta(seconds=second):%Y-%m-%dT%H:%M:%S}" for second in (-10, 20, 9000))
    _connections(tmp_path / "run", moments, zone)
    if not by_hand:
        (tmp_path / "run" / "run.toml").write_text(f'time_zone = "{zone}"\n')
    (study,) = opened(tmp_path / "run")
    run = in_time_zone(study.runs[0], zone) if by_hand else study.runs[0]
    expected = {
        key: tuple(datetime.fromisoformat(time).replace(tzinfo=UTC).timestamp() for time in times)
        for key, times in moments.items()
    }
    found = {one.id: (one.logon_start, one.logon_end, one.session_end) for one in run.sessions}
    assert found == expected
    assert {one.id: one.logon_s for one in run.sessions} == {
        key: end - start for key, (start, end, _) in expected.items()
    }


def test_that_a_stated_duration_gives_the_end_of_a_logon_when_summer_time_ends(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "logon.csv").write_text("DateTime,User,LogonTime\n10/27/2024 02:59:50,u1,20\n")
    (tmp_path / "run" / "run.toml").write_text('time_zone = "Europe/Berlin"\n')
    (study,) = opened(tmp_path / "run")
    (session,) = study.runs[0].sessions
    assert session.logon_start is not None
    assert (session.logon_end, session.logon_s) == (session.logon_start + 20, 20)


def test_that_a_measurement_on_two_pages_counts_once(tmp_path: Path) -> None:
    items = [
        {
            "measurementId": "total_login_time",
            "userSessionId": f"s{number // 2}",
            "testRunId": "r1",
            "duration": 1000.5,
            "timestamp": f"2016-05-10T08:00:0{number}.125Z",
            "properties": [],
        }
        for number in range(6)
    ]
    (tmp_path / "run").mkdir()
    for name, page in (("a", items[:4]), ("b", items[2:])):
        text = json.dumps({"items": page, "totalCount": 6, "offset": 0})
        (tmp_path / "run" / f"{name}.json").write_text(text)
    (study,) = opened(tmp_path / "run")
    assert [one.at for one in study.runs[0].measurements] == [T0 + number + 0.125 for number in range(6)]
    ((_, message),) = problems_of(study, "measurement-twice")
    assert message.startswith("2 measurements")


def test_that_equal_samples_in_one_second_stay_two(tmp_path: Path) -> None:
    row = "total_login_time,2016-05-10T08:00:00Z,4.5,s1\n"
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "Raw Login Times.csv").write_text("id,timestamp,result,sessionId\n" + 2 * row)
    (study,) = opened(tmp_path / "run")
    assert len(study.runs[0].measurements) == 2
