"""Sources: for each VM the samples of a quantity, and which row of which counter each value comes from.

The same choice of counters, the same joining of files and the same sums as `vm_series`, but nothing is thrown away:
the shares of the parts add up to the samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.disk_arrays import Room
from workbench.model.metric import Quantity, Tier
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.study.series.chosen import Part, Parts, chosen_parts, spellings
from workbench.study.series.segments import Segment, joined
from workbench.study.series.vm_series import SUMMED, Loaded, Samples, load, samples_of, scaled_values

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class TracedPart:
    """What one counter of one file gave to a VM's samples.

    `places` are positions in the VM's samples, `rows` the data rows of the file (from 0, in the file's order) they
    come from, `shares` what the counter gives to each value in the canonical unit, NaN where it is missing.
    """

    recording: Recording
    series: Series
    quantity: Quantity
    places: IntArray
    rows: IntArray
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class Traced:
    """One VM's samples with the counters they come from; at each place the shares add up to the value."""

    samples: Samples
    parts: tuple[TracedPart, ...]


class _Place(NamedTuple):
    """Where the rows of a file stand among a VM's samples: their `places` there, their places among the rows `taken`
    in the order of time, and the `rows` of the file that they are."""

    places: IntArray
    taken: IntArray
    rows: IntArray


class _Made(NamedTuple):
    """What traces are made of: the files, room for what is computed, and the places in files that were joined, which
    are mostly the same ones for all VMs."""

    files: dict[str, Loaded]
    room: Room
    joined: dict[tuple[str, ...], list[_Place]]


def traced(run: Run, quantity: Quantity, tier: Tier | None = None) -> dict[str, Traced]:
    """The samples of `vm_samples(run, quantity, tier)`, each with its source."""
    chosen = chosen_parts(run, (quantity,), tier)
    made = _Made(load(run, [*chosen.whole.values(), *chosen.halves.values()]), Room(), {})
    by_vm = samples_of(run, (quantity,), tier)[quantity]
    names = spellings(run)
    with np.errstate(over="ignore", invalid="ignore"):
        parts = {names[vm]: _parts(some, quantity, made) for vm, some in chosen.whole[quantity].items()}
        parts |= {names[vm]: parts for vm, parts in _halves(chosen.halves, made).items()}
    return {vm: Traced(samples, _known(samples, parts[vm])) for vm, samples in by_vm.items()}


def _halves(halves: dict[Quantity, Parts], made: _Made) -> dict[str, list[TracedPart]]:
    parts: dict[str, list[TracedPart]] = {}
    for half, by_vm in halves.items():
        for vm, some in by_vm.items():
            parts.setdefault(vm, []).extend(_parts(some, half, made))
    return parts


def _parts(parts: Sequence[Part], quantity: Quantity, made: _Made) -> list[TracedPart]:
    per_file: dict[str, list[Part]] = {}
    for part in parts:
        per_file.setdefault(part.table, []).append(part)
    tables = tuple(per_file)
    if tables not in made.joined:
        made.joined[tables] = _places(tables, made)
    return [
        # A column of whole numbers has none for what is missing.
        TracedPart(
            part.recording,
            part.series,
            quantity,
            places,
            rows,
            made.room.keep(share[taken].astype(np.float64, copy=False)),
        )
        for (table, some), (places, taken, rows) in zip(per_file.items(), made.joined[tables], strict=True)
        for part, share in zip(some, _shares(made.files[table], some, quantity), strict=True)
    ]


def _places(tables: Sequence[str], made: _Made) -> list[_Place]:
    files = [made.files[table] for table in tables]
    firsts = np.cumsum([0, *(file.end.size for file in files)]).tolist()
    # Numbers in place of values tell which sample of which file stands where once the files are joined.
    numbered = [
        Segment(file.end, file.span, np.arange(file.end.size, dtype=np.float64) + first, table)
        for table, file, first in zip(tables, files, firsts, strict=False)
    ]
    numbers, found = joined(numbered).values.astype(np.int64), []
    for file, first in zip(files, firsts, strict=False):
        places = made.room.keep(np.flatnonzero((numbers >= first) & (numbers < first + file.end.size)))
        taken = made.room.keep(numbers[places] - first)
        found.append(_Place(places, taken, taken if file.order is None else made.room.keep(file.order[taken])))
    return found


def _shares(loaded: Loaded, parts: Sequence[Part], quantity: Quantity) -> list[FloatArray]:
    """What each counter gives to the value of its file: sums and means as `vm_series` forms them."""
    values = [scaled_values(loaded, part.series) for part in parts]
    if len(parts) == 1 or quantity in SUMMED:
        return values
    amounts = [scaled_values(loaded, part.weight) for part in parts if part.weight is not None]
    if len(amounts) < len(parts):
        return [value / len(parts) for value in values]
    ios = np.sum(amounts, axis=0)
    return [
        np.divide(value * amount, ios, out=np.where(ios == 0, 0.0, np.nan), where=ios > 0)
        for value, amount in zip(values, amounts, strict=True)
    ]


def _known(samples: Samples, parts: list[TracedPart]) -> tuple[TracedPart, ...]:
    """The shares of what is missing in the samples are missing: below zero, or one disk of several."""
    missing = np.isnan(samples.values)
    for part in parts:
        part.shares[missing[part.places]] = np.nan
    return tuple(parts)
