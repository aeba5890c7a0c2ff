"""`vdiwb summary sample_data` compared with the published tables that the sample was made from."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.cli import main
from workbench.console import running

ROOT = Path(__file__).parents[1]
PUBLISHED = ROOT.parent / "shared" / "facts" / "published_tables.csv"
NOT_IN_SAMPLE = {"pvs-512-150vm", "xenapp-12gb"}
Run = dict[str, Any]


@pytest.fixture(scope="module")
def summary() -> dict[str, Run]:
    """The console's JSON, run by run."""
    patch = pytest.MonkeyPatch()
    said: list[str] = []
    patch.setattr(running, "_print", said.append)
    try:
        assert main(["summary", str(ROOT / "sample_data"), "--format", "json"]) == 0
    finally:
        patch.undo()
    table = json.loads(said[0])
    assert table["schema"] == "vdi-workbench/summary/1"
    return {run["run"]: run for run in table["runs"]}


def published() -> Iterator[Any]:
    if not PUBLISHED.exists():
        yield pytest.param({}, marks=pytest.mark.skip(reason="the published tables are not beside the project"))
        return
    with PUBLISHED.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            if row["test_id"] not in NOT_IN_SAMPLE:
                yield pytest.param(row, id=f"{row['test_id']}-{row['phase']}")


def last_digit(text: str) -> float:
    """One unit in the last digit of a printed number: 0.01 for 4.56."""
    return 10.0 ** -len(text.partition(".")[2])


def close(shown: float, text: str) -> bool:
    """True within 2 % or one unit of the last published digit."""
    return abs(shown - float(text)) <= max(0.02 * float(text), last_digit(text)) + 1e-9


def phase_of(run: Run, name: str) -> dict[str, Any]:
    return next(phase for phase in run["phases"] if phase["phase"] == name)


@pytest.mark.parametrize("row", list(published()))
def test_that_the_summary_reproduces_the_published_row(summary: dict[str, Run], row: dict[str, str]) -> None:
    run = summary[row["test_id"]]
    phase = phase_of(run, row["phase"])
    assert (run["vms"], run["users"]) == (int(row["vms"]), int(row["users"]))
    assert run["provisioning"] == row["provisioning"]
    assert run["session_type"] == row["session_type"]
    total = phase["total_io_per_vm"] if row["total_io_scope"] == "per_vm" else phase["total_io"]
    assert total == pytest.approx(float(row["total_io"]), rel=0.02)
    per_vm = row["iops_scope"] == "per_vm"
    for published_as, key in (("iops", "iops"), ("read_iops", "read_iops"), ("write_iops", "write_iops")):
        shown = phase[f"{key}_per_vm"] if per_vm else phase[key]
        assert close(shown, row[published_as]), (published_as, shown, row[published_as])


@pytest.mark.parametrize(
    ("configuration", "figure", "reduction"),
    [
        ("mcsio-256", "iops", 7),
        ("mcsio-256", "write_iops", 39),
        ("mcsio-512", "iops", 50),
        ("mcsio-1024", "iops", 77),
        ("mcsio-4096", "iops", 93),
    ],
)
def test_that_the_sweep_shows_the_reductions_its_source_reports(
    summary: dict[str, Run], configuration: str, figure: str, reduction: float
) -> None:
    def mean(name: str) -> float:
        return float(np.mean([phase_of(summary[f"{name}-r{n}"], "steady")[figure] for n in (1, 2, 3)]))

    assert 100 * (1 - mean(configuration) / mean("mcs")) == pytest.approx(reduction, abs=0.5)


def test_that_the_largest_cache_leaves_its_disk_unused_and_smaller_ones_overflow(summary: dict[str, Run]) -> None:
    for name, overflows in (("mcsio-256", True), ("mcsio-1024", True), ("mcsio-4096", False)):
        phases = summary[f"{name}-r1"]["phases"]
        assert (phases[-1]["cache_disk_used_mb_end"] > 0) is overflows
        assert any(phase["overflow_start"] is not None for phase in phases) is overflows


def test_that_figures_that_plain_mcs_lacks_are_unavailable_and_not_zero(summary: dict[str, Run]) -> None:
    steady = phase_of(summary["mcs-5vm"], "steady")
    keys = ("cache_ram_used_mb_end", "cache_ram_used_mb_peak", "cache_disk_used_mb_end", "overflow_start")
    assert [steady[key] for key in keys] == [None] * 4


def test_that_the_sample_study_stays_small_enough_for_git() -> None:
    files = [file for file in (ROOT / "sample_data").rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert sum(file.stat().st_size for file in files) <= 12e6
