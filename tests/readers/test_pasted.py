"""A report pasted into a document is ignored if the test has results."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.fio.test_beside import TEXT, study
from tests.readers.vdbench_folder import write_folder

PAGE = f"# Storage of the lab\n\nWhat a result looks like:\n\n```\n{TEXT}```\n"
OTHER = TEXT.replace("vdi:", "cache:")


@pytest.mark.parametrize(
    "name", ["README_dot_md", "notes_dot_rst", "page_dot_html", "README", "readme_dot_txt", "parse_dot_cs"]
)
@pytest.mark.parametrize("result", ["fio_dot_txt", "results__fio_dot_log"])
def test_that_a_report_inside_a_document_is_ignored_if_results_exist(
    tmp_path: Path, name: str, result: str, snapshot: SnapshotAssertion
) -> None:
    built = study(tmp_path, **{name: PAGE, result: OTHER})
    assert [row.job for row in built.benchmarks] == ["cache"]
    (problem,) = [problem for problem in built.problems if problem.code == "pasted-report"]
    assert problem.file.endswith(name.replace("_dot_", "."))
    assert problem.message == snapshot
    listed = {report.path.rpartition("/")[2]: report.recognised for report in built.files}
    assert listed == {name.replace("_dot_", "."): False, result.rpartition("__")[2].replace("_dot_", "."): True}


@pytest.mark.parametrize("beside", [{}, {"design_dot_md": "# Plan\n"}, {"other__fio_dot_txt": OTHER}])
def test_that_a_document_with_the_only_results_around_it_is_read(tmp_path: Path, beside: dict[str, str]) -> None:
    built = study(tmp_path, lab__README_dot_md=PAGE, **beside)
    assert "vdi" in [row.job for row in built.benchmarks]
    assert "pasted-report" not in [problem.code for problem in built.problems]


def test_that_two_documents_without_other_results_are_both_read(tmp_path: Path) -> None:
    built = study(tmp_path, a_dot_md=PAGE, b_dot_md=PAGE.replace("vdi:", "cache:"))
    assert sorted(row.job or "" for row in built.benchmarks) == ["cache", "vdi"]


def test_that_vdbench_pages_are_not_documents(tmp_path: Path) -> None:
    write_folder(tmp_path / "lab")
    built = study(tmp_path, fio_dot_txt=TEXT)
    assert {row.tool for row in built.benchmarks} == {"fio", "vdbench"}
