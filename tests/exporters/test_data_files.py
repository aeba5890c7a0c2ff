"""Data files compared with the figures and the store they come from."""

import csv
import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from tests.exporters.jobs import exported, library_of
from tests.exporters.studies import MB, START, replicate_study
from workbench.charts.figure import Axis, Bars, Figure, Heatmap, Line, Look, Panel, Points
from workbench.exporters.contents import zoomed
from workbench.exporters.data import files as data_files
from workbench.exporters.data.files import chart_data
from workbench.exporters.safe_file import EmptyExportError
from workbench.measures.significance.method import METHOD
from workbench.study.store.columns import read_table

LOOK = Look("MCS")
TIME, RATE = Axis("time", "s"), Axis("IOPS per VM", "IOPS")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return library_of(replicate_study(tmp_path_factory.mktemp("data")))


def _figure(*panels: Panel) -> Figure:
    return Figure("key", "question", "caption", panels)


def test_that_lines_with_different_times_share_rows_with_equal_times():
    a = Line("a", np.array([0.0, 10.0, 20.0]), np.array([1.0, np.nan, 3.0]), LOOK)
    b = Line("b", np.array([10.0, 15.0]), np.array([5.0, 6.0]), LOOK)
    found = chart_data(_figure(Panel("MCS", TIME, RATE, (a, b))))
    assert found.frame.columns == ["time [s]", "MCS · a [IOPS]", "MCS · b [IOPS]"]
    assert found.frame.rows() == [(0, 1, None), (10, None, 5), (15, None, 6), (20, 3, None)]
    assert found.units == {"time [s]": "s", "MCS · a [IOPS]": "IOPS", "MCS · b [IOPS]": "IOPS"}


def test_that_only_the_visible_time_range_is_written():
    line = Line("a", np.arange(0.0, 100.0, 10.0), np.arange(10.0), LOOK)
    figure = zoomed(_figure(Panel("", TIME, RATE, (line,))), (25.0, 55.0))
    assert figure.panels[0].marks[0].x.tolist() == [20, 30, 40, 50, 60]
    assert figure.panels[0].x.limits == (25.0, 55.0)
    assert chart_data(figure, (25.0, 55.0)).frame.rows() == [(30, 3), (40, 4), (50, 5)]


def test_that_two_dots_at_one_moment_take_two_rows_with_their_names():
    dots = Points("logons", np.array([5.0, 5.0, 7.0]), np.array([1.0, 2.0, 3.0]), LOOK, ("u1", "u2", "u3"))
    frame = chart_data(_figure(Panel("", TIME, Axis("logon", "s"), (dots,)))).frame
    assert frame.columns == ["time [s]", "logons, which", "logons [s]"]
    assert frame.rows() == [(5, "u1", 1), (5, "u2", 2), (7, "u3", 3)]


def test_that_bars_are_rows_by_category_with_the_ends_of_their_error_bars():
    bars = Bars("MCS", np.array([117.0, np.nan]), LOOK, np.array([115.0, np.nan]), np.array([118.0, np.nan]))
    frame = chart_data(_figure(Panel("Boot", Axis("", categories=("MCS", "PVS")), RATE, (bars,)))).frame
    assert frame.rows() == [("MCS", 117, 115, 118), ("PVS", None, None, None)]


def test_that_a_heat_map_has_a_column_for_each_machine_at_the_middle_of_its_bins():
    heat = Heatmap(
        "h", np.array([0.0, 10.0, 20.0]), ("VM-1", "VM-2"), np.array([[1.0, 2.0], [3.0, np.nan]]), (0, 3), "IOPS"
    )
    top = Panel("MCS", TIME, RATE, (), column=0)
    below = Panel("", TIME, RATE, (heat,), column=0)
    frame = chart_data(_figure(top, below)).frame
    assert frame.columns == ["time [s]", "MCS · VM-1 [IOPS]", "MCS · VM-2 [IOPS]"]
    assert frame.rows() == [(5, 1, 3), (15, 2, None)]


def test_that_every_sample_is_in_the_parquet_in_canonical_units_with_its_offset(tmp_path, library, snapshot):
    said = exported(library, tmp_path / "a.parquet")
    frame = pl.read_parquet(tmp_path / "a.parquet")
    # Two VMs with two counters in five runs, and the cache of one run's two VMs, 60 samples each.
    assert frame.height == (5 * 2 * 2 + 2) * 60
    assert said.sentence == snapshot
    cache = frame.filter(pl.col("quantity") == "cache_ram_used")
    assert cache["unit"].unique().to_list() == ["B"]
    assert cache["value"].max() == 256 * MB
    assert frame["utc_offset_minutes"].unique().to_list() == [0]
    assert frame["time_utc"].min().timestamp() == START + 10
    assert frame.filter(pl.col("run") == "mcs-r4")["excluded"].unique().to_list() == ["vCenter failed over"]
    about = json.loads(pl.read_parquet_metadata(tmp_path / "a.parquet")[data_files.META])
    assert "utc_offset_minutes" in about["columns"]


def test_that_csv_and_parquet_have_the_same_samples(tmp_path, library):
    exported(library, tmp_path / "a.parquet")
    exported(library, tmp_path / "a.csv", only=("data",))
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    values = pl.read_parquet(tmp_path / "a.parquet")["value"].to_list()
    assert [float(row["value"]) if row["value"] else None for row in rows] == values
    assert rows[0]["time_utc"] == "2016-05-10T08:00:10.000Z"
    assert {row["method"] for row in rows} == {str(METHOD)}
    assert json.loads(pl.read_parquet_metadata(tmp_path / "a.parquet")[data_files.META])["method"] == METHOD


def test_that_unmeasured_values_are_empty_and_infinite_values_are_counted(tmp_path, library, monkeypatch, snapshot):
    def damaged(recording, columns):
        times, values = read_table(recording, columns)
        column = values[columns[0]].copy()
        column[0], column[1] = np.nan, np.inf
        return times, {**values, columns[0]: column}

    monkeypatch.setattr("workbench.exporters.data.samples.read_table", damaged)
    said = exported(library, tmp_path / "a.csv", only=("data",))
    with (tmp_path / "a.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["value"] for row in rows[:2]] == ["", ""]
    assert said.left_out == snapshot


def test_that_several_charts_are_written_to_adjacent_files_that_are_named(tmp_path, library):
    said = exported(library, tmp_path / "a.csv", only=("overview", "compare:metric"))
    assert [path.name for path in said.files] == ["a-overview.csv", "a-compare-metric.csv"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-compare-metric.csv", "a-overview.csv"]
    assert "a-overview.csv" in said.text


def test_that_the_numbers_behind_a_chart_state_the_method_in_their_last_column(tmp_path, library):
    (place,) = exported(library, tmp_path / "a.csv", only=("overview",)).files
    with place.open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    assert header[-1] == "method"
    assert {row[-1] for row in rows} == {str(METHOD)}


def test_that_a_csv_longer_than_excel_opens_is_reported_as_such(tmp_path, snapshot):
    assert data_files.too_long(tmp_path / "a.csv", 1_048_575) == []
    assert data_files.too_long(tmp_path / "a.csv", 1_048_576)[0] == snapshot
    assert data_files.too_long(tmp_path / "a.parquet", 2_000_000) == []


def test_that_a_study_without_samples_gives_no_file_and_the_reason(tmp_path, library):
    bare = replace(library, studies=tuple(replace(study, runs=()) for study in library.studies))
    with pytest.raises(EmptyExportError):
        exported(bare, tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())


def test_that_the_parquet_file_of_a_chart_states_units_question_and_time_range(tmp_path, library):
    (place,) = exported(library, tmp_path / "a.parquet", only=("per-vm-iops",)).files
    frame = pl.read_parquet(place)
    about = json.loads(pl.read_parquet_metadata(place)[data_files.META])
    units = about["units"]
    assert set(units) == set(frame.columns)
    # The metadata of a column repeats the information of its header.
    assert all(name.endswith(f"[{unit}]") for name, unit in units.items() if unit)
    assert {"s", "IOPS"} <= set(units.values())
    assert about["question"]
