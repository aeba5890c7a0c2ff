"""The worst VMs by name: those with the highest mean and those with the highest sample in a phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.phases.integral import Cut, Integral

# So many by mean, and so many by peak, are kept of each phase.
KEPT = 10


@dataclass(frozen=True, slots=True)
class VmLoad:
    """One VM in one phase: the mean of its IOPS over the measured seconds, and its highest sample."""

    vm: str
    mean_iops: float
    peak_iops: float | None


def worst_vms(measured: Mapping[str, Integral], parts: Sequence[Cut]) -> tuple[VmLoad, ...]:
    """The `KEPT` worst by mean and the `KEPT` worst by peak, highest mean first.

    `measured` are the integrals of the VMs' IOPS over the phase, `parts` the samples they come from.
    """
    means = {vm: integral.total / integral.covered_s for vm, integral in measured.items()}
    peaks = {vm: peak for part in parts for vm, peak in _peaks(part) if vm in means}
    chosen = {*_highest(means), *_highest(peaks)}
    loads = [VmLoad(vm, means[vm], peaks.get(vm)) for vm in chosen]
    return tuple(sorted(loads, key=lambda load: (-load.mean_iops, load.vm)))


def _peaks(part: Cut) -> list[tuple[str, float]]:
    values = part.inside
    if not values.shape[1]:
        return []
    highest = np.fmax.reduce(values, axis=1).tolist()
    return [(vm, peak) for vm, peak in zip(part.vms, highest, strict=True) if not np.isnan(peak)]


def _highest(values: dict[str, float]) -> list[str]:
    return sorted(values, key=lambda vm: (-values[vm], vm))[:KEPT]
