"""What a measure is: its name and unit, how it is computed, how it changes, and which tables show it."""

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
    """The tables that show a measure; JSON, CSV and `--explain` have all of them."""

    NONE = 0
    SCREEN = auto()
    CONSOLE = auto()
    WORKBOOK = auto()
    ALL = SCREEN | CONSOLE | WORKBOOK


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of one run in one phase.

    `computed` says in words how `rule` computes it, `formula` how it follows from other keys (`{total_io}/{vms}`)
    where nothing was left unmeasured. `change` is how two configurations are compared in it: as a ratio, in
    percentage points or as a difference in its unit; None: it is not compared. `better` is its good direction.
    `primary` names the phases whose question it answers. Those that are `rds_only` are compared where a VM has many
    sessions. `trace` is the quantity that each VM is drawn with over time, times `factor`. On screen a `spread`
    stands beside the mean, and a column of an `optional` one without any value is left out; of a `quiet` one nobody is
    told so, as most studies are about other things. A `moment` is a time,
    in seconds since 1970 UTC.
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
    tables: Tables = Tables.ALL

    @property
    def within(self) -> str:
        """The name in the middle of a sentence: `read latency`, but `IOPS per VM`."""
        return self.name if self.name[:2].isupper() else self.name[:1].lower() + self.name[1:]

    @property
    def change_unit(self) -> str:
        """The unit of its changes: % of a ratio, percentage points, or its own."""
        return {"ratio": "%", "points": POINTS}.get(self.change or "ratio", self.unit)

    @property
    def shown_unit(self) -> str:
        """The unit beside the name in a heading; empty where the name says it."""
        return "" if self.unit in self.name else self.unit

    @property
    def header(self) -> str:
        """The name with its unit: `Read latency (ms)`, but `IOPS per VM`."""
        return f"{self.name} ({self.shown_unit})" if self.shown_unit else self.name

    @property
    def lower_bound(self) -> bool:
        """Whether a stretch without samples makes it too small."""
        return isinstance(self.rule, Total)

    @property
    def of_cache_ram(self) -> bool:
        """Whether it is of the RAM cache, which may be an estimate."""
        return Quantity.CACHE_RAM_USED in self.rule.quantities


def measure_words(value: float | int | None, measure: Measure) -> str:
    """A value of the measure as tables show it; a moment as the time since the start of its phase."""
    if isinstance(value, int):
        return f"{value:,}".replace(",", THIN)
    return value_words(value, "s" if measure.moment else measure.unit)


def value_words(value: float | None, unit: str) -> str:
    """A value as tables show it by its unit."""
    if unit == "s":
        return duration(value)
    return percent(value) if unit == "%" else number(value)
