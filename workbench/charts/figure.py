"""Figure: a chart as a plain value, drawn by the window and written by the exporters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from workbench.charts.extremes import Extremes
from workbench.model.source import Explanation
from workbench.words.metrics import phase_words

FloatArray = npt.NDArray[np.float64]
Dash = Literal["solid", "dash", "dot", "dash-dot"]
Emphasis = Literal["all", "baseline", "others"]
Marker = Literal["none", "circle", "square", "triangle", "diamond", "cross"]


@dataclass(frozen=True, slots=True)
class Look:
    """The look of a configuration or series: hue and tint, dash and marker; so colour is never the only difference.

    `hue` is a key of the palette (`MCS`, `MCSIO`, `PVS`, `other`, `curve 1`, `accent`, `quiet`, `danger`). `tint`
    ranges from 0 (full colour) to 1 (the lightest one with 3:1 contrast). `width` is a factor for the line width.
    """

    hue: str
    tint: float = 0.0
    dash: Dash = "solid"
    marker: Marker = "none"
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class FigureSource:
    """The source of a number: the folders of its runs (several: their mean), a phase, and a field of PhaseFigures.

    A change also uses the runs `against`. `vm` is the machine whose samples are shown first. `answer` names the answer
    that has the metric ("": the phase table); there `vm` is the only machine or session of the number. `how` describes
    the calculation of the number from the metric, if it is not the metric itself. `explanations` are ready for numbers
    that do not come from samples of a run. `parts` are the counters (path, file) of a curve that was computed from
    them.
    """

    runs: tuple[str, ...]
    phase: str
    figure: str
    against: tuple[str, ...] = ()
    vm: str = ""
    answer: str = ""
    how: str = ""
    explanations: tuple[Explanation, ...] = ()
    parts: tuple[tuple[str, str], ...] = ()


# Units and quantities that are always whole numbers.
_COUNTED = frozenset(("vms", "sessions", "active sessions", "users", "desktops", "runs", "disks", "hosts", "threads"))


@dataclass(frozen=True, slots=True)
class Axis:
    """Quantity and unit of an axis.

    With `categories` it is an axis of names. `limits` None means limits from the data. `of` are the configurations of
    these names, if names have other words too (otherwise empty). `full` are the names in full if `categories` are short
    ones. `counted`: it counts whole things, with any unit. `change`: its values are changes, written with one digit
    after the point as in tables. `zone` is the time zone of a clock.
    """

    label: str
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    limits: tuple[float, float] | None = None
    categories: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    full: tuple[str, ...] = ()
    counted: bool = False
    change: bool = False
    zone: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The categories in full, for tooltips, data and links."""
        return self.full or self.categories

    @property
    def counts(self) -> bool:
        """True if it counts whole things: `VMs`, `active sessions`."""
        return self.counted or bool({self.unit.casefold(), self.label.casefold()} & _COUNTED)


@dataclass(frozen=True, eq=False)
class Line:
    """y over x; NaN breaks the line.

    `vm` is set if the line belongs to one machine. `extremes` are those of y if the line is so long that drawing it
    would search for them repeatedly. `emphasis` is the share of its colour while a finding is highlighted; all marks
    have it. `label` is written at its right end.
    """

    name: str
    x: FloatArray
    y: FloatArray
    look: Look
    vm: str | None = None
    prominent: bool = True
    extremes: Extremes | None = None
    emphasis: Emphasis = "all"
    label: str = ""

    @property
    def reach(self) -> FloatArray:
        """Samples that include the lowest and the highest: only these if the extremes are known, otherwise all."""
        return self.y if self.extremes is None else self.extremes.ends(self.y)


@dataclass(frozen=True, eq=False)
class Band:
    """The area between `low` and `high` over x."""

    name: str
    x: FloatArray
    low: FloatArray
    high: FloatArray
    look: Look
    emphasis: Emphasis = "all"


@dataclass(frozen=True, eq=False)
class Bars:
    """One value per category of the panel's x axis. NaN = not measured, never 0.

    A category without any measured bar gets a dash; a missing bar next to others is omitted. `low` and `high` are the
    ends of the error bars (empty: none). Bars with equal `stack` are stacked. `sources` link each value to its samples
    (empty: unknown). `words` of a bar in a row: value, change, interval. `emphasis` is the share of its colour while a
    finding is highlighted; `strengths` are per bar if they differ. `counts` is the number of runs behind each value
    (`3`; `3: 2` with the baseline's), or of other things, named by `counted`. `ends` is the kind of `low` and `high`
    (`95 % interval`). `outlined` bars show the cache disk, in every chart: hatching means only "not measured". With
    `dots`, a dot with its interval is drawn instead of each bar, with the first word of the bar next to it.
    """

    name: str
    values: FloatArray
    look: Look
    low: FloatArray = field(default_factory=lambda: np.empty(0))
    high: FloatArray = field(default_factory=lambda: np.empty(0))
    stack: str = ""
    sources: tuple[FigureSource | None, ...] = ()
    words: tuple[str, ...] = ()
    emphasis: Emphasis = "all"
    counts: tuple[str, ...] = ()
    counted: str = "runs"
    ends: str = ""
    outlined: bool = False
    strengths: tuple[Emphasis, ...] = ()
    dots: bool = False

    def strength(self, place: int) -> Emphasis:
        """The emphasis of the bar at this category."""
        return self.strengths[place] if self.strengths else self.emphasis


@dataclass(frozen=True, eq=False)
class Heatmap:
    """`values[row, bin]` for `rows` (VM names) over `edges` (bins + 1, in x units). NaN = not measured.

    `lit` names the row of a finding: it is outlined, and `emphasis` applies to the others.
    """

    name: str
    edges: FloatArray
    rows: tuple[str, ...]
    values: FloatArray
    limits: tuple[float, float]
    unit: str
    lit: str = ""
    emphasis: Emphasis = "all"


@dataclass(frozen=True, eq=False)
class Points:
    """A dot at each (x, y), not joined: sessions, repeated tests. NaN = not measured, no dot.

    On an axis of categories, x counts them from 0, and fractions shift a dot sideways. `names` has one name per dot
    (empty: no names).
    """

    name: str
    x: FloatArray
    y: FloatArray
    look: Look
    names: tuple[str, ...] = ()
    emphasis: Emphasis = "all"


@dataclass(frozen=True, slots=True)
class TimeLabels:
    """A second row of labels under an axis of time. Within each stretch (start, end, zero) of x a label is the time
    after `zero`: on the clock (zero is then midnight UTC or earlier), or in minutes."""

    label: str
    stretches: tuple[tuple[float, float, float], ...]
    clock: bool = False


Mark = Line | Band | Bars | Heatmap | Points


@dataclass(frozen=True, slots=True)
class Region:
    """A shaded part of x: a phase. With `run` it is a phase of the run in that folder only. A region `within` a phase
    has no edges that can be moved. `shown` is its name in the language of the window (empty: English)."""

    name: str
    start: float
    end: float
    run: str = ""
    within: bool = False
    shown: str = ""

    @property
    def words(self) -> str:
        """The name as it is drawn: `steady state`."""
        return self.shown or phase_words(self.name)


@dataclass(frozen=True, slots=True)
class Flag:
    """A note pinned to a moment of x. `key` identifies the note; `number` is shown on the flag."""

    key: str
    number: int
    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    """The moment or time span of a finding on the x axis of the figure with the key `chart`.

    It is at `start`, or lasts until `end`, in units of the axis. `words` is its short flag. On an axis of names, `name`
    is the index of the name that begins there; None: the moment is at a name. `lines` are the names of the lines on
    which it is drawn; empty: the first line of the panel.
    """

    chart: str
    start: float
    words: str
    end: float | None = None
    name: int | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes with its marks. `column` is its position from left to right; panels of one column are stacked.

    `focus` is the part of x that the question is about, if more is shown around it. `legend` is False if the subtitle
    or the panel above already explains the marks. `names_one`: a single mark is named too. `notes` are pinned to
    moments of x. `against` is the column of the baseline, used for comparison in a read-out. `sources` link the traces
    to their samples by name; the entry with an empty name is for all of them. `hidden` are legend entries that the user
    has hidden: their marks have no values. `moments` are the moments of a finding, and `readout` is its value in words.
    `ends`: the lines have their names at their right ends, if there is room, and no legend. `time_row` is a second row
    of labels of x. `key` identifies a plot to which lines can be moved (empty: none). `short` has short names for long
    ones in its title and legend.
    """

    title: str
    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    column: int = 0
    look: Look | None = None
    subtitle: str = ""
    regions: tuple[Region, ...] = ()
    legend: bool = True
    focus: tuple[float, float] | None = None
    notes: tuple[Flag, ...] = ()
    against: int | None = None
    names_one: bool = False
    sources: Mapping[str, FigureSource] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    moments: tuple[Moment, ...] = ()
    readout: str = ""
    ends: bool = False
    time_row: TimeLabels | None = None
    key: str = ""
    short: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """The title as it is drawn."""
        return self.drawn(self.title)

    def drawn(self, name: str) -> str:
        """A title or the name of a mark as it is drawn. The text after a configuration stays: `MCS: mean`."""
        label, colon, rest = name.partition(": ")
        return f"{self.short.get(label, label)}{colon}{rest}"

    @property
    def in_whole(self) -> bool:
        """True if all bars are whole numbers of something countable or without a unit. They are written without
        decimals."""
        values = [mark.values[np.isfinite(mark.values)] for mark in self.marks if isinstance(mark, Bars)]
        return (self.y.counts or not self.y.unit) and all(bool((value % 1 == 0).all()) for value in values)


@dataclass(frozen=True, eq=False)
class Figure:
    """A question with its answer as a chart.

    `question` is the title. `caption` is one short line that changes how the chart is read; `method` is the rest in
    short sentences (aggregation, rules, definitions). `summary` is the chart in words for people who cannot see it.
    Panels share the x axis within a column; `share_y` gives all panels of one kind the same y range. `in_rows` names
    the baseline of panels whose bars are drawn as rows, with the names of the bars only once: on screen and in images;
    `legend` has the looks of these names. `note` is a sentence under the panels. `joined` columns share y and the rows
    of their heatmaps: they are drawn in one card, with the y labels only once. With `scrolls`, columns keep a readable
    width on screen and the rest is reached by scrolling.
    """

    key: str
    question: str
    caption: str
    panels: tuple[Panel, ...]
    share_y: bool = True
    summary: str = ""
    empty: str = ""
    in_rows: str = ""
    legend: Mapping[str, Look] = field(default_factory=dict)
    note: str = ""
    joined: bool = False
    scrolls: bool = False
    method: tuple[str, ...] = ()
