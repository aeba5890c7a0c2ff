"""The samples that were read last, kept in memory: switching between phases must not read them again.

Kept by the run itself, so a run that was edited is read again. Three configurations of 150 machines with 30,000
samples are 108 MB a quantity.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from workbench.model.metric import Quantity
from workbench.model.run import Run
from workbench.study.series.vm_series import BySeries, vm_samples

# What is kept at most; what was used longest ago goes first.
MAX_BYTES = 400 * 10**6

_kept: OrderedDict[tuple[Run, Quantity], tuple[BySeries, int]] = OrderedDict()
_lock = Lock()


def kept_samples(run: Run, quantity: Quantity) -> BySeries:
    """What `vm_samples` returns, read once; not to be changed."""
    key = run, quantity
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key][0]
    samples = vm_samples(run, quantity)
    with _lock:
        _kept[key] = samples, _bytes(samples)
        _kept.move_to_end(key)
        while sum(size for _, size in _kept.values()) > MAX_BYTES:
            _kept.popitem(last=False)
    return samples


def forget_samples() -> None:
    """Keeps nothing of what was read so far."""
    with _lock:
        _kept.clear()


def _bytes(by_vm: BySeries) -> int:
    """Machines of one file share its times."""
    arrays = {
        id(values): values.nbytes
        for samples in by_vm.values()
        for values in (samples.end, samples.span, samples.values)
    }
    return sum(arrays.values())
