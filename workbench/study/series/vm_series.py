"""The samples of one quantity for each VM of a run, chosen so that nothing is counted twice.

A VM's disks may be logged as PhysicalDisk and LogicalDisk, as `_Total` and one by one, in the guest and on
the host, in one file or in segments. For each VM one vantage and one object are taken; `_Total` where it
is logged, else the sum of the single disks. Names of machines are distinguished without regard to case.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.model.kept import kept_of_few
from workbench.model.metric import Quantity, Tier, Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.study.series.segments import Segment, joined, spans
from workbench.study.store.columns import read_table

FloatArray = npt.NDArray[np.float64]

_VANTAGES = (Vantage.GUEST, Vantage.HOST, Vantage.ARRAY)
# Of several objects that tell the same the first one counts; any other comes after these.
_OBJECTS = ("physicaldisk", "logicaldisk", "citrix mcs storage driver", "virtualdisk")
SUMMED = frozenset(
    (
        Quantity.IOPS,
        Quantity.READ_IOPS,
        Quantity.WRITE_IOPS,
        Quantity.THROUGHPUT,
        Quantity.READ_THROUGHPUT,
        Quantity.WRITE_THROUGHPUT,
        Quantity.QUEUE_DEPTH,
        Quantity.CACHE_RAM_USED,
        Quantity.CACHE_RAM_SIZE,
        Quantity.CACHE_DISK_USED,
        Quantity.CACHE_DISK_SIZE,
    )
)
_HALVES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)
# A mean over disks is a mean over their I/Os: an idle disk's latency of 0 says nothing.
_WEIGHTED_BY = {
    Quantity.LATENCY: Quantity.IOPS,
    Quantity.READ_LATENCY: Quantity.READ_IOPS,
    Quantity.WRITE_LATENCY: Quantity.WRITE_IOPS,
}


@dataclass(frozen=True, eq=False)
class Samples:
    """One VM's samples of one quantity, `end` ascending.

    `end` is seconds since 1970 UTC; `span` is the seconds each sample speaks for, ending at `end` (0 behind
    a gap or at a time that was there before: such a sample holds nothing); `values` is NaN where missing.
    `left_out` counts rows of files that recorded what another file had already, `negative` samples below zero:
    nothing that is measured here can be, so they count as missing.
    """

    end: FloatArray
    span: FloatArray
    values: FloatArray
    vantage: Vantage
    object: str
    files: tuple[str, ...]
    estimate: bool = False
    left_out: int = 0
    negative: int = 0

    @property
    def start(self) -> FloatArray:
        """Where each sample's interval begins."""
        begin: FloatArray = self.end - self.span
        return begin


BySeries = dict[str, Samples]


class _Choice(NamedTuple):
    vantage: Vantage
    object: str


class Part(NamedTuple):
    """A counter of a file, and what its values are weighted by when several disks are taken together."""

    recording: Recording
    series: Series
    weight: Series | None = None

    @property
    def table(self) -> str:
        """What `load` keeps its table under: the file, or of a counter with times of its own those rows of the file."""
        series = self.series
        if not series.own_times:
            return self.recording.file
        return "\0".join((self.recording.file, series.vm or series.host, series.object, series.counter))


Parts = dict[str, list[Part]]


class Loaded(NamedTuple):
    """A file's times (seconds UTC, ascending), the seconds each row holds, and its columns by number; `order`
    is the row of the file that each comes from, None where they are in order."""

    end: FloatArray
    span: FloatArray
    columns: dict[int, FloatArray]
    order: npt.NDArray[np.intp] | None = None


class Chosen(NamedTuple):
    """The counters that were chosen of each VM (its name in lower case) for each quantity; `halves` are the
    reads and the writes of those VMs whose IOPS are the sum of both."""

    whole: dict[Quantity, Parts]
    halves: dict[Quantity, Parts]


def vm_names(run: Run) -> tuple[str, ...]:
    """Every machine the run's recordings speak of, in name order."""
    return tuple(sorted(spellings(run).values()))


def vm_samples(run: Run, quantity: Quantity, tier: Tier | None = None) -> BySeries:
    """The samples of `quantity` for each VM that has them; total IOPS fall back to reads + writes."""
    return samples_of(run, (quantity,), tier)[quantity]


def samples_of(run: Run, quantities: Sequence[Quantity], tier: Tier | None = None) -> dict[Quantity, BySeries]:
    """The same for several quantities, with each file read once."""
    chosen, halves = chosen_parts(run, quantities, tier)
    files = load(run, [*chosen.values(), *halves.values()])
    # Numbers near the end of the range overflow in sums.
    with np.errstate(over="ignore", invalid="ignore"):
        by_quantity = {quantity: _assembled(parts, quantity, files) for quantity, parts in chosen.items()}
        if any(halves.values()):
            by_quantity[Quantity.IOPS] |= _added(*(_assembled(parts, half, files) for half, parts in halves.items()))
    names = spellings(run)
    return {
        quantity: {names[vm]: by_vm[vm] for vm in sorted(by_vm, key=names.__getitem__)}
        for quantity, by_vm in by_quantity.items()
    }


def chosen_parts(run: Run, quantities: Sequence[Quantity], tier: Tier | None = None) -> Chosen:
    """The counters that `samples_of` takes; reads no sample."""
    candidates = _candidates(run, tier)
    chosen = {quantity: candidates.get(quantity, {}) for quantity in quantities}
    halves: dict[Quantity, Parts] = {}
    if Quantity.IOPS in chosen:
        reads, writes = (candidates.get(half, {}) for half in _HALVES)
        better = {vm for vm in reads.keys() & writes.keys() if _says_more(chosen[Quantity.IOPS], reads, writes, vm)}
        halves = {half: {vm: parts[vm] for vm in better} for half, parts in zip(_HALVES, (reads, writes), strict=True)}
    return Chosen(chosen, halves)


# The figures of a run are made in one go, and ask for its counters several times.
@kept_of_few
def spellings(run: Run) -> Mapping[str, str]:
    """Each machine once, as it is spelled first: guests and hosts differ in case."""
    by_spelling: dict[str, str] = {}
    for name in {series.vm: None for recording in run.recordings for series in recording.series if series.vm}:
        by_spelling.setdefault(name.casefold(), name)
    return by_spelling


@kept_of_few
def _candidates(run: Run, tier: Tier | None) -> Mapping[Quantity, Parts]:
    """For each quantity that the run has of a tier the counters to take of each VM."""
    candidates: dict[Quantity, Parts] = defaultdict(lambda: defaultdict(list))
    for recording in run.recordings:
        for series in recording.series:
            metric = series.metric
            if metric is not None and metric.tier is tier and series.vm:
                candidates[metric.quantity][series.vm.casefold()].append(Part(recording, series))
    return {
        quantity: {vm: _chosen(parts, quantity) for vm, parts in by_vm.items()}
        for quantity, by_vm in candidates.items()
    }


def _chosen(parts: list[Part], quantity: Quantity) -> list[Part]:
    """Of one VM's candidates those of one vantage and object: `_Total` per file, else every single one."""
    if len(parts) == 1:
        return parts
    choice = min({_choice(part.series) for part in parts}, key=_rank)
    per_file: dict[str, dict[str, Part]] = defaultdict(dict)
    for part in parts:
        if _choice(part.series) == choice:
            # A counter that a file lists twice counts once.
            per_file[part.recording.file].setdefault(part.series.instance.lower(), part)
    chosen: list[Part] = []
    for instances in per_file.values():
        if "_total" in instances:
            chosen.append(instances["_total"])
        else:
            chosen += [part._replace(weight=_weight(part, quantity)) for part in instances.values()]
    return chosen


def _weight(part: Part, quantity: Quantity) -> Series | None:
    """The rate of the same disk in the same file."""
    rate = _WEIGHTED_BY.get(quantity)
    if rate is None:
        return None
    ours = part.series
    return next(
        (
            series
            for series in part.recording.series
            if series.metric is not None
            and series.metric.quantity is rate
            and series.vm == ours.vm
            and (series.object, series.instance) == (ours.object, ours.instance)
        ),
        None,
    )


def _says_more(totals: Parts, reads: Parts, writes: Parts, vm: str) -> bool:
    """Whether reads + writes stand in for the total: there is none, or only one from farther away."""
    half = _choice(reads[vm][0].series)
    if half != _choice(writes[vm][0].series):
        return False
    if vm not in totals:
        return True
    # Equal in most runs: one object counts the total, its reads and its writes.
    whole = _choice(totals[vm][0].series)
    return half != whole and _rank(half) < _rank(whole)


def _added(reads: BySeries, writes: BySeries) -> BySeries:
    return {
        vm: replace(reads[vm], values=reads[vm].values + writes[vm].values)
        for vm in reads
        if reads[vm].end is writes[vm].end or np.array_equal(reads[vm].end, writes[vm].end)
    }


def load(run: Run, parts_to_load: Iterable[Parts]) -> dict[str, Loaded]:
    """The times, spans and wanted columns of each recording by `Part.table`, read in one go."""
    columns: dict[str, set[int]] = defaultdict(set)
    own: dict[str, list[Part]] = defaultdict(list)
    for parts in (part for by_vm in parts_to_load for part in by_vm.values()):
        for part in parts:
            columns[part.recording.file].add(part.series.column)
            if part.weight is not None:
                columns[part.recording.file].add(part.weight.column)
            if part.series.own_times:
                own[part.table].append(part)
    files = {
        recording.file: _loaded(recording, sorted(columns[recording.file]))
        for recording in run.recordings
        if recording.file in columns
    }
    return files | {table: _own_rows(files[parts[0].recording.file], parts) for table, parts in own.items()}


def _own_rows(loaded: Loaded, parts: list[Part]) -> Loaded:
    """The rows of a table that hold a sample of these counters: the others are times of other machines."""
    held = np.logical_or.reduce([~np.isnan(loaded.columns[part.series.column]) for part in parts])
    rows, wanted = (
        np.flatnonzero(held),
        {series.column for part in parts for series in part[1:] if isinstance(series, Series)},
    )
    end = loaded.end[rows]
    columns = {column: loaded.columns[column][rows] for column in wanted}
    return Loaded(end, spans(end), columns, rows if loaded.order is None else loaded.order[rows])


def _loaded(recording: Recording, numbers: list[int]) -> Loaded:
    local, columns = read_table(recording, numbers)
    end = local - 60.0 * (recording.utc_offset_minutes or 0)
    if (np.diff(end) < 0).any():
        order = np.argsort(end, kind="stable")
        end, columns = end[order], {column: values[order] for column, values in columns.items()}
        return Loaded(end, spans(end), columns, order)
    return Loaded(end, spans(end), columns)


def _assembled(parts: Parts, quantity: Quantity, files: dict[str, Loaded]) -> BySeries:
    return {vm: _one_vm(chosen, quantity, files) for vm, chosen in parts.items()}


def _one_vm(parts: list[Part], quantity: Quantity, files: dict[str, Loaded]) -> Samples:
    if len(parts) == 1:  # nearly always
        return _of_one_counter(parts[0], files[parts[0].table])
    segments = _segments(parts, quantity, files)
    joined_samples = joined(segments)
    metric = parts[0].series.metric
    assert metric is not None
    names = tuple(segment.file for segment in segments)
    left_out = sum(segment.end.size for segment in segments) - joined_samples.end.size
    values, negative = _without_negative(joined_samples.values)
    where = parts[0].series.object
    return Samples(
        joined_samples.end,
        joined_samples.span,
        values,
        metric.vantage,
        where,
        names,
        _estimated(parts),
        left_out,
        negative,
    )


def _of_one_counter(part: Part, table: Loaded) -> Samples:
    metric = part.series.metric
    assert metric is not None
    values, negative = _without_negative(scaled_values(table, part.series))
    return Samples(
        table.end,
        table.span,
        values,
        metric.vantage,
        part.series.object,
        (part.recording.file,),
        metric.estimate,
        negative=negative,
    )


def _segments(parts: list[Part], quantity: Quantity, files: dict[str, Loaded]) -> list[Segment]:
    tables: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        tables[part.table].append(part)
    return [
        Segment(files[key].end, files[key].span, _combined(files[key], some, quantity), some[0].recording.file)
        for key, some in tables.items()
    ]


def _estimated(parts: list[Part]) -> bool:
    return any(part.series.metric is not None and part.series.metric.estimate for part in parts)


def _without_negative(values: FloatArray) -> tuple[FloatArray, int]:
    """The values with those below zero missing, and how many they were."""
    # fmin passes over what is missing.
    if not values.size or not np.fmin.reduce(values) < 0:
        return values, 0
    below = values < 0
    return np.where(below, np.nan, values), int(below.sum())


def _combined(loaded: Loaded, parts: list[Part], quantity: Quantity) -> FloatArray:
    if len(parts) == 1:
        return scaled_values(loaded, parts[0].series)
    scaled = [scaled_values(loaded, part.series) for part in parts]
    stacked = np.vstack(scaled)
    if quantity in SUMMED:
        total: FloatArray = stacked.sum(axis=0)
        return total
    weights = [scaled_values(loaded, part.weight) for part in parts if part.weight is not None]
    if len(weights) < len(parts):
        mean: FloatArray = stacked.mean(axis=0)
        return mean
    amounts = np.vstack(weights)
    ios = amounts.sum(axis=0)
    # Where there was no I/O at all perfmon's own total is 0 s too.
    idle = np.where(ios == 0, 0.0, np.nan)
    weighted: FloatArray = np.divide((stacked * amounts).sum(axis=0), ios, out=idle, where=ios > 0)
    return weighted


def scaled_values(loaded: Loaded, series: Series) -> FloatArray:
    """A counter's values in the canonical unit, NaN where missing or infinite."""
    values = loaded.columns[series.column]
    scale = 1.0 if series.metric is None else series.metric.scale
    # A sum that is not finite has a missing or infinite value in it, or overflows: then each is looked at. Fresh
    # memory costs more than looking: what is missing already stays where it is.
    if not math.isfinite(values.sum()) and np.isinf(values).any():
        values = np.where(np.isfinite(values), values, np.nan)
    return values if scale == 1.0 else values * scale


def _choice(series: Series) -> _Choice:
    assert series.metric is not None
    return _Choice(series.metric.vantage, series.object)


def _rank(choice: _Choice) -> tuple[int, int, str]:
    name = choice.object.lower()
    index = _OBJECTS.index(name) if name in _OBJECTS else len(_OBJECTS)
    return _VANTAGES.index(choice.vantage), index, name
