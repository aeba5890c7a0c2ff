"""The runs of a series: those of the open studies and of the history folder, each once, without excluded ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import DAY, FIRST, lab, of, stepped, weekly
from tests.builders import disk_csv
from workbench.answers.trend.joined import joined
from workbench.answers.trend.parted import series_of
from workbench.answers.trend.points import slots, study_points
from workbench.console.loading import load_studies
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.history import DateEvidence, HistoryPoint, RunDate
from workbench.model.run import Study
from workbench.study.store.column_store import default_store


def opened(folder: Path) -> Study:
    study, *_ = load_studies([folder], default_store())
    return study


def points_of(study: Study, excluded: bool = False) -> tuple[HistoryPoint, ...]:
    groups = group_runs(run_figures(run) for run in study.runs)
    return study_points(study.name, groups, excluded=excluded)


def test_that_the_runs_of_a_study_have_their_builds_dates_and_figures(tmp_path: Path) -> None:
    study = opened(lab(tmp_path / "lab", [10.0, 20.0]))
    points = [point for point in points_of(study) if point.measure == "iops_per_vm"]
    assert [(point.build, point.value) for point in points] == [("24H2.1", 15.0), ("24H2.2", 30.0)]
    assert {point.date.evidence for point in points if point.date} == {DateEvidence.STATED}
    assert {point.folder for point in points} == {run.folder for run in study.runs}


def test_that_an_excluded_run_stays_excluded_although_the_history_contains_it(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0])
    kept = [replace(point, folder="", file="lab.json") for point in points_of(opened(folder))]
    file = folder / "MCS-02" / "run.toml"
    file.write_text(file.read_text() + 'exclude = "the host was rebooted"\n')
    study = opened(folder)
    points = joined(points_of(study), kept, points_of(study, excluded=True))
    assert {point.run for point in points} == {"MCS-01"}


def test_that_a_run_that_is_open_and_saved_counts_once() -> None:
    points = weekly(stepped(6, 0.1))
    kept = [replace(point, folder="", file="lab.json") for point in points]
    (series,) = series_of(joined(points[6:], kept))
    assert [point.folder != "" for point in series.points] == [False] * 6 + [True] * 6


def test_that_runs_are_sorted_by_date() -> None:
    points = weekly(stepped(6, 0.1))
    (series,) = series_of(points[::-1])
    assert [point.build for point in series.points] == [str(build) for build in range(1, 13)]


def test_that_another_workload_is_a_separate_series() -> None:
    office = [(("workload", "office"),)] * 6
    heavy = [(("workload", "heavy"),)] * 6
    series = series_of(weekly(stepped(6, 0.5), circumstances=[*office, *heavy]))
    assert [(each.configuration, len(each.points)) for each in series] == [("MCS, office", 6), ("MCS, heavy", 6)]


def test_that_an_unknown_measure_gives_no_series() -> None:
    points = [replace(point, measure="of a later version") for point in weekly([1.0] * 9)]
    assert series_of(points) == ()


def test_that_builds_from_one_day_are_in_order_of_their_numbers() -> None:
    day = RunDate(FIRST, DateEvidence.STATED)
    points = weekly([float(value) for value in range(12)], date=day)
    (series,) = series_of(sorted(points, key=lambda point: point.run))
    assert [point.build for point in series.points] == [str(build) for build in range(1, 13)]
    assert slots([series]).names == tuple(str(build) for build in range(1, 13))


def test_that_runs_with_the_same_build_and_day_are_in_order_of_their_first_timestamps(tmp_path: Path) -> None:
    folder = lab(tmp_path / "lab", [10.0, 20.0], build=["7", "7"])
    for place, hour in (("01", 10), ("02", 9)):
        run = folder / f"MCS-{place}"
        disk_csv(run / "V1.csv", "V1", [10.0] * 60, [5.0] * 60, start=f"03/02/2026 {hour:02d}:00:00.000")
        text = (run / "run.toml").read_text()
        (run / "run.toml").write_text(text[: text.index("date")] + "date = 2026-03-02\n")
    series = next(each for each in series_of(points_of(opened(folder))) if each.measure.key == "iops_per_vm")
    assert [point.run for point in series.points] == ["MCS-02", "MCS-01"]


def test_that_a_note_names_runs_with_the_same_date(snapshot: SnapshotAssertion) -> None:
    day = RunDate(FIRST, DateEvidence.STATED)
    weeks = [RunDate(FIRST + week * DAY, DateEvidence.STATED) for week in range(1, 10)]
    (trend,) = of(weekly(stepped(7, 0.2), date=[day, day, day, *weeks]))
    assert trend.notes == snapshot
    (trend,) = of(weekly(stepped(7, 0.2), date=[day, day, day, *weeks], build="7"))
    assert not [note for note in trend.notes if "share their date" in note]


def test_that_a_note_names_runs_with_a_date_in_the_future(snapshot: SnapshotAssertion) -> None:
    (trend,) = of(
        weekly(
            stepped(7, 0.2),
            date=[RunDate(FIRST + 7 * DAY * week, DateEvidence.STATED) for week in range(11)]
            + [RunDate(FIRST + 36525 * DAY, DateEvidence.STATED)],
        )
    )
    assert trend.notes == snapshot


def test_that_runs_from_two_labs_with_equal_name_and_day_are_separate() -> None:
    (first,), (second,) = (weekly([1.0], sources=sources, started=at) for sources, at in (("a", 1e9), ("b", 1.1e9)))
    assert joined([first], [second]) == (first, second)
    assert slots(series_of([first, replace(second, build="2")])).names == ("1", "2")
    assert joined([first], [replace(second, started=1e9)]) == (first,)
