import zipfile
from dataclasses import replace

import numpy as np
import pytest
from openpyxl import Workbook

from tests.exporters.reading import Reopened, title
from workbench.charts.figure import Axis, Band, Bars, Figure, FigureSource, Heatmap, Line, Look, Panel, Points
from workbench.charts.palette import colour
from workbench.exporters.chart_series import MAX_FAINT_POINTS, MAX_POINTS, MAX_SERIES
from workbench.exporters.workbook.finish import save
from workbench.exporters.workbook.making import Making
from workbench.exporters.workbook.sheets.chart import Sheet, SheetSection

BLUE, ORANGE = Look("MCS", marker="circle"), Look("MCSIO", 0.5, "dash", "square")


def _written(tmp_path, *panels: Panel):
    made = Making(Workbook())
    made.book.remove(made.book.active)
    sheet = Sheet(made, made.sheet("Charts"))
    sheet.add(SheetSection((Figure("test", "What is it?", "a caption", panels, summary="in words"),)))
    sheet.finish()
    save(made.book, tmp_path / "a.xlsx", made.results, made.numbers)
    return Reopened(tmp_path / "a.xlsx"), made.charts


def _lines(*marks, unit="s"):
    sources = {"": FigureSource((), "steady", "iops_per_vm")}
    return Panel("Panel", Axis("Time since phase start", unit), Axis("IOPS per VM", "IOPS"), marks, sources=sources)


def test_that_the_cells_of_a_line_are_the_numbers_of_the_figure_in_minutes_with_empty_gaps(tmp_path):
    x, y = np.array([0.0, 60.0, 90.0, 120.0]), np.array([1.5, np.nan, 3.25, -4.0])
    book, _ = _written(tmp_path, _lines(Line("=MCS", x, y, BLUE)))
    series = book.named(book.charts("Charts")[0])["=MCS"]
    np.testing.assert_array_equal(book.numbers(series.xVal.numRef.f), [0, 1, 1.5, 2])
    np.testing.assert_array_equal(book.numbers(series.yVal.numRef.f), y)
    assert not series.smooth


def test_that_axes_are_visible_and_named_with_their_unit(tmp_path, snapshot):
    x = np.array([-30.0, 2_700.0])
    bars = Panel("Bars", Axis("", categories=("a",)), Axis("Latency", "ms"), (Bars("b", np.array([1.0]), BLUE),))
    book, _ = _written(tmp_path, _lines(Line("a", x, x, BLUE)), bars)
    lines, columns = book.charts("Charts")
    for axis in (lines.x_axis, lines.y_axis, columns.x_axis, columns.y_axis):
        assert axis.delete is False
    assert title(lines.x_axis) == snapshot
    assert title(lines.y_axis) == "IOPS per VM"
    assert title(columns.y_axis) == "Latency (ms)"
    assert (lines.x_axis.scaling.min, lines.x_axis.scaling.max) == (-10, 50)


def test_that_the_axis_of_a_chart_that_follows_inputs_has_no_upper_end(tmp_path):
    bars = Bars("b", np.array([30.0]), BLUE)
    panel = Panel("Bars", Axis("", categories=("a",)), Axis("IOPS", "IOPS"), (bars,))
    made = Making(Workbook())
    for name, has_inputs in (("Fixed", False), ("Sizing", True)):
        sheet = Sheet(made, made.sheet(name), has_inputs=has_inputs)
        sheet.add(SheetSection((Figure("test", "What is it?", "", (panel,)),)))
    save(made.book, tmp_path / "a.xlsx", made.results, made.numbers)
    book = Reopened(tmp_path / "a.xlsx")
    ends = [
        (chart.y_axis.scaling.max, chart.y_axis.majorUnit)
        for name in ("Fixed", "Sizing")
        for chart in book.charts(name)
    ]
    assert ends == [(35, 5), (None, None)]
    assert book.charts("Sizing")[0].y_axis.scaling.min == 0


def test_that_lines_keep_colour_dash_and_marker(tmp_path):
    x = np.linspace(0, 600, 61)
    book, _ = _written(tmp_path, _lines(Line("a", x, x, BLUE), Line("b", x, 2 * x, ORANGE)))
    named = book.named(book.charts("Charts")[0])
    assert named["a"].spPr.ln.solidFill.srgbClr == colour(BLUE, "light")[1:].upper()
    assert named["b"].spPr.ln.solidFill.srgbClr == colour(ORANGE, "light")[1:].upper()
    assert (named["a"].spPr.ln.prstDash, named["b"].spPr.ln.prstDash) == ("solid", "dash")
    assert {point.marker.symbol for point in named["b"].dPt} == {"square"}
    assert 3 <= len(named["b"].dPt) <= 15


def test_that_lines_of_machines_are_not_in_the_legend_and_are_drawn_behind_the_median(tmp_path):
    x = np.array([0.0, 60.0])
    vms = [Line(f"VM-{n}", x, x + n, BLUE, vm=f"VM-{n}", prominent=False) for n in range(3)]
    book, _ = _written(tmp_path, _lines(Line("MCS", x, x, BLUE), *vms, Line("PVS", x, x, ORANGE)))
    chart = book.charts("Charts")[0]
    names = [book.name_of(series) for series in chart.series]
    assert names == ["VM-0", "VM-1", "VM-2", "MCS", "PVS"]
    assert [entry.idx for entry in chart.legend.legendEntry if entry.delete] == [0, 1, 2]


def test_that_a_band_becomes_its_two_edges_and_is_named_once(tmp_path):
    x = np.array([0.0, 60.0])
    band = Band("5–95 %", x, np.array([1.0, 2.0]), np.array([3.0, 5.0]), BLUE)
    book, _ = _written(tmp_path, _lines(band, Line("MCS", x, x, BLUE)))
    chart = book.charts("Charts")[0]
    named = book.named(chart)
    assert book.numbers(named["5–95 %"].yVal.numRef.f) == [1, 2]
    assert book.numbers(named["5–95 %, upper end"].yVal.numRef.f) == [3, 5]
    assert [entry.idx for entry in chart.legend.legendEntry if entry.delete] == [1]
    heads = [book.results["Charts data"].cell(4, column).value for column in (2, 3)]
    assert heads == ["5–95 %, lower end", "5–95 %, upper end"]


def test_that_no_chart_has_more_series_than_excel_draws_and_the_sheet_reports_it(tmp_path, snapshot):
    x = np.array([0.0, 60.0])
    vms = [Line(f"VM-{n}", x, x, BLUE, vm=f"VM-{n}", prominent=False) for n in range(300)]
    book, _ = _written(tmp_path, _lines(*vms, Line("MCS", x, x, BLUE)))
    chart = book.charts("Charts")[0]
    assert len(chart.series) == MAX_SERIES
    assert "MCS" in book.named(chart)
    assert book.results["Charts data"]["A3"].value == snapshot


def test_that_only_traces_state_the_time_of_a_point(tmp_path):
    x = np.array([0.0, 1_770.0])
    trace = _lines(Line("MCS", x, x, BLUE))
    book, _ = _written(tmp_path, trace)
    assert "Each point is the mean" in book.results["Charts data"]["A3"].value
    # The trend of logon times has two points, which are not means.
    book, _ = _written(tmp_path, replace(trace, sources={}))
    assert "Each point is the mean" not in book.results["Charts data"]["A3"].value


def test_that_a_long_line_keeps_its_peak_and_the_sheet_reports_that_it_is_reduced(tmp_path, snapshot):
    x = np.arange(50_000.0)
    y = np.sin(x)
    y[31_234] = 77.0
    book, _ = _written(tmp_path, _lines(Line("MCS", x, y, BLUE)))
    series = book.charts("Charts")[0].series[0]
    values = book.numbers(series.yVal.numRef.f)
    assert len(values) <= 1.1 * MAX_POINTS
    assert max(values) == 77.0
    assert book.results["Charts data"]["A3"].value == snapshot


def test_that_lines_of_machines_are_reduced_to_means_and_the_sheet_reports_it(tmp_path, snapshot):
    x = np.arange(1_000.0)
    book, _ = _written(tmp_path, _lines(Line("VM", x, 2 * x, BLUE, vm="VM", prominent=False)))
    series = book.charts("Charts")[0].series[0]
    values = book.numbers(series.yVal.numRef.f)
    assert len(values) == MAX_FAINT_POINTS
    assert values[0] == pytest.approx(2 * np.mean([0, 1, 2, 3, 4]))
    assert book.results["Charts data"]["A3"].value == snapshot


def test_that_bars_of_one_configuration_each_become_one_series_with_its_colours_and_ranges(tmp_path):
    nan = np.nan
    bars = (
        Bars("MCS", np.array([100.0, nan]), BLUE, np.array([90.0, nan]), np.array([120.0, nan]), "c"),
        Bars("MCSIO", np.array([nan, 5.0]), ORANGE, stack="c"),
    )
    panel = Panel("Boot", Axis("", categories=("MCS", "MCSIO")), Axis("IOPS per VM", "IOPS"), bars)
    book, _ = _written(tmp_path, panel)
    (series,) = book.charts("Charts")[0].series
    assert book.cells(series.cat.strRef.f) == ["MCS", "MCSIO"]
    assert book.numbers(series.val.numRef.f) == [100, 5]
    np.testing.assert_array_equal(book.numbers(series.errBars.plus.numRef.f), [20, nan])
    np.testing.assert_array_equal(book.numbers(series.errBars.minus.numRef.f), [10, nan])
    fills = [point.spPr.solidFill.srgbClr for point in series.dPt]
    assert fills == [colour(look, "light")[1:].upper() for look in (BLUE, ORANGE)]


def test_that_error_bars_are_written_in_the_order_that_excel_demands(tmp_path):
    bars = (Bars("MCS", np.array([2.0]), BLUE, np.array([1.0]), np.array([3.0])),)
    panel = Panel("Boot", Axis("", categories=("MCS",)), Axis("IOPS per VM", "IOPS"), bars)
    _written(tmp_path, panel)
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        xml = archive.read("xl/charts/chart1.xml").decode()
    assert 0 < xml.index("<noEndCap") < xml.index("<plus>") < xml.index("<minus>")


def test_that_bars_of_a_stack_are_stacked_and_a_missing_bar_is_empty(tmp_path):
    bars = (
        Bars("Reads", np.array([3.0, np.nan]), BLUE, stack="s"),
        Bars("Writes", np.array([1.0, 2.0]), ORANGE, stack="s"),
    )
    panel = Panel("Boot", Axis("", categories=("a", "b")), Axis("IOPS per VM", "IOPS"), bars)
    book, _ = _written(tmp_path, panel)
    chart = book.charts("Charts")[0]
    assert (chart.grouping, chart.overlap) == ("stacked", 100)
    np.testing.assert_array_equal(book.numbers(book.named(chart)["Reads"].val.numRef.f), [3, np.nan])


def test_that_long_names_are_next_to_horizontal_bars(tmp_path):
    names = ("raw-san_randrw-20-80-4k_qd16x4 (4 KiB)", "b")
    panel = Panel("IOPS", Axis("Test", categories=names), Axis("IOPS", "1/s"), (Bars("read", np.ones(2), BLUE),))
    book, _ = _written(tmp_path, panel)
    assert book.charts("Charts")[0].type == "bar"


def test_that_charts_do_not_overlap_each_other_or_text(tmp_path):
    x = np.array([0.0, 60.0])
    panels = [_lines(Line("a", x, x, BLUE)) for _ in range(5)]
    book, count = _written(tmp_path, *panels)
    sheet = book.formulas["Charts"]
    boxes = []
    for chart in book.charts("Charts"):
        start, size = chart.anchor._from, chart.anchor.ext
        left, top = start.col * 66, start.row * 20
        boxes.append((left, top, left + size.width / 9_525, top + size.height / 9_525))
    assert count == len(boxes) == 5
    for place, one in enumerate(boxes):
        for other in boxes[place + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
            assert apart, (one, other)
    texts = [((cell.column - 1) * 66, (cell.row - 1) * 20) for row in sheet for cell in row if cell.value]
    assert not any(l <= x < r and t <= y < b for x, y in texts for l, t, r, b in boxes)  # noqa: E741


def test_that_a_sheet_with_only_a_heat_map_has_no_empty_chart(tmp_path):
    heat = Heatmap("h", np.array([0.0, 1.0]), ("VM",), np.ones((1, 1)), (0.0, 1.0), "IOPS")
    panel = Panel("", Axis("t", "s"), Axis("VM", categories=("VM",)), (heat,))
    _, count = _written(tmp_path, panel)
    assert count == 0


def test_that_dots_have_markers_and_no_line_in_the_order_of_x(tmp_path):
    x, y = np.array([120.0, 0.0, 60.0]), np.array([3.0, 1.0, np.nan])
    book, _ = _written(tmp_path, _lines(Points("sessions", x, y, ORANGE)))
    series = book.named(book.charts("Charts")[0])["sessions"]
    np.testing.assert_array_equal(book.numbers(series.xVal.numRef.f), [0, 1, 2])
    np.testing.assert_array_equal(book.numbers(series.yVal.numRef.f), [1, np.nan, 3])
    assert series.spPr.ln.noFill
    assert series.marker.symbol == "square"
