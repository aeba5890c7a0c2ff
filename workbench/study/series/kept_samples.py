"""The samples that were read last, kept in memory: switching between phases must not read them again.

Kept with the run itself, so a run that was edited is read again, and those of a closed study are given back.
Three configurations of 150 machines with 30,000 samples are 108 MB a quantity.
"""

from __future__ import annotations

from workbench.model.kept import KeptBytes
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.study.series.vm_series import BySeries, vm_samples

# What is kept at most; what was used longest ago goes first.
MAX_BYTES = 400 * 10**6

_KEPT: KeptBytes[BySeries] = KeptBytes()


def kept_samples(run: Run, quantity: Quantity) -> BySeries:
    """What `vm_samples` returns, read once; not to be changed."""
    samples = _KEPT.get(run, quantity)
    if samples is None:
        samples = vm_samples(run, quantity)
        _KEPT.put(run, quantity, samples, _bytes(samples), MAX_BYTES)
    return samples


def forget_samples() -> None:
    """Keeps nothing of what was read so far."""
    _KEPT.clear()


def _bytes(by_vm: BySeries) -> int:
    """Machines of one file share its times."""
    arrays = {
        id(values): values.nbytes
        for samples in by_vm.values()
        for values in (samples.end, samples.span, samples.values)
    }
    return sum(arrays.values())
