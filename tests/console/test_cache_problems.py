"""Faults of cache counters are reported in inspect, in summary, in the import report and on the cache page."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.cli import OK, main
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.session.state import State
from workbench.study.store.column_store import Store

RESET = "The cache of W10-1 was emptied during the run."
UNKNOWN = "The RAM cache size of W10-1 is unknown."
MB = 2.0**20


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run without a stated cache size; its cache counter falls back to zero half way."""
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    half = [n * 5 * MB for n in range(60)]
    host = "\\\\W10-1\\"
    perfmon_csv(
        tmp_path / "lab/mcsio/vm.csv",
        {
            f"{host}PhysicalDisk(_Total)\\Disk Reads/sec": [10.0] * 120,
            f"{host}PhysicalDisk(_Total)\\Disk Writes/sec": [5.0] * 120,
            f"{host}Citrix MCS Storage Driver\\Cache memory used": half * 2,
        },
    )
    (tmp_path / "lab/mcsio/run.toml").write_text(
        'configuration = "C"\nprovisioning = "MCSIO"\n[[phases]]\nname = "steady"\n'
        "start = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:29:00+01:00\n"
    )
    return tmp_path / "lab"


def test_that_the_console_reports_problems_of_the_cache(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("inspect", "summary"):
        assert main([command, str(lab)]) == OK
        told = capsys.readouterr().out
        assert RESET in told, command
        assert UNKNOWN in told, command
    for command in ("inspect", "summary", "findings", "cache"):
        assert main([command, str(lab), "--format", "json"]) == OK
        messages = [one["message"] for one in json.loads(capsys.readouterr().out)["problems"]]
        assert messages.count(RESET) == 1, command


def test_that_the_import_report_and_the_cache_page_report_problems_of_the_cache(
    lab: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    studies = load_studies([lab], Store(tmp_path / "store"))
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    answers = {page.key: page.answer for page in PAGES}
    report = answers["import-report"](library, State())
    assert RESET in [row[4].text for row in report.tables[0].rows]
    shown = answers["cache"](library, State(page="cache"))
    assert shown.tables[-1].name.startswith("Problems (")
    assert RESET in [row[4].text for row in shown.tables[-1].rows]
    assert shown.caption == snapshot
