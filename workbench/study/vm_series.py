"""The samples of one quantity for each VM of a run, chosen so that nothing is counted twice.

A VM's disks may be logged as PhysicalDisk and LogicalDisk, as `_Total` and one by one, in the guest and on
the host, in one file or in segments. For each VM one vantage and one object are taken; `_Total` where it
is logged, else the sum of the single disks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity, Tier, Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.study.column_store import read_columns, read_times

FloatArray = npt.NDArray[np.float64]

# A longer interval than this many medians is a gap: it holds no I/O.
GAP_MEDIANS = 3.0

_VANTAGES = (Vantage.GUEST, Vantage.HOST, Vantage.ARRAY)
_OBJECTS = ("physicaldisk", "logicaldisk")
_SUMMED = frozenset(
    (Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS, Quantity.THROUGHPUT, Quantity.READ_THROUGHPUT,
     Quantity.WRITE_THROUGHPUT, Quantity.QUEUE_DEPTH)
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Samples:
    """One VM's samples of one quantity, in time order as recorded.

    `end` is seconds since 1970 UTC; `span` is the seconds each sample speaks for, ending at `end` (0 behind
    a gap or a step back of the clock: such a sample holds nothing); `values` is NaN where missing.
    """

    end: FloatArray
    span: FloatArray
    values: FloatArray
    vantage: Vantage
    object: str
    files: tuple[str, ...]
    estimate: bool = False

    @property
    def start(self) -> FloatArray:
        """Where each sample's interval begins."""
        begin: FloatArray = self.end - self.span
        return begin


class _Choice(NamedTuple):
    vantage: Vantage
    object: str


class _Loaded(NamedTuple):
    end: FloatArray
    span: FloatArray
    columns: dict[int, FloatArray]


_Part = tuple[Recording, Series]


def spans(end: FloatArray) -> FloatArray:
    """Seconds that each sample speaks for: the interval that ends at it.

    The first sample's interval is not in the file and is taken as the median one. Intervals longer than
    `GAP_MEDIANS` medians are gaps, and intervals of zero or less are steps of the clock: both hold nothing.
    """
    if end.size < 2:
        return np.zeros_like(end)
    steps = np.diff(end)
    forward = steps[steps > 0]
    if not forward.size:
        return np.zeros_like(end)
    median = float(np.median(forward))
    found = np.concatenate(([median], steps))
    return np.where((found > 0) & (found <= GAP_MEDIANS * median), found, 0.0)


def vm_names(run: Run) -> tuple[str, ...]:
    """Every machine the run's recordings speak of, in name order."""
    named = (series.vm for recording in run.recordings for series in recording.series)
    return tuple(sorted({vm for vm in named if vm is not None}))


def vm_samples(run: Run, quantity: Quantity, tier: Tier | None = None) -> dict[str, Samples]:
    """The samples of `quantity` for each VM that has them; total IOPS fall back to reads + writes."""
    found = _direct(run, quantity, tier)
    if quantity is Quantity.IOPS:
        reads, writes = _direct(run, Quantity.READ_IOPS, tier), _direct(run, Quantity.WRITE_IOPS, tier)
        for vm in reads.keys() & writes.keys():
            if vm not in found and np.array_equal(reads[vm].end, writes[vm].end):
                found[vm] = _with_values(reads[vm], reads[vm].values + writes[vm].values)
    return dict(sorted(found.items()))


def _direct(run: Run, quantity: Quantity, tier: Tier | None) -> dict[str, Samples]:
    candidates: dict[str, list[_Part]] = defaultdict(list)
    for recording in run.recordings:
        for series in recording.series:
            metric = series.metric
            if metric is not None and metric.quantity is quantity and metric.tier is tier and series.vm:
                candidates[series.vm].append((recording, series))
    chosen = {vm: _chosen(parts) for vm, parts in candidates.items()}
    files = {recording.file: _load(recording, chosen.values()) for recording in run.recordings}
    return {vm: _one_vm(parts, quantity, files) for vm, parts in chosen.items()}


def _chosen(parts: list[_Part]) -> list[_Part]:
    """Of one VM's candidates those of one vantage and object: `_Total` per file, else every single one."""
    choice = min({_choice(series) for _, series in parts}, key=_rank)
    per_file: dict[str, dict[str, _Part]] = defaultdict(dict)
    for recording, series in parts:
        if _choice(series) == choice:
            # A counter that a file lists twice counts once.
            per_file[recording.file].setdefault(series.instance.lower(), (recording, series))
    return [
        part
        for instances in per_file.values()
        for part in ([instances["_total"]] if "_total" in instances else instances.values())
    ]


def _load(recording: Recording, chosen: Iterable[list[_Part]]) -> _Loaded:
    """The times, spans and wanted columns of one recording, read in one go."""
    wanted = sorted({s.column for parts in chosen for rec, s in parts if rec is recording})
    if not wanted:
        return _Loaded(np.empty(0), np.empty(0), {})
    end = read_times(recording) - 60.0 * (recording.utc_offset_minutes or 0)
    return _Loaded(end, spans(end), read_columns(recording, wanted))


def _one_vm(parts: list[_Part], quantity: Quantity, files: dict[str, _Loaded]) -> Samples:
    per_file: dict[str, list[Series]] = defaultdict(list)
    for recording, series in parts:
        per_file[recording.file].append(series)
    segments = [
        (files[file].end, _combined(files[file], series, quantity), file) for file, series in per_file.items()
    ]
    choice = _choice(parts[0][1])
    estimate = any(series.metric is not None and series.metric.estimate for _, series in parts)
    if len(segments) == 1:
        end, values, file = segments[0]
        return Samples(end, files[file].span, values, choice.vantage, choice.object, (file,), estimate)
    kept = _without_overlap(sorted(segments, key=lambda segment: _first(segment[0])))
    end = np.concatenate([segment[0] for segment in kept])
    values = np.concatenate([segment[1] for segment in kept])
    names = tuple(segment[2] for segment in kept)
    return Samples(end, spans(end), values, choice.vantage, choice.object, names, estimate)


def _combined(loaded: _Loaded, series: list[Series], quantity: Quantity) -> FloatArray:
    scaled = [loaded.columns[one.column] * one.metric.scale for one in series if one.metric is not None]
    if len(scaled) == 1:
        return scaled[0]
    stacked = np.vstack(scaled)
    combined: FloatArray = stacked.sum(axis=0) if quantity in _SUMMED else stacked.mean(axis=0)
    return combined


def _first(end: FloatArray) -> float:
    return float(end[0]) if end.size else float("inf")


def _choice(series: Series) -> _Choice:
    assert series.metric is not None
    return _Choice(series.metric.vantage, series.object)


def _rank(choice: _Choice) -> tuple[int, int, str]:
    name = choice.object.lower()
    place = _OBJECTS.index(name) if name in _OBJECTS else len(_OBJECTS)
    return _VANTAGES.index(choice.vantage), place, name


def _without_overlap(
    parts: Iterable[tuple[FloatArray, FloatArray, str]],
) -> list[tuple[FloatArray, FloatArray, str]]:
    """Segments in time order; rows that an earlier segment already covers are left out."""
    kept: list[tuple[FloatArray, FloatArray, str]] = []
    latest = -np.inf
    for end, values, file in parts:
        fresh = slice(None) if not end.size or end[0] > latest else end > latest
        if end[fresh].size:
            kept.append((end[fresh], values[fresh], file))
            latest = max(latest, float(end.max()))
    return kept or [(np.empty(0), np.empty(0), "")]


def _with_values(samples: Samples, values: FloatArray) -> Samples:
    return Samples(samples.end, samples.span, values, samples.vantage, samples.object, samples.files)
