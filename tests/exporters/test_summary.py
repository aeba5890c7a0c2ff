"""JSON and CSV for other programs: exact keys, null for missing values, no formulas."""

from __future__ import annotations

import csv
import io
import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.builders import T0, counter, phase, recording, run
from workbench.answers.common.document import (
    benchmark_rows,
    inspect_table,
    iso,
    summary_rows,
    summary_table,
    to_csv,
    to_json,
    with_method,
)
from workbench.measures.phase_table import PhaseFigures, RunFigures, run_figures
from workbench.measures.significance.method import METHOD
from workbench.model.benchmark import Benchmark, Op
from workbench.model.metric import Quantity
from workbench.model.problem import Problem, Severity
from workbench.model.recording import FileReport
from workbench.model.run import Configuration, Provisioning, Study

RUN_KEYS = [
    "run",
    "configuration",
    "provisioning",
    "ram_cache_mb",
    "session_type",
    "vms",
    "users",
    "excluded",
    "phases",
]
PHASE_KEYS = [
    "phase",
    "start",
    "end",
    "duration_s",
    "evidence",
    "total_io",
    "total_io_per_vm",
    "iops",
    "iops_per_vm",
    "read_iops_per_vm",
    "write_iops_per_vm",
    "iops_per_user",
    "read_percent",
    "write_percent",
    "p95_iops_per_vm",
    "peak_iops_per_vm",
    "read_latency_ms",
    "write_latency_ms",
    "cache_ram_used_mb_end",
    "cache_ram_used_mb_peak",
    "cache_disk_used_mb_end",
    "cache_disk_used_mb_peak",
    "overflow_start",
    "cpu_percent",
    "vantage",
]
FILE_KEYS = [
    "path",
    "reader",
    "recognised",
    "rows",
    "columns",
    "hosts",
    "first",
    "last",
    "utc_offset_minutes",
    "encoding",
    "delimiter",
    "cells",
    "missing_cells",
    "rejected_rows",
    "part",
]
PROBLEM_KEYS = ["severity", "file", "line", "column", "code", "message", "action"]
BENCHMARK_KEYS = [
    "path",
    "tool",
    "tool_version",
    "test",
    "job",
    "host",
    "op",
    "iops",
    "mb_per_s",
    "latency_mean_ms",
    "latency_p50_ms",
    "latency_p95_ms",
    "latency_p99_ms",
    "block_bytes",
    "queue_depth",
    "threads",
    "read_percent",
    "started",
    "error",
    "latency_kind",
    "curve",
    "load_percent",
    "part",
]
WARNING = Problem(Severity.WARNING, "guest/A.csv", "not-a-number", "Cell 'x'.", "cell left empty", 44, 3)


@pytest.fixture
def measured(tmp_path: Path) -> RunFigures:
    times = T0 + 10.0 * np.arange(1, 61)
    columns = [
        (counter("A", Quantity.READ_IOPS), np.full(60, 6.0)),
        (counter("A", Quantity.WRITE_IOPS), np.full(60, 2.0)),
    ]
    one = recording(tmp_path, "a.csv", times, columns)
    return run_figures(run(one, name="mcs-5vm", stated_phases=(phase("boot", 0, 360),), excluded="vCenter failed"))


def test_that_the_summary_has_the_keys_of_the_contract_in_its_order(measured: RunFigures) -> None:
    table = summary_table([measured], [WARNING])
    assert list(table) == ["schema", "runs", "problems"]
    assert table["schema"] == "vdi-workbench/summary/1"
    (one,) = table["runs"]
    assert list(one)[: len(RUN_KEYS)] == RUN_KEYS
    assert list(one["phases"][0])[: len(PHASE_KEYS)] == PHASE_KEYS
    assert list(table["problems"][0]) == PROBLEM_KEYS


def test_that_the_summary_contains_the_figures_with_times_in_utc(measured: RunFigures) -> None:
    one = json.loads(to_json(summary_table([measured], [])))["runs"][0]
    assert {key: one[key] for key in RUN_KEYS[:-1]} == {
        "run": "mcs-5vm",
        "configuration": "MCS",
        "provisioning": "MCS",
        "ram_cache_mb": None,
        "session_type": "vdi",
        "vms": 1,
        "users": 1,
        "excluded": "vCenter failed",
    }
    (boot,) = one["phases"]
    assert (boot["start"], boot["end"], boot["duration_s"]) == ("2016-05-10T08:00:00Z", "2016-05-10T08:06:00Z", 360.0)
    assert (boot["total_io"], boot["iops_per_vm"], boot["read_percent"]) == (2880.0, 8.0, 75.0)
    assert (boot["evidence"], boot["vantage"], boot["overflow_start"]) == ("run.toml", "guest", None)
    assert (boot["cpu_percent"], boot["cache_ram_used_mb_end"]) == (None, None)


def test_that_the_overflow_is_a_time_in_utc() -> None:
    row = PhaseFigures(phase("boot", 0, 10), overflow_start=T0 + 2.5)
    table = summary_table([RunFigures(run(), (row,), ())], [])
    assert table["runs"][0]["phases"][0]["overflow_start"] == "2016-05-10T08:00:02.500000Z"


def test_that_an_infinite_number_becomes_null_and_json_stays_valid() -> None:
    row = PhaseFigures(phase("boot", 0, 10), iops=math.nan, total_io=math.inf, cpu_percent=-math.inf)
    text = to_json(summary_table([RunFigures(run(), (row,), ())], []))
    found = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))["runs"][0]["phases"][0]
    assert (found["iops"], found["total_io"], found["cpu_percent"]) == (None, None, None)


def test_that_inspect_has_the_keys_of_the_contract_in_its_order() -> None:
    report = FileReport("guest/A.csv", "perfmon", True, 541, 12, ("A",), cells=6492, missing_cells=6)
    table = json.loads(to_json(inspect_table([Study("s", "s", (), (report,), (WARNING,))])))
    assert list(table) == ["schema", "files", "problems"]
    assert table["schema"] == "vdi-workbench/inspect/1"
    assert list(table["files"][0]) == FILE_KEYS
    assert table["files"][0]["hosts"] == ["A"]
    problems = [{key: problem[key] for key in PROBLEM_KEYS} for problem in table["problems"]]
    assert list(table["problems"][0])[: len(PROBLEM_KEYS)] == PROBLEM_KEYS
    assert problems == [
        dict(
            zip(
                PROBLEM_KEYS,
                ("warning", "guest/A.csv", 44, 3, "not-a-number", "Cell 'x'.", "cell left empty"),
                strict=True,
            )
        )
    ]


def test_that_benchmarks_are_a_list_with_the_keys_of_the_contract() -> None:
    rows = json.loads(to_json(benchmark_rows([Benchmark("x.json", "fio", Op.READ, iops=math.nan, mb_per_s=1.5)])))
    assert list(rows[0]) == BENCHMARK_KEYS
    assert (rows[0]["op"], rows[0]["iops"], rows[0]["mb_per_s"], rows[0]["error"]) == ("read", None, 1.5, None)


def test_that_csv_has_one_row_per_run_and_phase_and_empty_cells_for_missing_values(measured: RunFigures) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(summary_rows([measured, measured])))))
    assert [(row["run"], row["phase"], row["vms"], row["vms_stated"]) for row in rows] == [
        ("mcs-5vm", "boot", "1", "1")
    ] * 2
    assert (rows[0]["total_io"], rows[0]["cpu_percent"], rows[0]["start"]) == ("2880.0", "", "2016-05-10T08:00:00Z")


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1+cmd", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
def test_that_csv_contains_no_formula(name: str) -> None:
    one = run(name=name, configuration=Configuration(name, Provisioning.OTHER))
    text = to_csv(summary_rows([RunFigures(one, (PhaseFigures(phase("boot", 0, 10)),), ())]))
    row = next(csv.DictReader(io.StringIO(text, newline="")))
    assert row["run"] == row["configuration"] == f"'{name}".replace("\r", "\n")


def test_that_negative_numbers_stay_numbers_in_csv() -> None:
    assert to_csv([{"a": -1.5, "b": "-2e3", "c": ["=x", "y"]}]).splitlines()[1] == f"-1.5,-2e3,'=x; y,{METHOD}"


def test_that_commas_quotes_and_lines_in_names_stay_in_their_cell() -> None:
    text = to_csv([{"a": 'x, "y"\nz', "b": 1}])
    assert next(csv.DictReader(io.StringIO(text, newline=""))) == {"a": 'x, "y"\nz', "b": "1", "method": str(METHOD)}


def test_that_every_row_of_a_csv_states_the_method_in_its_last_column_and_json_states_it_once() -> None:
    assert to_csv([{"a": 1}, {"a": 2}]) == f"a,method\n1,{METHOD}\n2,{METHOD}\n"
    assert to_csv([{"method": 1, "a": 1}]) == "method,a\n1,1\n"
    assert with_method({"schema": "x/1", "runs": []}) == {"schema": "x/1", "runs": [], "method": METHOD}
    assert with_method([{"path": "a"}]) == [{"path": "a", "method": METHOD}]


def test_that_an_empty_summary_gives_an_empty_csv() -> None:
    assert to_csv([]) == ""


def test_that_whole_seconds_have_no_fraction() -> None:
    assert (iso(T0), iso(T0 + 0.25)) == ("2016-05-10T08:00:00Z", "2016-05-10T08:00:00.250000Z")
