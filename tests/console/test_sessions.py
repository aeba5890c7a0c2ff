"""Workspace files and bundles as paths of a command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import steady_runs
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.run import Study
from workbench.session.bundle import save_bundle
from workbench.session.document import SessionDocument, save_session
from workbench.session.state import State
from workbench.study.store.column_store import default_store

# 2016-05-10T09:01:00+01:00 in seconds since 1970.
ONE_PAST_NINE = 1_462_867_260.0


@pytest.fixture(autouse=True)
def own_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Two runs of one VM: 8 IOPS of reads and 16 of writes, then a quarter of that."""
    folder = tmp_path / "lab"
    steady_runs(folder)
    (found,) = load_studies([folder], default_store())
    return found


def state_of(study: Study) -> State:
    """A workspace without the first run; the second is renamed and its steady state cut to one minute."""
    first, second = study.runs
    phase = PhaseEdit("steady", ONE_PAST_NINE, ONE_PAST_NINE + 60)
    return State(
        edits=(
            RunEdits(first.folder, excluded="wrong build"),
            RunEdits(second.folder, configuration="MCSIO small", phases=(phase,)),
        )
    )


def summary_of(path: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["summary", str(path), "--format", "json"]) == 0
    return {run["run"]: run for run in json.loads(capsys.readouterr().out)["runs"]}


def check(runs: dict[str, Any]) -> None:
    assert runs["mcs"]["excluded"] == "wrong build"
    changed = runs["mcsio-512"]
    assert changed["configuration"] == "MCSIO small"
    (phase,) = changed["phases"]
    assert (phase["evidence"], phase["duration_s"]) == ("edited", 60.0)
    # 2 reads and 4 writes a second for one minute.
    assert phase["total_io"] == pytest.approx(360.0)


def test_that_the_summary_of_a_workspace_file_includes_its_edits(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "review.vdiwb"
    save_session(session, SessionDocument(paths=(study.folder,), state=state_of(study)))
    check(summary_of(session, capsys))


def test_that_the_summary_of_a_bundle_needs_no_folder(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "review.vdibundle"
    save_bundle(bundle, SessionDocument(paths=(study.folder,), state=state_of(study)), (study,), ())
    shutil.rmtree(study.folder)
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "another"))
    check(summary_of(bundle, capsys))
    assert main(["inspect", str(bundle)]) == 0
    assert "W10-001.csv" in capsys.readouterr().out
    assert main(["export", str(bundle), "-o", str(tmp_path / "b.csv")]) == 0
    assert "MCSIO small" in (tmp_path / "b.csv").read_text(encoding="utf-8-sig")


def test_that_a_workspace_file_saved_from_a_bundle_is_summarised_with_it(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, session = tmp_path / "review.vdibundle", tmp_path / "review.vdiwb"
    save_bundle(bundle, SessionDocument(paths=(study.folder,)), (study,), ())
    save_session(session, SessionDocument(paths=(str(bundle),), state=state_of(study)))
    shutil.rmtree(study.folder)
    check(summary_of(session, capsys))


def test_that_workspace_files_and_bundles_among_results_are_named(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = Path(study.folder)
    save_bundle(folder / "review.vdibundle", SessionDocument(paths=(study.folder,)), (study,), ())
    save_session(folder / "review.vdiwb", SessionDocument(paths=(study.folder,)))
    for _first_and_from_the_store in range(2):
        assert main(["inspect", str(folder)]) == 0
        said = capsys.readouterr().out
        for kind, file in (("bundle", "review.vdibundle"), ("workspace file", "review.vdiwb")):
            assert f"info: {file}: This is a {kind} of VDI Workbench, not a result." in said


def test_that_two_workspace_files_at_once_are_rejected(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    session = tmp_path / "review.vdiwb"
    save_session(session, SessionDocument(paths=(study.folder,)))
    assert main(["summary", str(session), str(session)]) == 2
    assert capsys.readouterr().err == snapshot


@pytest.mark.parametrize("name", ["broken.vdiwb", "broken.vdibundle"])
def test_that_a_damaged_workspace_file_is_reported_with_the_next_step(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    (tmp_path / name).write_text("{")
    assert main(["summary", str(tmp_path / name)]) == 2
    said = capsys.readouterr()
    assert not said.out
    assert said.err == snapshot
    assert "pen the result folder" in said.err


def test_that_a_workspace_file_without_its_folder_names_the_folder(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "review.vdiwb"
    save_session(session, SessionDocument(paths=(study.folder,)))
    shutil.rmtree(study.folder)
    assert main(["summary", str(session)]) == 3
    assert f"{study.folder} does not exist." in capsys.readouterr().err


def test_that_an_unknown_time_zone_is_reported(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    for file in Path(study.folder).glob("*/guest/*.csv"):
        file.write_text(file.read_text().replace(" (GMT Daylight Time)(-60)", ""))
    session = tmp_path / "review.vdiwb"
    edits = RunEdits(study.runs[0].folder, time_zone="Mars/Olympus")
    save_session(session, SessionDocument(paths=(study.folder,), state=State(edits=(edits,))))
    assert main(["summary", str(session)]) == 2
    assert capsys.readouterr().err == snapshot
