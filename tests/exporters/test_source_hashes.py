"""Hashes of the source files: in workbook, page, report and notes of slides."""

from __future__ import annotations

import hashlib
import shutil
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook
from pptx import Presentation
from syrupy.assertion import SnapshotAssertion

from tests.exporters.jobs import exported
from workbench.answers.common.library import Library
from workbench.console.loading import load_studies
from workbench.exporters.source_hashes import hash_lines, known_files
from workbench.measures.phase_table import run_figures
from workbench.study.store.column_store import Store

SAMPLE = Path(__file__).parents[2] / "sample_data" / "xenapp-pvs-ram-cache"


@pytest.fixture(scope="module")
def around(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study in a folder that contains a file with the same name as a file of the study."""
    folder = tmp_path_factory.mktemp("around")
    shutil.copytree(SAMPLE, folder / "lab")
    (folder / "README.md").write_text("of the folder around")
    (folder / "lab" / "README.md").write_text("of the study")
    return folder


def _opened(path: Path, store: Path) -> Library:
    studies = load_studies([path], Store(store))
    return Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})


def _sums(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_that_files_are_found_from_the_folder_that_was_opened(around: Path, tmp_path: Path) -> None:
    for opened in (around, around / "lab"):
        (study,) = _opened(opened, tmp_path / "store").studies
        found = {one.name: one.sha256 for one in known_files(study)}
        assert found == _sums(opened), f"opened as {opened.name}"


def test_that_a_file_in_an_archive_has_the_hash_of_the_archive(around: Path, tmp_path: Path) -> None:
    lab = around / "lab"
    with zipfile.ZipFile(tmp_path / "lab.zip", "w") as archive:
        for path in lab.rglob("*"):
            archive.write(path, path.relative_to(lab))
    digest = hashlib.sha256((tmp_path / "lab.zip").read_bytes()).hexdigest()
    (study,) = _opened(tmp_path / "lab.zip", tmp_path / "store").studies
    assert {(one.sha256, one.archive) for one in known_files(study)} == {(digest, "lab.zip")}
    assert all("(of the archive lab.zip)" in line for line in hash_lines(known_files(study)))


def test_that_a_missing_file_has_no_hash_and_others_keep_theirs(
    around: Path, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    shutil.copytree(around, tmp_path / "copy")
    (study,) = _opened(tmp_path / "copy", tmp_path / "store").studies
    (tmp_path / "copy" / "lab" / "README.md").unlink()
    missing = [one for one in known_files(study) if one.sha256 is None]
    assert [(one.name, one.size) for one in missing] == [("lab/README.md", None)]
    assert hash_lines(missing) == snapshot


def test_that_workbook_page_and_notes_of_slides_have_the_hash_of_every_file_read(around: Path, tmp_path: Path) -> None:
    library = _opened(around, tmp_path / "store")
    sums = {name: digest for name, digest in _sums(around).items() if not name.endswith(".md")}
    for ending in (".xlsx", ".html", ".pptx"):
        exported(library, tmp_path / f"a{ending}")
    sheet = load_workbook(BytesIO((tmp_path / "a.xlsx").read_bytes()), read_only=True)["Sources"]
    rows = {row[1]: row[4] for row in sheet.iter_rows(values_only=True) if row[4]}
    assert sums.items() <= rows.items()
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    assert [name for name, digest in sums.items() if digest not in page] == []
    slides = list(Presentation(str(tmp_path / "a.pptx")).slides)
    method = next(slide for slide in slides if slide.shapes.title.text == "Method")
    notes = method.notes_slide.notes_text_frame.text
    assert [name for name, digest in sums.items() if f"- {name}: {digest}" not in notes] == []


def test_that_the_notes_of_a_finding_name_only_the_files_of_its_runs(around: Path, tmp_path: Path) -> None:
    library = _opened(around, tmp_path / "store")
    (study,) = library.studies
    run = study.runs[0]
    own = [one for one in known_files(study) if one.of_run([run.folder])]
    prefix = Path(run.folder).relative_to(around).as_posix()
    assert own
    assert {one.name for one in own} == {name for name in _sums(around) if name.startswith(f"{prefix}/")}


def test_that_long_lists_are_cut_and_counted(around: Path, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (study,) = _opened(around, tmp_path / "store").studies
    lines = hash_lines(known_files(study) * 40)
    assert len(lines) == 121
    assert lines[-1] == snapshot
