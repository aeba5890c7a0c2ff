"""Studies as saved in a history folder."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from workbench.study.history.layout import KeptPhase, KeptRun, KeptStudy

FIRST = datetime(2026, 1, 12, 9, 0, tzinfo=UTC)


def kept_run(week: int, **facts: object) -> KeptRun:
    """The run of build 1200 + week: 10 + week IOPS per VM in steady state, and 100 I/O per VM in boot."""
    stated: dict[str, object] = {
        "name": f"run-{week}",
        "configuration": "MCS",
        "build": str(1200 + week),
        "date": FIRST + timedelta(weeks=week),
        "evidence": "time stamps",
        "recorded": f"{week:016x}",
        "circumstances": {"workload": "Knowledge worker", "number of VMs": "5"},
        "problems": {"gap": 2},
        "phases": (
            KeptPhase(name="boot", figures={"total_io_per_vm": 100.0}, primary=("total_io_per_vm",)),
            KeptPhase(
                name="steady",
                seconds=1200.0,
                figures={"iops_per_vm": 10.0 + week, "total_io_per_vm": 5.0},
                primary=("iops_per_vm",),
                lower_bounds=("iops_per_vm",),
            ),
        ),
    }
    return KeptRun(**(stated | facts))  # type: ignore[arg-type]


def kept_study(name: str = "builds", runs: int = 1, day: int = 0, **facts: object) -> KeptStudy:
    """A study of that many runs, saved that many days after the first."""
    stated: dict[str, object] = {"name": name, "kept": FIRST + timedelta(days=day), "runs": runs, "method": 3}
    return KeptStudy(**(stated | facts))  # type: ignore[arg-type]
