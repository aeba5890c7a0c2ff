"""FigureView: its content, its zoom and scrolling, and its signals."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.gui.plot.figures import TIME, bars_figure, cache_figure, line_figure, per_vm_figure
from tests.gui.plot.views import panels
from workbench.charts.figure import Axis, Bars, Figure, Heatmap, Line, Look, Panel
from workbench.charts.palette import THEMES, ThemeName
from workbench.gui.plot.bars import y_of
from workbench.gui.plot.geometry import x_label, y_label
from workbench.gui.plot.picture import render_figure
from workbench.gui.plot.view import FigureView


def test_that_every_panel_is_inside_its_card(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    for panel in panels(view):
        assert panel.place.card.contains(panel.place.plot)
        assert panel.place.plot.height() > 60


def test_that_plots_line_up_across_the_columns(view: FigureView) -> None:
    view.show_figure(per_vm_figure(vms=(5, 11, 150)))
    for row in (0, 1):
        places = [p.place for p in panels(view) if p.scales.row == row]
        assert len({(p.plot.top(), p.plot.bottom()) for p in places}) == 1
        assert len({p.plot.left() - p.card.left() for p in places}) == 1


def test_that_compared_panels_share_their_y_range_and_others_do_not(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    assert len({p.scales.y for p in panels(view) if p.heat is None}) == 1
    view.show_figure(cache_figure())
    assert len({p.scales.y for p in panels(view)}) == 2


def test_that_the_time_axis_ends_where_the_data_ends(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    assert {p.span for p in panels(view)} == {(0.0, 2_700.0)}
    view.set_span(-5_000.0, 90_000.0)
    assert {p.span for p in panels(view)} == {(0.0, 2_700.0)}


def test_that_only_the_lowest_panel_of_a_column_has_tick_labels(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    assert [p.place.shows_x for p in panels(view)] == [False, True] * 3


def test_that_panels_of_one_axis_move_together(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    panels(view)[3].box.setXRange(300.0, 900.0, padding=0)
    assert {p.span for p in panels(view)} == {(300.0, 900.0)}


def test_that_a_highlighted_vm_without_a_line_is_drawn_from_its_row(view: FigureView) -> None:
    figure = per_vm_figure()
    view.show_figure(figure)
    view.light_vm("W10-003")
    heat = next(m for m in figure.panels[3].marks if isinstance(m, Heatmap))
    layer = panels(view)[2].lit_layer
    assert layer is not None
    np.testing.assert_array_equal(layer.y, heat.values[2])
    view.light_vm(None)
    assert all(panel.lit_layer is None for panel in panels(view))


def test_that_the_highlighted_vm_stays_highlighted_in_the_next_figure(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    view.light_vm("W10-002")
    view.show_figure(per_vm_figure(bins=60))
    assert view.lit == "W10-002"
    assert panels(view)[0].lit_layer is not None


def test_that_a_vm_that_is_in_no_panel_highlights_nothing(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    view.light_vm("no such VM")
    assert all(panel.lit_layer is None for panel in panels(view))
    view.grab()


def test_that_the_zoom_is_kept_for_a_figure_with_the_same_range(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    view.set_span(300.0, 900.0)
    view.show_figure(per_vm_figure(scale="log"))
    assert {p.span for p in panels(view)} == {(300.0, 900.0)}


def test_that_the_visible_content_is_reported_to_a_screen_reader(view: FigureView) -> None:
    figure = per_vm_figure()
    view.show_figure(figure)
    assert view.figure is figure
    assert view.accessibleName() == figure.question
    assert view.accessibleDescription() == figure.summary


def test_that_values_a_log_scale_cannot_show_are_counted_and_reported(
    view: FigureView, snapshot: SnapshotAssertion
) -> None:
    x = np.arange(6.0)
    view.show_figure(line_figure(x, np.array([1.0, 0.0, -2.0, 5.0, np.nan, 3.0]), Axis("IOPS", scale="log")))
    assert view._footer.notes == snapshot
    assert y_label(panels(view)[0].scales) == snapshot


def test_that_panels_with_separate_scales_say_so(view: FigureView, snapshot: SnapshotAssertion) -> None:
    shared = per_vm_figure()
    view.show_figure(Figure("k", "Q", "", shared.panels, share_y=False))
    assert view._footer.notes == snapshot
    view.show_figure(shared)
    assert not view._footer.notes


def test_that_the_colour_scale_names_quantity_ends_and_gaps(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    footer = view._footer
    assert (footer.quantity, footer.limits, footer.gaps) == ("IOPS per VM", (0.0, 25.0), True)
    assert footer.beyond


def test_that_the_time_axis_names_the_unit_it_counts_in(view: FigureView) -> None:
    for seconds, words in ((90.0, "seconds"), (2_700.0, "minutes"), (30_000.0, "time")):
        x = np.linspace(0.0, seconds, 50)
        view.show_figure(line_figure(x, x, Axis("IOPS")))
        assert x_label(panels(view)[0].scales).startswith(f"{words.capitalize()} since phase start")


def test_that_clock_times_keep_their_seconds(view: FigureView) -> None:
    x = 1_462_870_800.0 + np.arange(0.0, 600.0, 0.5)
    figure = Figure(
        "k", "Q", "", (Panel("", Axis("time of day, UTC", "clock"), Axis(""), (Line("a", x, x, Look("MCS")),)),)
    )
    view.show_figure(figure)
    panel = panels(view)[0]
    assert panel.scales.x_ticks(panel.scales.x, 5).labels[0] == "09:00"
    assert panel.full[1] - panel.full[0] == pytest.approx(599.5, abs=1e-6)
    assert abs(panel.full[0]) < 86_400


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_that_unmeasured_values_look_different_from_zero(qtbot: QtBot, theme: ThemeName) -> None:
    edges = np.arange(11.0)
    values = np.zeros((4, 10))
    values[2, :] = np.nan
    heat = Heatmap("h", edges, ("a", "b", "c", "d"), values, (0.0, 1.0), "IOPS")
    figure = Figure("k", "Q", "", (Panel("", TIME, Axis("VM", categories=heat.rows), (heat,)),))
    image = render_figure(figure, (500, 400), theme, title=False)
    zero, missing = _colours(image, figure, row=0), _colours(image, figure, row=2)
    assert not zero & missing
    assert THEMES[theme].card in missing, "the hatch lets the card through"
    assert THEMES[theme].card not in zero


def test_that_a_peak_of_one_sample_survives_a_million_points(view: FigureView) -> None:
    y = np.zeros(1_000_000)
    y[654_321] = 9.0
    view.show_figure(line_figure(np.arange(1e6), y, Axis("IOPS")))
    layer = panels(view)[0].lines[0]
    drawn_x, drawn_y = layer.curve.getData()
    assert drawn_x.size <= 4_000
    assert drawn_x[np.argmax(drawn_y)] == 654_321


@pytest.mark.parametrize(("times", "rough"), [(0.0, False), (3.0, False), (2_000.0, True)])
def test_that_a_line_that_turns_at_nearly_every_pixel_is_painted_by_columns(
    view: FigureView, times: float, rough: bool
) -> None:
    x = np.linspace(0.0, 1.0, 3_999)
    y = 5 + 4 * np.sin(2 * np.pi * times * x + 0.3)
    view.show_figure(line_figure(x, y, Axis("IOPS")))
    assert panels(view)[0].lines[0].curve.rough is rough
    before = view.grab().toImage()
    panels(view)[0].lines[0].curve.hide()
    assert view.grab().toImage() != before


def test_that_a_smooth_line_is_drawn_with_few_points(view: FigureView) -> None:
    x = np.linspace(0.0, 1.0, 3_999)
    view.show_figure(line_figure(x, x, Axis("IOPS")))
    drawn_x, drawn_y = panels(view)[0].lines[0].drawn
    assert drawn_x.size < 600
    assert (drawn_y[0], drawn_y[-1]) == (0.0, 1.0)


def test_that_markup_in_a_name_is_drawn_as_text(view: FigureView, qtbot: QtBot) -> None:
    x = np.arange(10.0)
    view.show_figure(line_figure(x, x, Axis("<b>IOPS</b>", "<i>1/s</i>"), name="<script>"))
    assert y_label(panels(view)[0].scales) == "<b>IOPS</b> (<i>1/s</i>)"
    view._point(panels(view)[0].place.plot.center())
    view.grab()


def labels_of(view: FigureView) -> tuple[int, int, int, int]:
    """Four numbers of pixels. In the text colour: above the zero line, in the lower half of the bar from zero to −50,
    and below the bar. In the card colour: within the bar."""
    image, place = view.grab().toImage(), panels(view)[0].place
    zero, end = (int(y_of(place, value)) for value in (0.0, -50.0))
    left, right = (int(place.plot.left() + place.plot.width() * share) for share in (0.3, 0.7))

    def count(colour: str, top: float, bottom: float) -> int:
        wanted = QColor(getattr(THEMES["light"], colour)).rgb()
        rows, columns = range(int(top), int(bottom)), range(left, right)
        return sum(image.pixel(x, y) == wanted for y in rows for x in columns)

    middle = (zero + end) / 2
    return (
        count("text", place.plot.top(), zero - 2),
        count("text", middle, end - 2),
        count("text", end + 1, place.plot.bottom() - 1),
        count("card", middle, end - 2),
    )


def test_that_the_value_of_a_negative_bar_is_at_its_end(view: FigureView) -> None:
    def shown(low: float, high: float = 20.0) -> tuple[int, int, int, int]:
        bars = Bars("a", np.array([-50.0]), Look("MCS"))
        panel = Panel("p", Axis("", categories=("a",)), Axis("Change", "%", limits=(low, high)), (bars,))
        view.show_figure(Figure("k", "Q", "", (panel,), share_y=False))
        return labels_of(view)

    over, within, below, _ = shown(-70.0)
    assert (over, within) == (0, 0)
    assert below > 10
    over, _, below, inside = shown(-50.1)
    assert (over, below) == (0, 0)
    assert inside > 10
    # A short bar at the bottom has space for its value only above the zero line.
    over, _, below, _ = shown(-50.1, 3000.0)
    assert below == 0
    assert over > 10


@pytest.mark.parametrize("figure", [bars_figure(), cache_figure(), per_vm_figure(scale="log")])
@pytest.mark.parametrize("size", [(240, 160), (1280, 720), (2560, 1440)])
def test_that_every_kind_of_figure_is_drawn_at_every_size(
    view: FigureView, figure: Figure, size: tuple[int, int]
) -> None:
    view.resize(*size)
    view.show_figure(figure)
    image = view.grab().toImage()
    seen = {image.pixel(x, y) for x in range(0, size[0], 7) for y in range(0, size[1], 7)}
    assert len(seen) > 3


@pytest.mark.parametrize(
    "panel",
    [
        Panel("all missing", TIME, Axis("IOPS"), (Line("a", np.arange(3.0), np.full(3, np.nan), Look("MCS")),)),
        Panel("no samples", TIME, Axis("IOPS"), (Line("a", np.empty(0), np.empty(0), Look("MCS")),)),
        Panel("one sample", TIME, Axis("IOPS"), (Line("a", np.ones(1), np.ones(1), Look("MCS")),)),
        Panel("no marks", TIME, Axis("IOPS"), ()),
        Panel("no rows", TIME, Axis("VM"), (Heatmap("h", np.arange(3.0), (), np.empty((0, 2)), (0, 1), ""),)),
    ],
    ids=lambda panel: panel.title,
)
def test_that_a_panel_without_data_is_drawn(view: FigureView, panel: Panel) -> None:
    view.show_figure(Figure("k", "Q", "", (panel,)))
    view._point(panels(view)[0].place.plot.center())
    view.grab()


def test_that_a_panel_names_the_highest_value_above_its_top(view: FigureView) -> None:
    x = np.arange(100.0)
    y = np.where(x == 40.0, 372.0, 5.0)
    view.show_figure(line_figure(x, y, Axis("IOPS", limits=(0.0, 10.0))))
    panel = panels(view)[0]
    assert (panel.scales.y, panel.highest_in_view()) == ((0.0, 10.0), 372.0)
    cut = view.grab().toImage()
    view.show_figure(line_figure(x, np.minimum(y, 10.0), Axis("IOPS", limits=(0.0, 10.0))))
    corner = [(round(panel.place.plot.right()) - i, round(panel.place.plot.top()) + 10) for i in range(4, 60)]
    plain = view.grab().toImage()
    assert {cut.pixel(*at) for at in corner} != {plain.pixel(*at) for at in corner}


def test_that_an_empty_figure_says_why(view: FigureView, snapshot: SnapshotAssertion) -> None:
    view.show_figure(Figure("k", "Q", "", (), empty="No run has IOPS."))
    assert view.accessibleDescription() == snapshot
    assert len({view.grab().toImage().pixel(x, 350) for x in range(400, 800)}) > 2


def test_that_the_theme_changes_the_background_and_keeps_the_zoom(view: FigureView) -> None:
    view.show_figure(per_vm_figure())
    view.set_span(300.0, 900.0)
    view.set_theme("dark")
    assert {p.span for p in panels(view)} == {(300.0, 900.0)}
    card = panels(view)[0].place.card
    inside = view.grab().toImage().pixelColor(round(card.right()) - 8, round(card.center().y()))
    assert inside == QColor(THEMES["dark"].card)


def test_that_a_figure_that_cannot_be_arranged_keeps_the_previous_figure(
    view: FigureView, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise ValueError("Cannot set range [0.0, inf]")

    before = bars_figure()
    view.show_figure(before)
    with monkeypatch.context() as broken:
        broken.setattr("workbench.gui.plot.shown.arrange", fails)
        with pytest.raises(ValueError, match="Cannot set range"), view.arranged_once():
            view.show_figure(per_vm_figure())
    assert view.figure is before
    view.set_theme("dark")
    assert [panel.scales.panel for panel in view.seen] == list(before.panels)


def test_that_an_image_has_the_requested_size_and_scale(qtbot: QtBot) -> None:
    image = render_figure(per_vm_figure(), (640, 360), "light", scale=2.0)
    assert (image.width(), image.height(), image.devicePixelRatio()) == (1280, 720, 2.0)


def _colours(image: object, figure: Figure, row: int) -> set[str]:
    """The colours inside one of the four rows, away from its edges."""
    shown = FigureView()
    shown.draw_as_picture()
    shown.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    shown.resize(460, 360)
    shown.show()
    shown.show_figure(figure)
    plot = shown._panels[0].place.plot.translated(20, 20)
    shown.close()
    tall = plot.height() / 4
    top = round(plot.top() + row * tall)
    return {
        image.pixelColor(x, y).name()  # type: ignore[attr-defined]
        for y in range(top + 4, top + round(tall) - 4)
        for x in range(round(plot.left()) + 4, round(plot.right()) - 4, 3)
    }
