"""The upper samples of a rate in the order of their times: a high percentile of any stretch needs only those."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.measures.percentile import over_time, percentile
from workbench.phases.integral import by_times
from workbench.study.series.vm_series import BySeries

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Upper:
    """`values` are all samples of at least `least`, each as often as it counts, and `middles` (rising) the middles of
    their intervals in UTC seconds. `times` are the middles of all known samples, with how many machines have them."""

    values: FloatArray
    middles: FloatArray
    times: tuple[tuple[int, FloatArray], ...]

    def percentile(self, start: float, end: float, share: float) -> float | None:
        """That of all samples that lie in the stretch for at least half of their interval, as `percentile` gives it;
        None where it lies below `least`, or nothing lies in the stretch, which is longer than any interval."""
        size = sum(machines * _part(middles, start, end)[1] for machines, middles in self.times)
        first, count = _part(self.middles, start, end)
        rank = share / 100 * (size - 1) - (size - count)
        if not size or rank < 0:
            return None
        return percentile(self.values[first : first + count], 100 * rank / max(1, count - 1))


def upper(by_vm: BySeries, least: float) -> Upper:
    """The samples of at least `least` of all machines."""
    values, middles = [np.empty(0)], [np.empty(0)]
    alike: dict[tuple[int, bytes], tuple[FloatArray, list[str]]] = {}
    for file, (vms, middle, places) in enumerate(_timed(by_vm)):
        for vm in vms:
            own = by_vm[vm].values[places]
            high, blank = own >= least, np.isnan(own)
            values.append(own[high])
            middles.append(middle[high])
            alike.setdefault((file, np.packbits(blank).tobytes()), (middle[~blank], []))[1].append(vm)
    times = tuple((len(vms), middle) for middle, vms in alike.values())
    at = np.concatenate(middles)
    order = np.argsort(at, kind="stable")
    return Upper(np.concatenate(values)[order], at[order], times)


def _timed(by_vm: BySeries) -> Iterator[tuple[list[str], FloatArray, npt.NDArray[np.intp]]]:
    """The machines that share their times, the middles of the intervals, and the places of their samples, each as often
    as it counts in a percentile over time."""
    files = list(by_times(by_vm))
    held = [np.flatnonzero(by_vm[vms[0]].span > 0) for vms in files]
    spans = [by_vm[vms[0]].span[places] for vms, places in zip(files, held, strict=True)]
    often = over_time([places.astype(np.float64) for places in held], spans)
    for vms, counted in zip(files, often, strict=True):
        places = counted.astype(np.intp)
        samples = by_vm[vms[0]]
        yield vms, samples.end[places] - 0.5 * samples.span[places], places


def _part(middles: FloatArray, start: float, end: float) -> tuple[int, int]:
    """Where the stretch begins among the middles, and how many of them lie in it."""
    first, last = int(middles.searchsorted(start, "left")), int(middles.searchsorted(end, "right"))
    return first, max(0, last - first)
