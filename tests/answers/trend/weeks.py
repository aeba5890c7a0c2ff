"""Runs of weeks for the tests of the trend."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tests.builders import disk_csv
from workbench.answers.trend.compute import Trend, trends
from workbench.answers.trend.parted import series_of
from workbench.model.history import DateEvidence, HistoryPoint, RunDate

DAY = 86_400.0
FIRST = 1_772_409_600.0
# Variation of about 1 % around 0, the same in each test.
SCATTER = (0.4, -1.1, 0.9, -0.3, 1.2, -0.6, 0.1, -0.9, 0.7, -0.2, 1.0, -1.2)


def weekly(values: Sequence[float], configuration: str = "MCS", **facts: object) -> list[HistoryPoint]:
    """A run per week with builds 1, 2, 3, …; a fact applies to every run, a list of facts has one for each run."""
    points = []
    for place, value in enumerate(values):
        own = {key: each[place] if isinstance(each, list) else each for key, each in facts.items()}
        known = {
            "build": str(place + 1),
            "date": RunDate(FIRST + 7 * DAY * place, DateEvidence.STATED),
            "method": 3,
            "folder": f"{configuration}-{place + 1}",
        } | own
        name = f"{configuration}-{place + 1}"
        points.append(HistoryPoint("lab", name, configuration, "iops_per_vm", "steady", value, **known))  # type: ignore[arg-type]
    return points


def stepped(at: int, size: float, level: float = 100.0, count: int = 12) -> list[float]:
    """Runs with 1 % variation; from the run at this place on, values are `size` (a share) higher."""
    shape = np.where(np.arange(count) >= at, 1 + size, 1.0)
    return [float(level * share * (1 + SCATTER[place % 12] / 100)) for place, share in enumerate(shape)]


def drifting(size: float, level: float = 100.0, count: int = 12) -> list[float]:
    """Runs with 1 % variation that rise evenly by `size` (a share) from the first to the last."""
    return [level * (1 + size * place / (count - 1)) * (1 + SCATTER[place % 12] / 100) for place in range(count)]


def of(points: Sequence[HistoryPoint]) -> tuple[Trend, ...]:
    """The trend results of these points."""
    return trends(series_of(points))


def lab(folder: Path, values: Sequence[float], configuration: str = "MCS", **facts: Sequence[str]) -> Path:
    """A study of a run a week with a build each; its IOPS per VM are in proportion to the values. `facts` are further
    lines of run.toml by their key, one text for each run ("" leaves the line out)."""
    for place, value in enumerate(values):
        run = folder / f"{configuration}-{place + 1:02d}"
        disk_csv(run / "V1.csv", "V1", [value] * 60, [value / 2] * 60)
        lines = {"configuration": configuration, "provisioning": "MCS", "build": f"24H2.{place + 1}"}
        lines |= {key: texts[place] for key, texts in facts.items()}
        text = "".join(f'{key} = "{line}"\n' for key, line in lines.items() if line)
        (run / "run.toml").write_text(f"{text}date = 2026-{3 + place // 4:02d}-{1 + 7 * (place % 4):02d}\n")
    return folder
