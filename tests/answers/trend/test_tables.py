"""The runs of the trend as a table: each number links to its samples or to its history file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import drifting, lab, of, stepped, weekly
from workbench.answers.common.change_words import p_words
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.sources import explanations_of
from workbench.answers.trend.compute import by_outcome
from workbench.answers.trend.figures import trend_figure
from workbench.answers.trend.joined import chosen_trends
from workbench.answers.trend.page import trend_cards
from workbench.answers.trend.reply import trend_json, trend_rows
from workbench.answers.trend.tables import runs_table, trend_table
from workbench.charts.figure import Line, Look, Points
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.study.store.column_store import default_store

LOOKS = {"MCS": Look("MCS")}


def test_that_a_number_from_the_history_folder_links_to_its_file(snapshot: SnapshotAssertion) -> None:
    points = [replace(point, folder="", file="lab-1a2b.json") for point in weekly(stepped(7, 0.12))]
    row = runs_table(of(points), LOOKS).rows[0]
    (cell,) = (cell for cell in row if cell.source is not None)
    assert cell.source is not None
    (explanation,) = explanations_of(Library(), cell.source)
    assert (explanation.value, explanation.run) == (points[0].value, "MCS-1")
    assert explanation.note == snapshot
    assert row[-1].text == "history: lab-1a2b.json"


def test_that_a_lower_bound_is_marked(snapshot: SnapshotAssertion) -> None:
    points = weekly(stepped(7, 0.12))
    points[0] = replace(points[0], lower_bound=True)
    made = of(points)
    assert any(cell.text.startswith("≥ ") for cell in runs_table(made, LOOKS).rows[0])
    assert trend_table(made, LOOKS).rows[0][-1].text == snapshot


def test_that_runs_with_lower_bounds_only_have_a_table_and_no_chart(snapshot: SnapshotAssertion) -> None:
    made = of(weekly(stepped(7, 0.12), lower_bound=True))
    assert trend_figure(made, LOOKS).panels == ()
    assert len(runs_table(made, LOOKS).rows) == 12
    assert trend_table(made, LOOKS).rows[0][-1].text == snapshot
    assert trend_cards(made, LOOKS)[0].value == "0"


def test_that_an_empty_card_says_why(snapshot: SnapshotAssertion) -> None:
    (nothing,) = trend_cards(of(weekly(stepped(6, 0.0))), LOOKS)
    assert (nothing.value, nothing.note) == snapshot
    (few,) = trend_cards(of(weekly(stepped(3, 0.5, count=6))), LOOKS)
    assert (few.value, few.unit, few.note) == snapshot


def test_that_series_with_too_few_runs_come_last_and_are_not_drawn_with_others(snapshot: SnapshotAssertion) -> None:
    few = weekly(stepped(2, 0.5, count=4), "PVS")
    made = by_outcome(of([*few, *weekly(stepped(7, 0.12))]))
    assert [trend.series.configuration for trend in made] == ["MCS", "PVS"]
    looks = {"MCS": Look("MCS"), "PVS": Look("PVS")}
    (panel,) = trend_figure(made, looks).panels
    assert {mark.name for mark in panel.marks if isinstance(mark, Points)} == {"MCS"}
    assert panel.subtitle == snapshot
    (alone,) = trend_figure(of(few), looks).panels
    assert {mark.name for mark in alone.marks if isinstance(mark, Points)} == {"PVS"}


def test_that_configurations_with_different_levels_are_drawn_in_percent_of_their_first_runs() -> None:
    made = of([*weekly(stepped(7, 0.12)), *weekly(stepped(7, 0.12, level=5.0), "PVS")])
    (panel,) = trend_figure(made, {"MCS": Look("MCS"), "PVS": Look("PVS")}).panels
    assert panel.y.unit == "% of the first runs"
    mcs, pvs = (mark for mark in panel.marks if isinstance(mark, Points))
    assert mcs.y.tolist() == pytest.approx(pvs.y.tolist())
    assert mcs.y[:7].mean() == pytest.approx(100)
    (moment,) = panel.moments
    assert moment.words.startswith("8: +")


def test_that_hiding_a_configuration_leaves_the_p_values_of_the_others(tmp_path: Path) -> None:
    lab(tmp_path / "lab", stepped(7, 0.12))
    study, *_ = load_studies([lab(tmp_path / "lab", stepped(7, 0.0, level=40.0), "PVS")], default_store())
    library = Library((study,), {run.folder: run_figures(run) for run in study.runs})
    both, mcs = (
        chosen_trends(library, Choices(), None).trends,
        chosen_trends(library, Choices(hidden=frozenset({"PVS"})), None).trends,
    )
    assert {trend.series.configuration for trend in mcs} == {"MCS"}
    p_values = {trend.series.key: trend.p for trend in both}
    assert [trend.p for trend in mcs] == [p_values[trend.series.key] for trend in mcs]
    assert any(trend.changed for trend in mcs)


def test_that_the_drawn_drift_has_the_described_size() -> None:
    (trend,) = made = of(weekly([100 * 3.3 ** (value / 100 - 1) for value in drifting(1.0)]))
    (panel,) = trend_figure(made, LOOKS).panels
    (line,) = (mark for mark in panel.marks if isinstance(mark, Line))
    assert trend.slope is not None
    assert line.y[-1] / line.y[0] - 1 == pytest.approx(trend.slope.change)


def test_that_the_largest_steps_have_cards_in_the_order_of_the_charts() -> None:
    """A fall to half is larger than a rise by six tenths."""
    sizes = {"A": 0.6, "B": -0.5, "C": 0.2, "D": 0.7, "E": 0.8}
    looks = {name: Look(name) for name in sizes}
    cards = trend_cards(of([point for name in sizes for point in weekly(stepped(6, sizes[name]), name)]), looks)
    assert [card.title.partition(":")[0] for card in cards] == ["A", "B", "D", "E"]


def test_that_the_card_shows_the_build_and_its_change_below(snapshot: SnapshotAssertion) -> None:
    (card,) = trend_cards(of(weekly(stepped(7, 0.12))), LOOKS)
    assert (card.value, card.unit) == ("Build 8", "")
    assert card.note.startswith("+1")
    assert "%" in card.note
    assert card.detail == snapshot


def test_that_measures_have_one_order_in_charts_and_tables_and_cards() -> None:
    points = weekly(stepped(7, 0.1))
    boot = [replace(point, phase="boot", value=100 + index % 2) for index, point in enumerate(points)]
    logon = [replace(point, phase="logon", value=2 * point.value) for point in weekly(stepped(7, 0.3))]
    made = of([*boot, *logon, *points])
    measures = [trend.series.phase for trend in made]
    assert measures == ["boot", "logon", "steady"]
    assert [row[0].key.split("/")[1] for row in trend_table(by_outcome(made), LOOKS).rows] == measures
    assert [panel.title.split(", ")[1] for panel in trend_figure(made, LOOKS).panels] == [
        "boot",
        "logon",
        "steady state",
    ]
    assert [card.title.split(", ")[1] for card in trend_cards(made, LOOKS)] == ["logon", "steady state"]


def test_that_a_total_of_io_has_its_unit_on_the_axis_and_in_the_table() -> None:
    made = of([replace(point, measure="total_io_per_vm") for point in weekly(stepped(7, 0.12))])
    (panel,) = trend_figure(made, LOOKS).panels
    assert panel.y.unit == "operations"
    assert "operations" in [column.unit for column in runs_table(made, LOOKS).columns]


def test_that_each_figure_is_in_the_column_of_its_measure_for_any_order_of_series() -> None:
    points = weekly(stepped(6, 0.0))
    other = [replace(point, measure="read_iops_per_vm", value=point.value / 2) for point in points]
    last = [replace(point, configuration="PVS") for point in points]
    first, second, third = (of(each)[0] for each in (points, other, last))
    table = runs_table((first, second, third), {})
    at = [column.title.partition(",")[0] for column in table.columns].index("IOPS per VM")
    assert table.rows[0][at].value == points[0].value


def test_that_p_values_are_rounded_as_in_spreadsheets() -> None:
    assert [p_words(p) for p in (0.0135, 0.0134, 0.0009)] == ["0.014", "0.013", "< 0.001"]


def test_that_a_step_from_zero_has_no_percentage_in_any_export() -> None:
    made = of(weekly([0.0] * 6 + [5.0, 5.1, 4.9, 5.0, 5.2, 4.8]))
    (step,) = trend_json(made)["series"][0]["steps"]
    assert (step["change_percent"], step["difference"]) == (None, 5.0)
    json.dumps([trend_json(made), trend_rows(made)], allow_nan=False)
    (row,) = trend_table(made, LOOKS).rows
    assert (row[5].text, row[5].value) == ("from 0 to 5.00\u2009IOPS", None)
    (card,) = trend_cards(made, LOOKS)
    assert card.note == "from 0 to 5.00\u2009IOPS"
    assert (card.value, card.unit) == ("Build 7", "")


def test_that_a_figure_without_series_says_so_in_a_whole_sentence(snapshot: SnapshotAssertion) -> None:
    assert trend_figure((), {}).summary == snapshot
