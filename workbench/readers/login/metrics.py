"""Turns metrics that a load generator samples one by one into a recording with one series per metric.

The samples of different machines have different times. A series without a sample at some times of the table is marked:
its rate samples cover the time since the previous sample of the series, which rows of other machines would cut short.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from workbench.model.metric import Vantage
from workbench.model.recording import Recording, Series
from workbench.readers.common.counters import canonical, metric_of
from workbench.readers.common.flat_columns import write_table
from workbench.readers.common.row_problems import Problems, counting
from workbench.readers.text.timestamps import clock_jumps

# A table with more cells would not fit in memory next to the program: 400 MB.
_MAX_CELLS = 50_000_000
# The component of a platform metric whose instance is a VM; other components are hosts and clusters.
PLATFORM_VM = "vm"


class Sample(NamedTuple):
    """One value: seconds since 1970 as the file writes them, the machine, and the metric's name and parts.

    `ids` separate metrics with the same name. Every sample has the same kinds of ids in the same order.
    """

    at: float
    vm: str
    name: str
    instance: str
    field: str
    unit: str
    value: float
    ids: tuple[str, ...] = ()

    def metric(self) -> _Name:
        """Returns the part that all samples of one series share."""
        return _Name(self.vm, self.name, self.instance, self.field, self.unit, self.ids)


class _Name(NamedTuple):
    vm: str
    name: str
    instance: str
    field: str
    unit: str
    ids: tuple[str, ...]


def recording_of(
    samples: Sequence[Sample], columns: Path, utc_offset_minutes: int | None, problems: Problems, machine: bool = True
) -> Recording | None:
    """Returns the samples as a table in `columns`; None if there are no samples, or, with a problem, too many.

    `machine`: True if `vm` names a machine, not another owner of the metric; for a platform metric of a VM it always
    does. If a series has two samples at one time, the later one in the file is kept, with a problem. NaN is a missing
    sample.
    """
    if not samples:
        return None
    names = list(dict.fromkeys(sample.metric() for sample in samples))
    stamps = np.array([round(sample.at * 1e6) for sample in samples], np.int64)
    times, rows = np.unique(stamps, return_inverse=True)
    if times.size * len(names) > _MAX_CELLS:
        problems.warn(
            "too-many-series",
            f"{len(names):,} series with {times.size:,} different timestamps are too many for one table.",
            "metrics not imported; export each machine separately",
        )
        return None
    column_of = {name: column for column, name in enumerate(names)}
    values = np.full((len(names), times.size), np.nan)
    places = np.array([column_of[sample.metric()] for sample in samples])
    values[places, rows] = [sample.value for sample in samples]
    cells = np.unique(places * times.size + rows)
    twice = len(samples) - cells.size
    if twice:
        problems.warn(
            "duplicate-sample",
            f"{counting(twice, 'sample', 'has', 'have')} the same timestamp as another sample in the same series.",
            "only the last of these samples imported; check the samples in the file",
        )
    own_times = np.bincount(cells // times.size, minlength=len(names)) < times.size
    additions = _additions(names)
    series = tuple(
        _series(column, name, additions[name], bool(own_times[column]), machine) for name, column in column_of.items()
    )
    write_table(columns, times, values)
    hosts = tuple(dict.fromkeys(sample.vm for sample in samples if sample.vm))
    jumps = clock_jumps(times) if utc_offset_minutes is None else ()
    first, last = int(times[0]), int(times[-1])
    return Recording(series, int(times.size), first, last, utc_offset_minutes, hosts, clock_jumps=jumps)


def _additions(names: Sequence[_Name]) -> dict[_Name, str]:
    """Returns the suffix that makes the name of each metric unique on its machine; empty if none is needed."""
    alike: dict[tuple[str, ...], list[_Name]] = {}
    for name in names:
        alike.setdefault((name.vm, name.name, name.instance, name.field), []).append(name)
    texts: dict[_Name, str] = {}
    for group in alike.values():
        parts = [(*name.ids, name.unit) for name in group]
        differing = [place for place, values in enumerate(zip(*parts, strict=True)) if len(set(values)) > 1]
        texts |= {
            name: ", ".join(own[place] for place in differing if own[place])
            for name, own in zip(group, parts, strict=True)
        }
    return texts


def _series(column: int, name: _Name, addition: str, own_times: bool, machine: bool) -> Series:
    """Names a series `LogicalDisk: Disk Transfers/sec: _Total` (object, counter, instance), as the definitions do.

    The path has all ids, so it names the same metric in every file of a run. The counter has only the ids that it
    needs.
    """
    parts = [part.strip() for part in name.name.split(":", 2)]
    kind, counter = (parts[0], parts[1]) if len(parts) > 1 else (name.field, name.name)
    instance = name.instance or (parts[2] if len(parts) > 2 else "")
    kind, counter = canonical(kind, counter)
    ids = ", ".join(part for part in name.ids if part)
    path = f"\\\\{name.vm}\\{kind}({instance})\\{counter}"
    path += (f" [{name.unit}]" if name.unit else "") + (f" ({ids})" if ids else "")
    shown = f"{counter} ({addition})" if addition else counter
    vm = name.vm if name.vm and (machine or name.field.casefold() == PLATFORM_VM) else None
    metric = metric_of(kind, instance, counter)
    if not machine and metric is not None and metric.vantage is Vantage.GUEST:
        metric = None
    return Series(column, path, name.vm, kind, instance, shown, vm, metric, own_times)
