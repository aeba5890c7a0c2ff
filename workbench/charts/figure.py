"""Figure: a chart as a plain value, drawn by the window and written by the exporters alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from workbench.charts.extremes import Extremes
from workbench.model.source import Explanation

FloatArray = npt.NDArray[np.float64]
Dash = Literal["solid", "dash", "dot", "dash-dot"]
Emphasis = Literal["all", "baseline", "others"]
Marker = Literal["none", "circle", "square", "triangle", "diamond", "cross"]


@dataclass(frozen=True, slots=True)
class Look:
    """How one configuration (or series) is distinguished: hue and tint, dash and marker, never colour alone.

    `hue` is a key of the palette (`MCS`, `MCSIO`, `PVS`, `other`, `accent`, `quiet`, `danger`); `tint` runs from 0
    (the full colour) to 1 (the lightest that still keeps 3:1 contrast). `width` is how many times as wide as others its
    line is.
    """

    hue: str
    tint: float = 0.0
    dash: Dash = "solid"
    marker: Marker = "none"
    width: float = 1.0


@dataclass(frozen=True, slots=True)
class FigureSource:
    """Where a number comes from: the folders of its runs (several: their mean), a phase, and a figure by the
    name of its field in PhaseFigures. A change rests on the runs `against` which it stands as well; `vm` is the
    machine whose samples are asked for first.

    `answer` names the answer whose figure it is ("" the phase table); there a `vm` is the one machine, or session,
    that the number is of. `how` says what is made of the figure, where the number is not the figure itself;
    `explanations` are known already, of numbers that come from no run's samples."""

    runs: tuple[str, ...]
    phase: str
    figure: str
    against: tuple[str, ...] = ()
    vm: str = ""
    answer: str = ""
    how: str = ""
    explanations: tuple[Explanation, ...] = ()


# Units and quantities that have no halves.
_COUNTED = frozenset(("vms", "sessions", "active sessions", "users", "desktops", "runs", "disks", "hosts", "threads"))


@dataclass(frozen=True, slots=True)
class Axis:
    """Quantity and unit of an axis. `categories` makes it one of names; `limits` None means from the data. `of` are
    the configurations that the names are of, where a name says more or less than that (empty: it does not)."""

    label: str
    unit: str = ""
    scale: Literal["linear", "log"] = "linear"
    limits: tuple[float, float] | None = None
    categories: tuple[str, ...] = ()
    of: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it counts what has no halves: `VMs`, `active sessions`."""
        return bool({self.unit.casefold(), self.label.casefold()} & _COUNTED)


@dataclass(frozen=True, eq=False)
class Line:
    """y over x; NaN breaks the line. `vm` names the machine when the line is one machine's; `extremes` are those
    of y where the line is so long that drawing it would look for them again and again. `emphasis` says how much of its
    colour it keeps while a finding points into the figure, as of every mark."""

    name: str
    x: FloatArray
    y: FloatArray
    look: Look
    vm: str | None = None
    prominent: bool = True
    extremes: Extremes | None = None
    emphasis: Emphasis = "all"

    @property
    def reach(self) -> FloatArray:
        """Samples with the lowest and the highest among them: all, unless the extremes are known."""
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
    """One value per category of the panel's x axis; NaN = not measured, never 0: a category without
    any measured bar gets a dash, a bar that is missing beside others is left out.

    `low` and `high` are the ends of the error bars (empty: none). Bars with the same `stack` pile up.
    `sources` lead each value back to its samples (empty: unknown). `words` of a bar in a row: value, change, interval.
    `emphasis` says how much of its colour it keeps while a finding points into the figure, `strengths` the same of each
    bar where they differ. `counts` says of each value how many runs it rests on (`3`; `3 : 2` against the baseline's),
    or what else is `counted`; `ends` what low and high are (`95 % interval`).
    `hatched` bars are the cache disk's, in every chart.
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
    hatched: bool = False
    strengths: tuple[Emphasis, ...] = ()

    def strength(self, place: int) -> Emphasis:
        """How much of its colour the bar over one name keeps."""
        return self.strengths[place] if self.strengths else self.emphasis


@dataclass(frozen=True, eq=False)
class Heatmap:
    """`values[row, bin]` for `rows` (VM names) over `edges` (bins + 1, in x units). NaN = not measured. `lit` names the
    row that a finding speaks of: it is outlined, and `emphasis` is that of the others."""

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
    """A dot at each (x, y), not joined: sessions, repeats. NaN = not measured, no dot.

    Over an axis of categories x counts them from 0; fractions move a dot aside. `names` tell the dots apart
    one by one (empty: they have none).
    """

    name: str
    x: FloatArray
    y: FloatArray
    look: Look
    names: tuple[str, ...] = ()
    emphasis: Emphasis = "all"


Mark = Line | Band | Bars | Heatmap | Points


@dataclass(frozen=True, slots=True)
class Region:
    """A shaded stretch of x: a phase; of the run in the folder `run` alone where one is named. One `within` a phase
    has no edges that could be moved."""

    name: str
    start: float
    end: float
    run: str = ""
    within: bool = False


@dataclass(frozen=True, slots=True)
class Flag:
    """A note pinned to a moment of x; `key` tells notes apart, `number` is what the flag bears."""

    key: str
    number: int
    x: float
    text: str


@dataclass(frozen=True, slots=True)
class Moment:
    """What a finding speaks of on the x axis of the figure with the key `chart`: the moment `start`, or the stretch
    from there to `end`, in units of that axis. `words` is its short flag. Over names, `name` is the place of the one
    that begins there; None: the one that it stands at. `lines` are the names of the lines that it lies on; none: the
    first line of the panel."""

    chart: str
    start: float
    words: str
    end: float | None = None
    name: int | None = None
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Panel:
    """One pair of axes with its marks. `column` is its place side by side; panels of one column stack.

    `focus` is the stretch of x that the question asks about, where more is shown around it.
    `legend` False: the subtitle, or the panel above, says what the marks are; `names_one`: a mark that is alone
    is named as well. `notes` are pinned to moments of
    x. `against` is the column of the baseline, which a read-out compares the panel's lines with. `sources` lead the
    traces, by name, back to their samples; the one of no name is that of all of them. `hidden` are the entries of its
    legend that the user has hidden: their marks have no values. `moments` are what a finding speaks of, and
    `readout` is its value in words.
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

    @property
    def in_whole(self) -> bool:
        """Whether its bars count: all are whole, of what has no halves or no unit. Written without decimals."""
        values = [mark.values[np.isfinite(mark.values)] for mark in self.marks if isinstance(mark, Bars)]
        return (self.y.counts or not self.y.unit) and all(bool((value % 1 == 0).all()) for value in values)


@dataclass(frozen=True, eq=False)
class Figure:
    """A question with its answer drawn.

    `question` is the title, `caption` one short line with what changes how this chart is read, `method` the rest in
    short sentences (aggregation, rules, definitions). `summary` is the chart in words, if someone cannot see it.
    Panels share the x axis within a column; `share_y` gives all panels of one kind the same y range. `in_rows` names
    the baseline of panels whose bars are drawn as rows, with the names of the bars once: on screen and in pictures;
    `legend` has the looks of these names. `note` is a sentence under the panels. `joined` columns, which share y and
    have the same rows in their heatmaps, stand in one card and have numbers and names of y once. Columns of a figure
    that `scrolls` keep a readable width on screen: what has no room beside the others is scrolled to.
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
