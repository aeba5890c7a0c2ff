"""One acceptance limit and its words, and the figures that may have a limit.

The figures are the measures of the phase table, and figures of whole runs from the logons.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from workbench.measures.catalogue import MEASURES
from workbench.model.problem import Problem
from workbench.words.metrics import in_phase
from workbench.words.numbers import MINUS, THIN, marked

# The word for `against` that means the study's baseline.
BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Limit:
    """An acceptance limit.

    `measure` is a key of `limited()`. `bound` is the largest value if `at_most`, otherwise the smallest, in the
    measure's unit. With `against`, it bounds the change from that configuration, in the unit of its changes. An
    overflow has no bound (None): there must be none. `phase` is empty for the whole run. It applies to every
    configuration unless some are named.
    """

    measure: str
    bound: float | None = None
    at_most: bool = True
    phase: str = ""
    against: str = ""
    configurations: tuple[str, ...] = ()
    name: str = ""
    line: int | None = None

    @property
    def figure(self) -> Limited:
        """The limited figure."""
        return limited()[self.measure]

    @property
    def unit(self) -> str:
        """The unit of its bound."""
        return self.figure.change_unit if self.against else self.figure.unit

    @property
    def words(self) -> str:
        """The limit as text, after its stated name if there is one: `p95 of read latency in steady state ≤ 10 ms`."""
        return f"{self.name}: {self.rule}" if self.name else self.rule

    def words_against(self, label: str) -> str:
        """The words with the name of the configuration that `against` means (empty: unknown)."""
        return replace(self, against=label).words if label and self.against else self.words

    @property
    def rule(self) -> str:
        """The words without the stated name."""
        where = f" {in_phase(self.phase)}" if self.phase else ""
        if self.measure == OVERFLOW:
            return f"No overflow{where}"
        other = "the baseline" if self.against == BASELINE else f"'{self.against}'"
        against = f", change from {other}" if self.against else ""
        return f"{self.figure.name}{where}{against} {self.bound_words}"

    @property
    def key(self) -> str:
        """A text that is equal for equal limits in any file; limits with one rule differ in their configurations."""
        return repr(replace(self, line=None))

    @property
    def bound_words(self) -> str:
        """The bound as text: `≤ 10 ms`; empty for an overflow."""
        if self.bound is None:
            return ""
        sign = "≤" if self.at_most else "≥"
        number = marked(f"{abs(self.bound):.12g}")
        unit = "" if self.unit in self.figure.name else self.unit
        return f"{sign} {MINUS if self.bound < 0 else ''}{number}{THIN}{unit}".rstrip(THIN)


@dataclass(frozen=True, slots=True)
class LimitsFile:
    """The content of a limits.toml: its limits in their order, and a problem for each that cannot be used."""

    file: str
    limits: tuple[Limit, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def name(self) -> str:
        """The file name without its folders."""
        return self.file.replace("\\", "/").rpartition("/")[2]


OVERFLOW, STUCK, LOGON_MEAN, LOGON_P95 = "overflow", "stuck_percent", "logon_mean_s", "logon_p95_s"


@dataclass(frozen=True, slots=True)
class Limited:
    """A figure that a limit may name by its `key` or its `name`. `change_unit` is the unit of its changes, empty if it
    is not compared. `of_run`: the figure is of the whole run and has no phase."""

    key: str
    name: str
    unit: str
    change_unit: str = ""
    of_run: bool = False


@lru_cache(maxsize=1)
def limited() -> dict[str, Limited]:
    """The figures by key, in the order of the phase table. A limit on overflow has no bound."""
    of_phases = (
        Limited(measure.key, measure.name, measure.unit, measure.change_unit if measure.change else "")
        for measure in MEASURES.values()
        if not measure.moment
    )
    of_runs = (
        Limited(OVERFLOW, "Overflow", ""),
        Limited(STUCK, "Stuck sessions", "%", of_run=True),
        Limited(LOGON_MEAN, "Mean logon time", "s", of_run=True),
        Limited(LOGON_P95, "p95 of logon time", "s", of_run=True),
    )
    return {figure.key: figure for figure in (*of_phases, *of_runs)}


def limited_called(text: str) -> Limited | None:
    """The figure with that key or name, ignoring case; None if there is none."""
    folded = text.strip().casefold()
    figures = limited().values()
    return next((figure for figure in figures if folded in (figure.key, figure.name.casefold())), None)
