"""Bundles: a study opens on another machine with exactly the saved figures."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.session.bundle import BundledFile, differences, load_bundle, save_bundle, sources_of
from workbench.session.document import SessionDocument, SessionError
from workbench.session.state import State
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[2] / "sample_data" / "xenapp-pvs-ram-cache"


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, ...]:
    store = Store(tmp_path_factory.mktemp("store"))
    store.prepare()
    return load_studies([SAMPLE], store)


def test_that_a_bundle_opens_with_the_same_figures_without_its_source_files(
    studies: tuple[Study, ...], tmp_path: Path
) -> None:
    file = tmp_path / "x.vdibundle"
    document = SessionDocument(paths=(str(SAMPLE),), state=State(page="cache"))
    save_bundle(file, document, studies, ())
    found = load_bundle(file, Store(tmp_path / "elsewhere"))
    assert found.document == document
    before = [run_figures(run).phases for study in studies for run in study.runs]
    after = [run_figures(run).phases for study in found.studies for run in study.runs]
    assert before
    assert after == before
    assert [study.problems for study in found.studies] == [study.problems for study in studies]
    stores = {Path(r.store_file or "").parents[2] for s in found.studies for run in s.runs for r in run.recordings}
    assert stores == {tmp_path / "elsewhere"}


def test_that_a_bundle_keeps_build_and_date_of_a_run(studies: tuple[Study, ...], tmp_path: Path) -> None:
    first = replace(studies[0], runs=(replace(studies[0].runs[0], build="22H2-19045.3803", date="2016-05-10"),))
    save_bundle(tmp_path / "x.vdibundle", SessionDocument(), (first,), ())
    ((run,),) = (study.runs for study in load_bundle(tmp_path / "x.vdibundle", Store(tmp_path / "elsewhere")).studies)
    assert (run.build, run.date) == ("22H2-19045.3803", "2016-05-10")


def test_that_a_bundle_reports_if_its_source_files_differ(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    file = tmp_path / "a.csv"
    file.write_text("1")
    then = sources_of({"a.csv": file, "b.csv": file})
    assert differences(then, then) == ()
    file.write_text("2")
    assert differences(then, sources_of({"a.csv": file, "b.csv": file}))[0] == snapshot
    assert "not on this machine" in differences(then, ())[0]
    assert "b.csv: missing" in differences(then, then[:1])[0]


@pytest.mark.parametrize("damage", ["cut", "text", "no studies", "other column", "bomb"])
def test_that_a_damaged_bundle_is_rejected_with_its_name(
    studies: tuple[Study, ...], tmp_path: Path, damage: str
) -> None:
    file = tmp_path / "x.vdibundle"
    save_bundle(file, SessionDocument(), studies, (BundledFile("a", 1, "h"),))
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:-400])
    elif damage == "text":
        file.write_text("not a zip")
    else:
        _repack(file, damage)
    with pytest.raises(SessionError, match=r"x\.vdibundle"):
        load_bundle(file, Store(tmp_path / "elsewhere"))


def _repack(file: Path, damage: str) -> None:
    """Writes the bundle again with this damage."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if damage == "no studies":
        del members["studies.json"]
    elif damage == "other column":
        members[next(name for name in members if name.startswith("columns/"))] = b"PAR1 nothing PAR1"
    else:
        members["columns/bomb.parquet"] = bytes(5 * 2**20)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_that_a_bundle_that_cannot_be_written_keeps_the_earlier_one(
    studies: tuple[Study, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "x.vdibundle"
    file.write_bytes(b"earlier")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(SessionError, match="No space left"):
        save_bundle(file, SessionDocument(), tuple(replace(study, runs=study.runs[:1]) for study in studies), ())
    assert file.read_bytes() == b"earlier"
