"""A folder gives an equal report for any order of reading, because several processes read its files at once."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.builders import disk_csv, steady_runs
from tests.console.written_answers import walked
from workbench.model.run import Study
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.build import build_studies
from workbench.study.importing.source import read_source
from workbench.study.store.column_store import Store

NAMES = ("zebra.txt", "apple.txt", "mango.txt", "kiwi.txt")


def studies_of(folder: Path, files: Sequence[str]) -> tuple[Study, ...]:
    """The studies of a folder; its files are read in this order."""
    store = Store(folder.parent / "store")
    store.prepare()
    found = find_sources([folder], store)
    by_name = {source.name: source for source in found.sources}
    assert sorted(files) == sorted(by_name)
    return build_studies(found, [(by_name[name], read_source(by_name[name].path, name, store)) for name in files])


@pytest.mark.parametrize("seed", range(4))
def test_that_the_order_of_reading_changes_no_figure(tmp_path: Path, seed: int) -> None:
    lab = tmp_path / "lab"
    steady_runs(lab)
    disk_csv(lab / "mcs" / "guest" / "W10-002.csv", "W10-002", [1.0] * 24, [2.0] * 24)
    for name in NAMES:
        (lab / name).write_text(f"what {name} says")
    store = Store(tmp_path / "store")
    found = find_sources([lab], store)
    readings = [(source, read_source(source.path, source.name, store)) for source in found.sources]
    (study,) = build_studies(found, random.Random(seed).sample(readings, len(readings)))
    assert [Path(report.path).name for report in study.files if report.path.endswith(".txt")] == sorted(NAMES)
    unknown = [Path(problem.file).name for problem in study.problems if problem.file.endswith(".txt")]
    assert unknown == sorted(NAMES)
    recorded = [[recording.file for recording in run.recordings] for run in study.runs]
    assert [[Path(file).name for file in files] for files in recorded] == [
        ["W10-001.csv", "W10-002.csv"],
        ["W10-001.csv"],
    ]


def test_that_studies_and_their_files_are_in_the_order_of_their_names(tmp_path: Path) -> None:
    names = [f"{study}/{run}/{file}.csv" for study in "aBcde" for run in "xY" for file in "vW"]
    for name in names:
        disk_csv(tmp_path / "labs" / name, "W10-001", [1.0] * 24, [2.0] * 24)
    names.append("a/X.txt")
    (tmp_path / "labs" / names[-1]).write_text("words")
    studies = studies_of(tmp_path / "labs", random.Random(5).sample(names, len(names)))
    assert [study.name for study in studies] == ["B", "a", "c", "d", "e"]
    for study in studies:
        files = [report.path.removeprefix(f"{study.name}/") for report in study.files]
        # The unknown file of the first study is in none of its runs.
        assert files == [*(["X.txt"] if study.name == "a" else []), "Y/W.csv", "Y/v.csv", "x/W.csv", "x/v.csv"]
        assert [run.name for run in study.runs] == ["Y", "x"]


def test_that_the_unknown_files_of_a_run_are_named_in_their_order(tmp_path: Path) -> None:
    names = ("b.dat", "a.dat", "c.dat")
    (tmp_path / "lab" / "run").mkdir(parents=True)
    (tmp_path / "lab" / "run" / "run.toml").write_text("vms = 3\n")
    for name in names:
        (tmp_path / "lab" / "run" / name).write_text(f"what {name} says")
    (study,) = studies_of(tmp_path / "lab", ["run/run.toml", *(f"run/{name}" for name in names)])
    (problem,) = (problem for problem in study.problems if problem.code == "run-without-data")
    assert "run/a.dat, run/b.dat and run/c.dat" in problem.message


@pytest.mark.skipif(sys.platform == "win32", reason="Windows allows links to administrators only")
@pytest.mark.parametrize("names", [("a.csv", "b.csv"), ("a/link.csv", "b/link.csv")])
def test_that_the_first_by_name_of_two_links_to_one_file_is_read(tmp_path: Path, names: tuple[str, str]) -> None:
    disk_csv(tmp_path / "elsewhere.csv", "W10-001", [1.0] * 24, [2.0] * 24)
    for name in names:
        link = tmp_path / "lab" / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(tmp_path / "elsewhere.csv")
    with walked(list.reverse):
        found = find_sources([tmp_path / "lab"])
    assert [(source.name, source.problem and source.problem.code) for source in found.sources] == [
        (names[0], None),
        (names[1], "same-file"),
    ]
