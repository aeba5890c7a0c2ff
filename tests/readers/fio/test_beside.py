"""fio files in the same folder: one unit, one row for each run, one sentence for each cause."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.fio.texts import job, setup, started, summed, terse
from tests.readers.fio_results import direction, idle, result, text_of
from tests.readers.fio_results import job as json_job
from workbench.answers.common.causes import alike
from workbench.model.benchmark import Benchmark
from workbench.model.metric import Quantity
from workbench.model.problem import Problem
from workbench.model.recording import FileReport, Recording
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.pool import read_each
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

LOG = "1000, 52000, 0, 0\n2000, 61000, 0, 0\n3000, 60000, 1, 0\n"
TEXT = started() + job() + summed()
MEASURED = direction(24000, runtime=2000, iops=12000.0)
MEASURED["lat_ns"] = {**MEASURED["lat_ns"], "mean": 613_748.0}
MEASURED["clat_ns"] = {"min": 1, "max": 9_000_000, "mean": 610_000.0, "N": 24000}
JSON = text_of(result(json_job("vdi", read=MEASURED, write=idle())))


@dataclass(frozen=True)
class Opened:
    problems: tuple[Problem, ...]
    benchmarks: tuple[Benchmark, ...]
    files: tuple[FileReport, ...]
    recordings: tuple[Recording, ...]


def study(folder: Path, **named: str) -> Opened:
    """The opened folder of these files; in a name `__` means `/`, and `_dot_` means a dot."""
    lab = folder / "lab"
    for name, text in named.items():
        file = lab / name.replace("__", "/").replace("_dot_", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    store = Store(folder / "store")
    store.prepare()
    found = find_sources([lab], store)
    built = build_studies(found, zip(found.sources, read_each(found.sources, store, read_source, {}), strict=True))
    return Opened(
        tuple(problem for each in built for problem in each.problems),
        tuple(row for each in built for row in each.benchmarks),
        tuple(report for each in built for report in each.files),
        tuple(recording for each in built for run in (*each.runs, *each.loose) for recording in run.recordings),
    )


def scales(built: Opened) -> dict[str, float]:
    every = [series for recording in built.recordings for series in recording.series]
    latencies = (Quantity.READ_LATENCY, Quantity.WRITE_LATENCY)
    return {each.path: each.metric.scale for each in every if each.metric and each.metric.quantity in latencies}


@pytest.mark.parametrize(("version", "scale", "unit"), [("3.19", 1e-9, "ns"), ("2.16", 1e-6, "µs")])
@pytest.mark.parametrize("place", ["", "logs__"])
def test_that_a_result_next_to_a_log_or_above_it_states_the_unit_of_its_latencies(
    tmp_path: Path, version: str, scale: float, unit: str, place: str
) -> None:
    report = {"vdi_dot_out": TEXT.replace("fio-3.19", f"fio-{version}"), f"{place}vdi_lat_dot_1_dot_log": LOG}
    built = study(tmp_path, **report)
    assert set(scales(built).values()) == {scale}
    assert all(path.endswith(f"[{unit}]") for path in scales(built))
    assert "fio-log-unit" not in [problem.code for problem in built.problems]


def test_that_a_unit_stays_assumed_if_the_folder_has_results_of_old_and_new_fio(tmp_path: Path) -> None:
    old = started("2.16", setup("old")) + job(name="old", pid=7) + summed()
    built = study(tmp_path, new_dot_out=TEXT, old_dot_out=old, vdi_lat_dot_1_dot_log=LOG)
    assert set(scales(built).values()) == {1e-9}
    assert [problem.code for problem in built.problems].count("fio-log-unit") == 1


def test_that_the_name_of_a_log_overrides_the_result_next_to_it(tmp_path: Path) -> None:
    built = study(tmp_path, **{"vdi_dot_out": TEXT, "fio-2_dot_16_vdi_lat_dot_1_dot_log": LOG})
    assert set(scales(built).values()) == {1e-6}


def test_that_many_logs_of_a_folder_are_one_cause_with_their_number(tmp_path: Path) -> None:
    logs = {f"job{number}_{kind}_dot_1_dot_log": LOG for number in range(20) for kind in ("lat", "clat", "bw")}
    built = study(tmp_path, **logs, **{f"other__x{n}_lat_dot_1_dot_log": LOG for n in range(2)})
    causes = sorted((cause.first.code, cause.count) for cause in alike(built.problems))
    assert causes == [("fio-log-unit", 42), ("relative-time", 62)]
    assert sum(report.rows for report in built.files) == 62 * 3


def test_that_empty_logs_of_submissions_next_to_others_are_one_note(tmp_path: Path) -> None:
    empty = {f"x_slat_dot_{number}_dot_log": "" for number in range(5)}
    built = study(tmp_path, **empty, y_bw_dot_1_dot_log=LOG, y_bw_dot_2_dot_log="")
    empty_files = [problem for problem in built.problems if problem.code == "empty-file"]
    causes = [(cause.first.file, cause.first.severity.value, cause.count) for cause in alike(empty_files)]
    assert sorted(causes) == [("x_slat.0.log", "info", 5), ("y_bw.2.log", "warning", 1)]


def places(built: Opened) -> list[tuple[str, str]]:
    return sorted((row.path, row.place) for row in built.benchmarks)


def test_that_json_and_text_and_terse_output_of_one_run_give_one_set_of_rows(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    line = terse(directions=2).replace(";vdi;0;0;96000;48000;12000;2000", ";vdi;0;0;96000;48000;12000;2000")
    read_only = line.split(";")
    read_only[46:50] = ["0"] * 4
    built = study(tmp_path, vdi_dot_json=JSON, vdi_dot_log=TEXT, vdi_dot_csv=";".join(read_only))
    assert places(built) == [("vdi.json", "jobs[0].read")]
    assert [report.rows for report in built.files] == [0, 1, 0]
    messages = {problem.message for problem in built.problems if problem.code == "report-twice"}
    assert messages == snapshot


def test_that_a_text_report_without_json_of_its_run_is_kept(tmp_path: Path) -> None:
    other_job = started("3.19", setup("other")) + job(name="other") + summed()
    other_figures = TEXT.replace("24000,0", "24010,0")
    other_latency = TEXT.replace("avg=613.75", "avg=713.75")
    built = study(
        tmp_path,
        vdi_dot_json=JSON,
        a_dot_log=other_job,
        b_dot_log=other_figures,
        c_dot_log=other_latency,
        other__vdi_dot_log=TEXT,
    )
    assert places(built) == [
        ("a.log", ""),
        ("b.log", ""),
        ("c.log", ""),
        ("other/vdi.log", ""),
        ("vdi.json", "jobs[0].read"),
    ]


def test_that_equal_repeats_are_as_many_as_were_run(tmp_path: Path) -> None:
    built = study(tmp_path, one_dot_json=JSON, one_dot_log=TEXT, two_dot_log=TEXT)
    assert places(built) == [("one.json", "jobs[0].read"), ("two.log", "")]
    built = study(tmp_path / "text", one_dot_log=TEXT, two_dot_log=TEXT)
    assert places(built) == [("one.log", ""), ("two.log", "")]


def test_that_two_files_of_one_run_give_its_rows_once(tmp_path: Path) -> None:
    assert places(study(tmp_path, vdi_dot_json=JSON, vdi_dot_log=TEXT)) == [("vdi.json", "jobs[0].read")]


@pytest.mark.parametrize(("mean_us", "alone"), [(622.0, False), (633.0, True)])
def test_that_a_text_is_of_the_same_run_if_its_mean_latency_differs_by_at_most_2_percent(
    tmp_path: Path, mean_us: float, alone: bool
) -> None:
    assert (mean_us / 613.748 > 1.02) is alone
    text = TEXT.replace("avg=613.75", f"avg={mean_us:.2f}")
    built = study(tmp_path, vdi_dot_json=JSON, vdi_dot_log=text)
    assert [path for path, _ in places(built)] == (["vdi.json"] if not alone else ["vdi.json", "vdi.log"])
