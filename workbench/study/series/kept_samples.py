"""The samples that were read last, kept in memory: switching between phases must not read them again.

Kept with the run itself, so a run that was edited is read again, and those of a closed study are given back.
Three configurations of 150 machines with 30,000 samples are 108 MB a quantity.
"""

from __future__ import annotations

from workbench.model.kept import KeptBytes
from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.study.series.vm_series import BySeries, apart, vm_samples

# What is kept at most; what was used longest ago goes first.
MAX_BYTES = 400 * 10**6
# What is kept at most before anything asks for it, of one run and of all.
AHEAD_OF_ONE, AHEAD_BYTES = 16 * 10**6, 128 * 10**6

_KEPT: KeptBytes[BySeries] = KeptBytes()
_AHEAD: KeptBytes[BySeries] = KeptBytes()


def kept_samples(run: Run, quantity: Quantity) -> BySeries:
    """What `vm_samples` returns, read once; not to be changed."""
    samples = _KEPT.get(run, quantity)
    if samples is None:
        samples = _AHEAD.get(run, quantity)
    if samples is None:
        samples = vm_samples(run, quantity)
        _KEPT.put(run, quantity, samples, _bytes(samples), MAX_BYTES)
    return samples


def keep_ahead(run: Run, quantity: Quantity, samples: BySeries) -> None:
    """Keeps a copy of samples that were read with others: a page that shows them next need not read them again. Runs
    with more than `AHEAD_OF_ONE` bytes of them are not kept."""
    if (size := _bytes(samples)) <= AHEAD_OF_ONE:
        _AHEAD.put(run, quantity, apart(samples), size, AHEAD_BYTES)


def forget_samples() -> None:
    """Keeps nothing of what was read so far."""
    _KEPT.clear()
    _AHEAD.clear()


def _bytes(by_vm: BySeries) -> int:
    """Machines of one file share its times."""
    arrays = {
        id(values): values.nbytes
        for samples in by_vm.values()
        for values in (samples.end, samples.span, samples.values)
    }
    return sum(arrays.values())
