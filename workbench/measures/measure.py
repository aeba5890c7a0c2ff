"""Definition of a metric: name, unit, computation, kind of change, and the tables that show it."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Flag, auto
from typing import Literal

from workbench.measures.rules import Rule, Total
from workbench.measures.statistics import Direction
from workbench.model.metric import Quantity
from workbench.words.numbers import POINTS, THIN, duration, number, percent

ChangeKind = Literal["ratio", "points", "difference"]
Section = Literal["Measured", "I/O", "Latency", "Cache", "CPU", "Sessions", "Power"]


class Tables(Flag):
    """The tables that show a metric. JSON, CSV and `--explain` always have all metrics."""

    NONE = 0
    SCREEN = auto()
    CONSOLE = auto()
    WORKBOOK = auto()
    ALL = SCREEN | CONSOLE | WORKBOOK


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of one run in one phase.

    `about` names the metric in other words; `computed` describes how `rule` computes it. `formula` derives it from
    other keys (`{total_io}/{vms}`) if everything was measured. `change` is the kind of comparison: a ratio, percentage
    points, or a difference in its unit; None: it is not compared. `better` is its good direction. `primary` names the
    phases whose question it answers. `rds_only` metrics are compared if a VM has many sessions. `trace` is the quantity
    that the chart over time shows per VM, multiplied by `factor`. On screen, `spread` is shown next to the mean. The
    column of an `optional` metric is hidden if it has no value; for a `quiet` one without a message, because most
    studies do not have it. A `moment` is a time in seconds since 1970 UTC.
    """

    key: str
    name: str
    rule: Rule
    computed: str
    formula: str = ""
    _: KW_ONLY
    unit: str
    section: Section
    change: ChangeKind | None = None
    better: Direction = "lower"
    primary: tuple[str, ...] = ()
    rds_only: bool = False
    trace: Quantity | None = None
    factor: float = 1.0
    spread: bool = False
    optional: bool = False
    quiet: bool = False
    moment: bool = False
    about: str = ""
    tables: Tables = Tables.ALL

    @property
    def within(self) -> str:
        """The name in the middle of a sentence: `read latency`, but `IOPS per VM`."""
        return self.name if self.name[:2].isupper() else self.name[:1].lower() + self.name[1:]

    @property
    def tip(self) -> str:
        """The metric in other words, and the computation on the next line; one line if the computation is a name."""
        return f"{self.about}\n{self.computed}" if self.about else self.computed[:1].upper() + self.computed[1:]

    @property
    def change_unit(self) -> str:
        """The unit of a change: % for a ratio, percentage points, or the unit of the metric."""
        return {"ratio": "%", "points": POINTS}.get(self.change or "ratio", self.unit)

    @property
    def shown_unit(self) -> str:
        """The unit next to the name in a heading; empty if the name includes it."""
        return "" if self.unit in self.name else self.unit

    @property
    def header(self) -> str:
        """The name with its unit: `Read latency (ms)`, but `IOPS per VM`."""
        return f"{self.name} ({self.shown_unit})" if self.shown_unit else self.name

    @property
    def lower_bound(self) -> bool:
        """True if time without samples makes the value too small."""
        return isinstance(self.rule, Total)

    @property
    def of_cache_ram(self) -> bool:
        """True for metrics of the RAM cache, which may be estimates."""
        return Quantity.CACHE_RAM_USED in self.rule.quantities


def measure_words(value: float | int | None, measure: Measure) -> str:
    """A value of the metric as text. A moment is shown as the time since the start of its phase."""
    if isinstance(value, int):
        return f"{value:,}".replace(",", THIN)
    return value_words(value, "s" if measure.moment else measure.unit)


def value_words(value: float | None, unit: str) -> str:
    """A value as text, formatted by its unit."""
    if unit == "s":
        return duration(value)
    return percent(value) if unit == "%" else number(value)
