"""Sources: for each VM the samples of a quantity, and which row of which counter each value comes from.

The same choice of counters, the same joining of files and the same sums as `vm_series`, but nothing is thrown away:
the shares of the parts add up to the samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.metric import Quantity, Tier
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.study.series.chosen import Part, Parts, chosen_parts, spellings
from workbench.study.series.segments import Segment, joined
from workbench.study.series.vm_series import SUMMED, Loaded, Samples, load, samples_of, scaled_values
from workbench.study.store.scratch import Room

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


def traced(run: Run, quantity: Quantity, tier: Tier | None = None) -> dict[str, Traced]:
    """The samples of `vm_samples(run, quantity, tier)`, each with its source."""
    chosen = chosen_parts(run, (quantity,), tier)
    files = load(run, [*chosen.whole.values(), *chosen.halves.values()])
    by_vm = samples_of(run, (quantity,), tier)[quantity]
    names, room = spellings(run), Room()
    with np.errstate(over="ignore", invalid="ignore"):
        parts = {names[vm]: _parts(some, quantity, files, room) for vm, some in chosen.whole[quantity].items()}
        parts |= {names[vm]: parts for vm, parts in _halves(chosen.halves, files, room).items()}
    return {vm: Traced(samples, _known(samples, parts[vm])) for vm, samples in by_vm.items()}


def _halves(halves: dict[Quantity, Parts], files: dict[str, Loaded], room: Room) -> dict[str, list[TracedPart]]:
    parts: dict[str, list[TracedPart]] = {}
    for half, by_vm in halves.items():
        for vm, some in by_vm.items():
            parts.setdefault(vm, []).extend(_parts(some, half, files, room))
    return parts


def _parts(parts: Sequence[Part], quantity: Quantity, files: dict[str, Loaded], room: Room) -> list[TracedPart]:
    per_file: dict[str, list[Part]] = {}
    for part in parts:
        per_file.setdefault(part.table, []).append(part)
    firsts = np.cumsum([0, *(files[file].end.size for file in per_file)])
    # Numbers in place of values tell which sample of which file stands where once the files are joined.
    numbered = [
        Segment(files[file].end, files[file].span, np.arange(files[file].end.size, dtype=np.float64) + first, file)
        for file, first in zip(per_file, firsts.tolist(), strict=False)
    ]
    numbers = joined(numbered).values.astype(np.int64)
    traced_parts: list[TracedPart] = []
    for (file, some), first in zip(per_file.items(), firsts.tolist(), strict=False):
        loaded = files[file]
        places = room.keep(np.flatnonzero((numbers >= first) & (numbers < first + loaded.end.size)))
        taken = numbers[places] - first
        rows = room.keep(taken if loaded.order is None else loaded.order[taken])
        traced_parts += [
            TracedPart(part.recording, part.series, quantity, places, rows, room.keep(share[taken]))
            for part, share in zip(some, _shares(loaded, some, quantity), strict=True)
        ]
    return traced_parts


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
