"""What is compared between configurations: each figure of a run and phase with its name, unit and good direction."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.measures.configurations import Group
from workbench.measures.statistics import Direction
from workbench.model.phase import STEADY
from workbench.model.run import SessionType

DURATION = "duration_s"


@dataclass(frozen=True, slots=True)
class Measure:
    """A metric of the comparison: `figure` is a field of PhaseFigures, `better` the good
    direction; `rds_only` ones say nothing new where a session is a VM."""

    figure: str
    name: str
    unit: str
    better: Direction = "lower"
    rds_only: bool = False

    @property
    def within(self) -> str:
        """The name in the middle of a sentence: `read latency`, but `IOPS per VM`."""
        return self.name if self.name[:2].isupper() else self.name[:1].lower() + self.name[1:]


MEASURES = (
    Measure(DURATION, "Duration", "s"),
    Measure("total_io_per_vm", "Total I/O per VM", "I/O"),
    Measure("iops_per_vm", "IOPS per VM", "IOPS"),
    Measure("iops", "IOPS in total", "IOPS", rds_only=True),
    Measure("iops_per_user", "IOPS per user", "IOPS", rds_only=True),
    Measure("read_iops_per_vm", "Read IOPS per VM", "IOPS"),
    Measure("write_iops_per_vm", "Write IOPS per VM", "IOPS"),
    Measure("read_percent", "Share of reads", "%", better="none"),
    Measure("p95_iops_per_vm", "p95 of IOPS per VM", "IOPS"),
    Measure("peak_iops_per_vm", "Peak IOPS of a VM", "IOPS"),
    Measure("read_latency_ms", "Read latency", "ms"),
    Measure("write_latency_ms", "Write latency", "ms"),
    Measure("cache_ram_used_mb_end", "Cache RAM used at end", "MB", better="none"),
    Measure("cache_disk_used_mb_end", "Cache disk used at end", "MB"),
    Measure("cpu_percent", "CPU", "%"),
)


def measures_of(group: Group, phase: str) -> tuple[Measure, ...]:
    """What is compared in a phase. How long steady state lasts is the test's own choice, not a result."""
    return tuple(
        measure
        for measure in MEASURES
        if not (measure.figure == DURATION and phase == STEADY)
        and not (measure.rds_only and group.session_type is not SessionType.RDS)
    )


def figure_values(group: Group, phase: str, figure: str) -> tuple[tuple[str, float], ...]:
    """(run, figure) for the runs that have it."""
    found: list[tuple[str, float]] = []
    for one in group.runs:
        row = one.phase(phase)
        if row is not None:
            value = getattr(row, figure)
            if value is not None:
                found.append((one.run.name, float(value)))
    return tuple(found)
