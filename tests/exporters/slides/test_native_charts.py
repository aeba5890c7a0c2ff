from itertools import pairwise

import numpy as np
import pytest
from pptx.util import Inches

from tests.exporters.slides.decks import (
    BLUE,
    NAN,
    ORANGE,
    bars,
    book_of,
    cached,
    deck_with,
    figure,
    in_book,
    lines,
    series_of,
    written,
)
from workbench.charts.figure import Axis, Band, Bars, Heatmap, Line, Look, Panel, Points, Region
from workbench.charts.palette import colour


def _charts(tmp_path, *panels, **more):
    return written(tmp_path / "a.pptx", deck_with(figure(*panels), **more)).charts()


def _same(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=0, equal_nan=True)


def test_that_a_line_has_the_numbers_of_the_figure_in_minutes_and_empty_gaps(tmp_path):
    x, y = np.array([0.0, 60.0, 90.0, 120.0]), np.array([1.5, NAN, 1 / 3, -4.0])
    (chart,) = _charts(tmp_path, lines(Line("MCS", x, y, BLUE)))
    series = series_of(chart)["MCS"]
    for read in (lambda tag: cached(series, tag), lambda tag: in_book(chart, series, tag)):
        _same(read("xVal"), x / 60)
        _same(read("yVal"), y)
    assert chart._chartSpace.find(".//{*}dispBlanksAs").get("val") == "gap"


def test_that_bars_have_the_numbers_names_and_whiskers_of_the_figure(tmp_path):
    one = Bars("reads", np.array([10.0, NAN]), BLUE, np.array([8.0, NAN]), np.array([13.0, NAN]))
    two = Bars("writes", np.array([1.25, 1e6]), ORANGE)
    (chart,) = _charts(tmp_path, bars(one, two))
    found = series_of(chart)
    assert list(chart.plots[0].categories) == ["MCS", "MCSIO"]
    for read in (cached, lambda series, tag: in_book(chart, series, tag)):
        _same(read(found["reads"], "val"), [10, NAN])
        _same(read(found["writes"], "val"), [1.25, 1e6])
        _same(read(found["reads"], "plus"), [3, NAN])
        _same(read(found["reads"], "minus"), [2, NAN])
    assert found["writes"].find("{*}errBars") is None


def test_that_one_bar_per_configuration_becomes_one_series_with_their_colours(tmp_path):
    marks = (
        Bars("MCS", np.array([100.0, NAN]), BLUE, np.array([90.0, NAN]), np.array([120.0, NAN]), "c"),
        Bars("MCSIO", np.array([NAN, 5.0]), ORANGE, stack="c"),
    )
    (chart,) = _charts(tmp_path, bars(*marks))
    (series,) = series_of(chart).values()
    _same(cached(series, "val"), [100, 5])
    _same(cached(series, "plus"), [20, NAN])
    fills = [point.find(".//{*}srgbClr").get("val") for point in series.findall("{*}dPt")]
    assert fills == [colour(look, "light")[1:].upper() for look in (BLUE, ORANGE)]
    assert not chart.has_legend


def test_that_bars_of_a_stack_are_stacked(tmp_path):
    marks = (
        Bars("Reads", np.array([3.0, NAN]), BLUE, stack="s"),
        Bars("Writes", np.array([1.0, 2.0]), ORANGE, stack="s"),
    )
    (chart,) = _charts(tmp_path, bars(*marks))
    assert chart._chartSpace.find(".//{*}grouping").get("val") == "stacked"
    assert chart.plots[0].overlap == 100
    assert [series.name for series in chart.plots[0].series] == ["Reads", "Writes", "Total"]
    assert list(chart.plots[0].series[2].values) == [4.0, 2.0]
    assert chart.value_axis.maximum_scale == 5


def test_that_a_band_becomes_its_two_edges_and_is_named_once(tmp_path):
    x = np.array([0.0, 60.0])
    band = Band("5–95 %", x, np.array([1.0, 2.0]), np.array([3.0, 5.0]), BLUE)
    (chart,) = _charts(tmp_path, lines(band, Line("MCS", x, x, BLUE)))
    found = series_of(chart)
    _same(cached(found["5–95 %"], "yVal"), [1, 2])
    _same(cached(found["5–95 %, upper end"], "yVal"), [3, 5])
    places = {name: int(one.find("{*}idx").get("val")) for name, one in found.items()}
    hidden = [int(one.find("{*}idx").get("val")) for one in chart._chartSpace.findall(".//{*}legendEntry")]
    assert hidden == [places["5–95 %, upper end"]]


def test_that_dots_have_markers_and_no_line(tmp_path):
    x, y = np.array([120.0, 0.0, 60.0]), np.array([3.0, 1.0, NAN])
    (chart,) = _charts(tmp_path, lines(Points("sessions", x, y, ORANGE)))
    series = series_of(chart)["sessions"]
    _same(cached(series, "xVal"), [0, 1, 2])
    _same(cached(series, "yVal"), [1, NAN, 3])
    assert series.find("{*}spPr/{*}ln/{*}noFill") is not None
    assert series.find("{*}marker/{*}symbol").get("val") == "square"


def test_that_lines_keep_colour_dash_and_marker(tmp_path):
    x = np.linspace(0, 600, 61)
    (chart,) = _charts(tmp_path, lines(Line("a", x, x, BLUE), Line("b", x, 2 * x, ORANGE)))
    found = series_of(chart)
    for name, look, dash in (("a", BLUE, None), ("b", ORANGE, "dash")):
        stroke = found[name].find("{*}spPr/{*}ln")
        assert stroke.find(".//{*}srgbClr").get("val") == colour(look, "light")[1:].upper()
        assert (None if dash is None else stroke.find("{*}prstDash").get("val")) == dash
    symbols = {one.get("val") for one in found["b"].findall("{*}dPt/{*}marker/{*}symbol")}
    assert symbols == {"square"}
    assert 3 <= len(found["b"].findall("{*}dPt")) <= 15


def test_that_axes_are_visible_and_named_with_their_unit(tmp_path, snapshot):
    x = np.array([-30.0, 2_700.0])
    panel = bars(Bars("b", np.array([1.0]), BLUE), names=("a",), y=Axis("Latency", "ms"))
    curves, columns = _charts(tmp_path, lines(Line("a", x, x, BLUE)), panel)
    for chart in (curves, columns):
        assert [one.get("val") for one in chart._chartSpace.findall(".//{*}delete")] == ["0", "0"]
        assert chart.value_axis.visible
        assert chart.category_axis.visible
    assert curves.category_axis.axis_title.text_frame.text == snapshot
    assert curves.value_axis.axis_title.text_frame.text == "IOPS per VM"
    assert columns.value_axis.axis_title.text_frame.text == "Latency (ms)"
    assert (curves.category_axis.minimum_scale, curves.category_axis.maximum_scale) == (-10, 50)


def test_that_panels_of_one_kind_share_the_scale_of_the_figure(tmp_path):
    x = np.array([0.0, 60.0])
    small, large = lines(Line("a", x, x / 60, BLUE)), lines(Line("b", x, 10 * x, BLUE), column=1)
    shared = _charts(tmp_path, small, large)
    own = written(tmp_path / "b.pptx", deck_with(figure(small, large, share_y=False))).charts()
    assert [chart.value_axis.maximum_scale for chart in shared] == [600, 600]
    assert [chart.value_axis.maximum_scale for chart in own] == [1, 600]


def test_that_a_logarithmic_axis_stays_logarithmic(tmp_path):
    x = np.array([1.0, 100.0])
    panel = Panel("", Axis("time", "min", "log"), Axis("IOPS", "IOPS", "log"), (Line("a", x, 50 / x, BLUE),))
    (chart,) = _charts(tmp_path, panel)
    assert [one.get("val") for one in chart._chartSpace.findall(".//{*}logBase")] == ["10", "10"]
    assert (chart.value_axis.minimum_scale, chart.value_axis.maximum_scale) == (0.1, 100)


def test_that_a_line_over_bars_is_in_the_same_chart(tmp_path):
    band = Band("±5 %", np.array([-0.5, 1.5]), np.full(2, -5.0), np.full(2, 5.0), Look("quiet"))
    marks = (Bars("MCS", np.array([-20.0, NAN]), BLUE, stack="c"), Bars("PVS", np.array([NAN, 3.0]), ORANGE, stack="c"))
    (chart,) = _charts(tmp_path, bars(band, *marks))
    over = chart._chartSpace.findall(".//{*}lineChart/{*}ser")
    assert [cached(one, "val") for one in over] == [[-5, -5], [5, 5]]
    axes = [one.get("val") for one in chart._chartSpace.findall(".//{*}lineChart/{*}axId")]
    assert axes == [one.get("val") for one in chart._chartSpace.findall(".//{*}barChart/{*}axId")]
    # One step beyond the lowest bar leaves space for its number.
    assert chart.value_axis.minimum_scale == -25


def test_that_all_dots_of_a_category_are_drawn(tmp_path):
    dots = Points("run", np.array([0.0, 0.0, 1.0]), np.array([1.0, 2.0, 3.0]), BLUE)
    (chart,) = _charts(tmp_path, bars(dots))
    found = [cached(one, "val") for one in chart._chartSpace.findall(".//{*}ser")]
    _same(np.array(found), [[1, 3], [2, NAN]])


def test_that_a_heat_map_is_omitted_and_reported(tmp_path):
    heat = Panel(
        "",
        Axis("t", "s"),
        Axis("VM", categories=("VM",)),
        (Heatmap("h", np.array([0.0, 1.0]), ("VM",), np.ones((1, 1)), (0.0, 1.0), "IOPS"),),
    )
    x = np.array([0.0, 60.0])
    found = written(tmp_path / "a.pptx", deck_with(figure(lines(Line("a", x, x, BLUE)), heat)))
    assert len(found.charts()) == 1
    assert any("heatmap" in sentence for sentence in found.written.left_out)
    assert any("heatmap" in slide.notes_slide.notes_text_frame.text for slide in found.slides)


def test_that_a_long_line_keeps_its_peak_and_the_notes_say_that_it_is_reduced(tmp_path):
    x = np.arange(50_000.0)
    y = np.sin(x)
    y[31_234] = 77.0
    found = written(tmp_path / "a.pptx", deck_with(figure(lines(Line("MCS", x, y, BLUE)))))
    values = cached(series_of(found.charts()[0])["MCS"], "yVal")
    assert len(values) < 10_000
    assert max(values) == 77.0
    assert any("lowest and highest of every" in slide.notes_slide.notes_text_frame.text for slide in found.slides)


def test_that_infinities_are_empty_and_reported(tmp_path):
    one = Bars("reads", np.array([np.inf, -np.inf, 2.0]), BLUE)
    found = written(tmp_path / "a.pptx", deck_with(figure(bars(one, names=("a", "b", "c")))))
    (chart,) = found.charts()
    _same(in_book(chart, series_of(chart)["reads"], "val"), [NAN, NAN, 2])
    assert any("2 infinite values are left empty" in sentence for sentence in found.written.left_out)


def test_that_a_short_series_never_comes_before_a_longer_one(tmp_path):
    # LibreOffice loses such a series when it opens the file.
    x = np.linspace(0, 600, 50)
    dots = Points("dots", np.array([60.0]), np.array([5.0]), ORANGE)
    short = Line("short", x[[0, -1]], np.array([1.0, 2.0]), BLUE)
    panel = lines(dots, short, Line("long", x, x, BLUE), regions=(Region("boot", 0, 300), Region("steady", 300, 600)))
    (chart,) = _charts(tmp_path, panel)
    counts = [int(one.get("val")) for one in chart._chartSpace.findall(".//{*}yVal//{*}ptCount")]
    assert counts == sorted(counts, reverse=True)
    _same(cached(series_of(chart)["dots"], "yVal"), [5, NAN])
    _same(cached(series_of(chart)["steady state"], "xVal"), [5, 5])


def test_that_many_panels_are_spread_over_slides_without_overlap(tmp_path):
    x = np.array([0.0, 60.0])
    panels = [lines(Line("a", x, x, BLUE), column=column) for column in range(7)]
    found = written(tmp_path / "a.pptx", deck_with(figure(*panels)))
    pages = [[shape for shape in slide.shapes if shape.has_chart] for slide in found.slides]
    assert [len(page) for page in pages if page] == [3, 3, 1]
    for page in pages:
        edges = [(one.left, one.left + one.width) for one in page]
        assert all(right <= left for (_, right), (left, _) in pairwise(edges))
        assert all(one.left >= 0 and one.left + one.width <= Inches(13.34) for one in page)


def test_that_long_names_are_next_to_horizontal_bars_over_their_axis(tmp_path):
    names = ("raw-san_randrw-20-80-4k_qd16x4 (4 KiB)", "b")
    (chart,) = _charts(tmp_path, bars(Bars("read", np.array([1.0, 2.0]), BLUE), names=names))
    assert chart._chartSpace.find(".//{*}barDir").get("val") == "bar"
    # The first name on top, the axis of values at the bottom.
    assert chart._chartSpace.find(".//{*}catAx/{*}scaling/{*}orientation").get("val") == "maxMin"
    assert chart._chartSpace.find(".//{*}valAx/{*}crosses").get("val") == "max"
    assert list(chart.plots[0].categories) == list(names)


def test_that_numbers_are_numbers_in_the_workbook_of_a_chart(tmp_path):
    (chart,) = _charts(tmp_path, bars(Bars("b", np.array([-1.0, 0.0]), BLUE)))
    sheet = book_of(chart).active
    assert [(sheet.cell(row, 2).data_type, sheet.cell(row, 2).value) for row in (2, 3)] == [("n", -1), ("n", 0)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_colours_follow_the_theme(tmp_path, theme):
    x = np.array([0.0, 60.0])
    found = written(tmp_path / "a.pptx", deck_with(figure(lines(Line("a", x, x, BLUE)))), theme=theme)
    stroke = series_of(found.charts()[0])["a"].find("{*}spPr/{*}ln//{*}srgbClr")
    assert stroke.get("val") == colour(BLUE, theme)[1:].upper()


def test_that_plots_with_one_scale_have_one_height_next_to_a_legend(tmp_path):
    x = np.array([0.0, 60.0])
    both = lines(Line("index", x, x, BLUE), Line("threshold", x, x / 2, ORANGE))
    alone = lines(Line("index", x, x, BLUE), column=1, subtitle="not reached with as many sessions " * 3)
    charts = _charts(tmp_path, both, alone)
    heights = [(layout.find("{*}y").get("val"), layout.find("{*}h").get("val")) for layout in map(_plot, charts)]
    assert heights[0] == heights[1]


def _plot(chart):
    """The layout of the inner plot area."""
    return chart._chartSpace.find(".//{*}plotArea/{*}layout/{*}manualLayout")
