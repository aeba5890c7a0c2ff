"""Replies of Prometheus: the value of each sample, compared with a separate computation."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.builders import stored_frame
from tests.readers.login_files import codes
from workbench.model.metric import Quantity
from workbench.model.reading import Reading
from workbench.readers.prometheus import READER
from workbench.readers.registry import recognise

START, STEP = 1_778_400_000, 15
READS = [1000, 1150, 1600, 1600, 40, 190]  # Windows starts again before the fifth
WRITES = [50, 80, 110, 140, 5, 35]
SECONDS = [2.0, 2.6, 5.3, 5.3, 0.1, 0.7]
VM = {"instance": "W11-001:9182", "job": "windows"}


def series(name: str, values: list[Any], **labels: str) -> dict[str, Any]:
    named = {"__name__": name} if name else {}
    points = [[START + STEP * place, str(value)] for place, value in enumerate(values)]
    return {"metric": named | VM | labels, "values": points}


def answer(*results: dict[str, Any], kind: str = "matrix") -> str:
    return json.dumps({"status": "success", "data": {"resultType": kind, "result": list(results)}}, indent=1)


def whole() -> str:
    return answer(
        series("windows_logical_disk_reads_total", READS, volume="C:"),
        series("windows_logical_disk_writes_total", WRITES, volume="C:"),
        series("windows_logical_disk_read_latency_seconds_total", SECONDS, volume="C:"),
        series("windows_memory_available_bytes", [2**30 + n for n in range(6)]),
        series("windows_cpu_time_total", [10 + 12 * n for n in range(6)], core="0,0", mode="idle"),
        series("windows_cpu_time_total", [20 + 6 * n for n in range(6)], core="0,1", mode="idle"),
        series(
            "windows_remote_fx_net_current_tcp_rtt_seconds", [0.02 + n / 1000 for n in range(6)], session_name="Rdp"
        ),
        series("windows_remote_fx_net_current_udp_bandwidth", [250_000] * 6, session_name="Rdp"),
        series("windows_os_processes", [90 + n for n in range(6)]),
    )


def read(folder: Path, text: str, name: str = "answer.json") -> tuple[Reading, dict[str, list[float | None]]]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    assert recognise(text.encode()[:65_536], name) is READER
    reading = READER.read(path, name, folder / "columns")
    if reading.recording is None:
        return reading, {}
    frame = stored_frame(folder / "columns")
    return reading, {one.path: frame[f"c{one.column}"].to_list() for one in reading.recording.series}


def rates(values: list[int]) -> list[float | None]:
    pairs = itertools.pairwise(values)
    return [None, *(None if later < before else (later - before) / STEP for before, later in pairs)]


def test_that_each_cell_equals_the_counter_of_windows(tmp_path: Path) -> None:
    reading, found = read(tmp_path, whole())
    disk = r"\\W11-001\LogicalDisk(C:)"
    seconds = [None if later < before else (later - before) for before, later in itertools.pairwise(SECONDS)]
    reads = [None if later < before else later - before for before, later in itertools.pairwise(READS)]
    latency = [
        None,
        *(None if s is None or r is None else s / r if r else 0.0 for s, r in zip(seconds, reads, strict=True)),
    ]
    expected: dict[str, list[float | None]] = {
        rf"{disk}\Disk Reads/sec": rates(READS),
        rf"{disk}\Disk Writes/sec": rates(WRITES),
        rf"{disk}\Avg. Disk sec/Read": latency,
        r"\\W11-001\Memory\Available Bytes": [2.0**30 + n for n in range(6)],
        r"\\W11-001\Processor(_Total)\% Processor Time": [None] + [100 - 100 * (12 + 6) / 2 / STEP] * 5,
        r"\\W11-001\RemoteFX Network(Rdp)\Current TCP RTT": [20.0 + n for n in range(6)],
        r"\\W11-001\RemoteFX Network(Rdp)\Current UDP Bandwidth": [2000.0] * 6,
        r"\\W11-001\Prometheus(job=windows)\windows_os_processes": [90.0 + n for n in range(6)],
    }
    assert set(found) == set(expected)
    for path, values in expected.items():
        assert found[path] == [None if value is None else pytest.approx(value, abs=1e-9) for value in values], path
    recording = reading.recording
    assert recording is not None
    assert (recording.utc_offset_minutes, recording.first_us, recording.rows) == (0, START * 10**6, 6)
    metrics = {one.counter: one.metric and one.metric.quantity for one in recording.series}
    assert metrics["Disk Reads/sec"] is Quantity.READ_IOPS
    assert metrics["Avg. Disk sec/Read"] is Quantity.READ_LATENCY
    assert metrics["windows_os_processes"] is None
    assert {one.vm for one in recording.series} == {"W11-001"}


def test_that_rates_without_a_name_use_that_of_the_file(tmp_path: Path) -> None:
    text = answer(series("", ["1.5", "2.5", "NaN"], volume="C:"))
    reading, found = read(tmp_path, text, "rate wmi_logical_disk_reads_total.json")
    assert found == {r"\\W11-001\LogicalDisk(C:)\Disk Reads/sec": [1.5, 2.5, None]}
    assert codes(reading) == ["not-a-number", "name-from-file"]
    _, unnamed = read(tmp_path, text, "answer.json")
    assert list(unnamed) == [r"\\W11-001\Prometheus(job=windows, volume=C:)\without name"]


def test_that_series_with_different_times_keep_them(tmp_path: Path) -> None:
    late = series("windows_logical_disk_reads_total", READS, volume="C:") | {"metric": VM | {"__name__": "x"}}
    late["values"] = [[time + 7, value] for time, value in late["values"]]
    reading, _ = read(tmp_path, answer(series("windows_logical_disk_reads_total", READS, volume="C:"), late))
    assert reading.recording is not None
    assert [one.own_times for one in reading.recording.series] == [True, True]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (answer(kind="vector"), "instant"),
        (json.dumps({"status": "error", "errorType": "bad_data", "error": "parse error at char 7"}), "char 7"),
        (answer(), "no series"),
        (answer({"metric": VM, "values": [["noon", "1"]]}), "No series"),
    ],
)
def test_that_an_answer_without_samples_is_rejected_with_its_reason(tmp_path: Path, text: str, word: str) -> None:
    reading, _ = read(tmp_path, text)
    assert codes(reading)[-1] == "no-series"
    assert word in reading.problems[-1].message


def test_that_a_series_that_cannot_be_read_affects_only_itself(tmp_path: Path) -> None:
    broken = {"metric": VM | {"__name__": "windows_memory_available_bytes"}, "values": [[None, "1"]]}
    reading, found = read(tmp_path, answer(broken, series("windows_memory_available_bytes", [1, "x", True])))
    assert list(found.values()) == [[1.0, None, None]]
    assert (codes(reading), reading.report.rejected_rows) == (["item-rejected", "not-a-number"], 1)


def test_that_a_series_in_several_parts_is_joined(tmp_path: Path) -> None:
    name = "windows_logical_disk_reads_total"
    parts = [series(name, READS, volume="C:") for _ in range(2)]
    parts[0]["values"], parts[1]["values"] = parts[0]["values"][:3], parts[1]["values"][3:]
    reading, found = read(tmp_path, answer(*parts))
    assert found == {r"\\W11-001\LogicalDisk(C:)\Disk Reads/sec": rates(READS)}
    assert codes(reading) == ["counter-reset"]


def test_that_one_counter_of_a_machine_by_two_sources_is_reported(tmp_path: Path) -> None:
    name = "windows_logical_disk_reads_total"
    reading, _ = read(tmp_path, answer(*(series(name, [0, 15, 30], volume="C:", replica=one) for one in "ab")))
    assert codes(reading) == ["duplicate-counter"]


def test_that_a_falling_counter_is_reported_with_its_time(tmp_path: Path) -> None:
    for at in (2, 4):
        counts = [100, 200, 300, 400, 500, 600]
        counts[at:] = [10 * n for n in range(1, 7 - at)]
        reading, _ = read(tmp_path, answer(series("windows_logical_disk_reads_total", counts, volume="C:")))
        (problem,) = [one for one in reading.problems if one.code == "counter-reset"]
        moment = datetime.fromtimestamp(START + at * STEP, UTC)
        assert f"{moment:%Y-%m-%dT%H:%M:%SZ}" in problem.message
