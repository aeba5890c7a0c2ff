"""Draws I/O rates that look like a desktop's and add up exactly to a given total.

A rate sample is the average over the interval that ends at its stamp. So a phase contains sum(rate x seconds of the
interval inside the phase). The draw uses counts per interval. A multinomial distributes whole operations to intervals
and machines, as a real disk would count them. One common factor (within a rounding of 1) makes the phase's sum exact.
Intervals across a phase's edge are drawn first and subtracted from the phase's share.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .plan import PhasePlan, RunPlan, Session

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


def overlap(edges: Floats, start: float, end: float) -> Floats:
    """Seconds of each interval inside `[start, end)`; `edges` is VMs x (intervals + 1)."""
    left = np.maximum(edges[:, :-1], start)
    right = np.minimum(edges[:, 1:], end)
    return np.asarray(np.maximum(right - left, 0.0), dtype=np.float64)


def stamps_ms(plan: RunPlan, rng: np.random.RandomState) -> Ints:
    """Sample times in milliseconds after the run's zero: VMs x rows, each with its own offset and jitter."""
    step = round(plan.interval_s * 1000)
    rows = int((plan.log_end - plan.log_start) / plan.interval_s) + 1
    grid = round(plan.log_start * 1000) + step * np.arange(rows, dtype=np.int64)
    if plan.shape.layout == "all-hosts":
        return np.repeat((grid + rng.randint(0, 16, rows, dtype=np.int64))[None, :], plan.vms, axis=0)
    offsets = rng.randint(0, step, plan.vms, dtype=np.int64)
    jitter = rng.randint(0, 16, (plan.vms, rows), dtype=np.int64)
    return np.asarray(grid[None, :] + offsets[:, None] + jitter, dtype=np.int64)


def draw_rates(
    plan: RunPlan,
    rng: np.random.RandomState,
    edges: Floats,
    weights: Floats,
    key: tuple[str, str],
    idle: float,
    blank: Bools,
) -> Floats:
    """Rates (1/s) of one disk and operation, VMs x intervals; `idle` is the rate per VM between phases.

    `weights` is the relative intensity of every interval; `blank` intervals are left without I/O.
    """
    seconds = np.diff(edges, axis=1)
    shares = [overlap(edges, phase.start, phase.end) for phase in plan.phases]
    inside = [share >= seconds - 1e-9 for share in shares]
    expected = idle * (seconds - sum(shares))
    for phase, share in zip(plan.phases, shares, strict=True):
        expected = expected + phase.io.get(key, 0.0) / (phase.end - phase.start) / plan.vms * share
    counts = rng.poisson(np.maximum(expected, 0.0)).astype(np.float64)
    counts[blank | (weights <= 0.0) | np.logical_or.reduce(inside)] = 0.0
    for phase, share in zip(plan.phases, shares, strict=True):
        if float((counts * share / seconds).sum()) > phase.io.get(key, 0.0):
            counts[share > 0.0] = 0.0
    for phase, share, whole in zip(plan.phases, shares, inside, strict=True):
        rest = phase.io.get(key, 0.0) - float((counts * share / seconds).sum())
        _deal(rng, rest, whole & ~blank, weights * seconds, counts)
    return counts / seconds


def _deal(rng: np.random.RandomState, total: float, whole: Bools, mass: Floats, counts: Floats) -> None:
    """Distributes `total` operations to the whole intervals of a phase, in place."""
    if total <= 0.0:
        return
    chances = mass[whole]
    operations = max(1, round(total))
    dealt = rng.multinomial(operations, chances / chances.sum())
    counts[whole] = dealt * (total / operations)


def vm_factors(plan: RunPlan, rng: np.random.RandomState) -> Floats:
    """The load of each VM relative to the mean VM, about 0.85 to 1.2, mean 1."""
    factors = rng.uniform(0.87, 1.15, plan.vms)
    return np.asarray(factors / factors.mean(), dtype=np.float64)


def weights(plan: RunPlan, rng: np.random.RandomState, middles: Floats, operation: str) -> Floats:
    """Relative intensity of every interval and VM, phase by phase."""
    noise = np.exp(0.35 * rng.standard_normal(middles.shape))
    shape = np.ones_like(middles)
    for phase in plan.phases:
        within = (middles >= phase.start) & (middles < phase.end)
        curve = {"boot": _boot, "logon": _logon, "steady": _steady}[phase.name]
        shape = np.where(within, curve(plan, phase, rng, middles, operation), shape)
    factors = vm_factors(plan, rng)
    for phase in plan.phases:
        within = (middles >= phase.start) & (middles < phase.end)
        sums = np.where(within, shape, 0.0).sum(axis=1, keepdims=True)
        shape = np.where(within, shape / np.where(sums > 0, sums, 1.0) * sums.mean(), shape)
    return shape * noise * factors[:, None]


def _boot(plan: RunPlan, phase: PhasePlan, rng: np.random.RandomState, middles: Floats, operation: str) -> Floats:
    """A burst that peaks while the kernel and its services load, then decays; writes come later."""
    length = phase.end - phase.start
    starts = {boot.vm: boot.power_on for boot in plan.boots}
    since = np.array([[starts[name]] for name in plan.vm_names])
    x = (middles - since) / length
    peaks = ((0.12, 0.05, 1.6), (0.33, 0.09, 1.2)) if operation == "read" else ((0.5, 0.16, 1.0),)
    bursts = sum(height * np.exp(-(((x - at) / width) ** 2)) for at, width, height in peaks)
    decay = 1.1 * np.exp(-2.2 * np.maximum(x, 0.0)) if operation == "read" else 0.25 + 0.5 * x.clip(0, 1)
    storm = np.where(rng.random_sample(middles.shape) < 0.06, 1.8, 1.0)
    return np.where(x < 0.0, 0.0, (bursts + decay + 0.05) * storm)


def _logon(plan: RunPlan, phase: PhasePlan, rng: np.random.RandomState, middles: Floats, operation: str) -> Floats:
    """A storm for each user, over a background that grows with the sessions of the VM."""
    del phase, rng
    load = np.full_like(middles, 0.06)
    for row, name in enumerate(plan.vm_names):
        for session in (one for one in plan.sessions if one.vm == name):
            load[row] += _storm(session, middles[row], operation, plan.interval_s)
            if plan.terminal_server:
                load[row] += 0.09 * (middles[row] > session.apps_started)
    return load


def _storm(session: Session, at: Floats, operation: str, interval_s: float) -> Floats:
    """One logon: profile and shell first (reads), then application starts (writes)."""
    length = max(session.apps_started - session.logon_start, interval_s)
    x = (at - session.logon_start) / length
    centre, width = (0.35, 0.3) if operation == "read" else (0.55, 0.35)
    return np.where((x >= 0.0) & (x < 1.15), 0.25 + np.exp(-(((x - centre) / width) ** 2)), 0.0)


def _steady(plan: RunPlan, phase: PhasePlan, rng: np.random.RandomState, middles: Floats, operation: str) -> Floats:
    """A slow swell with bursts, and one odd VM with a ten-minute excursion if the plan says so."""
    x = (middles - phase.start) / (phase.end - phase.start)
    turns = rng.uniform(0.0, 1.0, (plan.vms, 1))
    swell = 1.0 + 0.18 * np.sin(2 * np.pi * (1.5 * x + turns)) - 0.1 * x
    burst = np.where(rng.random_sample(middles.shape) < 0.05, rng.uniform(2.0, 4.0, middles.shape), 1.0)
    load = swell * burst
    if plan.odd_vm is not None and operation == "write":
        since = middles[plan.odd_vm] - (phase.start + 1080.0)
        load[plan.odd_vm] *= np.where((since >= 0.0) & (since < 600.0), 3.6, 1.0)
    return np.asarray(load, dtype=np.float64)
