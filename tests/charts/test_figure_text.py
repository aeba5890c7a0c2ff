"""Charts as text for a spreadsheet: every value once, missing values empty, only the visible range."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.charts import figure_text as module
from workbench.charts.figure import Axis, Bars, Figure, Heatmap, Line, Look, Panel
from workbench.charts.figure_text import figure_text
from workbench.words.numbers import write_decimals_with

LOOK = Look("MCS")
TIME, RATE = Axis("time", "s"), Axis("IOPS per VM", "IOPS")
LINE = Line("A", np.array([0.0, 15.0, 30.0]), np.array([1.5, np.nan, 2.0]), LOOK)


def cells(figure: Figure, span: tuple[float, float] | None = None) -> list[list[str]]:
    return [line.split("\t") for line in figure_text(figure, span).split("\n")[1:]]


def test_that_lines_give_a_row_per_sample_with_empty_cells_for_missing_values() -> None:
    figure = Figure("f", "?", "", (Panel("MCS", TIME, RATE, (LINE,)),))
    assert cells(figure) == [
        ["MCS", "A", "0.0", "1.5", "IOPS"],
        ["MCS", "A", "15.0", "", "IOPS"],
        ["MCS", "A", "30.0", "2.0", "IOPS"],
    ]
    assert [row[2] for row in cells(figure, (10.0, 30.0))] == ["15.0", "30.0"]


def test_that_bars_list_their_categories_and_heatmaps_their_machines() -> None:
    bars = Panel("Bars", Axis("", categories=("boot", "steady")), RATE, (Bars("MCS", np.array([70.2, np.nan]), LOOK),))
    heat = Heatmap("IOPS", np.array([0.0, 10.0, 20.0]), ("W10-1", "W10-2"), np.array([[1, 2], [3, 4]]), (0, 4), "IOPS")
    rows = cells(Figure("f", "?", "", (bars, Panel("Heat", TIME, RATE, (heat,)))))
    assert rows[:2] == [["Bars", "MCS", "boot", "70.2", "IOPS"], ["Bars", "MCS", "steady", "", "IOPS"]]
    assert [row[1:4] for row in rows[2:]] == [
        ["W10-1", "5.0", "1"],
        ["W10-1", "15.0", "2"],
        ["W10-2", "5.0", "3"],
        ["W10-2", "15.0", "4"],
    ]


def test_that_the_decimal_mark_follows_the_preference() -> None:
    write_decimals_with(",")
    try:
        assert cells(Figure("f", "?", "", (Panel("MCS", TIME, RATE, (LINE,)),)))[0][3] == "1,5"
    finally:
        write_decimals_with(".")


def test_that_data_beyond_the_limit_of_spreadsheets_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ROWS", 2)
    with pytest.raises(ValueError, match="more than 2 values here: zoom in"):
        figure_text(Figure("f", "?", "", (Panel("MCS", TIME, RATE, (LINE,)),)))
