"""An upper bound of what the fullest of N further VMs writes, from what the measured VMs wrote.

Assumed: logarithms of the MB are normal, with one variance between VMs and one between runs. The bound is the 90 %
quantile of the largest of N VMs in one further run, with means and variances drawn from their generalised pivotal
quantities (Weerahandi 1993; Lin and Liao 2008, prediction in a one-way random model). Where all runs have the same VMs,
their lasting difference is a variance too. Without three runs of three VMs, twelve values in all, or where they are
far from log-normal (the test of Ryan and Joiner 1976 at 1 %), there is no bound.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist

import numpy as np

from workbench.answers.cache.untested.footprint import FloatArray

HELD = 0.9
_RUNS, _VMS, _VALUES = 3, 3, 12
_DRAWS = 4000


def largest_of(runs: Sequence[Mapping[str, float]], vms: float) -> float | None:
    """The bound in MB for so many VMs, from the MB of each VM of each run; None where the assumption cannot be checked
    or does not hold."""
    counts = [len(run) for run in runs]
    if len(runs) < _RUNS or min(counts) < _VMS or sum(counts) < _VALUES or vms < 1:
        return None
    if any(not 0 < mb < math.inf for run in runs for mb in run.values()):
        return None
    logs = [np.log(list(run.values())) for run in runs]
    if not _log_normal(np.concatenate([run - run.mean() for run in logs])):
        return None
    crossed = all(run.keys() == runs[0].keys() for run in runs)
    if crossed:
        logs = [np.log([run[vm] for vm in runs[0]]) for run in runs]
    return float(np.exp(np.quantile(_largest(logs, crossed, vms), HELD)))


def _largest(logs: Sequence[FloatArray], crossed: bool, vms: float) -> FloatArray:
    """Draws of the largest logarithm of a further run."""
    count, each = len(logs), len(logs) / sum(1 / run.size for run in logs)
    means = np.array([run.mean() for run in logs])
    rng = np.random.default_rng([1, count, len(logs[0])])
    between = each * float(((means - means.mean()) ** 2).sum()) / rng.chisquare(count - 1, _DRAWS)
    if crossed:
        matrix = np.array(logs)
        by_vm = matrix.mean(axis=0) - means.mean()
        rest = matrix - means[:, None] - by_vm
        freedom = by_vm.size - 1
        own = float((rest**2).sum()) / rng.chisquare(freedom * (count - 1), _DRAWS)
        lasting = count * float((by_vm**2).sum()) / rng.chisquare(freedom, _DRAWS)
        within = (lasting + (count - 1) * own) / count
        centre = (between + np.maximum(0.0, lasting - own)) / (each * count)
    else:
        squares = sum(float(((run - run.mean()) ** 2).sum()) for run in logs)
        own = within = squares / rng.chisquare(sum(run.size - 1 for run in logs), _DRAWS)
        centre = between / (each * count)
    of_run = np.maximum(0.0, between - own) / each
    moved = np.sqrt(centre) * rng.standard_normal(_DRAWS) + np.sqrt(of_run) * rng.standard_normal(_DRAWS)
    return np.asarray(means.mean() + moved + np.sqrt(within) * _largest_normal(vms))


@lru_cache(maxsize=64)
def _largest_normal(vms: float) -> FloatArray:
    """Draws of the largest of so many standard normal numbers."""
    normal = NormalDist()
    drawn = np.random.default_rng(2).random(_DRAWS)
    return np.array([normal.inv_cdf(min(max(one ** (1 / vms), 1e-12), 1 - 1e-12)) for one in drawn])


def _log_normal(residuals: FloatArray) -> bool:
    """Whether the correlation of sorted residuals with normal scores is above its 1 % limit (Ryan and Joiner 1976)."""
    count = residuals.size
    if np.ptp(residuals) == 0:
        return True
    scores = np.array([NormalDist().inv_cdf((place - 0.375) / (count + 0.25)) for place in range(1, count + 1)])
    limit = 0.9963 - 0.0211 / math.sqrt(count) - 1.4106 / count + 3.1791 / count**2
    return float(np.corrcoef(np.sort(residuals), scores)[0, 1]) >= limit
