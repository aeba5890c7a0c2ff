"""The places of all parts of a figure: cards side by side, panels stacked in them, axes aligned."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QRectF, QSizeF

from workbench.charts import ticks
from workbench.charts.figure import Band, Bars, Heatmap, Line, Look, Panel, Points
from workbench.charts.scales import Scales
from workbench.gui.plot.axes.names import AxisNames, Lines, axis_names, wrapped
from workbench.gui.plot.ink import Ink, line_height, text_width, widest, widest_up_to
from workbench.gui.services.translation import said

SAMPLE = 22.0
# The names under the plots take at most this share of the height.
_NAMES_SHARE = 0.42
# The names at the ends of lines take at most this share of a card; each name has a leader line of this length before
# it.
_ENDS_SHARE, LEADER = 0.24, 18
# A read-out next to the title of y has at least this width.
_READ_PX = 75
_KINDS: tuple[tuple[type, str], ...] = ((Bars, "bar"), (Band, "band"), (Points, "points"))


@dataclass(frozen=True)
class LegendEntry:
    """One line of a legend. `text` is the name as it is drawn."""

    name: str
    look: Look
    kind: str
    hidden: bool = False
    outlined: bool = False
    text: str = ""


@dataclass(frozen=True)
class PlotPlace:
    """One panel on the canvas, in pixels. A rectangle of zero height is not drawn. `read` is the row of the read-out.
    With `names_y` False the first column shows the numbers of y. The gutter names the axes of `joined` columns.
    `title` is the title of the x axis, as lines. A widget takes the room of the head over a `headed` panel. `ends` is
    the room after the plot for the names of lines at their ends; 0 if a legend names them."""

    scales: Scales
    card: QRectF
    head: QRectF
    label: QRectF
    read: QRectF
    plot: QRectF
    shows_x: bool
    names: AxisNames
    legend: tuple[tuple[QRectF, LegendEntry], ...]
    title: Lines
    names_y: bool = True
    joined: bool = False
    headed: bool = False
    ends: float = 0.0


@dataclass(frozen=True)
class Around:
    """The parts around the plots: `read` lines of text in the rows of the read-out (0 for an image, which has none), a
    widget over each column (`heads`: its height for a column width), and the heights in pixels of the scroll bar and
    the strip, which are in or under the card. `flags` is True while cursors are set."""

    title: bool = False
    footer: bool = False
    read: int = 0
    heads: Callable[[float], float] | None = None
    bar: float = 0.0
    strip: float = 0.0
    flags: bool = False


@dataclass(frozen=True)
class Layout:
    """The whole canvas. `bar` and `strip` are the areas of scroll bar and strip in the card of joined columns."""

    places: tuple[PlotPlace, ...]
    cards: tuple[QRectF, ...]
    title: QRectF
    footer: QRectF
    gutter: float
    bar: QRectF = field(default_factory=QRectF)
    strip: QRectF = field(default_factory=QRectF)


@dataclass(frozen=True)
class PlotRow:
    """The room that one row of panels needs around its plots; equal in every column."""

    head: float
    label: float
    read: float
    flags: float
    axis: float
    weight: float
    beside: bool
    names: float
    shared: float = 0.0

    @property
    def over(self) -> float:
        """The height of title and read-out over the plot; `shared` is the height of the line that contains both."""
        return self.label + max(0.0, self.read - self.shared)


def legend_of(panel: Panel) -> list[LegendEntry]:
    """The marks that need a legend entry. Empty for one mark, for named VMs, or if the axis names the bars."""
    entries = []
    for mark in panel.marks:
        if isinstance(mark, Heatmap) or (isinstance(mark, Line) and mark.vm):
            continue
        kind = next((name for shape, name in _KINDS if isinstance(mark, shape)), "line")
        name = mark.name.removeprefix(f"{panel.title}: ")
        outlined = isinstance(mark, Bars) and mark.outlined
        entries.append(LegendEntry(name, mark.look, kind, name in panel.hidden, outlined, panel.drawn(name)))
    # Highlighted dots of a finding get an entry separate from dots with equal names.
    entries = list(dict.fromkeys(entries))
    # The entry for the dots of `MCS` covers `MCS: mean` too.
    dots = {mark.name.removeprefix(f"{panel.title}: ") for mark in panel.marks if isinstance(mark, Points)}
    entries = [entry for entry in entries if entry.kind == "points" or entry.name.partition(": ")[0] not in dots]
    named = set(panel.x.names)
    fewest = 1 if panel.names_one else 2
    named_all = bool(named) and all(entry.name in named for entry in entries)
    if not panel.legend or len(entries) < fewest or named_all:
        return []
    return entries


def ends_width(scales: list[Scales], ink: Ink, size: QSizeF) -> float:
    """The room for the names at the ends of lines in cards of this size; 0 if no panel has them, or if a plot would be
    too low for its names."""
    named = [legend_of(scale.panel) for scale in scales if scale.panel.ends]
    if not named:
        return 0.0
    # The minimum that a panel needs next to its plot: the title of y, the gap to the next panel.
    plot = size.height() / len(scales) - ink.px(60)
    if max(map(len, named)) * line_height(ink.small) > plot:
        return 0.0
    names = widest(ink.strong, (entry.name for entries in named for entry in entries))
    return math.ceil(min(names + 1, _ENDS_SHARE * size.width())) + ink.px(LEADER)


def x_label(scales: Scales) -> str:
    """The title of the x axis, with the unit of its ticks."""
    return ticks.wording(scales.panel.x.label, scales.panel.x.unit, scales.x_ticks(scales.x, 6).word)


def y_label(scales: Scales) -> str:
    """The title of the y axis; says if the axis is logarithmic."""
    text = ticks.wording(scales.panel.y.label, scales.panel.y.unit, "")
    return f"{text} · {said('log scale')}" if scales.y_log else text


def gutter_of(scales: list[Scales], ink: Ink, most: float) -> float:
    """The width next to the plots for the numbers of y, enough for every number of ticks; at most `most` for names."""
    named = [scale for scale in scales if scale.heatmap or scale.panel.y.categories]
    beside = ink.px(8)
    labels = (label for scale in named for label in scale.y_ticks(2).labels)
    names = widest_up_to(ink.small, labels, most - beside)
    return round(max(numbers_width(scales, ink) + beside, min(names + beside, most), ink.px(26)))


def numbers_width(scales: list[Scales], ink: Ink) -> float:
    """The width of the widest number of y for every number of ticks; 0 for names."""
    measured = [scale for scale in scales if not (scale.heatmap or scale.panel.y.categories)]
    # Panels that share an axis share its labels.
    counts = range(3, ticks.STEPS_Y + 1)
    return widest(ink.small, {label for s in measured for count in counts for label in s.y_ticks(count).labels})


def rows_of(
    scales: list[Scales], ink: Ink, size: QSizeF, gutter: float, around: Around, joined: bool = False, ends: float = 0.0
) -> list[PlotRow]:
    """The room that each row of panels needs around its plots in cards of this size. The axes of `joined` columns are
    named next to them."""
    card, rows = size.width(), []
    plot = card - 2 * ink.px(16) - gutter - ends
    count = 1 + max((scale.row for scale in scales), default=-1)
    under = max(ink.px(40), _NAMES_SHARE * size.height() / max(1, count))
    for row in range(count):
        members = [scale for scale in scales if scale.row == row]
        # The legends of one row have one place in every card: next to the axis title, or all above it.
        beside = not joined and all(_beside(member, ink, card) for member in members)
        read = any(is_read(member.panel) for member in members)
        # The read-out is in the line of the axis title, unless this line has a legend, or must stay free for a finding.
        shares = not joined and all(
            _shares_line(member, ink, card - 2 * ink.px(16), bool(ends) or not beside) for member in members
        )
        rows.append(
            PlotRow(
                max(_head_height(member, ink, card) for member in members),
                max(_label_height(member, ink, card, beside, joined, legend=not ends) for member in members),
                read_height(ink, around.read) if read else 0.0,
                _flag_room(ink, around, shares) if not row and read else 0.0,
                max(_axis_height(member, scales, ink, plot, gutter, under) for member in members),
                max(_weight(member) for member in members),
                beside,
                under,
                read_height(ink, 1) if shares else 0.0,
            )
        )
    return rows


def _flag_room(ink: Ink, around: Around, shares: bool) -> float:
    """The room of the flags over the plots; without them, a gap under the read-out for the highest number of y."""
    return flag_height(ink) if around.flags else 0.0 if shares else ink.px(5)


def _shares_line(scales: Scales, ink: Ink, width: float, legend_elsewhere: bool) -> bool:
    """True if the line of the axis title has room for the read-out."""
    alone = legend_elsewhere or not legend_of(scales.panel)
    titled = bool(y_label(scales)) and not (scales.heatmap and scales.row)
    return alone and titled and not scales.panel.readout and _beside_title(scales, ink, width) >= ink.px(_READ_PX)


def _beside_title(scales: Scales, ink: Ink, width: float) -> float:
    """The width next to the title of y that the title leaves free."""
    return width - widest(ink.small, y_title(scales, ink, width)) - ink.px(16)


def is_read(panel: Panel) -> bool:
    """True if a panel has a row of the read-out: it shows samples over an axis and is not a heatmap. The values of a
    heatmap are in the row above."""
    samples = any(not isinstance(mark, Bars | Heatmap) for mark in panel.marks)
    return samples and not panel.x.categories


def read_height(ink: Ink, lines: int) -> float:
    """The height of a row of the read-out, in pixels."""
    return lines * (line_height(ink.small) + ink.px(2)) + ink.px(4) if lines else 0.0


def flag_height(ink: Ink) -> float:
    """The height of the cursor flags over the plots, in pixels."""
    return line_height(ink.small) + ink.px(3)


def _head_height(scales: Scales, ink: Ink, card: float) -> float:
    if not scales.panel.title:
        return line_height(ink.plain) + ink.px(6) if scales.panel.subtitle else 0.0
    inner = card - 2 * ink.px(16)
    lines = 0 if subtitle_beside(scales.panel, ink, inner) else len(subtitle_lines(scales.panel, ink, inner))
    under = lines * line_height(ink.plain) + ink.px(2) if lines else 0.0
    # Columns differ by a pixel.
    titles = len(title_lines(scales.panel, ink, inner - 1))
    return titles * line_height(ink.title) + ink.px(8) + under


def title_lines(panel: Panel, ink: Ink, width: float) -> Lines:
    """The lines of the title, at most two. The second may be too long."""
    first, *rest = wrapped(panel.heading, ink.title, width - (ink.px(32) if panel.look is not None else 0.0)) or ("",)
    return (first, " ".join(rest)) if rest else (first,)


def subtitle_lines(panel: Panel, ink: Ink, width: float) -> list[str]:
    """The lines of the subtitle; a second line instead of a cut text."""
    words = panel.subtitle.split(" ")
    fitting = [n for n in range(1, len(words)) if text_width(ink.plain, " ".join(words[:n])) <= width]
    if text_width(ink.plain, panel.subtitle) <= width or not fitting:
        return [panel.subtitle]
    # A break between two facts is better than within a fact.
    between = [n for n in fitting if words[n - 1] == "·" and text_width(ink.plain, " ".join(words[n:])) <= width]
    at = (between or fitting)[-1]
    return [" ".join(words[:at]).removesuffix(" ·"), " ".join(words[at:])]


def subtitle_beside(panel: Panel, ink: Ink, width: float) -> bool:
    """True if the subtitle fits after the title on one line."""
    if not panel.subtitle:
        return True
    sample = ink.px(32) if panel.look is not None else 0.0
    title = text_width(ink.title, panel.heading) + ink.px(10) + text_width(ink.plain, panel.subtitle)
    return sample + title <= width


def _label_height(scales: Scales, ink: Ink, card: float, beside: bool, joined: bool, legend: bool) -> float:
    lines = len(_legend_lines(scales, ink, card - 2 * ink.px(16))) if legend else 0
    own = 0 if joined or (scales.heatmap and scales.row) else len(y_title(scales, ink, card - 2 * ink.px(16)))
    count = max(lines + (0 if beside else own), own)
    return count * (line_height(ink.small) + ink.px(4)) + (ink.px(8) if count else 0)


def _beside(scales: Scales, ink: Ink, card: float) -> bool:
    """True if the legend fits next to the title of the y axis."""
    used = sum(_entry_width(entry, ink) for entry in legend_of(scales.panel))
    return used + text_width(ink.small, y_label(scales)) + ink.px(20) <= card - 2 * ink.px(16)


def _entry_width(entry: LegendEntry, ink: Ink) -> float:
    return ink.px(SAMPLE) + ink.px(6) + text_width(ink.small, entry.text) + ink.px(14)


def _legend_lines(scales: Scales, ink: Ink, width: float) -> list[list[LegendEntry]]:
    lines: list[list[LegendEntry]] = []
    used = math.inf
    for entry in legend_of(scales.panel):
        need = _entry_width(entry, ink)
        if used + need > width:
            lines.append([])
            used = 0.0
        lines[-1].append(entry)
        used += need
    return lines


def shows_x(panel_scales: Scales, scales: list[Scales]) -> bool:
    """True if no panel below shows this x axis too."""
    below = [
        other
        for other in scales
        if other.panel.column == panel_scales.panel.column and other.row == panel_scales.row + 1
    ]
    return not below or below[0].x_key != panel_scales.x_key


def _axis_height(
    panel_scales: Scales, scales: list[Scales], ink: Ink, plot: float, gutter: float, under: float
) -> float:
    if not shows_x(panel_scales, scales):
        return ink.px(12)
    names = axis_names(panel_scales.panel.x.categories, ink, plot, under)
    title = x_title(panel_scales, ink, plot, gutter)
    title_height = len(title) * line_height(ink.small) + ink.px(4) if title else 0.0
    return names.height(ink) + ink.px(8) + title_height + time_row_height(panel_scales, ink)


def time_row_height(scales: Scales, ink: Ink) -> float:
    """The height of the second row of labels of x; 0 without one."""
    return line_height(ink.small) + ink.px(2) if scales.panel.time_row else 0.0


def x_title(scales: Scales, ink: Ink, plot: float, gutter: float) -> Lines:
    """The title of the x axis as lines. They may be wider than a narrow plot, but stay in its card."""
    beyond = gutter + ink.px(14) if gutter else ink.px(8)
    return wrapped(x_label(scales), ink.small, plot + beyond) if x_label(scales) else ()


def y_title(scales: Scales, ink: Ink, width: float) -> Lines:
    """The title of the y axis as lines."""
    return wrapped(y_label(scales), ink.small, width) if y_label(scales) else ()


def stack(
    members: list[tuple[int, Scales]], card: QRectF, rows: list[PlotRow], ink: Ink, gutter: float, ends: float = 0.0
) -> dict[int, PlotPlace]:
    """Places for the panels of one column (by their number in the figure), stacked in their card."""
    pad = ink.px(16)
    inner = card.adjusted(pad, pad, -pad, -pad * 0.75)
    last = [bar for _, bar in members][-1].row
    between = ink.px(4) * last
    spent = sum(row.head + row.over + row.flags + row.axis for row in rows[: last + 1]) + between
    weights = [rows[bar.row].weight for _, bar in members]
    free = max(20.0 * len(members), inner.height() - spent)
    top, placed = inner.top(), {}
    for (index, scales), weight in zip(members, weights, strict=True):
        row, tall = rows[scales.row], round(free * weight / sum(weights))
        head = QRectF(inner.left(), top, inner.width(), row.head)
        label = QRectF(inner.left(), head.bottom(), inner.width(), row.over if row.shared else row.label)
        left = inner.left() + gutter
        read = QRectF(inner.left(), label.bottom(), inner.width(), row.read if is_read(scales.panel) else 0.0)
        if row.shared:
            read.moveBottom(label.bottom() - ink.px(7))
            read.setLeft(max(left, label.right() - _beside_title(scales, ink, label.width())))
        over = head.bottom() + row.over + row.flags
        plot = QRectF(round(left), round(over), round(inner.right() - left - ends), tall)
        top = plot.bottom() + row.axis + ink.px(4)
        placed[index] = PlotPlace(
            scales,
            card,
            head,
            label,
            read,
            plot,
            shows_x(scales, [m for _, m in members]),
            axis_names(scales.panel.x.categories, ink, plot.width(), row.names),
            () if ends else _legend(scales, ink, label, row.beside),
            x_title(scales, ink, plot.width(), gutter),
            ends=ends,
        )
    return placed


def _weight(scales: Scales) -> float:
    if scales.heatmap is None:
        return 3.0
    return min(2.6, max(1.4, len(scales.heatmap.rows) / 7))


def _legend(scales: Scales, ink: Ink, area: QRectF, beside: bool) -> tuple[tuple[QRectF, LegendEntry], ...]:
    lines = _legend_lines(scales, ink, area.width())
    tall, entries = line_height(ink.small) + ink.px(4), []
    for number, line in enumerate(lines):
        widths = [_entry_width(entry, ink) for entry in line]
        left = area.right() - sum(widths) + ink.px(14) if beside else area.left()
        for entry, wide in zip(line, widths, strict=True):
            entries.append((QRectF(round(left), area.top() + number * tall, wide, tall), entry))
            left += wide
    return tuple(entries)
