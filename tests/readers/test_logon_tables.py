"""Tables of logons of Azure Virtual Desktop and uberAgent: each cell compared with the written one."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.builders import T0, stored_frame
from tests.readers.login_files import codes
from workbench.answers.logons.steps import group_steps
from workbench.console.loading import load_studies
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.metric import Quantity
from workbench.model.problem import Severity
from workbench.model.reading import Reading
from workbench.model.session import EventKind, Measurement, MeasurementKind, Session
from workbench.readers.logon_tables import READER
from workbench.readers.registry import recognise
from workbench.study.store.column_store import Store

CONNECTIONS = (
    "TenantId,TimeGenerated [UTC],CorrelationId,State,UserName,SessionHostName,PredecessorConnectionId,UdpUse,Type"
)
CHECKPOINTS = "TimeGenerated [UTC],CorrelationId,Name,Source,ActivityType,UserName,Parameters"
NETWORK = "TimeGenerated [UTC],CorrelationId,EstRoundTripTimeInMs,EstAvailableBandwidthKBps"
REGISTRATIONS = "TimeGenerated [UTC],CorrelationId,SessionHostName,SessionHostIPAddress"
LOGON = (
    "host,SessionGUID,SessionID,User,SessionLogonTime,TotalLogonTimeMs,ProfileLoadTimeMs,"
    "GroupPolicyTotalProcessingTimeMs,IOCountRead,IOCountWrite,IOMBRead,IOLatencyReadMs"
)
LOGOFF = (
    "host,SessionGUID,User,SessionLogoffTime,SessionEndTime,SessionDurationMs,ProfileUnloadTimeMs2,"
    "TotalLogoffTimeMs,IOCountWrite"
)
LONG = {"c1": (0.0, 21.5, 3600.0), "c2": (60.0, 95.25, 3700.0), "c3": (120.0, 121.0, 3800.0)}


def iso(seconds: float) -> str:
    return (datetime.fromtimestamp(T0, UTC) + timedelta(seconds=seconds)).isoformat(timespec="milliseconds")[:-6] + "Z"


def portal(seconds: float) -> str:
    """A time as the export of the portal writes it: 5/10/2016, 8:00:21.500 AM."""
    at = datetime.fromtimestamp(T0, UTC) + timedelta(seconds=seconds)
    return f"{at.month}/{at.day}/{at.year}, {at.hour % 12 or 12}:{at:%M:%S}.{at.microsecond // 1000:03} {at:%p}"


def table(header: str, *rows: tuple[object, ...]) -> str:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([header.split(","), *rows])
    return out.getvalue()


def connections(write: object = iso) -> str:
    assert callable(write)
    states = ("Started", "Connected", "Completed")
    rows = [
        ("t", write(at), key, state, f"user-{key}@lab", host if state != "Started" else "", before, "", "")
        for key, times in LONG.items()
        for host, before in ((f"pool/{key}.lab", "p" if key == "c3" else ""),)
        for state, at in zip(states, times, strict=True)
    ]
    return table(CONNECTIONS, *reversed(rows))


def checkpoints() -> str:
    points = (("LoadBalancedNewConnection", 1.5), ("RdpStackLogon", 9.0), ("RdpShellAppExecuted", 21.25))
    return table(CHECKPOINTS, *((iso(at), "c1", name, "RDStack", "Connection", "u", "{}") for name, at in points))


def network(start: float = 60.0, rows: int = 6) -> str:
    keys = ("c1", "c2")
    lines = [
        (iso(start + 60 * n + k), key, 20 * (k + 1) + n, 1000 * (k + 1))
        for n in range(rows)
        for k, key in enumerate(keys)
    ]
    return table(NETWORK, *lines)


def logons() -> str:
    return table(
        LOGON,
        ("RDS-1", "g1", 3, r"LAB\ann", "2016-05-10 10:00:00.500 +0200", 21000, 3500, 4250, 812, 4105, 96.5, 1.25),
        ("RDS-1", "g2", 4, r"LAB\bob", "2016-05-10 10:01:00.000 +0200", 33000, "", 5250, 900, 4300, 99.5, 2.5),
    )


def logoffs() -> str:
    return table(
        LOGOFF,
        ("RDS-1", "g1", r"LAB\ann", "2016-05-10 11:00:00 +0200", "2016-05-10 11:00:09 +0200", 3600000, 300, 8000, 77),
    )


def read(folder: Path, text: str, name: str = "table.csv") -> Reading:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    assert recognise(text.encode()[:65_536], name) is READER
    assert READER.read_dated is not None
    return READER.read_dated(path, name, folder / "columns.arrow", "mdy")


@pytest.mark.parametrize("write", [iso, portal])
def test_that_a_connection_is_a_session_and_a_reconnect_is_not(tmp_path: Path, write: object) -> None:
    reading = read(tmp_path, connections(write))
    found = {session.id: session for session in reading.sessions}
    assert set(found) == {"c1", "c2"}
    for key, session in found.items():
        start, on, end = (T0 + at for at in LONG[key])
        times = session.logon_start, session.logon_end, session.session_end, session.logon_s
        assert times == pytest.approx((start, on, end, on - start))
        assert (session.user, session.vm, session.has_offset) == (f"user-{key}@lab", f"{key}.lab", True)
    assert codes(reading) == [*(["date-order-stated"] if write is portal else []), "reconnects", "logon-assumed"]
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.utc_offset_minutes) == (9, 0, 0)


def test_that_checkpoints_are_the_steps_from_one_to_the_next(tmp_path: Path) -> None:
    reading = read(tmp_path, checkpoints())
    assert [(one.label, one.session, one.kind, one.unit) for one in reading.measurements] == [
        ("RdpStackLogon", "c1", MeasurementKind.LOGIN, "ms"),
        ("RdpShellAppExecuted", "c1", MeasurementKind.LOGIN, "ms"),
    ]
    assert [one.value for one in reading.measurements] == pytest.approx([7500.0, 12250.0])


def lines_of_checkpoints(connections: int = 3) -> list[str]:
    """The lines of one connection after the other, each with three checkpoints; the first line is the header."""
    header, *rows = checkpoints().rstrip("\n").split("\n")
    moved = (row.replace("c1", f"c{n}").replace(":00:", f":0{n}:") for n in range(connections) for row in rows)
    return [header, *moved]


def without_a_cell(line: str) -> str:
    cells = line.split(",")
    return ",".join(cells[:3] + cells[4:])


@pytest.mark.parametrize("end", ["\n", "\n\n"], ids=["", "blank lines between"])
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(("damaged", "steps"), [(4, 5), (5, 4), (6, 5)])
def test_that_no_step_spans_a_checkpoint_on_a_rejected_line(
    tmp_path: Path, order: int, damaged: int, steps: int, end: str
) -> None:
    whole = read(tmp_path, end.join(lines_of_checkpoints()) + end)
    header, *rows = lines_of_checkpoints()
    rows[damaged - 1] = without_a_cell(rows[damaged - 1])
    reading = read(tmp_path, end.join([header, *rows[::order]]) + end)
    assert (len(whole.measurements), len(reading.measurements)) == (6, steps)
    assert set(map(step, reading.measurements)) < set(map(step, whole.measurements))
    unsure = [problem.severity for problem in reading.problems if problem.code == "unsure-step"]
    assert unsure == ([Severity.WARNING] if damaged == 5 else [])


@pytest.mark.parametrize("utc", [False, True])
def test_that_a_step_across_a_skipped_local_hour_is_ignored(tmp_path: Path, utc: bool) -> None:
    rows = (("01:59:50", "A"), ("03:00:05", "B"), ("03:00:09", "C"))
    header = CHECKPOINTS if utc else CHECKPOINTS.replace("[UTC]", "[Local Time]")
    text = table(header, *((f"2024-03-31 {at}", "c1", name, "RDStack", "Connection", "u", "") for at, name in rows))
    reading = read(tmp_path, text)
    expected = [("c1", "B", 3_615_000.0), ("c1", "C", 4000.0)]
    assert [step(one) for one in reading.measurements] == expected[0 if utc else 1 :]
    assert ("unsure-step" in codes(reading)) is not utc


def step(one: Measurement) -> tuple[str, str, float]:
    return one.session, one.label, one.value


def test_that_a_rejected_line_in_an_unsorted_table_removes_every_step(tmp_path: Path) -> None:
    header, *rows = lines_of_checkpoints()
    rows = [*rows[3:], *rows[:2], without_a_cell(rows[2])]
    assert read(tmp_path, "\n".join([header, *rows]) + "\n").measurements == ()


def test_that_registrations_are_events(tmp_path: Path) -> None:
    reading = read(tmp_path, table(REGISTRATIONS, (iso(3.5), "x", "avd-1.lab", "10.0.0.4")))
    (event,) = reading.events
    assert (event.kind, event.vm, event.at) == (EventKind.REGISTERED, "avd-1.lab", T0 + 3.5)


def test_that_round_trips_belong_to_the_machine_of_their_connection(tmp_path: Path) -> None:
    folder = tmp_path / "avd" / "run"
    folder.mkdir(parents=True)
    (folder / "a.csv").write_text(connections(), encoding="utf-8")
    (folder / "b.csv").write_text(network(), encoding="utf-8")
    (folder / "run.toml").write_text(
        '[[phases]]\nname = "steady"\nstart = 2016-05-10T08:00:00Z\nend = 2016-05-10T08:10:00Z\n', encoding="utf-8"
    )
    store = Store(tmp_path / "store")
    store.prepare()
    (study,) = load_studies([tmp_path / "avd"], store)
    (run,) = study.runs
    assert {one.vm for recording in run.recordings for one in recording.series} == {"c1.lab", "c2.lab"}
    row = run_figures(run).phase("steady")
    assert row is not None
    # Each of the five samples after the first covers the minute before it.
    assert getattr(row, "round_trip_azure_ms") == pytest.approx((20 + 40) / 2 + sum(range(6)) / 6)  # noqa: B009
    assert getattr(row, "bandwidth_azure_mbit_s") == pytest.approx(1500 * 8 / 1000)  # noqa: B009
    # RemoteFX has a value only for TCP, so Azure's value for TCP or UDP is another one.
    assert (getattr(row, "round_trip_ms"), getattr(row, "bandwidth_mbit_s")) == (None, None)  # noqa: B009


def test_that_a_table_with_host_names_needs_no_other(tmp_path: Path) -> None:
    header = f"{NETWORK},SessionHostName"
    reading = read(tmp_path, table(header, *((iso(60 * n), "c1", 31 + n, 2000, "avd-1") for n in range(3))))
    assert reading.recording is not None
    assert [(one.vm, one.metric and one.metric.quantity) for one in reading.recording.series] == [
        ("avd-1", Quantity.ROUND_TRIP_AVD),
        ("avd-1", Quantity.BANDWIDTH_AVD),
    ]
    frame = stored_frame(tmp_path / "columns.arrow")
    assert frame.select("c0", "c1").rows() == [(31.0, 2000.0), (32.0, 2000.0), (33.0, 2000.0)]


def test_that_uberagents_logons_have_their_steps_and_their_io(tmp_path: Path) -> None:
    reading = read(tmp_path, logons())
    start = T0 + 0.5
    assert reading.sessions[0] == Session(
        r"LAB\ann", "RDS-1", start, start + 21, logon_s=21.0, has_offset=True, id="g1"
    )
    found = {(one.session, one.label): (one.value, one.unit) for one in reading.measurements}
    assert found == {
        ("g1", "Total Logon"): (21000.0, "ms"),
        ("g1", "Profile Load"): (3500.0, "ms"),
        ("g1", "Group Policy Total Processing"): (4250.0, "ms"),
        ("g1", "Reads"): (812.0, ""),
        ("g1", "Writes"): (4105.0, ""),
        ("g1", "Read volume"): (96.5, "MB"),
        ("g1", "Read latency"): (1.25, "ms"),
        ("g2", "Total Logon"): (33000.0, "ms"),
        ("g2", "Group Policy Total Processing"): (5250.0, "ms"),
        ("g2", "Reads"): (900.0, ""),
        ("g2", "Writes"): (4300.0, ""),
        ("g2", "Read volume"): (99.5, "MB"),
        ("g2", "Read latency"): (2.5, "ms"),
    }


def test_that_a_logoff_is_an_event_with_separate_steps(tmp_path: Path) -> None:
    reading = read(tmp_path, logoffs())
    (event,) = reading.events
    assert (event.kind, event.vm, event.user, event.at) == (EventKind.LOGOFF, "RDS-1", r"LAB\ann", T0 + 3600)
    assert {(one.kind, one.label, one.value, one.unit) for one in reading.measurements} == {
        (MeasurementKind.LOGOFF, "Profile Unload", 300.0, "ms"),
        (MeasurementKind.LOGOFF, "Total Logoff", 8000.0, "ms"),
        (MeasurementKind.LOGOFF, "Writes", 77.0, ""),
    }


def test_that_the_steps_of_a_configuration_are_in_its_answer(tmp_path: Path) -> None:
    folder = tmp_path / "rds" / "run"
    folder.mkdir(parents=True)
    (folder / "a.csv").write_text(logons(), encoding="utf-8")
    store = Store(tmp_path / "store")
    store.prepare()
    (study,) = load_studies([tmp_path / "rds"], store)
    (group,) = group_runs([run_figures(run) for run in study.runs])
    steps = {step.label: step for step in group_steps(group)}
    assert (steps["Reads"].spread.n, steps["Reads"].spread.mean, steps["Reads"].unit) == (2, 856.0, "")
    assert (steps["Group Policy Total Processing"].spread.mean, steps["Profile Load"].spread.n) == (4.75, 1)


def test_that_lines_without_time_or_name_are_rejected_with_their_number(tmp_path: Path) -> None:
    text = table(REGISTRATIONS, (iso(1), "x", "a", ""), ("noon", "x", "b", ""), (iso(2), "x", "", ""))
    reading = read(tmp_path, text)
    assert ([event.vm for event in reading.events], reading.report.rejected_rows) == (["a"], 2)
    assert sorted((one.code, one.line) for one in reading.problems) == [("bad-time", 3), ("no-value", 4)]


@pytest.mark.parametrize("header", [CONNECTIONS, CHECKPOINTS, NETWORK, REGISTRATIONS, LOGON, LOGOFF])
def test_that_a_header_alone_is_rejected(tmp_path: Path, header: str) -> None:
    assert "no-rows" in codes(read(tmp_path, table(header)))


def test_that_a_feed_and_the_end_of_a_connection_are_not_steps_of_a_logon(tmp_path: Path) -> None:
    points = [
        (0.0, "c1", "LoadBalancedNewConnection", "Connection"),
        (3.0, "c1", "TransportConnected", "Connection"),
        (0.0, "f1", "FeedDownload", "Feed"),
        (9.0, "f1", "FeedDownloaded", "Feed"),
        (8000.0, "c1", "RdpStackDisconnect", "Connection"),
        (8001.0, "c1", "DisconnectCleanup", "Connection"),
    ]
    rows = ((iso(at), key, name, "RDStack", kind, "u", "{}") for at, key, name, kind in points)
    path = tmp_path / "checkpoints.csv"
    path.write_text(table(CHECKPOINTS, *rows))
    reading = READER.read(path, path.name, tmp_path / "columns")
    assert [(step.label, step.value) for step in reading.measurements] == [("TransportConnected", 3000.0)]
    assert "no-logon-step" in codes(reading)


@pytest.mark.parametrize(("header", "product"), [(CONNECTIONS, "Azure Virtual Desktop"), (LOGON, "uberAgent")])
def test_that_sessions_name_the_product_that_measured_them(tmp_path: Path, header: str, product: str) -> None:
    text = (
        connections()
        if header == CONNECTIONS
        else table(LOGON, ("W1", "g1", 1, "u1", "2016-05-10 08:00:00.000 +0000", 12345, 1000, 1, 1, 1, 1, 1))
    )
    path = tmp_path / "table.csv"
    path.write_text(text)
    reading = READER.read(path, path.name, tmp_path / "columns")
    assert {session.product for session in reading.sessions} == {product}
