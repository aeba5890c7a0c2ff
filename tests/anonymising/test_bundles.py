"""Anonymised bundles: no name can be read in one, and it opens with the same figures."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.anonymising.hostile_study import PLANTED, names_in, state_of, write_study
from workbench.answers.common.library import Library, edited_library
from workbench.console.loading import load_studies
from workbench.exporters.anonymous import with_names
from workbench.exporters.wanted import Wanted
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.session.bundle import BundledFile, load_bundle, notices, save_anonymous_bundle, save_bundle
from workbench.session.document import SavedSource, SessionDocument, SessionError
from workbench.session.state import State
from workbench.study.store.column_store import Store


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> tuple[Study, ...]:
    folder = tmp_path_factory.mktemp("hostile")
    store = Store(folder / "store")
    store.prepare()
    return load_studies([write_study(folder)], store)


@pytest.fixture
def document(studies: tuple[Study, ...]) -> SessionDocument:
    study = next(one for one in studies if one.runs)
    files = tuple(SavedSource(report.path, 5, 7) for report in study.files)
    return SessionDocument(paths=(study.folder,), files=files, state=state_of(study), layout="Wm9sa2F1ZXI=")


def sources_of(studies: tuple[Study, ...]) -> tuple[BundledFile, ...]:
    return tuple(BundledFile(report.path, 5, "0f" * 16) for study in studies for report in study.files)


def test_that_no_name_is_in_an_anonymised_bundle(
    studies: tuple[Study, ...], document: SessionDocument, tmp_path: Path
) -> None:
    named, without = tmp_path / "a.vdibundle", tmp_path / "b.vdibundle"
    save_bundle(named, document, studies, sources_of(studies))
    save_anonymous_bundle(without, document, studies, sources_of(studies))
    assert names_in(named) >= set(PLANTED) - {"falkenhorst"}
    assert names_in(without) == set()
    assert b"0f0f0f" not in without.read_bytes(), "no hash by which a guess can be made sure of"


def test_that_an_anonymised_bundle_opens_with_the_same_figures_and_the_edits_of_the_user_apply(
    studies: tuple[Study, ...], document: SessionDocument, tmp_path: Path
) -> None:
    file = tmp_path / "b.vdibundle"
    save_anonymous_bundle(file, document, studies, ())
    opened = load_bundle(file, Store(tmp_path / "elsewhere"))
    assert list(figures_of(opened.studies, opened.document.state)) == list(figures_of(studies, document.state))
    assert opened.document.state.notes[0].run == opened.studies[-1].runs[0].folder
    assert opened.document.state.excluded.keys() == {opened.studies[-1].runs[1].folder}
    assert notices(opened, ())[0] == "Names are replaced in this bundle."


def figures_of(studies: tuple[Study, ...], state: State) -> Iterator[tuple[object, ...]]:
    """The values of each phase of each run, with the edits of the state."""
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    for run in edited_library(library, library, state).figures.values():
        for row in run.phases:
            yield row.phase.start, row.vms, row.users, row.total_io, row.iops, row.p95_iops_per_vm, len(row.worst_vms)


def test_that_an_export_and_a_bundle_have_the_same_pseudonyms(
    studies: tuple[Study, ...], document: SessionDocument, tmp_path: Path
) -> None:
    key = tmp_path / "key.csv"
    save_anonymous_bundle(tmp_path / "b.vdibundle", document, studies, sources_of(studies), key)
    with key.open(encoding="utf-8-sig", newline="") as stream:
        of_bundle = {name: stands for stands, name in list(csv.reader(stream))[1:]}
    names = with_names(Wanted(tmp_path / "a.xlsx", anonymise=True), studies, document.state).names
    assert names is not None
    assert {**names.names, **names.users, **names.machines}.items() <= of_bundle.items()
    assert of_bundle["zkb-w10-010"].startswith("VM-")


def test_that_a_key_that_cannot_be_written_is_reported(
    studies: tuple[Study, ...], document: SessionDocument, tmp_path: Path
) -> None:
    with pytest.raises(SessionError, match=r"b\.vdibundle was saved, but its key .* was not"):
        save_anonymous_bundle(tmp_path / "b.vdibundle", document, studies, (), tmp_path / "no folder" / "key.csv")
