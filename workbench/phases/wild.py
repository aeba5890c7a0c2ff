"""Wild cells: single samples far above everything around them, which must not shape a detected phase."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from workbench.model.problem import Problem, Severity
from workbench.model.run import Run
from workbench.phases.clock import clock
from workbench.phases.integral import binned
from workbench.phases.known_values import known_values
from workbench.study.series.vm_series import BySeries, Samples

# A wild cell is so many times its neighbours, the mean of the other VMs at that time, and 95 % of all samples.
WILD = 10.0
# More candidates than this are no single cells.
MOST = 50


def without_wild(run: Run, by_vm: BySeries) -> tuple[BySeries, list[Problem]]:
    """The samples with wild cells as missing, and a problem for each VM that has some."""
    pooled = known_values([samples.values for samples in by_vm.values()])
    limit = WILD * float(np.percentile(pooled, 95, overwrite_input=True)) if pooled.size else 0.0
    wild = {vm: _wild(by_vm, vm, limit) for vm in by_vm}
    wild = {vm: places for vm, places in wild.items() if places.size}
    kept = {vm: _without(samples, wild[vm]) if vm in wild else samples for vm, samples in by_vm.items()}
    return kept, [_problem(run, vm, by_vm[vm], places) for vm, places in wild.items()]


def _wild(by_vm: BySeries, vm: str, limit: float) -> npt.NDArray[np.intp]:
    """The places of the wild cells of a VM."""
    samples = by_vm[vm]
    values = np.nan_to_num(samples.values)
    around = np.maximum(np.append(values[1:], 0.0), np.insert(values[:-1], 0, 0.0))
    places = np.flatnonzero((values > max(limit, 0.0)) & (values > WILD * around) & (samples.span > 0))
    if places.size > MOST:
        return places[:0]
    return places[[values[place] > WILD * _others(by_vm, vm, samples, int(place)) for place in places]]


def _others(by_vm: BySeries, vm: str, samples: Samples, place: int) -> float:
    """The mean of the other VMs while that sample was taken."""
    edges = np.array((samples.end[place] - samples.span[place], samples.end[place]))
    rates = [rate for rate in _rates(by_vm, vm, edges) if not np.isnan(rate)]
    return float(np.mean(rates)) if rates else 0.0


def _rates(by_vm: BySeries, vm: str, edges: npt.NDArray[np.float64]) -> Iterator[float]:
    return (float(binned(samples, edges)[0]) for name, samples in by_vm.items() if name != vm)


def _without(samples: Samples, places: npt.NDArray[np.intp]) -> Samples:
    values = samples.values.copy()
    values[places] = np.nan
    return replace(samples, values=values)


def _problem(run: Run, vm: str, samples: Samples, places: npt.NDArray[np.intp]) -> Problem:
    highest = int(places[samples.values[places].argmax()])
    more = f" ({places.size} such samples)" if places.size > 1 else ""
    return Problem(
        Severity.WARNING,
        run.name,
        "wild-cell",
        f"A sample of {vm} is {samples.values[highest]:.6g} IOPS at {clock(run, float(samples.end[highest]))}: more "
        f"than {WILD:.0f} times the other samples and VMs{more}.",
        f"ignored to detect phases, but counted in metrics; check {', '.join(samples.files[:3])} at that time",
    )
