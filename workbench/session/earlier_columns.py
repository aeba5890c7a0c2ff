"""Names of tables and columns in an earlier version. Columns that the user has hidden, moved or computed are stored
under these names.

Applied when settings and workspace files are loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from workbench.charts.tables import OwnColumn
from workbench.words.captions import named

# Earlier name -> current name.
_TABLES = {
    "Any size": "Predictions by cache size",
    "By vantage and tier": "By measuring point and tier",
    "Figures": "Values",
    "Files of the kit": "Files in the kit",
    "Predicted sizes": "Predictions by cache size",
    "Report": "Counter values",
    "Steps": "Calculation steps",
    "Steps of logons and logoffs": "Logon and logoff steps",
    "What each question needs": "Data for each question",
    "What is missing": "Missing data",
    "What this study can answer": "Questions this study can answer",
}
# Current name of a table (without its configuration) -> earlier names of its columns.
_COLUMNS = {
    "By measuring point and tier": {"Vantage": "Measured at", "Side": "Above/below cache", "Against": "Compared with"},
    "By configuration": {
        "All I/O IOPS": "All tiers IOPS",
        "All I/O change %": "All tiers change %",
        "Highest cache disk use of a VM MB": "Peak cache disk use of a VM MB",
        "Cache disk highest VM, MB": "Peak cache disk use of a VM MB",
        "Cache disk highest of all VMs, MB": "Peak cache disk use of a VM MB",
        "Cache disk VM with the highest use, MB": "Peak cache disk use of a VM MB",
    },
    "Questions that standard collector sets cannot answer": {"Cannot answer": "Question"},
    "By VM": {
        "Cache disk MB, levelled off": "Cache disk use MB, at the plateau",
        "Cache disk MB, when levelling off": "Cache disk use MB, at the plateau",
        "Cache disk levels off at MB": "Cache disk use MB, at the plateau",
        "Disk levels off at MB": "Cache disk use MB, at the plateau",
        "Growth at end MB/min": "Cache disk growth at end MB/min",
        "Overflow after": "Overflow time after start",
    },
    "Predictions by cache size": {
        "Cache disk MB/VM, at least": "Cache disk use MB/VM, at least",
        "Cache disk MB/VM, lower bound": "Cache disk use MB/VM, at least",
        "Cache disk highest VM, MB, at least": "Peak cache disk use of a VM MB, at least",
        "Cache disk highest of all VMs, MB, at least": "Peak cache disk use of a VM MB, at least",
        "Cache disk VM with the highest use, MB, at least": "Peak cache disk use of a VM MB, at least",
        "Highest cache disk use of a VM MB, lower bound": "Peak cache disk use of a VM MB, at least",
        "Remaining writes %": "Remaining writes % of baseline",
        "Remaining writes %, lower bound": "Remaining writes % of baseline, lower bound",
        "Remaining writes %, upper bound": "Remaining writes % of baseline, upper bound",
    },
    "Tested sizes": {
        "Remaining writes %, measured": "Remaining writes % of baseline, measured",
        "Remaining writes %, predicted": "Remaining writes % of baseline, predicted",
    },
    "Required IOPS": {
        "Total I/O per start": "Total I/O per VM or session",
        "IOPS per start": "IOPS per VM or session",
        "What starts": "VM or session",
        "Started unit": "VM or session",
        "IOPS starts spread": "IOPS staggered starts",
        "IOPS all start at once": "IOPS simultaneous starts",
        "Starts at once": "Simultaneous starts",
    },
    "Logon and logoff steps": {"Of": "Logon or logoff"},
    "Files in the kit": {"What it is": "Description"},
    "Missing data": {"What to do": "Action"},
    "Repeated tests": {"Kind of interval": "Type of interval", "Spread %": "Variation %"},
    "Sessions": {
        "Apps started s later": "Apps started s after logon",
        "Reported by tool": "Outcome reported by tool",
        "Tool reports": "Outcome reported by tool",
    },
    "Configurations": {
        "Busiest link % of one port": "Load of the busiest link %",
        "Disks by IOPS": "Disks needed for IOPS",
        "Disks by capacity": "Disks needed for capacity",
        "Hosts by RAM": "Hosts needed for RAM",
        "Hosts by vCPU": "Hosts needed for vCPUs",
        "Hosts including spare": "Hosts including spares",
        "Hosts with spare": "Hosts including spares",
        "Reads mean %": "Share of reads mean %",
        "Reads at peak %": "Share of reads at peak load, %",
        "IOPS under working load mean": "IOPS of the working load mean",
        "IOPS of the working load percentile of the total": "IOPS of the working load percentile of the summed IOPS",
        "IOPS under working load summed": "IOPS of the working load percentile of the summed IOPS",
        "IOPS under working load all VMs busy at once": "IOPS of the working load all VMs busy at once",
        "IOPS at work mean": "IOPS of the working load mean",
        "IOPS at work summed": "IOPS of the working load percentile of the summed IOPS",
        "IOPS at work all VMs at once": "IOPS of the working load all VMs busy at once",
        "Working-load IOPS mean": "IOPS of the working load mean",
        "Working-load IOPS summed": "IOPS of the working load percentile of the summed IOPS",
        "Working-load IOPS all VMs at once": "IOPS of the working load all VMs busy at once",
        "IOPS under working load all VMs at once": "IOPS of the working load all VMs busy at once",
    },
    "Values": {"Tier": "Metric type"},
    "Phase table": {"From": "Source of phase"},
    "Runs": {"From": "Source"},
    "Inputs": {"Origin": "Type"},
    "Calculation steps": {
        "Between runs": "Interval over runs",
        "Over the runs": "Interval over runs",
        "Across runs": "Interval over runs",
        "With numbers": "Formula with numbers",
    },
    "Load of the storage test": {"What": "Input", "Basis": "Type", "From": "Source"},
}
# Metrics and other columns of several tables.
_METRICS = {
    "Cache disk levels off after": "Cache disk use levels off time after start",
    "Cache full after": "Cache full time after start",
    "Disk levels off after": "Cache disk use levels off time after start",
    "First overflow after": "First overflow time after start",
    "Gain from doubling, %": "Gain from doubling the load, %",
    "Gain over best smaller step, %": "Gain over the best smaller step, %",
    "Gain over smaller steps, %": "Gain over the best smaller step, %",
    "IOPS in total": "Total IOPS",
    "Read IOPS in total": "Total read IOPS",
    "Write IOPS in total": "Total write IOPS",
    "Change of duration": "Change in duration",
    "First UTC": "First sample UTC",
    "Latency of": "Type of latency",
    "Offset min": "UTC offset min",
    "Overflow start after": "Overflow start time after phase start",
    "Overflow start time after start": "Overflow start time after phase start",
    "What is missing": "Missing data",
    "What was done": "Action taken",
}
# For a number of VMs, whose name had no noun.
_FOR_VMS = re.compile(r"(?<= GB for )[\d\u2009\u202f]+$")
# Tables with a phase or a configuration in their names.
_VERDICTS, _STEPS = re.compile(r"^Verdicts in (?!steady state$)"), re.compile(r"Steps of (?:'(.*)'|([^'].*))")
# The columns of the plan with the margin and the change in their titles.
_TO_PROVE = re.compile(r"^Runs to prove 'same'(?= \()")
_TO_DETECT = re.compile(r"^Runs to detect (?:a change \()?(\d[^)]*)\)?$")


def current_columns(kept: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The columns by table, all with their current names."""
    return {
        _table(name): tuple(dict.fromkeys(_column(_table(name), column) for column in columns))
        for name, columns in kept.items()
    }


def current_column(own: OwnColumn) -> OwnColumn:
    """A column of the user with the current names of its table and of the columns that it is made of."""
    table = _table(own.table)
    return replace(own, table=table, first=_column(table, own.first), second=_column(table, own.second))


def _table(name: str) -> str:
    if steps := _STEPS.fullmatch(name):
        return f"Calculation steps for {named(steps[1] or steps[2])}"
    return _VERDICTS.sub("Verdicts during ", _TABLES.get(name, name))


def _column(table: str, key: str) -> str:
    known = _METRICS | _COLUMNS.get(table.partition(" for ")[0], _COLUMNS.get(table, {}))
    name = _FOR_VMS.sub(r"\g<0> VMs", known.get(key, key).replace("GiB", "GB"))
    return _TO_DETECT.sub(r"Runs to detect a \1 change", _TO_PROVE.sub("Runs to show equality", name))
