"""The unit of the latencies in a fio log, where the log was read before it was known."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from workbench.model.reading import Reading
from workbench.model.recording import Series

LABEL = "fio-log"
UNIT = "fio-log-unit"
ASSUMED = "assumed ns (fio ≥ 2.99)"


def with_unit(reading: Reading, nanoseconds: bool) -> Reading:
    """The reading of a log whose unit was assumed, with the one that fio's own result states; any other as it is."""
    recording = reading.recording
    if recording is None or not any(ASSUMED in series.path for series in recording.series):
        return reading
    unit, scale = ("ns", 1e-9) if nanoseconds else ("µs", 1e-6)
    series = tuple(_in_unit(each, unit, scale) for each in recording.series)
    problems = tuple(problem for problem in reading.problems if problem.code != UNIT)
    return replace(reading, recording=replace(recording, series=series), problems=problems)


def _in_unit(series: Series, unit: str, scale: float) -> Series:
    known = "" if series.metric is not None else f" [{unit}]"
    return msgspec.structs.replace(
        series,
        path=series.path.replace(ASSUMED, unit),
        counter=series.counter.replace(f" [{ASSUMED}]", known),
        metric=series.metric and replace(series.metric, scale=scale),
    )
