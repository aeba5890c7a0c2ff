"""The source of a curve of the timeline: the columns of the files that contain its counter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.answers.common.names import TIMELINE
from workbench.charts.figure import FigureSource
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import Reports, header_lines, of_run
from workbench.model.recording import SeriesKey
from workbench.model.source import Explanation, SourceRows
from workbench.study.series.catalogue import recorded_by_file
from workbench.study.series.chosen import Part
from workbench.study.series.segments import Segment

_FORMULA = "the samples of the counter, as in the files"
_NONE = "A curve has no single value."


def counter_source(key: SeriesKey, name: str = "", of: Sequence[SeriesKey] = ()) -> FigureSource:
    """The counter as a source; `counter_key` reads it back. `of` are the counters that it was computed from, and `name`
    is the kind of calculation."""
    parts = tuple((part.path, part.file) for part in of)
    return FigureSource((key.run,), "", key.path, vm=key.file, answer=TIMELINE, how=name if of else "", parts=parts)


def counter_key(source: FigureSource) -> SeriesKey | None:
    """The counter that a source names; None if the source is not a counter of the timeline."""
    return SeriesKey(source.runs[0], source.figure, source.vm) if source.answer == TIMELINE else None


def explain_counter(run: RunFigures, source: FigureSource, reports: Reports) -> Explanation:
    """The files, columns and rows of a counter of this run."""
    parts = source.parts or ((source.figure, source.vm),)
    keys = [SeriesKey(run.run.folder, path, file) for path, file in parts]
    found = recorded_by_file(run.run, keys)
    rows = [_rows(part, segment, reports) for key in keys for part, segment in found.get(key, [])]
    return of_run(run.run, source.how or source.figure, None, source.how or _FORMULA, rows, _NONE)


def _rows(part: Part, segment: Segment, reports: Reports) -> SourceRows:
    recording, header = part.recording, header_lines(part.recording, reports)
    missing, spans = int(np.isnan(segment.values).sum()), segment.span[segment.span > 0]
    return SourceRows(
        recording.file,
        part.series.path,
        part.series.column + 2,
        part.series.vm or part.series.host,
        1,
        recording.rows,
        None if header is None else 1 + header,
        None if header is None else recording.rows + header,
        segment.values.size - missing,
        missing,
        float(np.median(spans)) if spans.size else None,
        None,
        part.series.counter,
    )
