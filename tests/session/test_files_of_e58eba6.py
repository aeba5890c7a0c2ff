"""Files that the program wrote at commit e58eba6 open with their complete content, which fixtures/e58eba6/README.md
lists."""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from openpyxl import load_workbook
from syrupy.assertion import SnapshotAssertion

from workbench.answers.common.library import Library, edited_library
from workbench.answers.findings.page import kept_findings
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.edits import Note, PhaseEdit
from workbench.model.recording import SeriesKey
from workbench.session.bundle import load_bundle
from workbench.session.document import SessionDocument, load_session
from workbench.session.journal import read_journal
from workbench.study.store.column_store import Store, default_store

FIXTURES = Path(__file__).parent / "fixtures" / "e58eba6"
SWEEP = "rds-mcsio-cache-sweep"
# Their paths are those of Linux; another system cannot find them.
made_on_linux = pytest.mark.skipif(sys.platform == "win32", reason="the fixture's paths are those of Linux")
NOTED = datetime(2016, 5, 23, 8, 8, 20, tzinfo=UTC).timestamp()


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder on this machine with the results of that commit and the workspace file next to them."""
    folder = Path(os.path.realpath(tmp_path_factory.mktemp("results")))
    with tarfile.open(FIXTURES / "results.tar.xz") as archive:
        # Python before 3.11.4 has no filters; from 3.12 on it warns without one.
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    shutil.copyfile(FIXTURES / "review.vdiwb", folder / "review.vdiwb")
    return folder


@pytest.fixture(scope="module")
def library(results: Path) -> Library:
    """The results of the workspace file: its folders read, its edits applied."""
    document = load_session(results / "review.vdiwb")
    studies = load_studies([Path(path) for path in document.paths], default_store())
    figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
    as_read = Library(studies, figures)
    return edited_library(as_read, as_read, document.state)


def assert_every_edit_is_present(document: SessionDocument, folder: Path) -> None:
    """Each edit that the README lists, for results in `folder`."""
    state = document.state
    run = {name: str(folder / SWEEP / name) for name in ("mcs-r1", "mcs-r2", "mcs-r3", "mcsio-256-r1")}
    key = SeriesKey(run["mcsio-256-r1"], r"\\RDS-01\PhysicalDisk(_Total)\Disk Writes/sec")
    (finding,) = state.findings
    (view,) = state.views
    assert state.study == str(folder / SWEEP)
    assert (state.page, state.phase) == ("cache", "steady")
    assert {Path(edits.run).name: edits.configuration for edits in state.edits if edits.configuration} == dict.fromkeys(
        ("mcsio-1024-r1", "mcsio-1024-r2", "mcsio-1024-r3"), "One gigabyte"
    )
    assert state.excluded == {run["mcs-r2"]: "fan broke at 09:40"}
    assert state.edits_of(run["mcs-r1"]).phases == (PhaseEdit("steady", 1463990760.0, 1463992260.0),)
    assert state.edits_of(run["mcs-r3"]).phases == (PhaseEdit("steady", 1464012360.0, 1464013860.0),)
    assert state.notes == (Note("note-1", "Antivirus scan begins «here»", NOTED, run["mcs-r1"]),)
    assert state.number("sizing.desktops", 0.0) == 750.0
    assert state.hidden == {"MCSIO 256 MB", "MCSIO 512 MB"}
    assert finding.text == "4 GB of cache ends the discussion."
    assert finding.key.startswith(str(folder / SWEEP))
    assert state.timeline is not None
    assert key in state.timeline
    assert state.pinned == (key,)
    assert (view.name, view.page, view.study) == ("Fills in the afternoon", "cache", str(folder / SWEEP))


@made_on_linux
def test_that_a_workspace_file_of_e58eba6_opens_with_every_edit_at_the_new_results_path(results: Path) -> None:
    document = load_session(results / "review.vdiwb")
    assert document.paths == (str(results / SWEEP),)
    assert_every_edit_is_present(document, results)


@made_on_linux
def test_that_the_edits_of_e58eba6_change_the_figures(results: Path, library: Library) -> None:
    state = load_session(results / "review.vdiwb").state
    groups = {group.label: group for group in library.groups(state)}
    assert list(groups) == ["MCS", "MCSIO 256 MB", "MCSIO 512 MB", "One gigabyte", "MCSIO 4 GB"]
    assert [group.label for group in library.shown(state)] == ["MCS", "One gigabyte", "MCSIO 4 GB"]
    steady = {figures.run.name: figures.phase("steady") for figures in groups["MCS"].runs}
    assert set(steady) == {"mcs-r1", "mcs-r3"}
    durations = {name: row.phase.duration_s for name, row in steady.items() if row is not None}
    assert durations == {"mcs-r1": 1500.0, "mcs-r3": 1500.0}
    totals = {name: row.total_io for name, row in steady.items() if row is not None}
    assert totals == pytest.approx({"mcs-r1": 624569.1304, "mcs-r3": 635878.3125}, rel=1e-9)


@made_on_linux
def test_that_a_finding_edited_at_e58eba6_keeps_its_text(
    results: Path, library: Library, snapshot: SnapshotAssertion
) -> None:
    state = load_session(results / "review.vdiwb").state
    edited = [finding.text for finding in kept_findings(library, state) if finding.edited]
    assert edited == snapshot


@made_on_linux
def test_that_a_journal_of_e58eba6_restores_unsaved_work(tmp_path: Path) -> None:
    file = tmp_path / "unsaved.journal"
    shutil.copyfile(FIXTURES / file.name, file)
    recovered = read_journal(file)
    assert recovered is not None
    assert recovered.session is None
    assert recovered.document.paths == (f"/srv/results/{SWEEP}",)
    assert_every_edit_is_present(recovered.document, Path("/srv/results"))


def test_that_a_bundle_of_e58eba6_opens_with_its_figures_and_edits(tmp_path: Path) -> None:
    bundle = load_bundle(FIXTURES / "xenapp.vdibundle", Store(tmp_path))
    as_read = Library(bundle.studies, {run.folder: run_figures(run) for run in bundle.studies[0].runs})
    state = bundle.document.state
    labels = [group.label for group in edited_library(as_read, as_read, state).groups(state)]
    assert labels == ["PVS 1 GB", "XenApp, 3 GB"]
    totals = {
        (figures.run.name, row.phase.name): row.total_io
        for figures in (as_read.figures or {}).values()
        for row in figures.phases
        if figures.run.name == "xenapp-1gb"
    }
    # The generator put in 19,687 and 16,411 operations; samples have six digits.
    assert totals == pytest.approx({("xenapp-1gb", "logon"): 19687.0, ("xenapp-1gb", "steady"): 16411.0}, rel=1e-8)
    assert len(bundle.sources) == len({source.hash for source in bundle.sources}) > 0


def test_that_a_workbook_of_e58eba6_serves_as_a_template(
    tmp_path: Path, results: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    filled, template = tmp_path / "filled.xlsx", FIXTURES / "template.xlsx"
    study = results / "xenapp-pvs-ram-cache"
    assert main(["export", str(study), "-o", str(filled), "--template", str(template)]) == 0
    before, after = load_workbook(template), load_workbook(filled)
    assert after.sheetnames[: len(before.sheetnames)] == before.sheetnames
    report = after["Our report"]
    assert report["A1"].value == "Results of xenapp-pvs-ram-cache"
    column = [str(row[0].value) for row in report["A3:A12"]]
    assert column[0] == "Configuration"
    assert "PVS 1 GB" in column
    assert "PVS 3 GB" in column
    assert len(report._charts) >= 1
    assert not any("{{" in str(cell.value) for row in report.iter_rows() for cell in row)
