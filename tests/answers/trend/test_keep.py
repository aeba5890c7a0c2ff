"""Saving studies to a history folder: every fact, once, and in order of date for any clock."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import lab
from tests.builders import disk_csv
from tests.study.history.kept import kept_run, kept_study
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.trend import joined as choosing
from workbench.answers.trend import keep as keeping
from workbench.answers.trend.joined import joined
from workbench.answers.trend.keep import Kept, keep_study
from workbench.answers.trend.page import answer
from workbench.answers.trend.parted import series_of
from workbench.answers.trend.points import study_points
from workbench.answers.trend.spec import FOLDER
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.edits import RunEdits
from workbench.model.history import DateEvidence, HistoryPoint, PastRuns
from workbench.model.run import Study
from workbench.study.history.read import read_file, read_history
from workbench.study.history.write import keep
from workbench.study.overrides import edited
from workbench.study.store.column_store import default_store


def opened(folder: Path) -> Study:
    study, *_ = load_studies([folder], default_store())
    return study


def groups_of(study: Study) -> tuple[Group, ...]:
    return group_runs(run_figures(run) for run in study.runs)


def kept(history: Path, folder: Path) -> Kept:
    study = opened(folder)
    return keep_study(history, study, groups_of(study))


def steady(points: tuple[HistoryPoint, ...]) -> list[tuple[str, str | None, float]]:
    (series,) = [each for each in series_of(points) if each.measure.key == "iops_per_vm"]
    return [(point.run, point.build, point.value) for point in series.points]


def test_that_a_saved_run_has_the_figures_of_the_open_one(tmp_path: Path) -> None:
    study = opened(lab(tmp_path / "lab", [10.0, 20.0], workload=["office", "office"]))
    result = keep_study(tmp_path / "history", study, groups_of(study))
    points, history = study_points(study.name, groups_of(study)), read_history(tmp_path / "history")
    facts = [
        (each.run, each.measure, each.phase, each.value, each.build, each.seconds, each.sources, each.circumstances)
        for each in (*points, *history.points)
    ]
    assert facts[: len(points)] == facts[len(points) :]
    assert {point.date.evidence for point in history.points if point.date} == {DateEvidence.HISTORY}
    head = read_file(result.file).study
    assert head is not None
    assert (head.name, head.path, head.runs) == ("lab", str(tmp_path / "lab"), 2)


def test_that_a_run_in_the_open_study_and_in_the_history_counts_once(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0, 30.0])
    kept(tmp_path / "history", folder)
    (folder / "MCS-03").rename(folder / "another name")
    study = opened(folder)
    points = joined(study_points(study.name, groups_of(study)), read_history(tmp_path / "history").points)
    assert [value for _, _, value in steady(points)] == [15.0, 30.0, 45.0]
    assert {point.file for point in points} == {""}, "the open run counts, which leads to its samples"


def test_that_a_run_whose_time_zone_and_configuration_and_build_were_stated_later_counts_once(tmp_path: Path) -> None:
    for name in ("a", "b"):
        disk_csv(tmp_path / "lab" / name / "V1.csv", "V1", [10.0 + ord(name)] * 60, [5.0] * 60, zone="", bias="")
        text = (tmp_path / "lab" / name / "V1.csv").read_text()
        (tmp_path / "lab" / name / "V1.csv").write_text(text.replace("(PDH-CSV 4.0) ()()", "(PDH-CSV 4.0)"))
    kept(tmp_path / "history", tmp_path / "lab")
    study = opened(tmp_path / "lab")
    assert study.runs[0].recordings[0].utc_offset_minutes is None
    runs = [edited(run, RunEdits(run.folder, configuration="X", time_zone="+05:00", build="7")) for run in study.runs]
    groups = group_runs(map(run_figures, runs))
    points = joined(study_points(study.name, groups), read_history(tmp_path / "history").points)
    assert {point.file for point in points} == {""}


def test_that_an_excluded_copy_does_not_exclude_the_run_that_counts(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0])
    shutil.copytree(folder / "MCS-01", folder / "MCS-09")
    kept(tmp_path / "history", folder)
    study = opened(folder)
    groups = groups_of(study)
    assert [run.run.name for group in groups for run in group.excluded] == ["MCS-09"]
    out = study_points(study.name, groups, excluded=True)
    history = read_history(tmp_path / "history")
    for points in (joined(study_points(study.name, groups), history.points, out), history.points):
        assert [run for run, _, _ in steady(points)] == ["MCS-01", "MCS-02"]


def test_that_runs_with_an_unset_clock_return_without_a_date(tmp_path: Path) -> None:
    for number in (1, 2):
        run = tmp_path / "lab" / f"r{number}"
        disk_csv(run / "V1.csv", "V1", [10.0] * 60, [5.0 * number] * 60, start="01/01/1970 09:00:00.000")
        (run / "run.toml").write_text('configuration = "MCS"\n')
    kept(tmp_path / "history", tmp_path / "lab")
    history = read_history(tmp_path / "history")
    assert history.problems == ()
    assert {(point.run, point.date) for point in history.points} == {("r1", None), ("r2", None)}


def test_that_an_infinite_figure_is_omitted_and_the_other_figures_are_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = opened(lab(tmp_path / "lab", [10.0]))
    points = study_points(study.name, groups_of(study), ["iops_per_vm", "total_io_per_vm"])
    broken = [replace(point, value=inf) if point.measure == "iops_per_vm" else point for point in points]
    monkeypatch.setattr(keeping, "study_points", lambda *_: broken)
    keep_study(tmp_path / "history", study, groups_of(study))
    history = read_history(tmp_path / "history", ("iops_per_vm", "total_io_per_vm"))
    assert history.problems == ()
    assert {point.measure for point in history.points} == {"total_io_per_vm"}


def test_that_two_studies_with_the_same_name_are_both_saved(tmp_path: Path) -> None:
    first = kept(tmp_path / "history", lab(tmp_path / "may" / "lab", [10.0, 20.0]))
    second = kept(tmp_path / "history", lab(tmp_path / "june" / "lab", [30.0, 40.0]))
    assert first.study == second.study
    assert first.file != second.file
    values = [point.value for point in read_history(tmp_path / "history").points if point.measure == "iops_per_vm"]
    assert sorted(values) == [15.0, 30.0, 45.0, 60.0]


def test_that_a_run_excluded_before_saving_again_leaves_the_history(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0])
    kept(tmp_path / "history", folder)
    file = folder / "MCS-02" / "run.toml"
    file.write_text('exclude = "the host was rebooted"\n' + file.read_text())
    again = kept(tmp_path / "history", folder)
    assert (again.runs, again.excluded) == (2, 1)
    assert "2 runs of lab (1 of them excluded)" in again.sentence
    assert list((tmp_path / "history").iterdir()) == [again.file]
    assert {point.run for point in read_history(tmp_path / "history").points} == {"MCS-01"}


def test_that_runs_from_different_time_zones_are_in_order_of_time(tmp_path: Path) -> None:
    # 10:00 in Tokyo is 01:00 UTC, 09:00 in London 08:00, 08:00 in New York 12:00.
    for name, start, bias, rate in (
        ("ny", "08", "240", 3.0),
        ("london", "09", "-60", 2.0),
        ("tokyo", "10", "-540", 1.0),
    ):
        place = tmp_path / "lab" / name
        disk_csv(place / "V1.csv", "V1", [rate] * 60, [rate] * 60, start=f"05/10/2016 {start}:00:00.000", bias=bias)
        (place / "run.toml").write_text(f'configuration = "MCS"\nbuild = "{name}"\n')
    kept(tmp_path / "history", tmp_path / "lab")
    history = read_history(tmp_path / "history")
    assert [build for _, build, _ in steady(history.points)] == ["tokyo", "london", "ny"]
    dates = sorted({point.date.seconds for point in history.points if point.date})
    assert [datetime.fromtimestamp(at, UTC).hour for at in dates] == [1, 8, 12]


def test_that_runs_from_the_same_second_are_all_saved(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0, 30.0])
    for run in folder.iterdir():
        (run / "run.toml").write_text('configuration = "MCS"\ndate = 2026-03-01T09:00:00Z\n')
    kept(tmp_path / "history", folder)
    assert [value for _, _, value in steady(read_history(tmp_path / "history").points)] == [15.0, 30.0, 45.0]


def test_that_a_build_without_a_date_and_a_date_without_a_build_are_saved(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0])
    (folder / "MCS-01" / "run.toml").write_text('configuration = "MCS"\nbuild = "22H2-19045.3803"\n')
    (folder / "MCS-02" / "run.toml").write_text('configuration = "MCS"\ndate = 2016-05-01\n')
    kept(tmp_path / "history", folder)
    points = read_history(tmp_path / "history").points
    assert [build for _, build, _ in steady(points)] == [None, "22H2-19045.3803"], "in the order of their dates"
    assert all(point.date is not None for point in points)


def test_that_vdiwb_saves_a_study_and_reads_it_without_the_results(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = tmp_path / "share" / "history"
    first, second = lab(tmp_path / "march" / "lab", [10.0, 11.0, 12.0]), lab(tmp_path / "april", [20.0, 21.0])
    assert main(["trend", str(first), "--history", str(history), "--keep"]) == 0
    (file,) = history.iterdir()
    assert f"Saved 3 runs of lab in {file}." in capsys.readouterr().out
    (first / "MCS-01" / "V1.csv").unlink()
    assert main(["trend", str(second), "--history", str(history), "--format", "json"]) == 0
    reply = capsys.readouterr().out
    assert reply.count('"study": "lab"') == 3 * reply.count('"outcome"')


def test_that_keep_names_its_missing_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = lab(tmp_path / "lab", [10.0])
    assert main(["trend", str(folder), "--keep"]) == 2
    assert "--keep requires --history DIR" in capsys.readouterr().err
    (tmp_path / "taken").write_text("a file")
    assert main(["trend", str(folder), "--history", str(tmp_path / "taken"), "--keep"]) == 2
    assert "taken is a file. Name the history folder." in capsys.readouterr().err
    assert main(["trend", str(folder), "--history", str(tmp_path), "--anonymise"]) == 2
    assert "names in a history folder cannot be replaced" in capsys.readouterr().err


def test_that_the_page_reads_the_history_folder_once_and_shows_the_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    kept(tmp_path / "history", lab(tmp_path / "past", [10.0]))
    (tmp_path / "history" / "odd.vdihistory").write_text("{}")
    study = opened(lab(tmp_path / "lab", [11.0, 12.0]))
    library = Library((study,), {run.folder: run_figures(run) for run in study.runs})
    folders: list[Path] = []

    def reading(folder: Path, measures: Sequence[str]) -> PastRuns:
        folders.append(folder)
        return read_history(folder, measures)

    monkeypatch.setattr(choosing, "read_history", reading)
    content = answer(library, Choices().with_input(FOLDER, str(tmp_path / "history")))
    assert folders == [tmp_path / "history"]
    assert content.caption.split(" · ") == snapshot


def test_that_weekly_runs_with_the_same_name_count_separately(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    for week in range(12):
        keep(tmp_path / "history", kept_study("weekly"), (kept_run(week, name="nightly"),))
    study = opened(lab(tmp_path / "lab", [10.0, 11.0]))
    library = Library((study,), {run.folder: run_figures(run) for run in study.runs})
    content = answer(library, Choices().with_input(FOLDER, str(tmp_path / "history")))
    assert content.caption.split(" · ") == snapshot


def test_that_the_page_names_history_files_that_cannot_be_read(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    study = opened(lab(tmp_path / "lab", [10.0, 11.0]))
    (tmp_path / "history").mkdir()
    (tmp_path / "history" / "odd.vdihistory").write_text("{}")
    library = Library((study,), {run.folder: run_figures(run) for run in study.runs})
    content = answer(library, Choices().with_input(FOLDER, str(tmp_path / "history")))
    assert content.tables[-1].name == snapshot
    assert [cell.text for cell in content.tables[-1].rows[0]][:2] == ["odd.vdihistory", "1"]
    assert len(answer(library, Choices()).tables) == len(content.tables) - 1
