"""Metrics that a load generator gathers one sample at a time, as a recording with one series for each of them.

The samples of several machines come at times of their own. A counter is given its metric, and so a place in the
phase table, only where nearly every row has its sample: a rate sample speaks for the time since the one before
it, which rows of other machines in between would cut short.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import polars as pl

from workbench.model.recording import Recording, Series
from workbench.readers.common.counters import canonical, metric_of
from workbench.readers.common.row_problems import Problems

# Beyond this many cells the table would not fit beside the program: 400 MB.
_MAX_CELLS = 50_000_000
# The share of rows in which a series may lack its sample and still be taken to be sampled with the others.
_SPARSE = 0.05


class Sample(NamedTuple):
    """One value: seconds since 1970 as the file writes them, the machine, and the metric's name and parts."""

    at: float
    vm: str
    name: str
    instance: str
    field: str
    unit: str
    value: float


def recording_of(
    samples: Sequence[Sample], columns: Path, utc_offset_minutes: int | None, problems: Problems, machine: bool = True
) -> Recording | None:
    """The samples as a table in `columns`; None, with a problem where they are too many, for none.

    `machine`: `vm` names a machine, and not what else the metric belongs to. Of two samples of a series at one
    time the later in the file is kept, with a problem. A value of NaN is a missing sample.
    """
    if not samples:
        return None
    names = list(
        dict.fromkeys((sample.vm, sample.name, sample.instance, sample.field, sample.unit) for sample in samples)
    )
    stamps = np.array([round(sample.at * 1e6) for sample in samples], np.int64)
    times, rows = np.unique(stamps, return_inverse=True)
    if times.size * len(names) > _MAX_CELLS:
        problems.warn(
            "too-many-series",
            f"{len(names):,} series at {times.size:,} times of their own are too many.",
            "metrics left out; export them machine by machine",
        )
        return None
    column_of = {name: column for column, name in enumerate(names)}
    values = np.full((len(names), times.size), np.nan)
    places = np.array(
        [column_of[(sample.vm, sample.name, sample.instance, sample.field, sample.unit)] for sample in samples]
    )
    values[places, rows] = [sample.value for sample in samples]
    present = ~np.isnan(values)
    twice = len(samples) - np.unique(places * times.size + rows).size
    if twice:
        problems.warn(
            "duplicate-sample",
            f"{twice} samples have the time of another of the same series.",
            "the later one was used",
        )
    dense = present.mean(axis=1) >= 1 - _SPARSE
    series = tuple(_series(column, name, bool(dense[column]), machine) for column, name in enumerate(names))
    if not dense.all() and machine:
        problems.info(
            "own-times",
            f"{int((~dense).sum())} of {len(names)} series have their samples at times of their own.",
            "they are drawn on the timeline and are not in the phase table",
        )
    frame = pl.DataFrame({"t": times} | {f"c{column}": row for column, row in enumerate(values)})
    frame.with_columns(pl.exclude("t").fill_nan(None)).write_ipc(columns, compression="uncompressed")
    hosts = tuple(dict.fromkeys(sample.vm for sample in samples if sample.vm))
    return Recording(series, int(times.size), int(times[0]), int(times[-1]), utc_offset_minutes, hosts)


def _series(column: int, name: tuple[str, str, str, str, str], dense: bool, machine: bool) -> Series:
    """`LogicalDisk: Disk Transfers/sec: _Total` names object, counter and instance, as the definitions do."""
    vm, display, instance, field, unit = name
    parts = [part.strip() for part in display.split(":", 2)]
    kind, counter = (parts[0], parts[1]) if len(parts) > 1 else (field, display)
    instance = instance or (parts[2] if len(parts) > 2 else "")
    kind, counter = canonical(kind, counter)
    path = f"\\\\{vm}\\{kind}({instance})\\{counter}" + (f" [{unit}]" if unit else "")
    series = Series(column, path, vm, kind, instance, counter, vm if machine and vm else None)
    if not (dense and machine):
        return series
    return msgspec.structs.replace(series, metric=metric_of(kind, instance, counter))
