"""The steps of an axis are the same on the screen, on the page, in the workbook and on the slides."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lxml import etree
from openpyxl import Workbook

from tests.exporters.slides.decks import BLUE, deck_with, written
from workbench.charts.figure import Axis, Bars, Figure, Line, Panel
from workbench.charts.scales import Scales, scales_of
from workbench.exporters.chart_plan import plans_of
from workbench.exporters.page.charts import Arrays, chart_data
from workbench.exporters.page.colours import Colours
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.chart import Sheet, SheetSection
from workbench.model.resources import resource

# The maximum number of steps that the window requests, on a large panel.
ACROSS, UP = 11, 8
NOON = 1_700_049_600.0
TIME, CLOCK = Axis("Time since phase start", "s"), Axis("Time of day", "clock")
RANGES = [(0.0, 1.3), (0.0, 9.0), (0.0, 104.0), (0.0, 0.02), (0.0, 1e6), (-30.0, 60.0), (0.0, 100.0), (3.0, 7.0)]


def figure_of(x: Axis, y: Axis, across: tuple[float, float], up: tuple[float, float]) -> Figure:
    """A line from corner to corner."""
    line = Line("MCS", np.array(across), np.array(up), BLUE)
    return Figure("f", "What?", "", (Panel("Panel", x, y, (line,)),))


def bars_of(values: tuple[float, ...]) -> Figure:
    """A bar for each value."""
    names = tuple(f"name {place}" for place in range(len(values)))
    panel = Panel("Panel", Axis("", categories=names), Axis("IOPS", "IOPS"), (Bars("b", np.array(values), BLUE),))
    return Figure("f", "What?", "", (panel,))


def steps_in(chart: Any) -> list[float]:
    """The major steps of a chart's XML, x first; in decades if an axis is logarithmic."""
    found = []
    for axis in chart.iter("{*}valAx"):
        step = float(axis.find("{*}majorUnit").get("val"))
        found.append(math.log10(step) if axis.find("{*}scaling/{*}logBase") is not None else step)
    return found


def in_workbook(figure: Figure, folder: Path) -> list[float]:
    """The steps in the workbook's chart."""
    made = Making(Workbook())
    made.book.remove(made.book.active)
    sheet = Sheet(made, made.sheet("Charts"))
    sheet.add(SheetSection((figure,)))
    save(made.book, folder / "a.xlsx", made.results, made.numbers)
    with zipfile.ZipFile(folder / "a.xlsx") as archive:
        return steps_in(etree.fromstring(archive.read("xl/charts/chart1.xml")))


def in_deck(figure: Figure, folder: Path) -> list[float]:
    """The steps in the deck's chart."""
    (chart,) = written(folder / "a.pptx", deck_with(figure)).charts()
    return steps_in(chart._chartSpace)


def apart(places: tuple[float, ...], whole: bool = False) -> float:
    """The distance between adjacent ticks; on a logarithmic axis, between whole decades."""
    known = np.array([place for place in places if not whole or abs(place - round(place)) < 1e-9])
    steps = np.diff(known)
    assert steps.size
    np.testing.assert_allclose(steps, steps[0], rtol=1e-9)
    return float(steps[0])


def on_screen(scales: Scales) -> tuple[float, float]:
    """The steps of the window's ticks, x and y."""
    x = apart(scales.x_ticks(scales.x, ACROSS).places, scales.x_log)
    return x, apart(scales.y_ticks(UP).places, scales.y_log)


@pytest.mark.parametrize("values", RANGES)
def test_that_a_vertical_axis_has_the_same_step_in_all_formats(tmp_path: Path, values: tuple[float, float]) -> None:
    figure = figure_of(TIME, Axis("IOPS", "IOPS"), (0.0, 2_700.0), values)
    x, y = on_screen(scales_of(figure)[0])
    for steps in (in_workbook(figure, tmp_path), in_deck(figure, tmp_path)):
        assert steps == pytest.approx([x / 60, y])


@pytest.mark.parametrize("values", RANGES)
def test_that_an_axis_of_bars_has_the_same_step_in_all_formats(tmp_path: Path, values: tuple[float, float]) -> None:
    figure = bars_of(values)
    step = apart(scales_of(figure)[0].y_ticks(UP).places)
    assert in_workbook(figure, tmp_path) == pytest.approx([step])
    assert in_deck(figure, tmp_path) == pytest.approx([step])


@pytest.mark.parametrize("values", RANGES)
def test_that_a_horizontal_axis_has_the_same_step_in_all_formats(tmp_path: Path, values: tuple[float, float]) -> None:
    figure = figure_of(Axis("Size"), Axis("IOPS", "IOPS"), values, (0.0, 5.0))
    x, y = on_screen(scales_of(figure)[0])
    for steps in (in_workbook(figure, tmp_path), in_deck(figure, tmp_path)):
        assert steps == pytest.approx([x, y])


@pytest.mark.parametrize("decades", [2, 3, 7, 11])
def test_that_logarithmic_axes_have_the_same_step_in_all_formats(tmp_path: Path, decades: int) -> None:
    ends = (0.5, 0.5 * 10.0**decades)
    figure = figure_of(Axis("Size", "MB", "log"), Axis("IOPS", "IOPS", "log"), ends, ends)
    x, y = on_screen(scales_of(figure)[0])
    assert in_workbook(figure, tmp_path) == pytest.approx([x, y])
    assert in_deck(figure, tmp_path) == pytest.approx([x, y])


@pytest.mark.parametrize("length", [600.0, 5_400.0, 30_000.0])
def test_that_clock_times_have_the_same_step_in_all_formats(tmp_path: Path, length: float) -> None:
    figure = figure_of(CLOCK, Axis("IOPS", "IOPS"), (NOON + 70, NOON + length), (0.0, 5.0))
    x, y = on_screen(scales_of(figure)[0])
    for steps in (in_workbook(figure, tmp_path), in_deck(figure, tmp_path)):
        assert steps == pytest.approx([x / 86_400, y])


@pytest.mark.parametrize(
    ("values", "step"), [((0.0, 1.3), 0.5), ((0.0, 9.0), 2.0), ((0.0, 104.0), 20.0), ((-30.0, 60.0), 20.0)]
)
def test_that_the_step_equals_the_hand_calculation(values: tuple[float, float], step: float) -> None:
    # 1.3 in at most six steps of 1, 2 or 5: 0.2 would take seven of them.
    scales = scales_of(figure_of(TIME, Axis("IOPS", "IOPS"), (0.0, 60.0), values))[0]
    assert scales.y_step() == pytest.approx(step)


def test_that_a_requested_time_range_has_the_step_of_the_zoomed_screen(tmp_path: Path) -> None:
    figure = figure_of(TIME, Axis("IOPS", "IOPS"), (-60.0, 18_000.0), (0.0, 5.0))
    figure = replace(figure, panels=(replace(figure.panels[0], focus=(0.0, 2_700.0)),))
    step = apart(scales_of(figure)[0].x_ticks((0.0, 2_700.0), ACROSS).places) / 60
    assert in_workbook(figure, tmp_path)[0] == in_deck(figure, tmp_path)[0] == pytest.approx(step)
    (plan,) = plans_of(figure)
    assert (plan.x.low, plan.x.high, plan.x.step) == (0, 50, 10)


def test_that_a_small_panel_on_screen_has_fewer_and_longer_steps() -> None:
    scales = scales_of(bars_of((0.0, 100.0)))[0]
    assert [scales.y_step(most) for most in (3, 6, 8)] == [50.0, 20.0, 20.0]


def test_that_zooming_in_shortens_the_step() -> None:
    scales = scales_of(figure_of(TIME, Axis("IOPS", "IOPS"), (0.0, 2_700.0), (0.0, 5.0)))[0]
    assert [scales.x_step(span) for span in ((0.0, 2_700.0), (600.0, 900.0), (600.0, 602.0))] == [600, 60, 0.5]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize("values", RANGES)
def test_that_the_page_starts_from_the_same_step(tmp_path: Path, values: tuple[float, float]) -> None:
    figure = figure_of(TIME, Axis("IOPS", "IOPS"), (0.0, 2_700.0), values)
    (panel,) = chart_data(figure, Arrays(), Colours())["panels"]
    shutil.copy(resource("page", "page.js"), tmp_path / "page.cjs")
    asked = f"page.stepsFrom({panel['x']['least']!r}, true)[0], page.stepsFrom({panel['y']['least']!r}, false)[0]"
    code = f"const page = require('./page.cjs'); console.log(JSON.stringify([{asked}]));"
    (tmp_path / "run.cjs").write_text(code, encoding="utf-8")
    done = subprocess.run(["node", "run.cjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == pytest.approx(on_screen(scales_of(figure)[0]))


@pytest.mark.parametrize("unit", ["VMs", "sessions", "disks"])
def test_that_an_axis_of_counts_has_no_half_numbers(tmp_path: Path, unit: str) -> None:
    figure = figure_of(Axis("active sessions"), Axis("Needed", unit), (0.0, 3.0), (0.0, 2.4))
    x, y = on_screen(scales_of(figure)[0])
    assert (x, y) == (1.0, 1.0)
    for steps in (in_workbook(figure, tmp_path), in_deck(figure, tmp_path)):
        assert steps == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("length", [50.0, 30.0, 8.0])
def test_that_minutes_have_a_round_step_if_the_screen_shows_seconds(length: float) -> None:
    (plan,) = plans_of(figure_of(TIME, Axis("IOPS", "IOPS"), (0.0, length), (0.0, 9.0)))
    step, decimals = plan.x.step, len(plan.x.number_format.partition(".")[2])
    assert step is not None
    assert step == pytest.approx(round(step, decimals), rel=1e-9)
