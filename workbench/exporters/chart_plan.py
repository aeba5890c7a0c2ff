"""The plan of a native chart, common to Excel and PowerPoint; the exporters only translate it.

A panel of a figure becomes a plan: its series, its axes with ends, steps and number formats, its legend, the gap
between bars, and the position of the number at a bar. Ranges and steps are those of the screen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from workbench.charts import ticks
from workbench.charts.figure import Axis, Band, Bars, Figure, FloatArray, Heatmap, Line, Look, Mark, Panel, Points
from workbench.charts.palette import THEMES, contrast
from workbench.charts.scales import Scales, scales_of
from workbench.exporters.chart_series import PlanSeries, series_of, time_unit, with_total, y_title
from workbench.exporters.texts import line_height, text_width

LabelPlace = Literal["beyond", "foot", "middle", "none"]

# Width in points.
WIDTHS = {"main": 1.75, "points": 0.0, "edge": 0.75, "faint": 0.5, "region": 1.0}
MOST_GAP, LEAST_GAP = 500, 60
_LOG_FORMAT = "[>=1]#,##0;General"
# Longer names are easier to read next to horizontal bars.
_LONG_LABEL = 28
# Space for the number above the highest bar.
_LABEL_ROOM = 1.05
# Inches: width of an axis of numbers, and maximum width of a bar.
_AXIS_WIDTH, _WIDEST_BAR = 0.75, 0.75
# The space between bars within a category, in bar widths.
_SPACE = 0.6
# Lines of turned numbers may be this close, because digits have no descenders.
_TURNED = 0.8
# A bar taller than this share of the axis has room for its number inside.
_TALL = 0.065
# With a whisker longer than this share there is not enough room beyond the bar either: the number would cover it.
_LONG_WHISKER = 0.02
# A long line with a marker on every point is hard to read; this many are enough to distinguish lines.
_MARKED_POINTS = 9
_PALE = 0.55
_REGION, _MOMENT = Look("quiet", dash="dot"), Look("text")
# Names of phases closer than this share of the axis would overlap.
_REGIONS_APART = 0.05
_REGIONS_REMARK = "Dotted vertical lines mark the start of a phase."
# More curves than this are not readable on two axes.
_MOST_CURVES = 4


@dataclass(frozen=True, slots=True)
class AxisPlan:
    """An axis: title, ends, step between ticks (None: an axis of names), and number format."""

    title: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    log: bool = False
    number_format: str = "General"

    @property
    def length(self) -> float:
        """Length from end to end; 0 for names."""
        return (self.high or 0.0) - (self.low or 0.0)


@dataclass(frozen=True, eq=False)
class ChartPlan:
    """One native chart. `right` is a second y axis. `regions` are vertical lines at the start of phases.

    `coarser` describes thinned data, `notes` other omissions and changes, and `remarks` how to read the chart.
    `label_format` is the format of the numbers at bars.
    """

    panel: Panel
    series: tuple[PlanSeries, ...]
    x: AxisPlan
    y: AxisPlan
    right: AxisPlan | None = None
    stacked: bool = False
    regions: tuple[PlanSeries, ...] = ()
    label_format: str = "General"
    coarser: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The title of the panel."""
        return self.panel.heading

    @property
    def subtitle(self) -> str:
        """The second line of the panel."""
        return self.panel.subtitle

    @property
    def categories(self) -> tuple[str, ...]:
        """The names on its x axis; empty if x is a number."""
        return self.panel.x.categories

    @property
    def drawn(self) -> tuple[PlanSeries, ...]:
        """The series that have a value."""
        return tuple(series for series in self.series if series.measured)

    @property
    def bars(self) -> tuple[PlanSeries, ...]:
        """The drawn series that are bars."""
        return tuple(series for series in self.drawn if series.kind == "bar")

    @property
    def without_total(self) -> ChartPlan:
        """The plan without the total of its stacks, for a chart that draws the total in another way."""
        return replace(self, series=tuple(series for series in self.series if series.kind != "total"))

    @property
    def beside(self) -> int:
        """Number of bars side by side per name."""
        return 1 if self.stacked else len(self.bars)

    @property
    def overlap(self) -> int:
        """Overlap of the bars of one name, in percent."""
        return 100 if self.stacked else -5 if len(self.bars) > 1 else 0

    @property
    def lying(self) -> bool:
        """True if the bars are horizontal, with long names next to them. Charts with lines are always vertical."""
        only_bars = all(isinstance(mark, Bars) for mark in self.panel.marks if not isinstance(mark, Heatmap))
        return only_bars and max(map(len, self.categories), default=0) > _LONG_LABEL

    @property
    def legend(self) -> bool:
        """True if a legend is needed to distinguish the series."""
        named = sum(series.in_legend for series in self.series)
        return named > (0 if self.panel.names_one else 1)


def plans_of(figure: Figure) -> list[ChartPlan]:
    """A plan for each panel of the figure that is more than a heatmap."""
    return [
        plan_of(scales)
        for scales in scales_of(figure)
        if any(not isinstance(mark, Heatmap) for mark in scales.panel.marks)
    ]


def plan_of(scales: Scales) -> ChartPlan:
    """The plan of one panel, with its ranges on screen."""
    panel = scales.panel
    series, coarser = series_of(panel)
    bars = [drawn for drawn in series if drawn.kind == "bar" and drawn.measured]
    stacked = len(bars) > 1 and _is_stacked(panel)
    x, y = _x_axis(scales), _y_axis(scales, with_numbers=bool(bars))
    moments = () if panel.x.categories else _moments(panel, x, y)
    regions = () if panel.x.categories else _regions(panel, x, y, series, moments)
    return ChartPlan(
        panel,
        with_total(series) if stacked else series,
        x,
        y,
        stacked=stacked,
        regions=(*regions, *moments),
        coarser=coarser,
        label_format=_label_format(value for series in bars for value in series.values.tolist()),
        notes=(*_infinities(panel), *_shades(panel)),
        remarks=(_REGIONS_REMARK,) if regions else (),
    )


def paired(plans: Sequence[ChartPlan]) -> list[tuple[ChartPlan, ...]]:
    """The charts of a figure if there is little room: two panels of lines with equal x share one chart."""
    if len(plans) == 2 and _share_x(plans[0].panel, plans[1].panel):
        return [tuple(plans)]
    return [(plan,) for plan in plans]


def joined(plans: Sequence[ChartPlan]) -> ChartPlan:
    """One plan of one or two. The lines of the second one use the axis on the right."""
    if len(plans) == 1:
        return plans[0]
    left, right = plans
    used: Set[tuple[str, float, str]] = {
        (series.look.hue, series.look.tint, series.look.dash) for series in left.series
    }
    moved = tuple(
        replace(series, on_right=True, look=_told_apart(series.look, index, used))
        for index, series in enumerate(right.series)
    )
    return replace(left, series=(*left.series, *moved), right=right.y)


def _told_apart(look: Look, index: int, used: Set[tuple[str, float, str]]) -> Look:
    """The look of a line, replaced by a dashed one in another colour if a line of the left axis has the same look."""
    taken = (look.hue, look.tint, look.dash) in used
    return Look("accent", 0.4 * index, "dash", "diamond") if taken else look


def _share_x(upper: Panel, lower: Panel) -> bool:
    return (
        upper.column == lower.column
        and upper.y.label != lower.y.label
        and _kind_of(upper.x) == _kind_of(lower.x)
        and _lines_alone(upper)
        and _lines_alone(lower)
        and len(upper.marks) + len(lower.marks) <= _MOST_CURVES
    )


def _kind_of(axis: Axis) -> tuple[str, str, str, tuple[str, ...]]:
    return axis.label, axis.unit, axis.scale, axis.categories


def _lines_alone(panel: Panel) -> bool:
    return panel.look is None and all(
        isinstance(mark, Line) and mark.prominent and mark.vm is None for mark in panel.marks
    )


def _is_stacked(panel: Panel) -> bool:
    stacks = {mark.stack for mark in panel.marks if isinstance(mark, Bars)}
    return len(stacks) == 1 and stacks != {""}


def _y_axis(scales: Scales, with_numbers: bool) -> AxisPlan:
    title, (low, high), by = y_title(scales.panel), scales.y_data, scales.y_step()
    if scales.y_log:
        return _log_axis(title, low, high, by)
    room = _LABEL_ROOM if with_numbers and scales.panel.y.limits is None else 1.0
    first, last = ticks.widened(room * low, room * high, by)
    return AxisPlan(title, first, last, by, number_format=tick_format(by))


def _x_axis(scales: Scales) -> AxisPlan:
    panel = scales.panel
    if panel.x.categories:
        return AxisPlan(panel.x.label)
    unit = time_unit(panel.x)
    if scales.x_log:
        return _log_axis(unit.label, *scales.x_data, scales.x_step(scales.x))
    # If the question is about a part of x, the chart shows only that part, with the step of the zoomed screen.
    low, high = panel.focus or scales.x_data
    by = scales.x_step(panel.focus or scales.x)
    if scales.time and unit.factor == 1 / 60 and by < 60 and by % 15:
        # With a step of 10 s, minutes would read 0.17, 0.33.
        by = 60 * ticks.step((high - low) / 60, ticks.STEPS_X)
    first, last = (round(end * unit.factor, 12) for end in ticks.widened(low, high, by))
    step = by * unit.factor
    number_format = "hh:mm" if scales.clock else tick_format(step, 2 if scales.time else 7)
    return AxisPlan(unit.label, first, last, step, number_format=number_format)


def _log_axis(title: str, low: float, high: float, by: float) -> AxisPlan:
    """An axis with whole steps of decades; `low` and `high` are exponents."""
    first, last = ticks.widened(low, high, by)
    return AxisPlan(title, 10.0**first, 10.0**last, 10.0**by, log=True, number_format=_LOG_FORMAT)


def tick_format(step: float, most: int = 7) -> str:
    """A number format with as many decimals as the step between ticks needs."""
    decimals = next((count for count in range(most) if abs(round(step, count) - step) < 1e-9 * step), most)
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def gap_percent(plan: ChartPlan, width: float, height: float) -> int:
    """The gap between names in percent of the bar width, for a chart of this size in inches. A single bar is not wider
    than one of many. A name takes its bars and one gap (ECMA-376, `c:gapWidth`)."""
    if not plan.categories or not plan.bars:
        return LEAST_GAP
    room = height if plan.lying else width - _AXIS_WIDTH
    percent = 100 * (room / (len(plan.categories) * _WIDEST_BAR) - plan.beside)
    return round(min(MOST_GAP, max(LEAST_GAP, percent)))


def turned_numbers(plan: ChartPlan, width: float, height: float, size: float) -> bool | None:
    """The way in which numbers of `size` points fit at the bars, or totals at the stacks: False side by side, True only
    turned by a quarter, None not at all."""
    if not plan.bars:
        return None
    names = len(plan.categories) * (plan.beside + _SPACE)
    if plan.lying:
        return False if height / names > line_height(size) else None
    decimals = len(plan.label_format.partition(".")[2])
    highest = max(float(np.nanmax(np.abs(series.values))) for series in plan.drawn if series.kind in ("bar", "total"))
    width_of_bar = (width - _AXIS_WIDTH) / names * (1 + _SPACE * (plan.beside == 1))
    if width_of_bar > text_width(f"{highest:,.{decimals}f}", size):
        return False
    return True if width_of_bar > _TURNED * line_height(size) else None


def label_place(plan: ChartPlan, series: PlanSeries, index: int) -> LabelPlace:
    """Position of the number of a bar: beyond its end; inside if a whisker is there and the bar is tall. Inside means
    at the foot, or in the middle if a line crosses the feet or bars hang down from 0."""
    if series.unseen:
        return "beyond"
    value = float(series.values[index])
    ends = series.below if value < 0 else series.above
    whisker = float(ends[index]) if ends.size else 0.0
    if not (math.isfinite(value) and whisker > 0):
        return "beyond"
    if abs(value) >= _TALL * plan.y.length:
        crossed = len(plan.bars) < len(plan.drawn) or bool((series.values < 0).any())
        return "middle" if crossed else "foot"
    return "none" if whisker > _LONG_WHISKER * plan.y.length else "beyond"


def _label_format(values: Iterable[float]) -> str:
    """One format for all numbers at the bars, with about three digits."""
    known = [abs(value) for value in values if math.isfinite(value)]
    highest = max(known, default=0.0)
    if highest >= 1000 or all(value == round(value) for value in known):
        return "#,##0"
    return "#,##0.0" if highest >= 10 else "0.00"


def marked(plan: ChartPlan, index: int, series: PlanSeries) -> list[int]:
    """Indices of the points of a line that have a marker: all on an axis of names, otherwise evenly spaced ones,
    shifted from series to series to avoid overlaps."""
    count = series.values.size
    if series.kind != "main" or series.look.marker == "none":
        return []
    step = 1 if plan.categories else max(1, count // _MARKED_POINTS)
    return list(range((step // 2 + index * step // 4) % step, count, step))


def dash(series: PlanSeries) -> str:
    """The dash of a line; lines in the background are solid."""
    return series.look.dash if series.kind in ("main", "region") else "solid"


def pale(ink: str, ground: str, away: float = _PALE) -> str:
    """A colour mixed with the background: for marks in the background and marks outside the subject of a finding."""
    parts = ((int(ink[at : at + 2], 16), int(ground[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(ink_part + (other - ink_part) * away):02x}" for ink_part, other in parts)


def readable_on(fill: str) -> str:
    """White or the dark text colour, whichever has more contrast with the fill."""
    dark, white = THEMES["light"].text, "#ffffff"
    return white if contrast(white, fill) >= contrast(dark, fill) else dark


def _upright(name: str, head: str, at: float, y: AxisPlan, look: Look) -> PlanSeries:
    """A vertical line from the lower to the upper end of the axis."""
    ends = np.array([y.low, y.high], dtype=np.float64), np.array([at, at])
    return PlanSeries(name, head, "region", look, *ends, in_legend=False)


def _moments(panel: Panel, x: AxisPlan, y: AxisPlan) -> tuple[PlanSeries, ...]:
    """Vertical lines at the moments of a finding, with their words; a time span has a line at its end too."""
    factor, low, high = time_unit(panel.x).factor, x.low or 0.0, x.high or 0.0
    ends = [end for moment in panel.moments for end in ((moment.start, moment.words), (moment.end, ""))]
    places = [(at * factor, words) for at, words in ends if at is not None]
    return tuple(_upright(words, words or "end", at, y, _MOMENT) for at, words in places if low <= at <= high)


def _regions(
    panel: Panel, x: AxisPlan, y: AxisPlan, series: Sequence[PlanSeries], moments: Sequence[PlanSeries]
) -> tuple[PlanSeries, ...]:
    """Vertical lines with names at the start of phases after the first point, not too close to each other."""
    if x.low is None or x.high is None or y.low is None or y.high is None:
        return ()
    factor, apart = time_unit(panel.x).factor, _REGIONS_APART * x.length
    firsts = [float(np.nanmin(line.x)) for line in series if np.isfinite(line.x).any()]
    last = max(x.low, min(firsts, default=x.low))
    starts: list[PlanSeries] = []
    for region in sorted(panel.regions, key=lambda region: region.start):
        start = region.start * factor
        near = any(abs(moment.x[0] - start) < apart for moment in moments)
        if last + apart < start < x.high - apart / 2 and not near:
            starts.append(_upright(region.words, region.words, start, y, _REGION))
            last = start
    return tuple(starts)


def y_values(mark: Mark) -> tuple[FloatArray, ...]:
    """The values of a mark on the y axis; none for a heatmap."""
    if isinstance(mark, Bars):
        return mark.values, mark.low, mark.high
    if isinstance(mark, Band):
        return mark.low, mark.high
    return (mark.y,) if isinstance(mark, Line | Points) else ()


def _infinities(panel: Panel) -> list[str]:
    count = sum(int(np.isinf(part).sum()) for mark in panel.marks for part in y_values(mark))
    where = panel.title or panel.y.label
    return [f"{where}: {count} infinite value{'s are' if count > 1 else ' is'} left empty"] if count else []


def _shades(panel: Panel) -> list[str]:
    if not (panel.x.categories and panel.regions):
        return []
    return [f"Not shaded on the slide: {', '.join(region.words for region in panel.regions)}"]
