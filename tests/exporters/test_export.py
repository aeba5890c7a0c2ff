import csv
import gc
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.exporters.jobs import library_of
from tests.exporters.studies import MCS, columns, figures_of, make_run, make_study, replicate_study
from workbench.exporters.assemble import job_of
from workbench.exporters.export import _WRITERS, export, export_each_study
from workbench.exporters.job import ExportJob, Written
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook.book import write_workbook
from workbench.model.benchmark import Benchmark, Op
from workbench.model.run import Study
from workbench.session.state import State


def written(path: Path, *studies: Study) -> Written:
    """The result of an export of everything."""
    return export(ExportJob(path, studies, tuple(figures_of(*studies))))


def test_that_the_sentence_counts_studies_runs_and_charts(tmp_path, snapshot):
    study = replicate_study(tmp_path / "data")
    said = written(tmp_path / "findings.XLSX", study).sentence
    # Two phases: bars, reads and writes, medians; cache: whole run, boot and steady.
    assert said == snapshot


def test_that_an_unknown_file_type_writes_nothing_and_lists_the_known_ones(tmp_path):
    with pytest.raises(ExportError, match=r"a\.docx ends in '\.docx'.*\.xlsx, .*\.csv"):
        written(tmp_path / "a.docx")
    with pytest.raises(ExportError, match="has no ending"):
        written(tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_that_csv_has_one_row_per_run_and_phase_and_keeps_names_text(tmp_path, snapshot):
    run = make_run(tmp_path / "data", "=1+1", MCS, columns(1, 3.0, 1.0))
    study = make_study("lab", [run])
    said = written(tmp_path / "a.csv", study).sentence
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert said == snapshot
    assert (tmp_path / "a.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert rows[0]["run"] == "'=1+1"
    assert float(rows[0]["iops"]) == pytest.approx(4.0)
    assert rows[0]["cpu_percent"] == ""


def test_that_a_failed_workbook_leaves_the_earlier_one(tmp_path, monkeypatch):
    study = replicate_study(tmp_path / "data")
    target = tmp_path / "findings.xlsx"
    written(target, study)
    before = target.read_bytes()

    def fails(*_arguments):
        raise ValueError("no such formula")

    monkeypatch.setattr("workbench.exporters.workbook.book.save", fails)
    with pytest.raises(ExportError, match=r"no such formula.*unchanged"):
        written(target, study)
    assert target.read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"data", "findings.xlsx"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_that_a_full_disk_leaves_no_archive_that_raises_an_error_later(tmp_path):
    study = replicate_study(tmp_path)
    with pytest.raises(OSError, match="No space left"):
        write_workbook(Path("/dev/full"), (study,), figures_of(study))
    # pytest fails on exceptions that no caller can catch.
    gc.collect()


def test_that_each_study_has_a_separate_workbook_without_data_of_others(tmp_path: Path) -> None:
    rows = (Benchmark("a.json", "fio", Op.READ, job="secret disk", iops=1_000.0),)
    studies = (
        replicate_study(tmp_path / "a", "one"),
        replicate_study(tmp_path / "b", "two"),
        Study("disks", "disks", (), (), (), rows),
    )
    job = job_of(library_of(*studies), State(), Wanted(tmp_path / "all.xlsx", length="full"))
    written = export_each_study(job)
    assert [path.name for path in written.files] == ["all-one.xlsx", "all-two.xlsx", "all-disks.xlsx"]
    for path, own, others in zip(written.files, ("one", "two", "disks"), ("two", "one", "one"), strict=True):
        book = load_workbook(path)
        words = {str(cell.value) for sheet in book for row in sheet.iter_rows() for cell in row}
        assert f"Summary: {own}" in words
        assert not {word for word in words if f"{others}: " in word or word == others}
        assert ("secret disk" in words) == (own == "disks")
        visible = [sheet.title for sheet in book if sheet.sheet_state == "visible"]
        assert len(visible) <= 16
        assert ("IOPS" in visible) == (own != "disks")


def test_that_studies_of_the_same_name_are_not_mixed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    studies = [replace(replicate_study(tmp_path / name, "lab"), folder=f"{name}/lab") for name in ("a", "b")]
    job = job_of(library_of(*studies), State(), Wanted(tmp_path / "all.xlsx"))
    jobs: list[ExportJob] = []

    def write(one: ExportJob, _painter: object) -> Written:
        jobs.append(one)
        return Written("", (one.path,))

    monkeypatch.setitem(_WRITERS, ".xlsx", write)
    written = export_each_study(job)
    assert [path.name for path in written.files] == ["all-lab.xlsx", "all-lab-2.xlsx"]
    for one, study in zip(jobs, studies, strict=True):
        answered = [part.content for part in job.parts if part.folder == study.folder]
        assert [part.content.question for part in one.parts] == [content.question for content in answered]
        assert len({part.key for part in one.parts}) == len(one.parts)
