"""Every sample of every run in rows, one per counter and time, streamed, so no study is too large."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl
from polars.io.plugins import register_io_source

from workbench.model.recording import Recording, Series
from workbench.model.run import Run, Study
from workbench.study.store.columns import read_table

# This many samples are in memory at a time, two or three times each.
_BATCH_SAMPLES = 2_000_000
_TEXT, _NUMBER = pl.String(), pl.Float64()
SCHEMA = pl.Schema(
    {
        "study": _TEXT,
        "run": _TEXT,
        "configuration": _TEXT,
        "excluded": _TEXT,
        "vm": _TEXT,
        "host": _TEXT,
        "object": _TEXT,
        "instance": _TEXT,
        "counter": _TEXT,
        "unit": _TEXT,
        "quantity": _TEXT,
        "vantage": _TEXT,
        "tier": _TEXT,
        "file": _TEXT,
        "utc_offset_minutes": pl.Int32(),
        "time_utc": pl.Datetime("ms", "UTC"),
        "second_of_test": _NUMBER,
        "value": _NUMBER,
    }
)
MEANINGS = {
    "unit": "standard unit of a known counter; empty: value as in the file",
    "excluded": "reason for the exclusion of the run; empty: included",
    "utc_offset_minutes": "stated by the file or the user; empty: unknown, UTC assumed",
    "time_utc": "end of the interval of the sample",
    "second_of_test": "seconds since the start of the test, for files without clock times",
    "value": "empty: not measured",
}


@dataclass
class Count:
    """Counts of the streamed samples."""

    rows: int = 0
    counters: int = 0
    infinite: int = 0
    files: set[str] = field(default_factory=set)


def sample_frame(studies: Sequence[Study], count: Count) -> pl.LazyFrame:
    """All samples as a stream; `count` is updated while it is read."""

    def source(
        with_columns: list[str] | None, predicate: pl.Expr | None, n_rows: int | None, _batch_size: int | None
    ) -> Iterator[pl.DataFrame]:
        left = n_rows
        for frame in _frames(studies, count):
            shown = frame if with_columns is None else frame.select(with_columns)
            shown = shown if predicate is None else shown.filter(predicate)
            yield shown if left is None else shown.head(left)
            left = None if left is None else left - shown.height
            if left is not None and left <= 0:
                return

    return register_io_source(source, schema=SCHEMA)


def _frames(studies: Sequence[Study], count: Count) -> Iterator[pl.DataFrame]:
    for study in studies:
        for run in study.runs:
            for recording in run.recordings:
                yield from _of_recording(study, run, recording, count)


def _of_recording(study: Study, run: Run, recording: Recording, count: Count) -> Iterator[pl.DataFrame]:
    step = max(1, _BATCH_SAMPLES // max(1, recording.rows))
    for start in range(0, len(recording.series), step):
        series = recording.series[start : start + step]
        times, columns = read_table(recording, [sampled.column for sampled in series])
        frames = [
            _of_series(study, run, recording, sampled, times, columns[sampled.column], count) for sampled in series
        ]
        count.rows += sum(frame.height for frame in frames)
        count.counters += len(frames)
        yield pl.concat(frames)


def _of_series(
    study: Study, run: Run, recording: Recording, series: Series, times: np.ndarray, values: np.ndarray, count: Count
) -> pl.DataFrame:
    metric = series.metric
    infinite = np.isinf(values)
    count.infinite += int(infinite.sum())
    numbers = np.where(infinite, np.nan, values) * (1.0 if metric is None else metric.scale)
    moments = np.round((times - 60.0 * (recording.utc_offset_minutes or 0)) * 1e3).astype(np.int64)
    words: dict[str, str | None] = {
        "study": study.name,
        "run": run.name,
        "configuration": run.configuration.name,
        "excluded": run.excluded,
        "vm": series.vm,
        "host": series.host,
        "object": series.object,
        "instance": series.instance,
        "counter": series.counter,
        "unit": metric.quantity.unit if metric else None,
        "quantity": metric.quantity.value if metric else None,
        "vantage": metric.vantage.value if metric else None,
        "tier": metric.tier.value if metric and metric.tier else None,
        "file": recording.file,
    }
    relative = recording.relative
    return pl.select(
        *(pl.repeat(word or None, times.size, dtype=pl.String).alias(name) for name, word in words.items()),
        pl.repeat(recording.utc_offset_minutes, times.size, dtype=pl.Int32).alias("utc_offset_minutes"),
        (
            pl.repeat(None, times.size, dtype=pl.Datetime("ms", "UTC"))
            if relative
            else pl.Series(moments).cast(pl.Datetime("ms", "UTC"))
        ).alias("time_utc"),
        (pl.Series(times, dtype=pl.Float64) if relative else pl.repeat(None, times.size, dtype=pl.Float64)).alias(
            "second_of_test"
        ),
        pl.Series(numbers).fill_nan(None).alias("value"),
    )
