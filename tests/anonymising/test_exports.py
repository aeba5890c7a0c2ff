"""Exports of a customer's study without its names: no byte of any format holds one, and no figure changes."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.anonymising.hostile_study import PLANTED, names_in, state_of, write_study
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.exporters.export import ENDINGS
from workbench.session.document import SessionDocument, save_session
from workbench.study.anonymising.pseudonyms import NOTICE
from workbench.study.store.column_store import Store

PRINTED = [
    (command, form)
    for command in ("inspect", "summary", "findings", "compare", "cache", "logons", "benchmarks")
    for form in ("table", "json", "csv")
    if (command, form) != ("inspect", "csv")
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory, qapp: object) -> Path:
    """A workspace file of the hostile study, with edits of a user."""
    folder = tmp_path_factory.mktemp("hostile")
    store = Store(folder / "store")
    store.prepare()
    root = write_study(folder)
    studies = load_studies([root], store)
    file = folder / "review.vdiwb"
    save_session(file, SessionDocument(paths=(str(root),), state=state_of(next(one for one in studies if one.runs))))
    return file


@pytest.fixture(autouse=True)
def own_store(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(workspace.parent / "store"))


def exported(workspace: Path, folder: Path, name: str, *options: str) -> list[Path]:
    folder.mkdir(exist_ok=True)
    assert main(["export", str(workspace), "-o", str(folder / name), *options]) in (0, 1)
    return sorted(file for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize("ending", ENDINGS)
def test_that_no_name_is_in_an_anonymised_export(workspace: Path, tmp_path: Path, ending: str) -> None:
    files = exported(workspace, tmp_path / "out", f"export{ending}", "--anonymise")
    assert files
    assert {file.name: names_in(file) for file in files} == {file.name: set() for file in files}


def test_that_the_search_for_names_finds_them_in_an_export_that_keeps_them(workspace: Path, tmp_path: Path) -> None:
    files = [
        file
        for name in ("a.xlsx", "b.pptx", "c.html", "d.csv")
        for file in exported(workspace, tmp_path / name, name, *(("--only", "data") if name == "d.csv" else ()))
    ]
    assert set().union(*map(names_in, files)) >= set(PLANTED) - {"10.20.30.41", "fe80::dead", "sccmhub"}


def test_that_samples_and_chart_data_contain_no_name(workspace: Path, tmp_path: Path) -> None:
    for name, only in (("samples.csv", "data"), ("charts.csv", "overview,timeline"), ("s.parquet", "data")):
        for file in exported(workspace, tmp_path / name, name, "--anonymise", "--only", only):
            assert names_in(file) == set(), file.name


def test_that_the_figures_are_those_of_the_export_with_names(workspace: Path, tmp_path: Path) -> None:
    (named,) = exported(workspace, tmp_path / "a", "phases.csv")
    (without,) = exported(workspace, tmp_path / "b", "phases.csv", "--anonymise")
    assert figures_of(without) == figures_of(named)
    assert len(figures_of(named)) == 6


def figures_of(file: Path) -> list[list[str]]:
    """The cells of each row that are numbers or times, in the order of the rows."""
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return sorted([cell for cell in row if cell[:1].isdigit()] for row in list(csv.reader(stream))[1:])


@pytest.mark.parametrize(("command", "form"), PRINTED)
def test_that_no_command_prints_a_name(
    workspace: Path, command: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([command, str(workspace), "--format", form, "--anonymise"])
    printed = capsys.readouterr()
    assert printed.out
    assert [name for name in PLANTED if name in (printed.out + printed.err).lower()] == []


def test_that_a_document_says_that_its_names_are_replaced(
    workspace: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["summary", str(workspace), "--anonymise"]) in (0, 1)
    assert capsys.readouterr().out.startswith(f"{NOTICE}.\n")
    assert main(["summary", str(workspace), "--anonymise", "--format", "json"]) in (0, 1)
    assert json.loads(capsys.readouterr().out)["anonymised"] is True
    (page,) = exported(workspace, tmp_path / "p", "page.html", "--anonymise")
    assert NOTICE in page.read_text(encoding="utf-8")
