"""Texts of a chart with little space: names of bars share a word, subtitles wrap, and all stay in the card."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from PySide6.QtCore import QSizeF
from pytestqt.qtbot import QtBot

from tests.gui.plot.figures import per_vm_figure
from workbench.charts.figure import Axis, Panel
from workbench.charts.scales import scales_of
from workbench.gui.plot.axes.names import NameGroup, axis_names
from workbench.gui.plot.geometry import Around, subtitle_lines
from workbench.gui.plot.ink import Ink, line_height, text_width
from workbench.gui.plot.layout import arrange

NAMES = ("MCS", "MCSIO 256 MB", "MCSIO 512 MB", "MCSIO 1 GB", "MCSIO 4 GB")


def plot_for(ink: Ink, word: str, count: int) -> float:
    """Width of a plot in which `word` just fits under each of `count` bars."""
    return (text_width(ink.small, word) + ink.px(6) + 1) * count


def test_that_names_with_enough_space_are_not_grouped(qtbot: QtBot) -> None:
    ink = Ink("light")
    names = axis_names(NAMES, ink, plot_for(ink, "MCSIO", len(NAMES)))
    assert names.groups == ()
    assert [" ".join(name) for name in names.lines] == list(NAMES)


def test_that_names_wider_than_their_bars_share_their_first_word(qtbot: QtBot) -> None:
    ink = Ink("light")
    names = axis_names(NAMES, ink, plot_for(ink, "1 GB", len(NAMES)))
    assert names.groups == (NameGroup(1, 4, "MCSIO"),)
    assert [" ".join(name) for name in names.lines] == ["MCS", "256 MB", "512 MB", "1 GB", "4 GB"]


def test_that_each_group_of_names_has_a_heading_and_a_single_one_has_none(qtbot: QtBot) -> None:
    ink = Ink("light")
    names = ("Linked, 5 VMs", "Linked, 1 VM", "Own 1 GB", "Streamed 1 GB", "Streamed 3 GB")
    groups = axis_names(names, ink, plot_for(ink, "5 VMs", len(names))).groups
    assert groups == (NameGroup(0, 1, "Linked"), NameGroup(3, 4, "Streamed"))


def test_that_a_name_wraps_to_four_lines_before_it_is_cut(qtbot: QtBot) -> None:
    ink = Ink("light")
    ((*lines,),) = axis_names(("PVS 256 MB bloated profile",), ink, plot_for(ink, "256 MB", 1)).lines
    assert lines == ["PVS", "256 MB", "bloated", "profile"]


def test_that_a_subtitle_wraps_to_a_second_line(qtbot: QtBot) -> None:
    ink = Ink("light")
    panel = Panel("MCS", Axis("x"), Axis("y"), (), subtitle="median and 5–95 % of 12 VMs, 3 runs")
    whole = text_width(ink.plain, panel.subtitle)
    assert subtitle_lines(panel, ink, whole + 1) == [panel.subtitle]
    broken = subtitle_lines(panel, ink, whole * 0.8)
    assert len(broken) == 2
    assert " ".join(broken) == panel.subtitle
    facts = replace(panel, subtitle="180 logons in 3 runs · p95 15.7 s")
    broken = subtitle_lines(facts, ink, text_width(ink.plain, "180 logons in 3 runs · p95 "))
    assert broken == ["180 logons in 3 runs", "p95 15.7 s"], "between two facts"


def test_that_joined_columns_are_in_one_card_and_name_the_y_axis_once(qtbot: QtBot) -> None:
    figure = replace(per_vm_figure(vms=(5, 5, 5)), joined=True)
    layout = arrange(figure, scales_of(figure), Ink("light"), QSizeF(1_100, 600), Around(read=1))
    (card,) = layout.cards
    assert card.width() == 1_100
    assert [place.names_y for place in layout.places] == [True, True, False, False, False, False]
    plots = [place.plot for place in layout.places if place.scales.row == 0]
    assert max(plot.width() for plot in plots) - min(plot.width() for plot in plots) <= 1
    assert all(card.contains(place.plot) for place in layout.places)
    assert [round(right.left() - left.right()) for left, right in pairwise(plots)] == [14, 14]
    alone = replace(figure, joined=False)
    before = arrange(alone, scales_of(alone), Ink("light"), QSizeF(1_100, 600), Around(read=1))
    assert plots[0].width() > 1.15 * before.places[0].plot.width()


def test_that_file_names_wrap_at_a_separator_before_they_are_shortened(qtbot: QtBot) -> None:
    files = tuple(f"2021062216{number}528_WD_Blue_3D_1TB_WDS100T2B0A (QD{number})" for number in range(1, 7))
    ink = Ink("light")
    # No space for rotated names.
    names = axis_names(files, ink, plot_for(ink, "20210622161528_WD_Blue_3", len(files)), 60.0)
    assert all(names.lines)
    assert not names.turned
    assert ["".join(name).replace(" ", "") for name in names.lines] == [file.replace(" ", "") for file in files]
    assert all(line[-1] in "_-)A" for name in names.lines for line in name)


def test_that_long_file_names_wrap_before_rotated_names_take_the_height_of_the_plot(qtbot: QtBot) -> None:
    files = ("ceph-ssd-goed_randread-1-1", "example_data_randread-01", "HPG8_INTELD3S4610_randread-1-16 (×16)")
    ink = Ink("light")
    wide = plot_for(ink, "HPG8_INTELD3S4610_", len(files))
    names = axis_names(files, ink, wide)
    assert not names.turned
    assert names.height(ink) <= 4 * line_height(ink.small)
    assert ["".join(name).replace(" ", "") for name in names.lines] == [file.replace(" ", "") for file in files]
    # Short names are rotated, because wrapped names would not need less height.
    short = axis_names(("cold-a", "warm-b"), ink, plot_for(ink, "cold", 2))
    assert short.turned
