"""Sources: for each VM the samples of a quantity, and the row and counter that each value comes from.

The choice of counters, the joining of files and the sums are those of `vm_series`, but all parts are kept: their shares
add up to the samples.
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
    """The contribution of one counter of one file to a VM's samples.

    `places` are positions in the VM's samples. `rows` are the data rows of the file (from 0, in file order) that they
    come from. `shares` is the counter's contribution to each value in the canonical unit, NaN if missing.
    """

    recording: Recording
    series: Series
    quantity: Quantity
    places: IntArray
    rows: IntArray
    shares: FloatArray


@dataclass(frozen=True, eq=False)
class Traced:
    """One VM's samples with the counters they come from; at each position the shares add up to the value."""

    samples: Samples
    parts: tuple[TracedPart, ...]


class _Place(NamedTuple):
    """Maps the rows of a file to a VM's samples: `places` are the positions there, `taken` the positions among the rows
    in time order, and `rows` the rows of the file."""

    places: IntArray
    taken: IntArray
    rows: IntArray


class _Made(NamedTuple):
    """The inputs of traces: the files, room for computed arrays, and the positions in joined files, which are mostly
    equal for all VMs."""

    files: dict[str, Loaded]
    room: Room
    joined: dict[tuple[str, ...], list[_Place]]


def traced(run: Run, quantity: Quantity, tier: Tier | None = None) -> dict[str, Traced]:
    """Returns the samples of `vm_samples(run, quantity, tier)`, each with its source."""
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
        # A column of whole numbers cannot hold NaN.
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
    # Numbers instead of values: after joining they show which sample of which file is at each position.
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
    """Returns the contribution of each counter to the value of its file: sums and means as in `vm_series`."""
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
    """Returns the shares, missing wherever the samples are missing: below zero, or one disk of several."""
    missing = np.isnan(samples.values)
    for part in parts:
        part.shares[missing[part.places]] = np.nan
    return tuple(parts)
