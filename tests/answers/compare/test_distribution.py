"""The view Distribution of Compare: its bins, lines, dots and table, the console's JSON, and the native charts."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.test_samples import SIZE, a_run
from workbench.answers.common.looks import looks
from workbench.answers.compare.distribution import (
    MOST_BINS,
    Bins,
    Distribution,
    RunCounts,
    distribution_figure,
    distribution_table,
    distributions_of,
    shared_bins,
)
from workbench.charts.figure import Line, Points
from workbench.cli import main
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, group_runs
from workbench.measures.percentile import Timed, ascending
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.words.numbers import THIN

IOPS = MEASURES["iops_per_vm"]
SWEEP = str(Path(__file__).parents[3] / "sample_data" / "rds-mcsio-cache-sweep")


def of_values(values: np.ndarray) -> Distribution:
    counts = RunCounts("r1", 1, 1, values.size, 0, 0, 1.0)
    return Distribution("MCS", ascending(Timed(values)), (counts,), ())


def groups_of(folder: Path, values: np.ndarray) -> tuple[Group, ...]:
    return group_runs([a_run(folder, "r1", 5, {Quantity.IOPS: {"vm": values}})])  # type: ignore[list-item]


def test_that_the_bin_width_follows_freedman_and_diaconis_and_is_rounded_up() -> None:
    values = np.random.default_rng(7).normal(100.0, 10.0, 1_000)
    q25, q75 = np.percentile(values, (25, 75))
    rule = 2 * (q75 - q25) / 1_000 ** (1 / 3)
    assert 2.0 < rule < 5.0
    bins = shared_bins([of_values(values)])
    assert (bins.width, bins.edges[0]) == (5.0, 0.0)
    assert bins.end - 5.0 < values.max() <= bins.end


@pytest.mark.parametrize(
    "values", [np.zeros(50), np.full(50, 7.0), np.r_[np.ones(999), 1e9], np.geomspace(1, 1e5, 500)]
)
def test_that_the_number_of_bins_is_limited_for_all_samples(values: np.ndarray) -> None:
    bins = shared_bins([of_values(values)])
    assert 1 <= bins.count <= MOST_BINS
    assert bins.width > 0


def test_that_bins_begin_at_exact_multiples_of_their_width() -> None:
    assert Bins(0.1, 4).edges.tolist() == [0.0, 0.1, 0.2, 0.3, 0.4]


def test_that_the_lines_sum_to_all_samples_and_the_distribution_function_is_exact_at_drawn_points(
    tmp_path: Path,
) -> None:
    values = np.random.default_rng(1).gamma(2.0, 20.0, SIZE)
    values[:6] = np.nan
    groups = groups_of(tmp_path, values)
    figure = distribution_figure(distributions_of(groups, STEADY, IOPS), looks(groups), STEADY, IOPS)
    histogram, function = figure.panels
    (outline,), curve = histogram.marks, function.marks[0]
    assert isinstance(outline, Line)
    assert isinstance(curve, Line)
    known = values[~np.isnan(values)]
    edges = np.unique(outline.x[1:-1].reshape(-1, 3)[:, [0, 2]])
    heights, _ = np.histogram(known, edges)
    assert outline.y[1:-1].reshape(-1, 3)[:, 1] == pytest.approx(100 * heights / known.size)
    assert curve.y == pytest.approx([100 * np.mean(known <= x) for x in curve.x])
    dots = function.marks[1]
    assert isinstance(dots, Points)
    assert dots.y.tolist() == [50.0, 95.0, 99.0][: dots.y.size]
    assert dots.x == pytest.approx(np.percentile(known, dots.y))
    assert f"There are {SIZE - 6} samples" in figure.method


def test_that_samples_outside_the_axis_are_reported(tmp_path: Path) -> None:
    values = np.r_[np.linspace(1.0, 10.0, SIZE - 1), 1_000.0]
    groups = groups_of(tmp_path, values)
    figure = distribution_figure(distributions_of(groups, STEADY, IOPS), looks(groups), STEADY, IOPS)
    assert figure.panels[0].x.limits is not None
    assert figure.panels[0].x.limits[1] < 20
    assert any(f"above 10.0{THIN}IOPS" in line and f"0.8{THIN}% (MCS)" in line for line in figure.method)


def test_that_the_table_reports_missing_samples_and_the_samples_behind_a_percentile(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    values = np.arange(1.0, SIZE + 1)
    values[:20] = np.nan
    groups = groups_of(tmp_path, values)
    table = distribution_table(groups, distributions_of(groups, STEADY, IOPS), looks(groups), STEADY, IOPS)
    row = {column.title: cell for column, cell in zip(table.columns, table.rows[0], strict=True)}
    assert (row["Samples"].value, row["Missing"].value) == (SIZE - 20, 20)
    assert row["p95"].value == pytest.approx(np.percentile(values[20:], 95))
    assert (row["Lowest"].value, row["Highest"].value) == (21.0, SIZE)
    assert row["p95"].source is not None
    assert row["p95"].source.how == snapshot


def test_that_the_console_gives_quantiles_and_bins_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["distribution", SWEEP, "--phase", "steady", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["schema"], answer["metric"]) == ("vdi-workbench/distribution/1", "iops_per_vm")
    assert len(answer["distributions"]) == 5
    for row in answer["distributions"]:
        assert row["quantiles"][95] == row["p95"]
        assert (row["quantiles"][0], row["quantiles"][100]) == (row["lowest"], row["highest"])
        assert sum(row["bin_percent"]) + row["above_percent"] == pytest.approx(100)
        assert len(row["bin_edges"]) == len(row["bin_percent"]) + 1
        assert sum(run["samples"] for run in row["runs"]) == row["samples"]


def test_that_an_unknown_metric_is_a_usage_error_that_lists_the_known_metrics(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["distribution", SWEEP, "--metric", "total_io"]) == 2
    assert "iops_per_vm, " in capsys.readouterr().err


def test_that_the_workbook_has_histogram_and_distribution_function_as_native_charts(tmp_path: Path) -> None:
    file = tmp_path / "d.xlsx"
    assert main(["export", SWEEP, "-o", str(file), "--only", "compare:distribution"]) == 0
    with zipfile.ZipFile(file) as book:
        charts = [book.read(name).decode() for name in book.namelist() if name.startswith("xl/charts/chart")]
    assert any("Histogram" in chart for chart in charts)
    assert any("Distribution function" in chart for chart in charts)
