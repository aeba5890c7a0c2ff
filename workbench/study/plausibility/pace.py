"""Sampling that changes its pace within a file: no gap, but told, for its samples speak for unlike intervals."""

from __future__ import annotations

import numpy as np

from workbench.model.problem import Problem, Severity
from workbench.model.reading import Reading
from workbench.study.plausibility.notes import place
from workbench.study.plausibility.stored import FloatArray
from workbench.study.series.segments import GAP_MEDIANS, paced


def pace_problem(reading: Reading, times: FloatArray) -> Problem | None:
    """The problem of a file whose samples come slower from some row on, or for a while; None for any other."""
    steps = np.diff(times)
    forward = steps[steps > 0]
    if not forward.size or steps.max() <= GAP_MEDIANS * (usual := float(np.median(forward))):
        return None
    slower = np.flatnonzero(paced(steps, steps > GAP_MEDIANS * usual))
    if not slower.size:
        return None
    row = int(slower[0]) + 1
    return Problem(
        Severity.INFO,
        reading.report.path,
        "pace-changes",
        f"{place(reading, times, row)}: samples come every {np.median(steps[slower]):g} s from here, every {usual:g} s "
        f"elsewhere ({slower.size:,} slower samples).",
        "each sample counts for its own interval, without gaps; percentiles and peaks mix both rates",
        reading.line(row),
    )
