"""The top folder of a lab: the right runs, separate benchmarks, and no reports about other files."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from workbench.answers.common.causes import alike
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.model.run import Study
from workbench.study.discovery import copies
from workbench.study.discovery.folders import find_sources
from workbench.study.store.column_store import Store

RATES = [20.0 + n % 7 for n in range(60)]
PNG, OLE, PDF = b"\x89PNG\r\n\x1a\n" + bytes(60), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), b"%PDF-1.4\n"
ASIDES: dict[str, bytes] = {
    "README.md": b"# Lab\n\nTuesday: fan broke\n",
    "Report.docx": b"PK\x03\x04 no zip at all",
    "Thumbs.db": OLE,
    "agenda.pdf": PDF,
    "scripts/start-run.ps1": b"param($runs)\nStart-Job -Name boot\n",
    "scripts/collect.py": b"import csv\nprint('time,event')\n",
    "screenshots/perfmon.png": PNG,
    "results/desktop.ini": b"[.ShellClassInfo]\nIconFile=x.ico\n",
    "results/MCS run 1/screen.png": PNG,
}
FIO = {
    "fio version": "fio-3.36",
    "jobs": [{"jobname": "4k", "error": 0, "read": {"iops": 900.0, "bw": 3600, "io_bytes": 36_864_000}}],
}


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    """A project folder: results with runs and benchmarks, an old pilot, raw files, and various other files."""
    root = tmp_path / "Project"
    for name, content in ASIDES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(content)
    for number, configuration in enumerate(("MCS", "MCSIO 512 MB")):
        for run in (1, 2):
            for machine in ("W10-001", "W10-002"):
                file = root / "results" / f"{configuration} run {run}" / "guest" / f"{machine}.csv"
                values = [rate + 3 * number + run + len(machine) for rate in RATES]
                disk_csv(file, machine, values, RATES, start=f"05/1{run}/2016 {9 + number:02}:00:00.000")
    (root / "results" / "fio").mkdir()
    (root / "results" / "fio" / "4k.json").write_text(json.dumps(FIO))
    disk_csv(root / "old" / "MCS pilot" / "W10-001.csv", "W10-001", RATES, RATES, start="04/01/2016 09:00:00.000")
    for at, name in enumerate(("mcs", "mcsio512")):
        values = [rate + 11 * at for rate in RATES]
        disk_csv(root / "raw" / f"{name}_W10-001.csv", "W10-001", values, RATES, start="05/20/2016 09:00:00.000")
    return root


def opened(lab: Path) -> dict[str, Study]:
    return {study.name: study for study in load_studies([lab], Store(lab.parent / "store"))}


def packed(archive: Path, *files: Path) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as members:
        for file in files:
            members.write(file, file.relative_to(archive.parent).as_posix())


def test_that_the_top_folder_gives_a_study_of_the_right_runs(lab: Path) -> None:
    studies = opened(lab)
    assert {name: [run.name for run in study.runs] for name, study in studies.items()} == {
        "Project": ["raw", "MCS run 1", "MCS run 2", "MCSIO 512 MB run 1", "MCSIO 512 MB run 2"],
        "old": ["MCS pilot"],
    }
    project = studies["Project"]
    assert [run.configuration.name for run in project.runs[1:]] == ["MCS", "MCS", "MCSIO 512 MB", "MCSIO 512 MB"]
    assert [row.iops for row in project.benchmarks] == [900.0]
    assert all(not run.benchmarks for run in project.runs)


def test_that_a_file_that_is_not_a_result_has_a_row_and_no_note(lab: Path) -> None:
    files = {report.path: report.reader for study in opened(lab).values() for report in study.files}
    noted = {problem.file for study in opened(lab).values() for problem in study.problems}
    assert {files[name] for name in ASIDES} == {None}
    assert not noted & set(ASIDES)


def test_that_a_file_that_may_be_a_result_has_a_note(lab: Path) -> None:
    (lab / "results" / "array.dat").write_bytes(b"\0\1\2\3" * 99)
    noted = {problem.file: problem.code for problem in opened(lab)["Project"].problems}
    assert noted["results/array.dat"] == "not-recognised"


def test_that_a_zip_next_to_its_folder_is_not_a_second_run(lab: Path, snapshot: SnapshotAssertion) -> None:
    run = lab / "results" / "MCS run 1"
    packed(lab / "results" / "MCS run 1.zip", *sorted(run.rglob("*.csv")))
    project = opened(lab)["Project"]
    assert [one.name for one in project.runs].count("MCS run 1") == 1
    (problem,) = [problem for problem in project.problems if problem.code == "packed-copy"]
    assert (problem.file, problem.message) == snapshot


def test_that_a_zip_with_more_content_than_its_folder_gives_the_difference(lab: Path) -> None:
    file = lab / "results" / "MCS run 1" / "guest" / "W10-002.csv"
    packed(lab / "results" / "more.zip", *sorted((lab / "results" / "MCS run 1").rglob("*.csv")))
    file.write_bytes(file.read_bytes().replace(b'"29', b'"39'))
    problems = [problem for study in opened(lab).values() for problem in study.problems]
    codes = {problem.file: problem.code for problem in problems}
    assert codes["results/more.zip/MCS run 1/guest/W10-001.csv"] == "packed-copy"
    assert "results/more.zip/MCS run 1/guest/W10-002.csv" not in codes


def test_that_inspect_reports_a_folder_that_looks_like_several_runs(
    lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(lab.parent / "store"))
    assert main(["inspect", str(lab), "--format", "json"]) == 0
    problems = json.loads(capsys.readouterr().out)["problems"]
    (mixed,) = [problem for problem in problems if problem["code"] == "runs-mixed"]
    assert mixed["message"] == snapshot
    assert "MCSIO 512 MB: raw/mcsio512_W10-001.csv" in mixed["message"]


def test_that_an_excluded_folder_has_no_line(lab: Path) -> None:
    (lab / "scripts" / ".vdi-skip").touch()
    assert not [file for study in opened(lab).values() for file in study.files if file.path.startswith("scripts")]


def test_that_a_zip_member_is_found_among_many_with_its_name_and_size(
    lab: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    for number in range(60):
        folder = lab / "many" / f"run {number}"
        folder.mkdir(parents=True)
        (folder / "same.txt").write_text(f"{number:04}" * 20)
    packed(lab / "many.zip", *sorted((lab / "many").rglob("*.txt")))
    files, read = sorted((lab / "many").rglob("*.txt")), list[Path]()
    checksum = copies._checksum

    def counted(path: Path, size: int, mtime_ns: int) -> int | None:
        read.append(path)
        return checksum(path, size, mtime_ns)

    monkeypatch.setattr(copies, "_checksum", counted)
    found = find_sources([lab], Store(lab.parent / "store")).sources
    (problem,) = [source.problem for source in found if source.name == "many.zip"]
    assert problem is not None
    assert problem.message == snapshot
    assert sorted(read) == files


def test_that_the_empty_files_of_an_aborted_run_form_one_cause(lab: Path) -> None:
    run = lab / "results" / "MCS run 1"
    for number in range(90):
        (run / f"sd{number:02}.html").touch()
    (lab / "results" / "MCS run 2" / "alone.html").touch()
    problems = [problem for problem in opened(lab)["Project"].problems if problem.code == "empty-file"]
    assert [(cause.count, cause.first.message) for cause in alike(problems)] == [(91, "The file is empty (0 bytes).")]
