"""The samples of single counters as they were recorded: any counter, whether its meaning is known or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from workbench.model.metric import Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.model.series_key import SeriesKey, series_key
from workbench.study.series.chosen import Part
from workbench.study.series.segments import Segment, joined
from workbench.study.series.vm_series import Loaded, Samples, load, scaled_values


class Recorded(NamedTuple):
    """A counter of a run: its description in the first file that has it, and its samples.

    `samples` are in the canonical unit where the counter's meaning is known, else as the file writes them; `end`
    is seconds since 1970 UTC, or since the start of the test where `relative`.
    """

    key: SeriesKey
    series: Series
    samples: Samples
    relative: bool


def recorded(run: Run, keys: Iterable[SeriesKey]) -> dict[SeriesKey, Recorded]:
    """Those of the counters that the run has, each file read once; segments of one counter are joined."""
    made: dict[SeriesKey, Recorded] = {}
    for key, recorded_parts in recorded_by_file(run, keys).items():
        first = recorded_parts[0][0]
        samples = _samples(first.series, [segment for _, segment in recorded_parts])
        made[key] = Recorded(key, first.series, samples, first.recording.relative)
    return made


def recorded_by_file(run: Run, keys: Iterable[SeriesKey]) -> dict[SeriesKey, list[tuple[Part, Segment]]]:
    """The same with the samples of each file apart, those that another file has already among them."""
    own_keys = {key for key in keys if key.run == run.folder}
    parts: dict[SeriesKey, list[Part]] = {}
    for recording in run.recordings if own_keys else ():
        for key, series in _first_of(run, recording, own_keys).items():
            parts.setdefault(key, []).append(Part(recording, series))
    files = load(run, [{"": [part for parts_of in parts.values() for part in parts_of]}])
    return {key: [(part, _segment(files[part.table], part)) for part in own] for key, own in parts.items()}


def _segment(columns: Loaded, part: Part) -> Segment:
    return Segment(columns.end, columns.span, scaled_values(columns, part.series), part.recording.file)


def _first_of(run: Run, recording: Recording, keys: set[SeriesKey]) -> dict[SeriesKey, Series]:
    by_key: dict[SeriesKey, Series] = {}
    paths = {key.path for key in keys}
    for series in recording.series:
        if series.path in paths:
            key = series_key(run.folder, recording.file, series.path)
            if key in keys:
                by_key.setdefault(key, series)
    return by_key


def _samples(series: Series, segments: list[Segment]) -> Samples:
    segment = joined(segments)
    vantage = series.metric.vantage if series.metric else Vantage.GUEST
    return Samples(segment.end, segment.span, segment.values, vantage, series.object, tuple(s.file for s in segments))
