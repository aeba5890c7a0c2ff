"""The integral from the first sample on, kept for every 64th sample: that between any two moments is then two edges.

For pictures and for what follows the mouse: a phase's edge that is dragged asks for new means in every frame. Numbers
of tables and exports come from `integrate`, whose sums are not differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.phase import Phase
from workbench.phases.integral import Integral, by_times, integrate, seconds_inside
from workbench.study.series.vm_series import BySeries, Samples

FloatArray = npt.NDArray[np.float64]

BLOCK = 64


@dataclass(frozen=True, eq=False)
class _File:
    """Machines that share their times. Up to the start of each block of samples the sum of value x seconds, and the
    seconds that have a sample, a row for each machine."""

    vms: tuple[str, ...]
    machines: tuple[Samples, ...]
    totals: FloatArray
    seconds: FloatArray


@dataclass(frozen=True, eq=False)
class Cumulative:
    """The cumulative integrals of one metric's machines."""

    vms: tuple[str, ...]
    files: tuple[_File, ...]

    def between(self, start: float, end: float) -> dict[str, Integral]:
        """`integrate_all` over `[start, end)` (UTC seconds), to 10⁻¹⁵ of what was summed up before `end`. Machines
        without a sample there are left out."""
        with np.errstate(over="ignore", invalid="ignore"):
            known = {vm: integral for file in self.files for vm, integral in _between(file, start, end)}
        return {vm: known[vm] for vm in self.vms if vm in known}


def cumulative(by_vm: BySeries) -> Cumulative:
    """The cumulative integrals of all machines, with one look at every sample; 1/32 of the samples' memory."""
    with np.errstate(over="ignore", invalid="ignore"):
        return Cumulative(tuple(by_vm), tuple(_file(by_vm, vms) for vms in by_times(by_vm)))


def _file(by_vm: BySeries, vms: Sequence[str]) -> _File:
    machines = tuple(by_vm[vm] for vm in vms)
    span = machines[0].span[: machines[0].span.size // BLOCK * BLOCK].reshape(-1, BLOCK)
    totals, seconds = (np.zeros((len(vms), len(span) + 1)) for _ in range(2))
    for row, samples in enumerate(machines):
        values = samples.values[: span.size].reshape(-1, BLOCK)
        sums, covered = np.einsum("ij,ij->i", values, span), span.sum(axis=1)
        if np.isnan(sums).any():
            missing = np.isnan(values)
            sums = np.einsum("ij,ij->i", np.where(missing, 0.0, values), span)
            covered = np.where(missing, 0.0, span).sum(axis=1)
        np.cumsum(sums, out=totals[row, 1:])
        np.cumsum(covered, out=seconds[row, 1:])
    return _File(tuple(vms), machines, totals, seconds)


def _between(file: _File, start: float, end: float) -> list[tuple[str, Integral]]:
    times = file.machines[0].end
    first, last = int(np.searchsorted(times, start, "right")), int(np.searchsorted(times, end, "left")) + 1
    # Of the first and the last sample only a part may count.
    left, right = -(-(first + 1) // BLOCK), (min(last, times.size) - 1) // BLOCK
    if left < right:
        edges = [slice(first, left * BLOCK), slice(right * BLOCK, last)]
        totals = file.totals[:, right] - file.totals[:, left]
        seconds = file.seconds[:, right] - file.seconds[:, left]
    else:
        edges = [slice(first, last)]
        totals, seconds = np.zeros(len(file.vms)), np.zeros(len(file.vms))
    for edge in edges:
        more, covered = _edge(file.machines, edge, start, end)
        totals, seconds = totals + more, seconds + covered
    # A wild value of 1e300 overflows, and with it all differences behind it.
    for row in np.flatnonzero(~np.isfinite(totals)):
        alone = integrate(file.machines[row], Phase("", start, end, ""))
        totals[row] = 0.0 if alone is None else alone.total
    rows = zip(file.vms, totals.tolist(), seconds.tolist(), strict=True)
    return [(vm, Integral(total, covered)) for vm, total, covered in rows if covered > 0.0]


def _edge(machines: Sequence[Samples], part: slice, start: float, end: float) -> tuple[FloatArray, FloatArray]:
    inside = seconds_inside(machines[0].end[part], machines[0].span[part], start, end)
    values = np.stack([samples.values[part] for samples in machines])
    missing = np.isnan(values)
    if not missing.any():
        return np.einsum("ij,j->i", values, inside), np.full(len(machines), inside.sum())
    known = np.where(missing, 0.0, inside)
    return np.einsum("ij,ij->i", np.where(missing, 0.0, values), known), known.sum(axis=1)
