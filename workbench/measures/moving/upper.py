"""The upper samples of a rate in the order of their times: a high percentile of any stretch needs only those."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.measures.percentile import Timed, are_equal, upper_percentile
from workbench.phases.integral import by_times
from workbench.study.series.vm_series import BySeries

FloatArray = npt.NDArray[np.float64]


class _Samples(NamedTuple):
    """The middles (rising) and lengths of the intervals of the known samples of so many machines."""

    machines: int
    middles: FloatArray
    spans: FloatArray


@dataclass(frozen=True, eq=False)
class Upper:
    """`values` are all samples of at least `least` with the `middles` (rising, in UTC seconds) and lengths (`spans`)
    of their intervals. `every` are the intervals of all known samples."""

    values: FloatArray
    middles: FloatArray
    spans: FloatArray
    every: tuple[_Samples, ...]

    def percentile(self, start: float, end: float, share: float) -> float | None:
        """That of all samples that lie in the stretch for at least half of their interval, as `percentile` gives it;
        None if it is below `least`, or nothing lies in the stretch, which is longer than any interval."""
        inside = [(known.machines, known.spans[_part(known.middles, start, end)]) for known in self.every]
        spans = np.concatenate([np.empty(0), *(some for _, some in inside)])
        if not spans.size:
            return None
        part = _part(self.middles, start, end)
        if are_equal(spans):
            size = sum(machines * some.size for machines, some in inside)
            highest = Timed(self.values[part], np.ones(self.values[part].size))
            return upper_percentile(highest, share, float(size), 1.0)
        total = sum(machines * float(some.sum()) for machines, some in inside)
        return upper_percentile(Timed(self.values[part], self.spans[part]), share, total, float(spans.min()))


def upper(by_vm: BySeries, least: float) -> Upper:
    """The samples of at least `least` of all machines."""
    values, middles, spans = [np.empty(0)], [np.empty(0)], [np.empty(0)]
    alike: dict[tuple[int, bytes], tuple[FloatArray, FloatArray, list[str]]] = {}
    for file, vms in enumerate(by_times(by_vm)):
        samples = by_vm[vms[0]]
        held = samples.span > 0
        span = samples.span[held]
        middle = samples.end[held] - 0.5 * span
        for vm in vms:
            own = by_vm[vm].values[held]
            high, known = own >= least, ~np.isnan(own)
            values.append(own[high])
            middles.append(middle[high])
            spans.append(span[high])
            key = file, np.packbits(known).tobytes()
            alike.setdefault(key, (middle[known], span[known], []))[2].append(vm)
    every = tuple(_Samples(len(vms), middle, span) for middle, span, vms in alike.values())
    at = np.concatenate(middles)
    order = np.argsort(at, kind="stable")
    return Upper(np.concatenate(values)[order], at[order], np.concatenate(spans)[order], every)


def _part(middles: FloatArray, start: float, end: float) -> slice:
    """The middles that lie in the stretch."""
    return slice(int(middles.searchsorted(start, "left")), int(middles.searchsorted(end, "right")))
