"""The damaged study: every planted defect and nothing else is reported with its place, and other figures are right."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.sample_data.integral import READS, WRITES, added, operations, phases_of
from workbench.cli import main

SAMPLE = Path(__file__).parents[2] / "sample_data"
DAMAGED = SAMPLE / "damaged"
Answer = dict[str, Any]
# Documents of the study that are not results.
PAPERS = {"README.md", "expected.csv"}
# Phases in seconds as the generator plans them, and the runs with other plans.
PLANNED = {"boot": 140.0, "logon": 120.0, "steady": 600.0}
OTHERWISE = {"phases-overlap": {"logon": 180.0}, "unknown-file-only": None}
# Each of these codes must be planted somewhere: the defects that occur in practice.
CODES = {
    "vm-restart",
    "vm-never-registered",
    "vm-straggler",
    "sessions-ended-early",
    "session-returns",
    "phases-overlap",
    "phases-detected",
    "wild-cell",
    "not-steady",
    "step-at-overflow",
    "spike",
    "counter-wrap",
    "frozen-counter",
    "impossible-sample",
    "cache-unit",
    "long-latency",
    "machine-no-desktop",
    "machine-unlike",
    "machine-two-names",
    "runs-mixed",
    "pace-changes",
    "gap",
    "vms-missing",
    "phase-not-measured",
    "run-without-data",
    "impossible-value",
}


@pytest.fixture
def asked(capsys: pytest.CaptureFixture[str]) -> Any:
    """The JSON reply of `vdiwb` on the damaged study."""

    def ask(command: str, *options: str, folder: Path = DAMAGED) -> Answer:
        assert main([command, str(folder), *options, "--format", "json"]) == 0
        answer: Answer = json.loads(capsys.readouterr().out)
        return answer

    return ask


@pytest.fixture(scope="module")
def planted() -> list[dict[str, str]]:
    with (DAMAGED / "expected.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def names(problem: Answer, row: dict[str, str]) -> bool:
    """True if a problem names a planted defect with its place: file and line, or VM, phase and moment in words."""
    place = f"{row['run']}/{row['file']}" if row["file"] else row["run"]
    words = problem["message"].casefold()
    return (
        (problem["code"], problem["severity"], problem["file"]) == (row["code"], row["severity"], place)
        and (not row["line"] or problem["line"] == int(row["line"]))
        and all(row[part].casefold() in words for part in ("vm", "phase", "moment"))
    )


def test_that_every_known_kind_of_defect_is_in_the_sample(planted: list[dict[str, str]]) -> None:
    assert {row["code"] for row in planted} >= CODES
    assert {row["run"] for row in planted} <= {path.name for path in DAMAGED.iterdir() if path.is_dir()}


@pytest.mark.parametrize("command", ["inspect", "summary"])
def test_that_every_planted_defect_is_reported_with_its_place(
    command: str, asked: Any, planted: list[dict[str, str]]
) -> None:
    problems = asked(command)["problems"]
    assert [row for row in planted if not any(names(problem, row) for problem in problems)] == []


@pytest.mark.parametrize("command", ["inspect", "summary"])
def test_that_only_planted_defects_are_reported(command: str, asked: Any, planted: list[dict[str, str]]) -> None:
    problems = [problem for problem in asked(command)["problems"] if problem["file"] not in PAPERS]
    assert [problem for problem in problems if not any(names(problem, row) for row in planted)] == []
    assert not [problem for problem in problems if problem["file"].startswith(("clean", "logon-end-not-recorded"))]


def test_that_no_defect_is_reported_twice(asked: Any) -> None:
    told = Counter((problem["file"], problem["code"], problem["message"]) for problem in asked("summary")["problems"])
    assert [problem for problem, times in told.items() if times > 1] == []


def test_that_exactly_the_planted_samples_are_excluded(asked: Any, planted: list[dict[str, str]]) -> None:
    """Missing cells are the blanks in the file, and the samples that a rule removes."""
    left_out = Counter[str]()
    for row in planted:
        left_out[f"{row['run']}/{row['file']}"] += int(row["left_out"])
    files = [file for file in asked("inspect")["files"] if file["path"].endswith("DataCollector01.csv")]
    assert len(files) == len(list(DAMAGED.glob("*/guest/DataCollector01.csv"))) > 30
    for file in files:
        blanks = (DAMAGED / file["path"]).read_text(encoding="ascii").count('" "')
        assert file["missing_cells"] - blanks == left_out[file["path"]], file["path"]
    assert sum(left_out.values()) == 1 + 1 + 60 + 1


def test_that_defects_move_no_phase_edge(asked: Any) -> None:
    for run in asked("summary")["runs"]:
        lengths = {phase["phase"]: phase["duration_s"] for phase in run["phases"]}
        other = OTHERWISE.get(run["run"], {})
        expected = {} if other is None else PLANNED | other
        # Detected edges are at best as precise as the samples.
        near = 15.0 if run["run"] == "wild-cell" else 1e-6
        assert lengths == pytest.approx(expected, abs=near), run["run"]


@pytest.mark.parametrize(
    ("run", "vms"),
    [
        ("clean-r1", 5),
        ("host-log-beside-vms", 5),
        ("launcher-among-vms", 5),
        ("two-names-of-one-machine", 5),
        ("database-server-among-vms", 6),
    ],
)
def test_that_each_desktop_counts_once_and_no_other_machine_counts(run: str, vms: int, asked: Any) -> None:
    (shown,) = asked("summary", folder=DAMAGED / run)["runs"]
    assert shown["vms"] == vms
    for phase in shown["phases"]:
        assert phase["iops_per_vm"] == pytest.approx(phase["iops"] / vms, rel=1e-9)


@pytest.mark.parametrize(
    "run", ["clean-r1", "clean-r3", "vm-restarts", "vm-straggles", "session-comes-back", "sampling-slows", "one-spike"]
)
def test_that_figures_without_lost_samples_are_correct(run: str, asked: Any) -> None:
    """Compared with plain loops over the files. The spike removes only its one cell of transfers."""
    (shown,) = asked("summary", folder=DAMAGED / run)["runs"]
    lengths = phases_of(DAMAGED / "clean-r1")
    assert {name: end - start for name, (start, end) in lengths.items()} == PLANNED
    for phase in shown["phases"]:
        window = tuple(_seconds(phase[edge]) for edge in ("start", "end"))
        sums = operations(DAMAGED / run, (window[0], window[1]))
        lost = 5.0 * _rate_at_spike() if run == "one-spike" and phase["phase"] == "steady" else 0.0
        assert phase["total_io"] == pytest.approx(added(sums, READS) + added(sums, WRITES) - lost, rel=1e-6)


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def _rate_at_spike() -> float:
    """Reads and writes of the VM in the spike's row."""
    with (DAMAGED / "one-spike" / "guest" / "DataCollector01.csv").open(encoding="ascii", newline="") as stream:
        rows = list(csv.reader(stream))
    place = rows[0].index(r"\\W10-002\PhysicalDisk(_Total)\Disk Transfers/sec")
    (spike,) = [row for row in rows[1:] if row[place] == "100000"]
    return float(spike[place - 2]) + float(spike[place - 1])


def test_that_runs_with_mixed_recordings_are_excluded(asked: Any) -> None:
    kept_out = {run["run"] for run in asked("summary")["runs"] if run["excluded"]}
    assert kept_out == {"two-days-in-one-folder", "other-hosts-in-one-folder"}


def test_that_logons_without_an_end_have_no_duration(asked: Any) -> None:
    text = json.dumps(asked("logons", folder=DAMAGED / "logon-end-not-recorded"))
    assert "Add logon_end to events.csv" in text


def test_that_compare_marks_lower_bounds(asked: Any, snapshot: SnapshotAssertion) -> None:
    """Three runs with stopped collectors look like a saving of one half, and are not a saving."""
    answer = asked("compare", "--baseline", "Clean", "--phase", "steady")
    told = {(problem["code"], problem["file"]) for problem in answer["problems"]}
    assert ("compare-lower-bound", "Collector dies") in told
    saved = [
        one
        for one in answer["differences"]
        if one["configuration"] == "Collector dies" and one["metric"] == "iops_per_vm"
    ]
    assert [one["change_percent"] for one in saved] == [pytest.approx(-50.0, abs=3.0)]
    assert [one["verdict"] for one in saved] == ["~"]
    assert saved[0]["objection"] == snapshot


def test_that_a_clean_configuration_equals_its_undamaged_twin(asked: Any) -> None:
    answer = asked("compare", "--baseline", "Clean", "--phase", "steady")
    assert [one for one in answer["differences"] if one["configuration"] == "Clean"] == []
    assert answer["baselines"][0]["runs"] == ["clean-r1", "clean-r2", "clean-r3"]


def test_that_the_documented_table_has_every_run_and_code(planted: list[dict[str, str]]) -> None:
    lines = (DAMAGED / "README.md").read_text(encoding="utf-8").splitlines()
    for row in planted:
        name = row["run"].rsplit("-r", 1)[0] if row["run"][-1].isdigit() else row["run"]
        (line,) = [line for line in lines if line.startswith((f"| `{name}`", f"| `{name}-r1"))]
        assert f"`{row['code']}`" in line


def test_that_the_damaged_study_is_small() -> None:
    assert sum(path.stat().st_size for path in DAMAGED.rglob("*") if path.is_file()) < 1_000_000


def test_that_the_sample_opens_without_the_runs_damaged_on_purpose(asked: Any, snapshot: SnapshotAssertion) -> None:
    answer = asked("inspect", folder=SAMPLE)
    (told,) = [problem for problem in answer["problems"] if problem["code"] == "opened-alone"]
    assert (told["severity"], told["file"]) == ("info", "damaged")
    assert told["action"] == snapshot
    assert [file["path"] for file in answer["files"] if file["path"].startswith("damaged")] in ([], ["damaged"])


def test_that_one_wrong_sample_gives_no_effect_and_no_finding_of_no_change(asked: Any) -> None:
    found = asked("findings")["findings"]
    assert found[0]["kind"] != "no change"
    wild = {
        one["metric"]: one["strength"]
        for one in found
        if (one["kind"], one["configuration"], one["phase"]) == ("compare", "Wild cell", "steady")
    }
    for metric in ("iops_per_vm", "write_iops_per_vm"):
        assert wild[metric] == "inconclusive"
    # One sample cannot cause a lasting step.
    (step,) = (
        one
        for one in found
        if (one["kind"], one["configuration"], one["phase"], one["metric"])
        == ("compare", "Step at overflow", "steady", "iops_per_vm")
    )
    assert step["strength"] == "single run"
    blocked = [one for one in found if one["kind"] == "compare" and one["order"] == "blocked"]
    assert blocked
    ordered = re.compile("did not alternate|drift may affect")
    assert all(sum(bool(ordered.search(caveat)) for caveat in one["caveats"]) == 1 for one in blocked)
