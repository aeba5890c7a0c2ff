"""What a limit can be put on: the measures of the phase table, and figures of whole runs that the logons give."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.measures.catalogue import MEASURES

OVERFLOW, STUCK, LOGON_MEAN, LOGON_P95 = "overflow", "stuck_percent", "logon_mean_s", "logon_p95_s"


@dataclass(frozen=True, slots=True)
class Limited:
    """A figure that a limit may name by its `key` or its `name`. `change_unit` is the unit of its changes, empty where
    it is not compared; `of_run`: it is of the whole run and takes no phase."""

    key: str
    name: str
    unit: str
    change_unit: str = ""
    of_run: bool = False


@lru_cache(maxsize=1)
def limited() -> dict[str, Limited]:
    """The figures by key, in the order of the phase table. Overflow is a limit of its own and takes no bound."""
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
    """The figure of that key or that name, in any case of letters; None where there is none."""
    folded = text.strip().casefold()
    figures = limited().values()
    return next((figure for figure in figures if folded in (figure.key, figure.name.casefold())), None)
