"""The samples of one quantity for each VM of a run, chosen so nothing is counted twice.

A VM's disks may be logged as PhysicalDisk and LogicalDisk, as `_Total` and one by one, in the guest and on the host, in
one file or in segments. For each VM one vantage and one object are used: `_Total` if it is logged, otherwise the sum of
the single disks. Machine names are compared case-insensitively.

The last samples are cached in memory, because switching between phases must not read them again. The cache belongs to
the run object, so an edited run is read again, and the samples of a closed study are freed. Three configurations of 150
machines with 30,000 samples take 108 MB per quantity.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench import disk_arrays
from workbench.model.metric import OF_SESSIONS, Quantity, Tier, Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.model.run_cache import KeptBytes
from workbench.study.series.chosen import Part, Parts, chosen_parts, spellings
from workbench.study.series.segments import Segment, joined, spans
from workbench.study.store.columns import read_rows

FloatArray = npt.NDArray[np.float64]
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
        Quantity.POWER,
    )
)


@dataclass(frozen=True, eq=False)
class Samples:
    """One VM's samples of one quantity, `end` ascending.

    `end` is seconds since 1970 UTC. `span` is the seconds that each sample covers, ending at `end`; it is 0 after a gap
    or at a repeated time, where the sample covers nothing. `values` is NaN if missing. `left_out` counts rows of files
    that another file had already recorded. `negative` counts samples below zero: no metric here can be negative, so
    they count as missing.
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
        """Returns the start of each sample's interval."""
        begin: FloatArray = self.end - self.span
        return begin


BySeries = Mapping[str, Samples]


@dataclass(frozen=True, eq=False)
class Matrix(BySeries):
    """The samples of VMs that share the times of one file. Do not change them.

    `table` has a row per VM of `vms`, NaN if missing. `end` and `span` are those of `Samples`. `counters` are the
    counters of each row.
    """

    vms: tuple[str, ...]
    counters: tuple[Part, ...]
    end: FloatArray
    span: FloatArray
    table: FloatArray

    @cached_property
    def _rows(self) -> dict[str, Samples]:
        rows = zip(self.counters, self.table, strict=True)
        samples = (_as_it_stands(counter, self.end, self.span, row) for counter, row in rows)
        return dict(zip(self.vms, samples, strict=True))

    def __getitem__(self, vm: str) -> Samples:
        return self._rows[vm]

    def __iter__(self) -> Iterator[str]:
        return iter(self.vms)

    def __len__(self) -> int:
        return len(self.vms)


def apart(by_vm: BySeries) -> BySeries:
    """Returns a copy of the samples in separate memory: it no longer keeps the tables that they were read with."""
    if isinstance(by_vm, Matrix):
        return replace(by_vm, table=by_vm.table.copy())
    return {vm: replace(samples, values=samples.values.copy()) for vm, samples in by_vm.items()}


class Loaded(NamedTuple):
    """A file's times (seconds UTC, ascending), the seconds that each row covers, and its columns by number. `order` is
    the file row of each, None if they are in order. `table` has a row for each of the columns, None if they are not
    in one array. `plain_rows` maps column numbers to the rows of columns that can be used unchanged: no sample is
    below zero or infinite."""

    end: FloatArray
    span: FloatArray
    columns: dict[int, FloatArray]
    order: npt.NDArray[np.intp] | None = None
    table: FloatArray | None = None
    plain_rows: Mapping[int, int] = {}


def vm_names(run: Run) -> tuple[str, ...]:
    """Returns every machine in the run's recordings, sorted by name."""
    return tuple(sorted(spellings(run).values()))


def vm_samples(run: Run, quantity: Quantity, tier: Tier | None = None) -> BySeries:
    """Returns the samples of `quantity` for each VM that has them. Without total IOPS the sum of reads and writes is
    used."""
    return samples_of(run, (quantity,), tier)[quantity]


def samples_of(run: Run, quantities: Sequence[Quantity], tier: Tier | None = None) -> dict[Quantity, BySeries]:
    """Like `vm_samples`, for several quantities; each file is read once."""
    chosen, halves = chosen_parts(run, quantities, tier)
    files = load(run, [*chosen.values(), *halves.values()])
    made = _Made(files, spellings(run), disk_arrays.Room())
    # Numbers near the end of the range overflow in sums.
    with np.errstate(over="ignore", invalid="ignore"):
        by_quantity = {quantity: _assembled(parts, quantity, made) for quantity, parts in chosen.items()}
        if any(halves.values()):
            reads, writes = (_assembled(parts, half, made) for half, parts in halves.items())
            added = _added(reads, writes, made.room)
            both = {**by_quantity[Quantity.IOPS], **added}
            by_quantity[Quantity.IOPS] = {vm: both[vm] for vm in sorted(both)}
    return by_quantity


class _Made(NamedTuple):
    """The inputs of samples: the files, the names of the VMs, and room for computed arrays."""

    files: dict[str, Loaded]
    names: Mapping[str, str]
    room: disk_arrays.Room


def _added(reads: BySeries, writes: BySeries, room: disk_arrays.Room) -> BySeries:
    pairs = {vm: (reads[vm], writes[vm]) for vm in reads}
    return {
        vm: replace(one, values=room.keep(one.values + other.values)) if same else _added_in_steps(one, other)
        for vm, (one, other) in pairs.items()
        if (same := one.end is other.end or np.array_equal(one.end, other.end))
        or (one.files == other.files and one.end.size and other.end.size)
    }


def _added_in_steps(reads: Samples, writes: Samples) -> Samples:
    """Returns the sum of two counters of one file of which one lacks rows: each sample covers its whole interval."""
    end = np.union1d(reads.end, writes.end)
    start, values = np.append(-np.inf, end[:-1]), np.zeros(end.size)
    for one in (reads, writes):
        place = np.minimum(np.searchsorted(one.end, end), one.end.size - 1)
        covers = (one.end[place] >= end) & (one.start[place] < end)
        values += np.where(covers, one.values[place], np.nan)
        start = np.where(covers, np.maximum(start, one.start[place]), start)
    span = np.where(np.isfinite(start), end - start, 0.0)
    return replace(reads, end=end, span=span, values=values, negative=reads.negative + writes.negative)


def load(run: Run, parts_to_load: Iterable[Parts]) -> dict[str, Loaded]:
    """Returns the times, spans and wanted columns of each recording by `Part.table`, read at once."""
    columns: dict[str, set[int]] = defaultdict(set)
    own: dict[str, list[Part]] = defaultdict(list)
    for parts in (part for by_vm in parts_to_load for part in by_vm.values()):
        for part in parts:
            columns[part.recording.file].add(part.series.column)
            if part.weight is not None:
                columns[part.recording.file].add(part.weight.column)
            if part.series.own_times:
                own[part.table].append(part)
    room = disk_arrays.Room()
    files = {
        recording.file: _loaded(recording, sorted(columns[recording.file]), room)
        for recording in run.recordings
        if recording.file in columns
    }
    return files | {table: _own_rows(files[parts[0].recording.file], parts, room) for table, parts in own.items()}


def _own_rows(loaded: Loaded, parts: list[Part], room: disk_arrays.Room) -> Loaded:
    """Returns the rows of a table with a sample of these counters: the others are times of other machines."""
    held = np.logical_or.reduce([~np.isnan(loaded.columns[part.series.column]) for part in parts])
    rows, wanted = (
        np.flatnonzero(held),
        {series.column for part in parts for series in part[1:] if isinstance(series, Series)},
    )
    end = loaded.end[rows]
    columns = {column: room.keep(loaded.columns[column][rows]) for column in wanted}
    return Loaded(end, spans(end), columns, rows if loaded.order is None else loaded.order[rows])


def _loaded(recording: Recording, numbers: list[int], room: disk_arrays.Room) -> Loaded:
    local, table = read_rows(recording, numbers)
    end, columns = local - 60.0 * (recording.utc_offset_minutes or 0), dict(zip(numbers, table, strict=True))
    if (np.diff(end) < 0).any():
        order = np.argsort(end, kind="stable")
        end, columns = end[order], {column: room.keep(values[order]) for column, values in columns.items()}
        return Loaded(end, spans(end), columns, order)
    return Loaded(end, spans(end), columns, None, table, _plain(table, numbers))


def _plain(table: FloatArray, numbers: Sequence[int]) -> dict[int, int]:
    """Returns the columns whose samples can all be used unchanged, by number, with their rows in the table."""
    if not table.size:
        return {number: row for row, number in enumerate(numbers)}
    # Both skip missing values.
    lowest, highest = np.fmin.reduce(table, axis=1), np.fmax.reduce(table, axis=1)
    odd = ((lowest < 0) | (highest == np.inf)).tolist()
    return {number: row for row, number in enumerate(numbers) if not odd[row]}


def _assembled(parts: Parts, quantity: Quantity, made: _Made) -> BySeries:
    """Returns the samples of each VM by its name, sorted by name."""
    files, names, room = made
    vms = sorted(parts, key=names.__getitem__)
    matrix = _matrix([*map(names.__getitem__, vms)], [parts[vm] for vm in vms], files)
    return matrix or {names[vm]: _kept(_one_vm(parts[vm], quantity, files), room) for vm in vms}


def _kept(samples: Samples, room: disk_arrays.Room) -> Samples:
    """Returns the samples, with computed arrays, which are not part of a file's table, kept in the room."""
    values = room.keep(samples.values)
    return samples if values is samples.values else replace(samples, values=values)


def _matrix(names: Sequence[str], parts: Sequence[list[Part]], files: dict[str, Loaded]) -> Matrix | None:
    """Returns the samples of VMs with one counter each, all in one file, with one scale and usable unchanged. None for
    any others."""
    if not parts or any(len(some) > 1 for some in parts):
        return None
    first, counters = parts[0][0], [some[0].series for some in parts]
    loaded = files[first.table]
    if any(some[0].recording is not first.recording for some in parts):
        return None
    if loaded.table is None or any(series.own_times for series in counters):
        return None
    rows = [row for series in counters if (row := loaded.plain_rows.get(series.column)) is not None]
    (scale, *others) = {1.0 if series.metric is None else series.metric.scale for series in counters}
    if others or len(rows) < len(counters):
        return None
    values = _rows(loaded.table, rows)
    if scale != 1.0:
        values = np.multiply(values, scale, out=disk_arrays.empty(values.shape, np.float64))
    return Matrix(tuple(names), tuple(some[0] for some in parts), loaded.end, loaded.span, values)


def _rows(table: FloatArray, rows: list[int]) -> FloatArray:
    """Returns these rows of the table, without a copy if they are evenly spaced."""
    step = rows[1] - rows[0] if len(rows) > 1 else 1
    even = range(rows[0], rows[-1] + 1, step) if step > 0 else range(0)
    if list(even) == rows:
        return table[even.start : even.stop : even.step]
    taken: FloatArray = np.take(table, rows, axis=0, out=disk_arrays.empty((len(rows), table.shape[1]), np.float64))
    return taken


def _one_vm(parts: list[Part], quantity: Quantity, files: dict[str, Loaded]) -> Samples:
    if len(parts) == 1:  # nearly always
        return _of_one_counter(parts[0], files[parts[0].table])
    tables: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        tables[part.table].append(part)
    segments = [
        Segment(files[key].end, files[key].span, _combined(files[key], some, quantity), some[0].recording.file)
        for key, some in tables.items()
    ]
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
        any(part.series.metric is not None and part.series.metric.estimate for part in parts),
        left_out,
        negative,
    )


def _of_one_counter(part: Part, table: Loaded) -> Samples:
    values, negative = _without_negative(scaled_values(table, part.series))
    return _as_it_stands(part, table.end, table.span, values, negative)


def _as_it_stands(part: Part, end: FloatArray, span: FloatArray, values: FloatArray, negative: int = 0) -> Samples:
    metric = part.series.metric
    assert metric is not None
    return Samples(
        end,
        span,
        values,
        metric.vantage,
        part.series.object,
        (part.recording.file,),
        metric.estimate,
        negative=negative,
    )


def _without_negative(values: FloatArray) -> tuple[FloatArray, int]:
    """Returns the values with those below zero set to missing, and their number."""
    # fmin skips missing values.
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
    if quantity is Quantity.INPUT_DELAY:
        worst: FloatArray = np.fmax.reduce(stacked)
        return worst
    if quantity in OF_SESSIONS:
        there = (~np.isnan(stacked)).sum(axis=0)
        of_those: FloatArray = np.divide(
            np.nansum(stacked, axis=0), there, out=np.full(there.size, np.nan), where=there > 0
        )
        return of_those
    weights = [scaled_values(loaded, part.weight) for part in parts if part.weight is not None]
    if len(weights) < len(parts):
        mean: FloatArray = stacked.mean(axis=0)
        return mean
    amounts = np.vstack(weights)
    ios = amounts.sum(axis=0)
    # If there was no I/O at all, perfmon's own total is 0 s too.
    idle = np.where(ios == 0, 0.0, np.nan)
    weighted: FloatArray = np.divide((stacked * amounts).sum(axis=0), ios, out=idle, where=ios > 0)
    return weighted


def scaled_values(loaded: Loaded, series: Series) -> FloatArray:
    """Returns a counter's values in the canonical unit, NaN if missing or infinite."""
    values = loaded.columns[series.column]
    scale = 1.0 if series.metric is None else series.metric.scale
    # A sum that is not finite contains a missing or infinite value, or overflows: then each value is checked. Missing
    # values stay in place, because fresh memory costs more than checking.
    if not math.isfinite(values.sum()) and np.isinf(values).any():
        values = np.where(np.isfinite(values), values, np.nan)
    return values if scale == 1.0 else values * scale


# Maximum size of the cache; the least recently used entry goes first.
MAX_BYTES = 400 * 10**6
# Maximum size cached before it is requested, per run and in total.
AHEAD_OF_ONE, AHEAD_BYTES = 16 * 10**6, 128 * 10**6
_KEPT: KeptBytes[BySeries] = KeptBytes()
_AHEAD: KeptBytes[BySeries] = KeptBytes()


def kept_samples(run: Run, quantity: Quantity) -> BySeries:
    """Returns the result of `vm_samples`, read once and cached; do not change it."""
    samples = _KEPT.get(run, quantity)
    if samples is None:
        samples = _AHEAD.get(run, quantity)
    if samples is None:
        samples = vm_samples(run, quantity)
        _KEPT.put(run, quantity, samples, _bytes(samples), MAX_BYTES)
    return samples


def keep_ahead(run: Run, quantity: Quantity, samples: BySeries) -> None:
    """Caches a copy of samples that were read with others, so the next page need not read them again. Runs with more
    than `AHEAD_OF_ONE` bytes of them are not cached."""
    if (size := _bytes(samples)) <= AHEAD_OF_ONE:
        _AHEAD.put(run, quantity, apart(samples), size, AHEAD_BYTES)


def forget_samples() -> None:
    """Empties the cache."""
    _KEPT.clear()
    _AHEAD.clear()


def _bytes(by_vm: BySeries) -> int:
    """Returns the size in bytes. Machines of one file share its times."""
    arrays = {
        id(values): values.nbytes
        for samples in by_vm.values()
        for values in (samples.end, samples.span, samples.values)
    }
    return sum(arrays.values())
