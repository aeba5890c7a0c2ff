"""The counters that a test kit collects, as the catalogue of counters marks them: which tool logs each, by what name.

The same entries say what a counter means when it is read (`counters.py`), so that what is collected is what is read.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from workbench.model.metric import Metric, Quantity
from workbench.model.run import Provisioning
from workbench.readers.common.counters import catalogue_table, metric_of_entry

Tool = Literal["perfmon", "esxtop", "poolmon"]


@dataclass(frozen=True, slots=True)
class Collected:
    r"""A counter by its name in its tool: of perfmon the path without the machine (`\PhysicalDisk(*)\Disk Reads/sec`),
    of esxtop `Virtual Disk: Reads/sec`, of poolmon the tag. `display` is the key of esxtop's display. `desktops` is
    the only provisioning that has the counter (None: all have it)."""

    name: str
    tool: Tool
    metric: Metric
    display: str = ""
    desktops: Provisioning | None = None

    @property
    def quantity(self) -> Quantity:
        """What it measures."""
        return self.metric.quantity


@cache
def collected_counters() -> tuple[Collected, ...]:
    """Every marked counter, in the order of the catalogue."""
    table = catalogue_table()
    named = [
        _collected(entry, quantity, counter)
        for entry in table["metric"]
        for counter, quantity in entry["counters"].items()
    ]
    by_words = [_collected(entry, entry["quantity"], "") for entry in table["words"]]
    return tuple(counter for counter in (*named, *by_words) if counter is not None)


def _collected(entry: dict[str, Any], quantity: str, counter: str) -> Collected | None:
    metric = metric_of_entry(entry, quantity)
    desktops = Provisioning(entry["desktops"]) if "desktops" in entry else None
    if "perfmon" in entry:
        path = f"{entry['perfmon']}\\{counter}" if counter else entry["perfmon"]
        return Collected(path, "perfmon", metric, desktops=desktops)
    if "esxtop" in entry:
        return Collected(f"{entry['objects'][0]}: {counter}", "esxtop", metric, entry["esxtop"], desktops)
    return Collected(entry["poolmon"], "poolmon", metric, desktops=desktops) if "poolmon" in entry else None
