"""Where everything of a figure stands: cards side by side, panels stacked in them, axes in line."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QRectF

from workbench.charts import ticks
from workbench.charts.figure import Band, Bars, Heatmap, Line, Look, Panel, Points
from workbench.charts.scales import Scales
from workbench.gui.plot.ink import Ink, line_height, middle_elided, text_width, widest

SAMPLE = 22.0
_KINDS: tuple[tuple[type, str], ...] = ((Bars, "bar"), (Band, "band"), (Points, "points"))


@dataclass(frozen=True)
class Entry:
    """One line of a legend."""

    name: str
    look: Look
    kind: str
    hidden: bool = False


@dataclass(frozen=True)
class Group:
    """A word that the names of neighbouring categories begin with, written once under them: `first` to `last`."""

    first: int
    last: int
    word: str


@dataclass(frozen=True)
class Place:
    """One panel on the canvas, in pixels. A rectangle of no height is not drawn. `read` is the row of the read-out;
    `names_y` False leaves the numbers of y to the first column; the axes of `joined` columns are named in their
    gutter. Over a `headed` panel a widget has the room of the head."""

    scales: Scales
    card: QRectF
    head: QRectF
    label: QRectF
    read: QRectF
    plot: QRectF
    shows_x: bool
    names: tuple[tuple[str, ...], ...]
    legend: tuple[tuple[QRectF, Entry], ...]
    groups: tuple[Group, ...] = ()
    names_y: bool = True
    joined: bool = False
    headed: bool = False


@dataclass(frozen=True)
class Around:
    """What stands around the plots: `read` lines of type in the rows of the read-out (0: a picture, which has none), a
    widget over each column (`heads`: its height at the width of a column), and in or under the card a scroll bar and
    the strip, so many pixels high."""

    title: bool = False
    footer: bool = False
    read: int = 0
    heads: Callable[[float], float] | None = None
    bar: float = 0.0
    strip: float = 0.0


@dataclass(frozen=True)
class Layout:
    """The whole canvas. `bar` and `strip` are the rooms of the scroll bar and of the strip in the card of joined
    columns."""

    places: tuple[Place, ...]
    cards: tuple[QRectF, ...]
    title: QRectF
    footer: QRectF
    gutter: float
    bar: QRectF = field(default_factory=QRectF)
    strip: QRectF = field(default_factory=QRectF)


@dataclass(frozen=True)
class Row:
    """What one row of panels needs beside its plots, the same in every column."""

    head: float
    label: float
    read: float
    flags: float
    axis: float
    weight: float
    beside: bool


def legend_of(panel: Panel) -> list[Entry]:
    """The marks that need a name: nothing for one mark, for named VMs, or where the axis names the bars."""
    entries = []
    for mark in panel.marks:
        if isinstance(mark, Heatmap) or (isinstance(mark, Line) and mark.vm):
            continue
        kind = next((name for shape, name in _KINDS if isinstance(mark, shape)), "line")
        name = mark.name.removeprefix(f"{panel.title}: ")
        entries.append(Entry(name, mark.look, kind, name in panel.hidden))
    named = set(panel.x.categories)
    fewest = 1 if panel.names_one else 2
    named_all = bool(named) and all(entry.name in named for entry in entries)
    if not panel.legend or len(entries) < fewest or named_all:
        return []
    return entries


def x_label(scales: Scales) -> str:
    """The title of the x axis, with the unit its ticks count in."""
    return ticks.wording(scales.panel.x.label, scales.panel.x.unit, scales.x_ticks(scales.x, 6).word)


def y_label(scales: Scales) -> str:
    """The title of the y axis; it says when it is logarithmic."""
    text = ticks.wording(scales.panel.y.label, scales.panel.y.unit, "")
    return f"{text} · log scale" if scales.y_log else text


def gutter_of(scales: list[Scales], ink: Ink, card: float) -> float:
    """The room left of the plots for the numbers and names of y, in pixels."""
    # Panels that share an axis share its labels.
    labels = {label for scale in scales for label in scale.y_ticks(6).labels}
    return round(min(max(widest(ink.small, labels), ink.px(18)) + ink.px(8), card * 0.36))


def rows_of(scales: list[Scales], ink: Ink, card: float, gutter: float, read: int) -> list[Row]:
    """What each row of panels needs beside its plots, in cards of this width."""
    plot = card - 2 * ink.px(16) - gutter
    rows = []
    for row in range(1 + max((scale.row for scale in scales), default=-1)):
        members = [scale for scale in scales if scale.row == row]
        # The legends of one row stand alike in every card: beside the axis title, or all above it.
        beside = all(_beside(member, ink, card) for member in members)
        rows.append(
            Row(
                max(_head_height(member, ink, card) for member in members),
                max(_label_height(member, ink, card, beside) for member in members),
                read_height(ink, read) if any(is_read(member.panel) for member in members) else 0.0,
                flag_height(ink) if read and not row and any(is_read(member.panel) for member in members) else 0.0,
                max(_axis_height(member, scales, ink, plot) for member in members),
                max(_weight(member) for member in members),
                beside,
            )
        )
    return rows


def is_read(panel: Panel) -> bool:
    """Whether a panel has a row of the read-out: samples over an axis, and no heatmap, which the row above reads."""
    samples = any(not isinstance(mark, Bars | Heatmap) for mark in panel.marks)
    return samples and not panel.x.categories


def read_height(ink: Ink, lines: int) -> float:
    """The height of a row of the read-out, in pixels."""
    return lines * (line_height(ink.small) + ink.px(2)) + ink.px(4) if lines else 0.0


def flag_height(ink: Ink) -> float:
    """The room over the plots in which the cursors' flags stand, in pixels."""
    return line_height(ink.small) + ink.px(3)


def _head_height(scales: Scales, ink: Ink, card: float) -> float:
    if not scales.panel.title:
        return line_height(ink.plain) + ink.px(6) if scales.panel.subtitle else 0.0
    inner = card - 2 * ink.px(16)
    lines = 0 if subtitle_beside(scales.panel, ink, inner) else len(subtitle_lines(scales.panel, ink, inner))
    under = lines * line_height(ink.plain) + ink.px(2) if lines else 0.0
    return line_height(ink.title) + ink.px(8) + under


def subtitle_lines(panel: Panel, ink: Ink, width: float) -> list[str]:
    """The subtitle under the title: a second line before anything of it is cut."""
    words = panel.subtitle.split(" ")
    fitting = [n for n in range(1, len(words)) if text_width(ink.plain, " ".join(words[:n])) <= width]
    if text_width(ink.plain, panel.subtitle) <= width or not fitting:
        return [panel.subtitle]
    return [" ".join(words[: fitting[-1]]), " ".join(words[fitting[-1] :])]


def subtitle_beside(panel: Panel, ink: Ink, width: float) -> bool:
    """True when the subtitle fits behind the title on one line."""
    if not panel.subtitle:
        return True
    sample = ink.px(32) if panel.look is not None else 0.0
    title = text_width(ink.title, panel.title) + ink.px(10) + text_width(ink.plain, panel.subtitle)
    return sample + title <= width


def _label_height(scales: Scales, ink: Ink, card: float, beside: bool) -> float:
    lines = len(_legend_lines(scales, ink, card - 2 * ink.px(16)))
    own = 0 if scales.heatmap and scales.row else bool(y_label(scales))
    count = max(lines + (0 if beside else own), own)
    return count * (line_height(ink.small) + ink.px(4)) + (ink.px(8) if count else 0)


def _beside(scales: Scales, ink: Ink, card: float) -> bool:
    """True when the legend fits beside the title of the y axis."""
    used = sum(_entry_width(entry, ink) for entry in legend_of(scales.panel))
    return used + text_width(ink.small, y_label(scales)) + ink.px(20) <= card - 2 * ink.px(16)


def _entry_width(entry: Entry, ink: Ink) -> float:
    return ink.px(SAMPLE) + ink.px(6) + text_width(ink.small, entry.name) + ink.px(14)


def _legend_lines(scales: Scales, ink: Ink, width: float) -> list[list[Entry]]:
    lines: list[list[Entry]] = []
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
    """True when no panel below it carries the same x axis."""
    below = [
        other
        for other in scales
        if other.panel.column == panel_scales.panel.column and other.row == panel_scales.row + 1
    ]
    return not below or below[0].x_key != panel_scales.x_key


def _axis_height(panel_scales: Scales, scales: list[Scales], ink: Ink, plot: float) -> float:
    if not shows_x(panel_scales, scales):
        return ink.px(12)
    names, groups = axis_names(panel_scales.panel.x.categories, ink, plot)
    lines = max((len(lines) for lines in names), default=1) + bool(groups)
    ticks_height = lines * line_height(ink.small) + ink.px(8)
    return ticks_height + (line_height(ink.small) + ink.px(4) if x_label(panel_scales) else 0)


def axis_names(names: tuple[str, ...], ink: Ink, plot: float) -> tuple[tuple[tuple[str, ...], ...], tuple[Group, ...]]:
    """Names of an axis in up to four lines, each as wide as its place allows. Where a place is too narrow for them
    neighbours share the word they begin with: 256, 512 and 1024 MB of one "MCSIO"."""
    slot = plot / max(1, len(names)) - ink.px(6)
    whole = tuple(_wrap(name, ink, slot) for name in names)
    groups = _groups(names) if _cut(whole, names) else ()
    if not groups:
        return whole, ()
    grouped = {at for group in groups for at in range(group.first, group.last + 1)}
    shortened = [name.split(" ", 1)[1] if at in grouped else name for at, name in enumerate(names)]
    return tuple(_wrap(name, ink, slot) for name in shortened), groups


def _cut(lines: tuple[tuple[str, ...], ...], names: tuple[str, ...]) -> bool:
    return any("…" in "".join(shown) and "…" not in name for shown, name in zip(lines, names, strict=True))


def _groups(names: tuple[str, ...]) -> tuple[Group, ...]:
    """Neighbours of the same first word, where every one of them has more words."""
    words = [name.split(" ", 1)[0].rstrip(",") if " " in name else "" for name in names]
    groups, first = [], 0
    for at in range(1, len(words) + 1):
        if at < len(words) and words[at] == words[first]:
            continue
        if words[first] and at - first > 1:
            groups.append(Group(first, at - 1, words[first]))
        first = at
    return tuple(groups)


@lru_cache(maxsize=4096)
def _wrap(name: str, ink: Ink, slot: float) -> tuple[str, ...]:
    lines: list[str] = []
    # A number stays with its unit where both fit: "MCSIO / 256 MB", not "PVS 256 / MB"; but never "2…B".
    words: list[str] = re.findall(r"[−+]?\d[\d.,]*[ \u2009](?:%|[A-Za-z]{1,3}\b)|\S+", name)
    words = [part for word in words for part in ([word] if text_width(ink.small, word) <= slot else word.split())]
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(ink.small, longer) <= slot:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > 4 or (len(lines) == 4 and text_width(ink.small, " ".join(lines[2:])) <= slot):
        lines = [*lines[:2], " ".join(lines[2:])]
    return tuple(middle_elided(ink.small, line, slot) for line in lines)


def stack(
    members: list[tuple[int, Scales]], card: QRectF, rows: list[Row], ink: Ink, gutter: float
) -> dict[int, Place]:
    """Places for the panels of one column (by their number in the figure), over each other in their card."""
    pad = ink.px(16)
    inner = card.adjusted(pad, pad, -pad, -pad * 0.75)
    last = [bar for _, bar in members][-1].row
    between = ink.px(4) * last
    spent = sum(row.head + row.label + row.read + row.flags + row.axis for row in rows[: last + 1]) + between
    weights = [rows[bar.row].weight for _, bar in members]
    free = max(20.0 * len(members), inner.height() - spent)
    top, placed = inner.top(), {}
    for (index, scales), weight in zip(members, weights, strict=True):
        row, tall = rows[scales.row], round(free * weight / sum(weights))
        head = QRectF(inner.left(), top, inner.width(), row.head)
        label = QRectF(inner.left(), head.bottom(), inner.width(), row.label)
        left = inner.left() + gutter
        read = QRectF(inner.left(), label.bottom(), inner.width(), row.read if is_read(scales.panel) else 0.0)
        over = label.bottom() + row.read + row.flags
        plot = QRectF(round(left), round(over), round(inner.right() - left), tall)
        top = plot.bottom() + row.axis + ink.px(4)
        names, groups = axis_names(scales.panel.x.categories, ink, plot.width())
        placed[index] = Place(
            scales,
            card,
            head,
            label,
            read,
            plot,
            shows_x(scales, [m for _, m in members]),
            names,
            _legend(scales, ink, label, row.beside),
            groups,
        )
    return placed


def _weight(scales: Scales) -> float:
    if scales.heatmap is None:
        return 3.0
    return min(2.6, max(1.4, len(scales.heatmap.rows) / 7))


def _legend(scales: Scales, ink: Ink, area: QRectF, beside: bool) -> tuple[tuple[QRectF, Entry], ...]:
    lines = _legend_lines(scales, ink, area.width())
    tall, entries = line_height(ink.small) + ink.px(4), []
    for number, line in enumerate(lines):
        widths = [_entry_width(entry, ink) for entry in line]
        left = area.right() - sum(widths) + ink.px(14) if beside else area.left()
        for entry, wide in zip(line, widths, strict=True):
            entries.append((QRectF(round(left), area.top() + number * tall, wide, tall), entry))
            left += wide
    return tuple(entries)
